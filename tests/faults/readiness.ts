import { setTimeout as sleep } from 'node:timers/promises'
import { within } from './limits.ts'
import { call } from './outcomes.ts'

const MAX_WAIT_MS = 30_000

/** How long it took until `isDone`; throws when that is longer than the limit. */
export const until = async (
  what: string,
  isDone: () => boolean | Promise<boolean>,
  { limitMs = MAX_WAIT_MS, everyMs = 25 } = {},
): Promise<number> => {
  const began = performance.now()
  while (!(await isDone())) {
    if (performance.now() - began > within(limitMs)) throw new Error(`not within ${within(limitMs)} ms: ${what}`)
    await sleep(everyMs)
  }
  return performance.now() - began
}

export const untilReady = (url: string): Promise<number> =>
  until('/readyz is 200', async () => (await call(`${url}/readyz`)).status === 200)

export const untilNotReady = (url: string): Promise<number> =>
  until('/readyz is 503', async () => (await call(`${url}/readyz`)).status === 503, { limitMs: 10_000 })
