import { setTimeout as sleep } from 'node:timers/promises'

export type PaceLimits = { messagesPerSecond: number; bytesPerSecond: number }

/** Waits as long as it takes to stay under the limits. */
export type Pace = (done: { messages: number; bytes: number }, signal: AbortSignal) => Promise<void>

/** What is left over from a pause may be used at once, up to so much. */
const BURST_SECONDS = 1

/** One transfer must neither wear out its source nor keep everybody else here from their mail. */
export const createPace = ({ messagesPerSecond, bytesPerSecond }: PaceLimits): Pace => {
  let freeAt = performance.now()
  return async ({ messages, bytes }, signal) => {
    const now = performance.now()
    const seconds = Math.max(messages / messagesPerSecond, bytes / bytesPerSecond)
    freeAt = Math.max(freeAt, now - BURST_SECONDS * 1_000) + seconds * 1_000
    if (freeAt > now) await sleep(freeAt - now, undefined, { signal })
  }
}
