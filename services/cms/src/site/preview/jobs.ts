import { inBatches } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import { defineTask, type Task } from '../../task.ts'
import { deleteExpiredPreviews, EXPIRED_AT_ONCE } from './queries.ts'

const clean = defineJob({ name: 'previews.clean', data: z.object({}), expireInSeconds: 300 })

export const previewTasks: readonly Task[] = [
  defineTask(
    clean,
    async (ctx) => {
      await inBatches(ctx, EXPIRED_AT_ONCE, (tx, limit) => deleteExpiredPreviews(tx, ctx.now(), limit))
    },
    { schedule: { cron: '13 * * * *', data: {} } },
  ),
]
