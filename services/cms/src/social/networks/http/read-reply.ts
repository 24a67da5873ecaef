import { type FailureKind, NetworkFailure } from './failure.ts'
import type { NetworkReply } from './http.ts'

/** Readers of answers, which may hold anything. */
export type JsonObject = Readonly<Record<string, unknown>>

/** An object of unknown members, or one without any. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Text that is not empty. Ids come as text or as numbers; a number that lost digits is no id. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value === '' ? null : value
  return Number.isSafeInteger(value) ? String(value) : null
}

export const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** What is at the end of a path of members. */
export const memberOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => objectOf(found)[name], value)

/** A web address that a person may be led to. */
export const addressOf = (value: unknown): string | null => {
  const text = textOf(value)
  return text !== null && text.length <= MAX_ADDRESS && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}

const MAX_ADDRESS = 2_048

/**
 * A member without which the answer is of no use. Where the call may have posted, the outcome is `unknown`; everything
 * else can be asked for again.
 */
export const requireText = (
  answer: unknown,
  member: string,
  label: string,
  kind: Extract<FailureKind, 'transient' | 'unknown'>,
): string => {
  const text = textOf(objectOf(answer)[member])
  if (text !== null) return text
  throw new NetworkFailure({ kind, code: 'UNREADABLE_ANSWER', message: `${label} didn't return ${member}` })
}

export const isSuccess = ({ status }: NetworkReply): boolean => status >= 200 && status <= 299

/** What a status means where a network reports nothing more specific. */
export const kindOfStatus = (status: number): FailureKind => {
  if (status === 429) return 'rate'
  if (status === 401) return 'auth'
  if (status >= 500 || status === 408) return 'transient'
  // Redirects are never followed: one means that the address is wrong.
  return status >= 300 && status < 400 ? 'config' : 'invalid'
}
