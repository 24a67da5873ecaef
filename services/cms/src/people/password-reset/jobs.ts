import { inBatches } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import { defineTask, type Task } from '../../task.ts'
import { mailReset, sendReset } from './password-reset.ts'
import { deleteEndedResets } from './queries.ts'

const clean = defineJob({ name: 'people.reset-clean', data: z.object({}) })
const AT_ONCE = 500

export const passwordResetTasks: readonly Task[] = [
  defineTask(mailReset, (ctx, { data }) => sendReset(ctx, data)),
  defineTask(
    clean,
    async (ctx) => {
      await inBatches(ctx, AT_ONCE, (tx, limit) => deleteEndedResets(tx, ctx.now(), limit))
    },
    { schedule: { cron: '47 * * * *', data: {} } },
  ),
]
