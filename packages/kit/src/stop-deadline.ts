import { setTimeout as sleep } from 'node:timers/promises'

/** How long what is under way may go on after a service was told to stop: requests, connections and background work alike. */
export const STOP_GRACE_MS = 4_000

/** When a stop has to be over. All of its steps share it. */
export type StopDeadline = {
  /** Waits for a step as long as there is time, and notes it if that was too short. */
  wait<R>(step: string, work: Promise<R>): Promise<R | undefined>
  /** The steps that were left to end by themselves, or with the process. */
  readonly skipped: readonly string[]
}

export const startStopDeadline = (ms: number): StopDeadline => {
  const skipped: string[] = []
  const isOver = sleep(ms, TOO_LATE, { ref: false })
  return {
    skipped,
    async wait(step, work) {
      const result = await Promise.race([work, isOver])
      if (result !== TOO_LATE) return result
      skipped.push(step)
      return undefined
    },
  }
}

const TOO_LATE = Symbol('too late')

/** For a process that goes on afterwards: it waits for each step to its end. */
export const NO_STOP_DEADLINE: StopDeadline = { wait: (_, work) => work, skipped: [] }
