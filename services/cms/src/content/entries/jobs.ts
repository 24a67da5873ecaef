import { setTimeout as sleep } from 'node:timers/promises'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import { defineTask, type Task } from '../../task.ts'
import { resyncEntries } from '../types/types.ts'
import { runSchedule } from './publish-due.ts'
import { resyncTypes } from './resync.ts'
import { purgeOldTrash } from './trash.ts'

const purgeTrash = defineJob({ name: 'entries.purge-trash', data: z.object({}), expireInSeconds: 3_600 })

export const entryTasks: readonly Task[] = [
  {
    job: purgeTrash,
    register(jobs, services) {
      jobs.work(purgeTrash, async () => void (await purgeOldTrash(services)))
      jobs.schedule(purgeTrash, '17 3 * * *', {})
    },
  },
  // Also runs hourly, to retry types that failed.
  defineTask(resyncEntries, (ctx, { signal }) => resyncTypes(ctx, signal), {
    schedule: { cron: '41 * * * *', data: {} },
  }),
]

/** People schedule to the minute and watch the clock. */
const LOOK_EVERY_MS = 1_000

/** Publishes on time, until stopped; the next pass makes up for a failed one. */
export const keepSchedule = (services: Services): { stop(): Promise<void> } => {
  const over = new AbortController()
  const running = (async () => {
    while (!over.signal.aborted) {
      await runSchedule(services).catch((error: unknown) =>
        services.log.warn({ err: error }, 'scheduled entries could not be looked at; trying again'),
      )
      await sleep(LOOK_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      over.abort()
      await running
    },
  }
}
