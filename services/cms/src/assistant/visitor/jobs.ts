import { runSteps } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { pruneLimits } from '@stoa/kit/limits/limits.ts'
import { z } from 'zod'
import { defineTask, type Task } from '../../task.ts'
import { expireQuestions } from './questions.ts'

const clean = defineJob({ name: 'visitor.clean', data: z.object({}), expireInSeconds: 600 })

export const visitorTasks: readonly Task[] = [
  defineTask(
    clean,
    (ctx, { signal }) => {
      const prune = async (): Promise<void> => {
        while ((await ctx.tx((tx) => pruneLimits(tx, ctx.now()))).hasMore) signal.throwIfAborted()
      }
      return runSteps([() => expireQuestions(ctx), prune])
    },
    { schedule: { cron: '23 * * * *', data: {} } },
  ),
]
