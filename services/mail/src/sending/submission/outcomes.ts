import type { QueueSource } from '../../hosting/enqueue/enqueue.ts'
import { type MailTx, recordObjectChanges } from '../../store/store.ts'
import type { OnFirstAttempt, OnOutcome, Outcome } from '../queue/queue.ts'
import { markFinal, type QueuedMail, type RecipientOutcome, type TouchedSubmission, writeOutcomes } from './queries.ts'
import { byAddress } from './submissions.ts'

/** Handles the queue's outcomes for mail of people: pass it to `startQueue`. */
export const submissionHooks: { onOutcome: OnOutcome; onFirstAttempt: OnFirstAttempt } = {
  onOutcome: async (tx, outcomes) => {
    const ours = outcomes.filter(isSubmission)
    if (ours.length > 0) await note(tx, await writeOutcomes(tx, ours.map(toRecipientOutcome)))
    // It may have failed without ever being tried.
    const failed = ours.filter(({ state }) => state === 'failed').map(toQueuedMail)
    if (failed.length > 0) await note(tx, await markFinal(tx, failed))
  },
  onFirstAttempt: async (tx, begun) => {
    const ours = begun.filter(isSubmission).map(toQueuedMail)
    if (ours.length > 0) await note(tx, await markFinal(tx, ours))
  },
}

type Queued = { source: QueueSource; addressId: string | null; messageId: string }

/** People submit mail through JMAP or webmail, always from an address. */
const isSubmission = <Q extends Queued>(mail: Q): mail is Q & { addressId: string } =>
  mail.addressId !== null && (mail.source === 'jmap' || mail.source === 'webmail')

const toQueuedMail = ({ addressId, messageId }: { addressId: string; messageId: string }): QueuedMail => ({
  addressId,
  queueId: messageId,
})

const note = async (tx: MailTx, touched: readonly TouchedSubmission[]): Promise<void> => {
  for (const [addressId, ids] of byAddress(touched))
    await recordObjectChanges(
      tx,
      addressId,
      ids.map((objectId) => ({ kind: 'submission', objectId, op: 'updated' })),
    )
}

const DELIVERED: Record<Outcome['state'], RecipientOutcome['delivered']> = {
  delivered: 'accepted',
  deferred: 'queued',
  bounced: 'no',
  failed: 'no',
  suppressed: 'no',
}

const toRecipientOutcome = (outcome: Outcome & { addressId: string }): RecipientOutcome => ({
  ...toQueuedMail(outcome),
  ordinal: outcome.ordinal,
  delivered: DELIVERED[outcome.state],
  reply: replyOf(outcome),
})

const MAX_REPLY = 1_000

/** RFC 8621 §7: an SMTP reply, also where no host has given one; its lines are joined. */
const replyOf = ({ reply, status, state }: Outcome): string => {
  const text = (reply ?? '').replace(/[\r\n]+/g, ' ')
  const isWhole = /^\d{3}[ -]/.test(text)
  const code = state === 'deferred' ? 451 : 554
  return (isWhole ? text : `${code} ${status ?? (state === 'deferred' ? '4.0.0' : '5.0.0')} ${text}`)
    .slice(0, MAX_REPLY)
    .toWellFormed()
}
