import { keepWhileBackedUp } from '@stoa/kit/backup/runs.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { defineTask, type Task } from '../../task.ts'
import { listUsedBlobs } from './queries.ts'

/**
 * Bytes come before the row that names them: what is younger may belong to an upload that is not committed yet. With the
 * schedule below, nothing that nobody uses stays longer than an hour.
 */
const GRACE_MS = 30 * 60_000

const sweepFiles = defineJob({ name: 'media.sweep', data: z.object({}), expireInSeconds: 3_600, retryLimit: 0 })

/** Removes bytes that no file and no rendition names any more. */
export const sweepBlobs = async ({ db, media, log }: Pick<Ctx, 'db' | 'media' | 'log'>): Promise<void> => {
  const blobs = await media.blobs()
  // The age of a blob is by the clock of its disk.
  const olderThan = new Date(Date.now() - GRACE_MS)
  const swept = await blobs.sweep({ keep: keepWhileBackedUp(db, (keys) => listUsedBlobs(db, keys)), olderThan })
  if (swept.removed + swept.temporary > 0) log.info(swept, 'stored files that nobody uses were removed')
}

export const mediaTasks: readonly Task[] = [
  defineTask(sweepFiles, (ctx) => sweepBlobs(ctx), { schedule: { cron: '*/20 * * * *', data: {} } }),
]
