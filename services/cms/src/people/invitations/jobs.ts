import { inBatches } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import { DAY_MS } from '../../credentials.ts'
import { defineTask, type Task } from '../../task.ts'
import { deleteEndedBefore } from './queries.ts'

const clean = defineJob({ name: 'invitations.clean', data: z.object({}) })

/** Expired invitations are shown this long, so that they can be renewed. */
const SHOWN_MS = 30 * DAY_MS
const AT_ONCE = 500

export const invitationTasks: readonly Task[] = [
  defineTask(
    clean,
    async (ctx) => {
      const before = new Date(ctx.now().getTime() - SHOWN_MS)
      await inBatches(ctx, AT_ONCE, (tx, limit) => deleteEndedBefore(tx, before, limit))
    },
    { schedule: { cron: '41 3 * * *', data: {} } },
  ),
]
