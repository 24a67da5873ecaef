import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import { defineTask, type Task } from '../../task.ts'
import { lookAtHealth } from './health.ts'

const check = defineJob({ name: 'health.check', data: z.object({}), expireInSeconds: 60 })

export const healthTasks: readonly Task[] = [
  defineTask(check, async (ctx) => void (await lookAtHealth(ctx)), { schedule: { cron: '*/15 * * * *', data: {} } }),
]
