import type { Change } from '@stoa/kit/db/database.ts'
import type { Polling } from '@stoa/kit/queue/worker.ts'
import type { Services } from '../../context.ts'
import { createEventWorker } from './event-worker.ts'
import { isWanted } from './notify.ts'
import { createScheduleWorker } from './schedule-worker.ts'

export { notifyPlugins, rememberMaker } from './notify.ts'
export { setSchedules } from './schedule-worker.ts'

/** What plugins do without being called: events and schedules. */
export type PluginWork = {
  start(): void
  /** Wakes the worker if plugins subscribe to the change, from this or another process. */
  notify(change: Change): void
  wake(): void
  /** Does everything that is due now, and waits for it. */
  runDue(): Promise<void>
  stop(graceMs?: number): Promise<void>
}

export const createPluginWork = (services: Services, polling: Polling = {}): PluginWork => {
  const events = createEventWorker(services, polling)
  const schedules = createScheduleWorker(services, polling)
  const workers = [events, schedules]
  return {
    start: () => workers.forEach((worker) => void worker.start()),
    notify: ({ event }) => {
      if (isWanted(services, event)) events.wake()
    },
    wake: () => workers.forEach((worker) => void worker.wake()),
    runDue: async () => {
      for (const worker of workers) await worker.runDue()
    },
    stop: async (graceMs) => {
      await Promise.all(workers.map((worker) => worker.stop(graceMs)))
    },
  }
}
