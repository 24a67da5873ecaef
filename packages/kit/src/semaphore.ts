import { fault } from './errors.ts'

export type Semaphore = {
  /** Runs the work when a place is free; refuses with `unavailable` when too many are waiting already. */
  run<R>(work: () => Promise<R>): Promise<R>
  /** How many run and how many wait, for metrics. */
  state(): { running: number; waiting: number }
}

// A full queue drains in a second or two; clients should not come back sooner.
const RETRY_AFTER_SECONDS = 2

/** Bounds expensive work: at most `parallel` at once, at most `waiting` behind them, first come first served. */
export const createSemaphore = (limits: { parallel: number; waiting: number }): Semaphore => {
  let running = 0
  const queue: (() => void)[] = []

  const enter = async (): Promise<void> => {
    if (running < limits.parallel) {
      running += 1
      return
    }
    if (queue.length >= limits.waiting) throw fault('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  // The place passes straight to the next in line, so that a newcomer cannot slip in between.
  const leave = (): void => {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return {
    run: async (work) => {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    state: () => ({ running, waiting: queue.length }),
  }
}
