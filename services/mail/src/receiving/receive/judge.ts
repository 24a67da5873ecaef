import type { Listing, Reputation } from '../reputation/reputation.ts'
import { decideSender, findListedSenders, type ListedSender, sendersOf } from '../senders/senders.ts'
import { type Reason, scoreMessage, senderReasons, spamHeader, withDecision, withReason } from '../spam/spam.ts'
import type { Arrived, Delivery, ReceiveParts } from './parts.ts'
import type { DeliveryState } from './queries.ts'

/** What a mailbox takes a message for. */
export type MailboxVerdict = {
  readonly isSpam: boolean
  readonly score: number | null
  /** The header field that says so; empty for mail that is not judged. */
  readonly field: string
  readonly isTrainingSample: boolean
  /** The entry of a list of senders that decided. */
  readonly listed: ListedSender | null
  /** Points against the sender, whatever the message says. */
  readonly suspicion: number
  /** Why, in words for the trace. */
  readonly why: readonly string[]
}

/** The mail is not from whom it says. */
const SPOOFED: Reason = { name: 'spoofed_domain', points: 10 }
const BLOCKED: Reason = { name: 'blocked_sender', points: 10 }
const ALLOWED: Reason = { name: 'allowed_sender', points: -10 }

export const judgeSpam = async (
  parts: ReceiveParts,
  arrived: Arrived,
  { state, delivery }: { state: DeliveryState; delivery: Delivery },
): Promise<MailboxVerdict> => {
  const listed = state.hasListedSenders ? await decide(parts, arrived, delivery) : null
  const { authenticity, peer, spamText, opinion, spoofedDomain } = arrived
  // Mail from our own queue was checked when it was submitted: only sender lists apply to it.
  if (!authenticity || !peer || !spamText)
    return {
      isSpam: listed?.action === 'block',
      score: null,
      field: '',
      isTrainingSample: false,
      listed,
      suspicion: 0,
      why: listWords(listed),
    }
  const { ip, helo } = peer
  const ours = await scoreMessage(parts.database.db, {
    addressId: delivery.route.addressId,
    text: spamText(state.isTrained),
    authenticity,
    ip,
    helo,
  })
  const known = reputationReasons(arrived.reputation)
  const judged = [...(opinion ? [opinion] : []), ...known].reduce(withReason, ours)
  const isSpoofed = spoofedDomain !== null
  const authored = isSpoofed ? withDecision(judged, SPOOFED, true) : judged
  const isBlocked = listed?.action === 'block'
  const found = listed ? withDecision(authored, isBlocked ? BLOCKED : ALLOWED, isBlocked) : authored
  const isSpam = found.isSpam(state.spamThreshold) || authenticity.dmarc.disposition === 'quarantine'
  return {
    isSpam,
    score: found.score,
    field: spamHeader(found, state.spamThreshold),
    isTrainingSample: found.isTrainingSample,
    listed,
    suspicion: sumOf([...senderReasons({ authenticity, ip, helo }), ...known]),
    why: [
      ...(isSpam && !listed && !isSpoofed ? [`score ${found.score} of ${state.spamThreshold}`] : []),
      ...listWords(listed),
      ...(isSpoofed ? [`the sender claims to be ${spoofedDomain}, and neither SPF nor DKIM confirms it`] : []),
      ...arrived.reputation.listings.map(listingWords),
    ],
  }
}

const sumOf = (reasons: readonly Reason[]): number => reasons.reduce((total, { points }) => total + points, 0)

/** The sender's reputation elsewhere, as points. */
const reputationReasons = ({ listings, hasReverseDns }: Reputation): Reason[] => [
  ...listings.map(({ kind, zone, points }) => ({ name: `${kind === 'allow' ? 'dnswl' : 'dnsbl'}_${zone}`, points })),
  ...(hasReverseDns === false ? [{ name: 'no_reverse_dns', points: 1 }] : []),
]

const listWords = (listed: ListedSender | null): string[] =>
  listed ? [`the sender list of the ${listed.level} ${listed.action}s ${listed.pattern}`] : []

/** `listed by bl.example.org (127.0.0.2)`; of a domain its name, too. */
const listingWords = ({ kind, zone, about, answer }: Listing): string =>
  `${kind === 'allow' ? 'trusted' : 'listed'} by ${zone} (${kind === 'domain' ? `${about}, ` : ''}${answer})`

/** Our own queue sends only what its author may write. */
const decide = async (parts: ReceiveParts, arrived: Arrived, { route }: Delivery): Promise<ListedSender | null> => {
  const { authenticity, returnPath, read, spoofedDomain } = arrived
  const author = authenticity ? authenticity.fromAddress : (read.envelope.from[0]?.email ?? null)
  const senders = sendersOf({ author, returnPath, ip: arrived.peer?.ip ?? null })
  const patterns = [...senders.author, ...senders.envelope, ...senders.networks]
  const listed = await findListedSenders(parts.database.db, route, patterns)
  return decideSender(listed, senders, {
    isAuthentic: authenticity ? authenticity.author.isAuthentic === true : true,
    isForged: spoofedDomain !== null || authenticity?.dmarc.result === 'fail',
  })
}
