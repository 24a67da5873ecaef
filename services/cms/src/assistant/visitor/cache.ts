import { createHash } from 'node:crypto'
import type { VisitorAnswer } from '@stoa/cms-model/visitor.ts'

export type CachedAnswer = Omit<VisitorAnswer, 'id'>

/** Answers of this process by what they depend on. */
export type AnswerCache = {
  get(key: readonly unknown[], now: Date): CachedAnswer | undefined
  set(key: readonly unknown[], answer: CachedAnswer, now: Date): void
}

const KEPT_MS = 600_000
/** Each is a few kilobytes. */
const MAX_ANSWERS = 500

export const createAnswerCache = (): AnswerCache => {
  const held = new Map<string, { answer: CachedAnswer; until: number }>()
  const nameOf = (key: readonly unknown[]) => createHash('sha256').update(JSON.stringify(key)).digest('base64')
  return {
    get(key, now) {
      const name = nameOf(key)
      const found = held.get(name)
      if (found && found.until > now.getTime()) return found.answer
      held.delete(name)
      return undefined
    },
    set(key, answer, now) {
      const [oldest] = held.size >= MAX_ANSWERS ? held.keys() : []
      if (oldest !== undefined) held.delete(oldest)
      held.set(nameOf(key), { answer, until: now.getTime() + KEPT_MS })
    },
  }
}
