import { type FailureKind, NetworkFailure } from './failure.ts'

/** Readers of answers, which may hold anything. */
export type JsonObject = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Ids come as text or as numbers; a number that lost digits is no id. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value === '' ? null : value
  return Number.isSafeInteger(value) ? String(value) : null
}

export const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** A member without which the answer is of no use. */
export const requireText = (answer: JsonObject, member: string, label: string, kind: FailureKind): string => {
  const text = textOf(answer[member])
  if (text === null)
    throw new NetworkFailure({ kind, code: 'UNREADABLE_ANSWER', message: `${label} sent no ${member}` })
  return text
}
