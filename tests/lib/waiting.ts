import { setTimeout as sleep } from 'node:timers/promises'

/** A machine may have its cores taken away for minutes: what is late is waited for, and what never comes fails slowly. */
const PATIENCE_MS = 120_000
const FIRST_LOOK_MS = 2
const LAST_LOOK_MS = 50

type Found<T> = Exclude<T, false | null | undefined>

/** Looks again until it finds something, and gives that. Fails with `what`, or with the question itself. */
export const until = async <T>(
  look: () => T | Promise<T>,
  what: string | (() => string) = look.toString(),
): Promise<Found<T>> => {
  const deadline = performance.now() + PATIENCE_MS
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 1.5, LAST_LOOK_MS)) {
    const found = await look()
    if (found) return found as Found<T>
    if (performance.now() > deadline) throw new Error(`it never was so: ${typeof what === 'string' ? what : what()}`)
    await sleep(wait)
  }
}

/**
 * Lets time pass: for a fake that is slow on purpose, and before checking that something has not happened, where no
 * condition shows that its moment is over. `_why` is for the reader; to wait for something, use `until`.
 */
export const passTime = (ms: number, _why: string, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ...(signal && { signal }) })
