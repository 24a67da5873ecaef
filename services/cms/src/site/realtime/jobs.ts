import { runSteps } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import type { Task } from '../../task.ts'
import { createPresence } from './presence.ts'
import { expireTickets } from './tickets.ts'

const clean = defineJob({ name: 'realtime.clean', data: z.object({}), expireInSeconds: 300 })

/** Processes with sockets do the same every few seconds; this is for a site that has none any more. */
export const realtimeTasks: readonly Task[] = [
  {
    job: clean,
    register(jobs, services) {
      const presence = createPresence(services)
      jobs.work(clean, () => runSteps([presence.expire, () => expireTickets(services)]))
      jobs.schedule(clean, '23 * * * *', {})
    },
  },
]
