import type { Mailbox } from '../../../formats/mime/mime.ts'
import type { IdentityChange } from '../../../sending/identities/identities.ts'
import type { Args } from '../method.ts'
import { failProperties } from '../set-error.ts'
import { isRecord } from '../standard/arguments.ts'

/** More than any signature with its pictures by link has. */
const MAX_SIGNATURE = 65_536
const MAX_NAME = 1_000
const MAX_ADDRESSES = 100

/** What a client may say of an identity. Null and what is absent are the defaults of RFC 8621 §6. */
export const readIdentity = (object: Args): Required<Omit<IdentityChange, 'isDefault'>> => ({
  name: readText(object, 'name', { max: MAX_NAME, isLine: true }),
  replyTo: readAddresses(object, 'replyTo'),
  bcc: readAddresses(object, 'bcc'),
  textSignature: readText(object, 'textSignature', { max: MAX_SIGNATURE, isLine: false }),
  htmlSignature: readText(object, 'htmlSignature', { max: MAX_SIGNATURE, isLine: false }),
})

const readText = (object: Args, name: string, { max, isLine }: { max: number; isLine: boolean }): string => {
  const value = object[name] ?? ''
  if (typeof value !== 'string') return failProperties([name], `"${name}" must be a string.`)
  if (value.length > max) return failProperties([name], `"${name}" has at most ${max} characters.`)
  return isLine && BREAK.test(value) ? failProperties([name], `"${name}" must be one line.`) : value
}

/** Characters that could start another header field. */
const BREAK = /[\p{Cc}\u2028\u2029]/u

const readAddresses = (object: Args, name: string): Mailbox[] | null => {
  const value = object[name] ?? null
  if (value === null) return null
  if (!Array.isArray(value) || value.length > MAX_ADDRESSES)
    return failProperties([name], `"${name}" must be null or a list of at most ${MAX_ADDRESSES} addresses.`)
  return value.map((each: unknown) => readAddress(each) ?? failProperties([name], `"${name}" has invalid addresses.`))
}

const readAddress = (value: unknown): Mailbox | null => {
  if (!isRecord(value)) return null
  const { name = null, email, ...rest } = value
  const isGood =
    typeof email === 'string' &&
    /^[^\s@<>\p{Cc}]+@[^\s@<>\p{Cc}]+$/u.test(email) &&
    email.length <= 254 &&
    Object.keys(rest).length === 0
  const isNamed = name === null || (typeof name === 'string' && name.length <= MAX_NAME && !BREAK.test(name))
  return isGood && isNamed ? { name, email } : null
}
