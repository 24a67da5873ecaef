import { type Args, failMethod } from '../method.ts'

/** RFC 8620 §1.2: what an id may look like; whether it names something is another question. */
const ID = /^[A-Za-z0-9_-]{1,255}$/

export const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value)

export const isRecord = (value: unknown): value is Args =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** Refuses arguments that the method does not have; `accountId` is known to all. */
export const checkNames = (args: Args, known: readonly string[]): void => {
  const unknown = Object.keys(args).find((name) => name !== 'accountId' && !known.includes(name))
  if (unknown !== undefined) failArgument(unknown, 'is not supported by this method')
}

export const failArgument = (name: string, problem: string): never =>
  failMethod('invalidArguments', `The argument "${name.slice(0, 100)}" ${problem}.`, { arguments: [name] })

/** The value of an argument, null when it is absent or null. */
const given = (args: Args, name: string): unknown => args[name] ?? null

export const readString = (args: Args, name: string): string =>
  readOptionalString(args, name) ?? failArgument(name, 'is required and must be a string')

export const readOptionalString = (args: Args, name: string): string | null => {
  const value = given(args, name)
  return value === null || typeof value === 'string' ? value : failArgument(name, 'must be a string')
}

export const readBoolean = (args: Args, name: string, otherwise = false): boolean => {
  const value = given(args, name)
  if (value === null) return otherwise
  return typeof value === 'boolean' ? value : failArgument(name, 'must be true or false')
}

/** RFC 8620 §1.3: Int and UnsignedInt are integers that JSON holds exactly. */
const isInt = (value: unknown): value is number => Number.isSafeInteger(value)
export const isUnsignedInt = (value: unknown): value is number => isInt(value) && value >= 0

export const readInt = (args: Args, name: string, otherwise: number): number => {
  const value = given(args, name)
  if (value === null) return otherwise
  return isInt(value) ? value : failArgument(name, 'must be an integer')
}

/** Null when it is absent. */
export const readUnsigned = (args: Args, name: string): number | null => {
  const value = given(args, name)
  return value === null || isUnsignedInt(value) ? value : failArgument(name, 'must be a non-negative integer')
}

/** An id that need not name anything; null when it is absent. */
export const readId = (args: Args, name: string): string | null => {
  const value = given(args, name)
  return value === null || isId(value) ? value : failArgument(name, 'must be an id')
}

/** A list of ids, or null. Creation ids (`#x`) pass: `realId` resolves them. */
export const readIds = (args: Args, name: string): string[] | null => {
  const value = given(args, name)
  if (value === null) return null
  const isList = Array.isArray(value) && value.every((item) => isId(item) || isReference(item))
  return isList ? value : failArgument(name, 'must be a list of ids')
}

const isReference = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('#') && isId(value.slice(1))

export const readStrings = (args: Args, name: string): string[] | null => {
  const value = given(args, name)
  return value === null || isStrings(value) ? value : failArgument(name, 'must be a list of strings')
}

const readRecord = (args: Args, name: string): Args | null => {
  const value = given(args, name)
  return value === null || isRecord(value) ? value : failArgument(name, 'must be an object')
}

/** An object of objects, such as `create` and `update`. */
export const readRecords = (args: Args, name: string): [string, Args][] =>
  Object.entries(readRecord(args, name) ?? {}).map(([key, value]) => [
    key,
    isRecord(value) ? value : failArgument(name, 'must have objects as its values'),
  ])

/** A moment (RFC 8620 §1.4): `2014-10-30T06:12:00Z`, in UTC for `UTCDate`. Null: it is none. */
export const parseUtcDate = (value: unknown): Date | null => {
  if (typeof value !== 'string' || !UTC_DATE.test(value)) return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

const UTC_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** A UTCDate: without fractions that are zero (RFC 8620 §1.4). */
export const utcDate = (date: Date): string => date.toISOString().replace(/\.000Z$/, 'Z')
