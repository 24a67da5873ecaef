import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Log } from '@stoa/kit/log.ts'
import { cancelQueued } from '../../hosting/enqueue/enqueue.ts'
import { type MailDatabase, type MailDb, type MailTx, recordObjectChanges } from '../../store/store.ts'
import type { SubmissionTable } from '../../tables/identities.ts'
import type { EnvelopeAddress, SubmissionEnvelope } from './envelope.ts'
import {
  deleteSubmission,
  findForgettable,
  findSubmissions,
  findSummaries,
  markCanceled,
  type SubmissionRow,
  type TouchedSubmission,
} from './queries.ts'
import { refuseSubmission } from './refusal.ts'

/** Mail that was submitted, and its delivery status (RFC 8621 §7). */
export type Submission = {
  id: string
  identityId: string
  /** The message that was sent; it may have been deleted. */
  messageId: string
  threadId: string
  envelope: SubmissionEnvelope
  sendAt: Date
  undoStatus: SubmissionTable['undo_status']
  /** In the order of the recipients. */
  deliveries: readonly { email: string; delivered: 'queued' | 'yes' | 'no' | 'unknown'; smtpReply: string }[]
}

export type SubmissionSummary = Pick<
  Submission,
  'id' | 'identityId' | 'messageId' | 'threadId' | 'sendAt' | 'undoStatus'
>

/** More than anybody sends by hand in the time for which they are kept; older ones are not listed. */
const MAX_LISTED_SUBMISSIONS = 10_000
/** The same time for which the queue keeps results. */
const KEEP_MS = 30 * 86_400_000
const FORGOTTEN_AT_ONCE = 500

/** Submissions by id, or the newest ones; those that are not there are left out. */
export const getSubmissions = async (
  db: MailDb,
  addressId: string,
  ids: readonly string[] | null,
  limit = MAX_LISTED_SUBMISSIONS,
): Promise<Submission[]> => (await findSubmissions(db, addressId, { ids, limit })).map(toSubmission)

/** The members that filters and sorting use, newest first. */
export const listSubmissions = async (db: MailDb, addressId: string): Promise<SubmissionSummary[]> =>
  (await findSummaries(db, addressId, MAX_LISTED_SUBMISSIONS)).map((row) => ({
    id: row.id,
    identityId: row.identity_id,
    messageId: row.message_id,
    threadId: row.thread_id,
    sendAt: row.send_at,
    undoStatus: row.undo_status,
  }))

/** Takes mail back that nobody has begun to send; `cannot_unsend` when that is too late. */
export const cancelSubmission = async (tx: MailTx, addressId: string, id: string): Promise<void> => {
  const [submission] = await findSubmissions(tx, addressId, { ids: [id], limit: 1 })
  if (!submission) return noSuchSubmission()
  if (submission.undo_status === 'canceled') return
  // The queue's rows come first, as in the code that records the result of a message.
  const answer = submission.undo_status === 'pending' ? await cancelQueued(tx, submission.queue_id) : 'finished'
  if (answer !== 'cancelled')
    refuseSubmission('cannot_unsend', "The message is already being sent and can't be canceled.")
  await markCanceled(tx, { addressId, id, reply: CANCELED_REPLY })
  await recordObjectChanges(tx, addressId, [{ kind: 'submission', objectId: id, op: 'updated' }])
}

/** Forgets a submission; mail that is on its way goes on. */
export const destroySubmission = async (tx: MailTx, addressId: string, id: string): Promise<void> => {
  if (!(await deleteSubmission(tx, addressId, id))) noSuchSubmission()
  await recordObjectChanges(tx, addressId, [{ kind: 'submission', objectId: id, op: 'destroyed' }])
}

/** Removes what was finished a month ago. */
export const forgetSubmissions = async (parts: { database: MailDatabase; log: Log }, now: Date): Promise<void> => {
  const { database, log } = parts
  const before = new Date(now.getTime() - KEEP_MS)
  await eachOnItsOwn(
    inPages<TouchedSubmission>(FORGOTTEN_AT_ONCE, (after, limit) =>
      findForgettable(database.db, { before, after, limit }),
    ),
    ({ addressId, id }) =>
      database.tx(async (tx) => {
        if (await deleteSubmission(tx, addressId, id)) await noteDestroyed(tx, addressId, id)
      }),
    (err, { addressId, id }) => log.error({ err, addressId, submissionId: id }, 'a submission could not be forgotten'),
  )
}

/** Mailboxes in one order, so that two that write to several do not wait for each other. */
export const byAddress = (touched: readonly TouchedSubmission[]): [string, string[]][] => {
  const found = new Map<string, Set<string>>()
  for (const { addressId, id } of touched) found.set(addressId, (found.get(addressId) ?? new Set()).add(id))
  return [...found]
    .map(([addressId, ids]): [string, string[]] => [addressId, [...ids]])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const CANCELED_REPLY = '550 5.7.0 Canceled before it was sent'

const noteDestroyed = (tx: MailTx, addressId: string, id: string): Promise<number> =>
  recordObjectChanges(tx, addressId, [{ kind: 'submission', objectId: id, op: 'destroyed' }])

const noSuchSubmission = (): never => refuseSubmission('no_such_submission', "This submission doesn't exist.")

const toSubmission = (row: SubmissionRow): Submission => ({
  id: row.id,
  identityId: row.identity_id,
  messageId: row.message_id,
  threadId: row.thread_id,
  envelope: { mailFrom: row.mail_from, rcptTo: row.recipients.map(addressOf) },
  sendAt: row.send_at,
  undoStatus: row.undo_status,
  deliveries: row.recipients.map(({ email, delivered, smtp_reply: smtpReply }) => ({ email, delivered, smtpReply })),
})

const addressOf = ({ email, parameters }: EnvelopeAddress): EnvelopeAddress => ({ email, parameters })
