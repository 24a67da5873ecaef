import type { OnFirstAttempt, OnOutcome } from './parts.ts'

/** What is done in the transactions that take messages to work and write what became of them. */
export type QueueHooks = { onOutcome: OnOutcome; onFirstAttempt: OnFirstAttempt }

/** All of these, one after the other. */
export const joinHooks = (...all: readonly QueueHooks[]): QueueHooks => ({
  onOutcome: async (tx, outcomes) => {
    for (const { onOutcome } of all) await onOutcome(tx, outcomes)
  },
  onFirstAttempt: async (tx, begun) => {
    for (const { onFirstAttempt } of all) await onFirstAttempt(tx, begun)
  },
})
