import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import { defineTask, type Task } from '../../task.ts'
import { deleteExpiredPreviews } from './queries.ts'

const clean = defineJob({ name: 'previews.clean', data: z.object({}), expireInSeconds: 300 })

export const previewTasks: readonly Task[] = [
  defineTask(clean, (ctx) => ctx.tx((tx) => deleteExpiredPreviews(tx, ctx.now())), {
    schedule: { cron: '13 * * * *', data: {} },
  }),
]
