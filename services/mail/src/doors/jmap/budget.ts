import type { Memory, Reservation, Turn } from '../fairness/fairness.ts'
import { failMethod } from './method.ts'

/**
 * What one request may cause, counted in bytes of messages that are taken apart or put together: about two seconds of a
 * processor. It is counted and not measured, so that a request is answered alike on a slow day.
 */
const MAX_WORK = 128_000_000
/** To write a character of the answer. */
const CHARACTER_WORK = 2

/** Most characters of one call's answer, which is held in memory so that an error can still replace it. */
const MAX_CALL_CHARACTERS = 32_000_000
/** Answers up to this size, with what they are made from, reserve no memory. */
const SMALL_BYTES = 1_000_000
/** A longest answer, and a message that is being read for it. */
export const LARGE_BYTES = 64_000_000

/** The request asks for more work than one may: `requestTooLarge` of a method, `rateLimit` of an object of a /set. */
export class TooMuchWork extends Error {
  constructor() {
    super('This request is too large. Split it into several requests.')
    this.name = 'TooMuchWork'
  }
}

/** The work and memory that a request may still use. */
export type Budget = {
  /** The rest of the calls is not run. */
  readonly isSpent: boolean
  /** Work that is about to be done; TooMuchWork. */
  spend(work: number): void
  /** Whether the answer may grow by so much; `requestTooLarge` before it is made. */
  check(characters: number): void
  /** Characters of the answer that were written; `requestTooLarge` when they are too many for one call. */
  take(characters: number): void
  /** Resolves when so many bytes more may be in memory: those of a small answer at once. */
  room(bytes: number): Promise<void>
  /** For loops that take long. */
  readonly turn: Turn
  /** The answer to a call is complete: of its memory so much is still in use. It counts, whatever it is. */
  answered(characters: number): void
  /** The characters of the answer that are still to be sent. */
  left(characters: number): void
}

type BudgetOptions = {
  mailboxId: string
  turn: Turn
  /** Is waited for before memory is, so that nobody who has some waits for it. */
  beforeLarge(): Promise<void>
  /** Ends the request of a client that takes a large answer too slowly. */
  cut(): void
}

export const createBudget = (memory: Memory, { mailboxId, turn, beforeLarge, cut }: BudgetOptions): Budget => {
  let work = MAX_WORK
  let taken = 0
  let reserving: Promise<Reservation> | null = null
  let reservation: Reservation | null = null
  const spend = (more: number): void => {
    work -= more
    if (work < 0) throw new TooMuchWork()
  }
  const check = (characters: number): void => {
    if (taken + characters > MAX_CALL_CHARACTERS)
      failMethod('requestTooLarge', 'The response is too large. Request fewer objects or properties.')
  }
  return {
    get isSpent() {
      return work < 0
    },
    spend,
    check,
    take(characters) {
      check(characters)
      taken += characters
      spend(characters * CHARACTER_WORK)
    },
    async room(bytes) {
      if (reservation || taken + bytes <= SMALL_BYTES) return
      reserving ??= beforeLarge().then(() => memory.reserve(mailboxId, LARGE_BYTES))
      reservation = await reserving
    },
    turn,
    answered(characters) {
      work -= Math.max(0, characters - taken) * CHARACTER_WORK
      taken = 0
      reservation?.shrinkTo(characters)
      reservation?.sending(cut)
    },
    left(characters) {
      reservation?.shrinkTo(characters)
      if (characters > 0) return
      reservation?.release()
      reservation = null
      reserving = null
    },
  }
}
