import type { MailDb, MailTx } from '../../store/store.ts'
import type { SubmissionRecipientTable, SubmissionTable } from '../../tables/identities.ts'

export type SubmissionRow = Omit<SubmissionTable, 'address_id'> & {
  recipients: Pick<SubmissionRecipientTable, 'email' | 'parameters' | 'delivered' | 'smtp_reply'>[]
}

export const insertSubmission = async (
  tx: MailTx,
  submission: SubmissionTable,
  recipients: readonly Omit<SubmissionRecipientTable, 'address_id' | 'submission_id'>[],
): Promise<void> => {
  await tx.insertInto('submission').values(submission).execute()
  const { address_id, id: submission_id } = submission
  await tx
    .insertInto('submission_recipient')
    .values(recipients.map((recipient) => ({ ...recipient, address_id, submission_id })))
    .execute()
}

/** Those of the ids that are there, or all when no ids are given. */
export const findSubmissions = (
  db: MailDb,
  addressId: string,
  { ids, limit }: { ids: readonly string[] | null; limit: number },
): Promise<SubmissionRow[]> =>
  db.query<SubmissionRow>({
    name: 'submissions-find',
    text: `select id, identity_id, message_id, thread_id, queue_id, mail_from, send_at, undo_status, created_at, (
        select json_agg(json_build_object('email', r.email, 'parameters', r.parameters, 'delivered', r.delivered,
          'smtp_reply', r.smtp_reply) order by r.ordinal)
        from submission_recipient r where r.address_id = s.address_id and r.submission_id = s.id
      ) as recipients
      from submission s where address_id = $1 and ($2::uuid[] is null or id = any($2))
      order by send_at desc, id desc limit $3`,
    values: [addressId, ids, limit],
  })

export type SubmissionSummary = Pick<
  SubmissionTable,
  'id' | 'identity_id' | 'message_id' | 'thread_id' | 'send_at' | 'undo_status'
>

/** The columns that filters and sorting use, newest first. */
export const findSummaries = (db: MailDb, addressId: string, limit: number): Promise<SubmissionSummary[]> =>
  db.query<SubmissionSummary>({
    name: 'submissions-summaries',
    text: `select id, identity_id, message_id, thread_id, send_at, undo_status from submission
      where address_id = $1 order by send_at desc, id desc limit $2`,
    values: [addressId, limit],
  })

/** How much mail nobody has begun to send. */
export const countPendingSubmissions = async (db: MailDb, addressId: string): Promise<number> => {
  const [row] = await db.query<{ pending: number }>({
    name: 'submissions-count-pending',
    text: `select count(*) as pending from submission where address_id = $1 and undo_status = 'pending'`,
    values: [addressId],
  })
  return row?.pending ?? 0
}

export const deleteSubmission = async (tx: MailTx, addressId: string, id: string): Promise<boolean> => {
  const rows = await tx.query({
    text: 'delete from submission where address_id = $1 and id = $2 returning 1',
    values: [addressId, id],
  })
  return rows.length > 0
}

/** Marks a submission as canceled before any of it was sent; this status is final. */
export const markCanceled = async (
  tx: MailTx,
  { addressId, id, reply }: { addressId: string; id: string; reply: string },
): Promise<void> => {
  await tx.query({
    text: `with canceled as (
        update submission set undo_status = 'canceled' where address_id = $1 and id = $2 returning address_id, id
      )
      update submission_recipient r set delivered = 'no', smtp_reply = $3 from canceled c
      where r.address_id = c.address_id and r.submission_id = c.id`,
    values: [addressId, id, reply],
  })
}

export type TouchedSubmission = { addressId: string; id: string }

/** A message in the queue, and whose it is. */
export type QueuedMail = { addressId: string; queueId: string }

/** Mail that is on its way cannot be taken back any more. */
export const markFinal = (tx: MailTx, mails: readonly QueuedMail[]): Promise<TouchedSubmission[]> =>
  tx.query<TouchedSubmission>({
    name: 'submissions-mark-final',
    text: `update submission s set undo_status = 'final' from unnest($1::uuid[], $2::uuid[]) q (address_id, queue_id)
      where s.address_id = q.address_id and s.queue_id = q.queue_id and s.undo_status = 'pending'
      returning s.address_id as "addressId", s.id`,
    values: [mails.map(({ addressId }) => addressId), mails.map(({ queueId }) => queueId)],
  })

export type RecipientOutcome = QueuedMail & {
  ordinal: number
  delivered: 'queued' | 'no' | 'accepted'
  reply: string
}

/** `accepted` is in the mailbox if that is ours, and with another host otherwise. */
export const writeOutcomes = (tx: MailTx, outcomes: readonly RecipientOutcome[]): Promise<TouchedSubmission[]> =>
  tx.query<TouchedSubmission>({
    name: 'submissions-write-outcomes',
    text: `update submission_recipient r
      set smtp_reply = o.reply, delivered = case when o.delivered <> 'accepted' then o.delivered
        when r.is_local then 'yes' else 'unknown' end
      from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::uuid[]) o (queue_id, ordinal, delivered, reply, address_id)
        join submission s on s.address_id = o.address_id and s.queue_id = o.queue_id
      where r.address_id = s.address_id and r.submission_id = s.id and r.ordinal = o.ordinal
      returning r.address_id as "addressId", r.submission_id as id`,
    values: [
      outcomes.map(({ queueId }) => queueId),
      outcomes.map(({ ordinal }) => ordinal),
      outcomes.map(({ delivered }) => delivered),
      outcomes.map(({ reply }) => reply),
      outcomes.map(({ addressId }) => addressId),
    ],
  })

/** Old ones that nothing happens to any more. */
export const findForgettable = (
  db: MailDb,
  { before, after, limit }: { before: Date; after: TouchedSubmission | null; limit: number },
): Promise<TouchedSubmission[]> =>
  db.query<TouchedSubmission>({
    text: `select address_id as "addressId", id from submission
      where created_at < $1 and send_at < $1 and undo_status <> 'pending'
        and ($2::uuid is null or (address_id, id) > ($2, $3::uuid))
      order by address_id, id limit $4`,
    values: [before, after?.addressId ?? null, after?.id ?? null, limit],
  })
