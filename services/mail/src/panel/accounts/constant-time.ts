import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than any work that a response must not reveal. */
const MIN_MS = 200

/** Responds no sooner than after a fixed time, so that the duration doesn't reveal whether there was anything to do. */
export const inConstantTime = async (work: () => Promise<void>): Promise<void> => {
  await Promise.all([work(), sleep(MIN_MS)])
}
