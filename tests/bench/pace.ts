import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the next operation is due, of all connections together. */
export type Pace = () => Promise<void>

/** So many operations a second, whatever each takes; without a number, each as soon as it can be. */
export const createPace = (perSecond = Number.POSITIVE_INFINITY): Pace => {
  const began = performance.now()
  let count = 0
  return async () => {
    const wait = began + (count * 1_000) / perSecond - performance.now()
    count += 1
    if (wait > 0) await sleep(wait)
  }
}
