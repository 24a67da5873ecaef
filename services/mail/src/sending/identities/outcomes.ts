import type { Source } from '../../hosting/enqueue/enqueue.ts'
import { type MailTx, noteChanges } from '../../store/store.ts'
import type { OnFirstAttempt, OnOutcome, Outcome } from '../queue/queue.ts'
import { markFinal, type RecipientOutcome, type TouchedSubmission, writeOutcomes } from './submission-queries.ts'
import { byAddress } from './submissions.ts'

/** What the queue tells about mail of people: to be given to `startQueue`. */
export const submissionHooks: { onOutcome: OnOutcome; onFirstAttempt: OnFirstAttempt } = {
  onOutcome: async (tx, outcomes) => {
    const ours = outcomes.filter(({ source }) => isSubmission(source))
    if (ours.length > 0) await note(tx, await writeOutcomes(tx, ours.map(toRecipientOutcome)))
    // It may have failed without ever being tried.
    const failed = ours.flatMap(({ state, messageId }) => (state === 'failed' ? [messageId] : []))
    if (failed.length > 0) await note(tx, await markFinal(tx, failed))
  },
  onFirstAttempt: async (tx, begun) => {
    const ours = begun.filter(({ source }) => isSubmission(source)).map(({ messageId }) => messageId)
    if (ours.length > 0) await note(tx, await markFinal(tx, ours))
  },
}

const isSubmission = (source: Source): boolean => source === 'jmap' || source === 'webmail'

const note = async (tx: MailTx, touched: readonly TouchedSubmission[]): Promise<void> => {
  for (const [addressId, ids] of byAddress(touched))
    await noteChanges(
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

const toRecipientOutcome = (outcome: Outcome): RecipientOutcome => ({
  queueId: outcome.messageId,
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
