import { inBatches } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import type { Task } from '../../task.ts'
import { createPresence } from './presence.ts'
import { deleteExpiredTickets, EXPIRED_AT_ONCE } from './queries.ts'

const clean = defineJob({ name: 'realtime.clean', data: z.object({}), expireInSeconds: 300 })

/** Processes with sockets do the same every few seconds; this is for a site that has none any more. */
export const realtimeTasks: readonly Task[] = [
  {
    job: clean,
    register(jobs, services) {
      const presence = createPresence(services)
      jobs.work(clean, async () => {
        await presence.expire()
        await inBatches(services.database, EXPIRED_AT_ONCE, (tx, limit) =>
          deleteExpiredTickets(tx, services.clock.now(), limit),
        )
      })
      jobs.schedule(clean, '23 * * * *', {})
    },
  },
]
