import type { Args } from './method.ts'
import type { Invocation } from './references.ts'
import { isRecord } from './standard/arguments.ts'

/** An object of an answer that has been written already: as text it takes a fifth of the memory. */
export class Json {
  readonly text: string

  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}

/** Shorter answers are one piece. */
const JOINED_CHARACTERS = 65_536

/** A method response as text, in pieces that need not be in memory together while they are sent. */
export const writeInvocation = ([name, args, callId]: Invocation): string[] => {
  if (!Object.values(args).some(isWritten)) return [JSON.stringify([name, args, callId])]
  const pieces = [`[${JSON.stringify(name)},{`]
  for (const [index, [member, value]] of definedMembers(args).entries()) {
    pieces.push(`${index > 0 ? ',' : ''}${JSON.stringify(member)}:`)
    if (isWritten(value)) writeMembers(value, pieces)
    else pieces.push(JSON.stringify(value))
  }
  pieces.push(`},${JSON.stringify(callId)}]`)
  return joinShort(pieces)
}

type Written = readonly Json[] | Readonly<Record<string, Json>>

/** Lists and maps are of written objects, or of none. */
export const isWritten = (value: unknown): value is Written => firstMember(value) instanceof Json

const firstMember = (value: unknown): unknown => {
  if (Array.isArray(value)) return value[0]
  if (isRecord(value)) for (const name in value) return value[name]
  return null
}

const definedMembers = (args: Args): [string, unknown][] =>
  Object.entries(args).filter(([, value]) => value !== undefined)

const writeMembers = (written: Written, pieces: string[]): void => {
  const isList = Array.isArray(written)
  pieces.push(isList ? '[' : '{')
  for (const [index, [key, { text }]] of Object.entries(written).entries())
    pieces.push(`${index > 0 ? ',' : ''}${isList ? '' : `${JSON.stringify(key)}:`}`, text)
  pieces.push(isList ? ']' : '}')
}

const joinShort = (pieces: readonly string[]): string[] => {
  const joined: string[] = []
  let short = ''
  for (const piece of pieces) {
    short += piece
    if (short.length < JOINED_CHARACTERS) continue
    joined.push(short)
    short = ''
  }
  return short === '' ? joined : [...joined, short]
}
