import { decideSender, findListedSenders, type ListedSender, sendersOf } from '../senders/senders.ts'
import { type Reason, scoreMessage, spamHeader, withDecision, withReason } from '../spam/spam.ts'
import type { Arrived, Delivery, ReceiveParts } from './parts.ts'
import type { DeliveryState } from './queries.ts'

/** What a mailbox takes a message for. */
export type Verdict = {
  readonly isSpam: boolean
  readonly score: number | null
  /** The header field that says so; empty for mail that is not judged. */
  readonly field: string
  readonly isTrainingSample: boolean
  /** The entry of a list of senders that decided. */
  readonly listed: ListedSender | null
}

/** The mail is not from whom it says. */
const SPOOFED: Reason = { name: 'spoofed_domain', points: 10 }
const BLOCKED: Reason = { name: 'blocked_sender', points: 10 }
const ALLOWED: Reason = { name: 'allowed_sender', points: -10 }

export const judgeSpam = async (
  parts: ReceiveParts,
  arrived: Arrived,
  { state, delivery }: { state: DeliveryState; delivery: Delivery },
): Promise<Verdict> => {
  const listed = state.hasListedSenders ? await decide(parts, arrived, delivery) : null
  const { authenticity, peer, spamText, opinion, spoofedDomain } = arrived
  // What comes from our own queue was checked when it was handed in: only a list can say something about it.
  if (!authenticity || !peer || !spamText)
    return { isSpam: listed?.action === 'block', score: null, field: '', isTrainingSample: false, listed }
  const { ip, helo } = peer
  const ours = await scoreMessage(parts.database.db, {
    addressId: delivery.route.addressId,
    text: spamText(state.isTrained),
    authenticity,
    ip,
    helo,
  })
  const judged = opinion ? withReason(ours, opinion) : ours
  const isSpoofed = spoofedDomain !== null
  const known = isSpoofed ? withDecision(judged, SPOOFED, true) : judged
  const isBlocked = listed?.action === 'block'
  const found = listed ? withDecision(known, isBlocked ? BLOCKED : ALLOWED, isBlocked) : known
  return {
    isSpam: found.isSpam(state.spamThreshold) || authenticity.dmarc.disposition === 'quarantine',
    score: found.score,
    field: spamHeader(found, state.spamThreshold),
    isTrainingSample: found.isTrainingSample,
    listed,
  }
}

/** Our own queue sends only what its author may write. */
const decide = async (parts: ReceiveParts, arrived: Arrived, { route }: Delivery): Promise<ListedSender | null> => {
  const { authenticity, returnPath, read } = arrived
  const author = authenticity ? authenticity.fromAddress : (read.envelope.from[0]?.email ?? null)
  const senders = sendersOf({ author, returnPath })
  const listed = await findListedSenders(parts.database.db, route, [...senders.author, ...senders.envelope])
  return decideSender(listed, senders, authenticity ? authenticity.author.isAuthentic === true : true)
}
