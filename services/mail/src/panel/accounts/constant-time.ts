import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than any of the work takes that an answer must not tell of. */
const MIN_MS = 200

/** Answers no sooner than a fixed time, so that how long it took does not tell whether there was anything to do. */
export const inConstantTime = async (work: () => Promise<void>): Promise<void> => {
  await Promise.all([work(), sleep(MIN_MS)])
}
