import type { BulkJob, MessageUpdate } from '@stoa/mail-model/message-actions.ts'
import { toast, toasts } from '@stoa/ui/feedback/toast-store.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { isPassing } from '@stoa/ui/request/request.ts'
import { formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import { sendMailbox } from '../api.ts'

const POLL_MS = 700
/** A service that does not answer for so many questions is given up; the work goes on there. */
const MAX_MISSES = 20

export const isBulkJob = (answer: MessageUpdate | BulkJob): answer is BulkJob => answer.object === 'bulk_job'

/** Shows how far the work on many messages is, until it has ended. Throws when it failed. */
export const followJob = async (started: BulkJob, doing: string): Promise<BulkJob> => {
  const id = toast({ title: doing, durationMs: null, progress: progressOf(started) })
  try {
    let job = started
    for (let misses = 0; job.status === 'running'; ) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      const next = await readJob(job.id)
      misses = next ? 0 : misses + 1
      if (misses > MAX_MISSES)
        throw new ProblemError("We can't check the progress right now. The action continues in the background.")
      job = next ?? job
      toasts.update(id, { progress: progressOf(job) })
    }
    if (job.status === 'failed') throw new ProblemError(failure(job))
    return job
  } finally {
    toasts.close(id)
  }
}

const progressOf = ({ done, total }: BulkJob) => ({ done, total, unit: 'messages' })

const failure = ({ done, total, error }: BulkJob): string =>
  `${formatNumber(done)} of ${formatCount(total, 'message', 'messages')} done. ${error ?? ''}`.trim()

const readJob = async (id: string): Promise<BulkJob | undefined> => {
  try {
    return await sendMailbox<BulkJob>('GET', `/api/mail/jobs/${id}`)
  } catch (error) {
    if (!isPassing(error)) throw error
    return undefined
  }
}
