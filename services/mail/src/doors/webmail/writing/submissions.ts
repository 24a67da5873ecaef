import type { Submission as SubmissionJson, SubmissionListRequest } from '@stoa/mail-model/compose.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { pageOf } from '../../../pagination/pagination.ts'
import { signInOf } from '../../../principal.ts'
import {
  cancelSubmission,
  getSubmissions,
  listSubmissions,
  type Submission,
  SubmissionRefusal,
} from '../../../sending/submission/submission.ts'
import { changeKeywords, folderByRole, type MailTx, moveMessages } from '../../../store/store.ts'
import { withSubmissions } from './submission-refusals.ts'

/** What the mailbox sent in the last month, and what is still to be sent. */
export const getSubmissionList = async (ctx: Ctx, list: SubmissionListRequest): Promise<List<SubmissionJson>> => {
  const addressId = signInOf(ctx).address.id
  const summaries = (await listSubmissions(ctx.db, addressId)).filter(
    ({ undoStatus }) => list.status === undefined || STATUS[undoStatus] === list.status,
  )
  const { rows, total } = pageOf(
    summaries,
    { ...list, search: undefined },
    {
      text: () => '',
      columns: { send_at: ({ sendAt }) => sendAt.getTime() },
    },
  )
  const found = await getSubmissions(
    ctx.db,
    addressId,
    rows.map(({ id }) => id),
  )
  const byId = new Map(found.map((submission) => [submission.id, submission]))
  return toList(list, total, rows.flatMap(({ id }) => byId.get(id) ?? []).map(submissionJson))
}

export const loadSubmission = (ctx: Ctx, { params }: { params: { submission_id: string } }): Promise<SubmissionJson> =>
  readSubmission(ctx, params.submission_id)

export const readSubmission = async (ctx: Ctx, id: string): Promise<SubmissionJson> => {
  const [submission] = await getSubmissions(ctx.db, signInOf(ctx).address.id, [id])
  return submission ? submissionJson(submission) : fail('not_found')
}

/** Takes mail back that nobody has begun to send: it is a draft again. */
export const cancelSend = (ctx: Ctx, { id, status }: SubmissionJson): Promise<SubmissionJson> =>
  withSubmissions(async () => {
    if (status === 'cancelled') return readSubmission(ctx, id)
    try {
      await ctx.tx((tx) => takeBack(ctx, tx, id))
    } catch (error) {
      // Somebody else took it back at the same moment.
      const isLate = error instanceof SubmissionRefusal && error.kind === 'cannot_unsend'
      const now = isLate ? await readSubmission(ctx, id) : null
      if (now?.status !== 'cancelled') throw error
      return now
    }
    return readSubmission(ctx, id)
  })

const takeBack = async (ctx: Ctx, tx: MailTx, id: string): Promise<void> => {
  const addressId = signInOf(ctx).address.id
  const [submission] = await getSubmissions(tx, addressId, [id])
  if (!submission) return fail('not_found')
  await cancelSubmission(tx, addressId, id)
  const drafts = await folderByRole(tx, addressId, 'drafts')
  if (!drafts) return
  const input = { addressId, messageIds: [submission.messageId] }
  // The message may be gone; then there is nothing to go on with.
  await moveMessages(tx, { ...input, folderId: drafts.id, now: ctx.now() })
  await changeKeywords(tx, { ...input, add: ['$draft'] })
}

const STATUS = { pending: 'pending', final: 'sent', canceled: 'cancelled' } as const satisfies Record<
  Submission['undoStatus'],
  SubmissionJson['status']
>

const submissionJson = (submission: Submission): SubmissionJson => ({
  object: 'submission',
  id: submission.id,
  message_id: submission.messageId,
  status: STATUS[submission.undoStatus],
  send_at: submission.sendAt.toISOString(),
  recipients: submission.deliveries.map(({ email, delivered, smtpReply }) => ({ email, delivered, reply: smtpReply })),
})
