import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../readiness.ts'
import { type Site, TYPE } from '../site.ts'
import { type Listener, listen, ticketFor } from '../sockets.ts'

/** A browser that follows what is published, and connects again whenever its socket ends. */
export type Follower = {
  reconnects(): number
  /** Resolves with the time until a publication is received; Infinity when it is not. */
  receives(id: string): Promise<number>
  stop(): Promise<void>
}

const PAUSE_MS = 200

export const startFollower = (url: string, site: Site): Follower => {
  let isStopped = false
  let current: Listener | null = null
  let connects = 0
  const run = async () => {
    while (!isStopped) {
      try {
        current = await listen(url, await ticketFor(url, site.token), `content:${TYPE}`)
        connects += 1
        while (!isStopped && current.closedWith() === null) await sleep(PAUSE_MS)
      } catch {
        // The next one may work.
      }
      current?.close()
      current = null
      await sleep(PAUSE_MS)
    }
  }
  const running = run()
  return {
    reconnects: () => Math.max(0, connects - 1),
    async receives(id) {
      await until('it follows', () => current !== null)
      return current?.receives('entry.published', id).catch(() => Number.POSITIVE_INFINITY) ?? Number.POSITIVE_INFINITY
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}
