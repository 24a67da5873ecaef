/** Where code gets the time from, so that tests can set it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export type TestClock = Clock & {
  /** Moves the clock to this moment, also backwards. */
  set(at: Date): void
  /** Moves the clock by milliseconds, also backwards. */
  advance(milliseconds: number): void
}

/** A clock that stands still until a test moves it. */
export const createTestClock = (start: Date): TestClock => {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    set: (to) => {
      at = to.getTime()
    },
    advance: (milliseconds) => {
      at += milliseconds
    },
  }
}
