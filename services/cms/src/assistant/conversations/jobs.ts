import { inBatches } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { DAY_MS } from '../../credentials.ts'
import { defineTask, type Task } from '../../task.ts'
import { readAiSettings } from '../connection/connection.ts'
import { deleteConversationsBefore } from './queries.ts'

const clean = defineJob({ name: 'conversations.clean', data: z.object({}), expireInSeconds: 900 })

/** Each with all its messages and proposals: stays far below the statement timeout. */
const DELETED_AT_ONCE = 50

/** Deletes conversations that have been idle for longer than the site keeps them. */
export const deleteOldConversations = async (ctx: Ctx): Promise<void> => {
  const { retentionDays } = await readAiSettings(ctx)
  const before = new Date(ctx.now().getTime() - retentionDays * DAY_MS)
  await inBatches(ctx, DELETED_AT_ONCE, (tx, limit) => deleteConversationsBefore(tx, before, limit))
}

export const conversationTasks: readonly Task[] = [
  defineTask(clean, deleteOldConversations, { schedule: { cron: '29 3 * * *', data: {} } }),
]
