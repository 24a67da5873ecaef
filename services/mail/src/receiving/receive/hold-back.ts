import { knowsContact } from '../../sending/contacts/contacts.ts'
import { noteAttempt } from '../greylisting/greylisting.ts'
import { activityOf, recordDeferral } from './activity.ts'
import type { MailboxVerdict } from './judge.ts'
import type { Arrived, Delivery, DeliveryResult, ReceiveParts } from './parts.ts'

/** From here on the sender looks suspicious: on a blocklist, or two lesser signs such as no SPF and no reverse DNS. */
const SUSPICIOUS = 2

export type HeldBack =
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'delayed'; readonly outcome: Extract<DeliveryResult, { kind: 'failed' }> }
  /** `since`: it had to wait, and came for the first time then. */
  | { readonly kind: 'accepted'; readonly since: Date | null }

const ACCEPTED: HeldBack = { kind: 'accepted', since: null }

type Judged = { delivery: Delivery; verdict: MailboxVerdict; now: Date }

/** Whether DNS lists or greylisting keep a message from a mailbox. What its own lists decided comes first. */
export const holdBack = async (parts: ReceiveParts, arrived: Arrived, judged: Judged): Promise<HeldBack> => {
  const { peer, reputation } = arrived
  const { verdict } = judged
  if (!peer || verdict.listed || reputation.listings.some(({ kind }) => kind === 'allow')) return ACCEPTED
  const rejecting = reputation.listings.find(({ rejects }) => rejects)
  if (rejecting)
    return {
      kind: 'refused',
      text: `Rejected: ${rejecting.about} is listed by ${rejecting.zone} (${rejecting.answer})`,
    }
  if (verdict.suspicion < SUSPICIOUS) return ACCEPTED
  const { greylisting, greylisting_minutes: waitMinutes } = await parts.settings.current()
  return greylisting ? greylist(parts, arrived, { ...judged, ip: peer.ip, waitMinutes }) : ACCEPTED
}

const greylist = async (
  parts: ReceiveParts,
  arrived: Arrived,
  { delivery, now, ip, waitMinutes, verdict }: Judged & { ip: string; waitMinutes: number },
): Promise<HeldBack> => {
  const { addressId } = delivery.route
  const { returnPath: sender, authenticity } = arrived
  const senders = [sender, authenticity?.fromAddress ?? ''].filter((email) => email !== '')
  if (await knowsContact(parts.database.db, addressId, senders)) return ACCEPTED
  const answer = await parts.database.tx((tx) => noteAttempt(tx, { addressId, ip, sender, waitMinutes, now }))
  if (answer.kind === 'passed') return { kind: 'accepted', since: answer.since }
  const until = answer.until.toISOString()
  if (answer.isNew) {
    const result = [`greylisted until ${until}`, ...verdict.why].join('; ')
    await recordDeferral(parts, activityOf(arrived, delivery, now), result)
  }
  const text = `Greylisted, try again after ${until}`
  return { kind: 'delayed', outcome: { kind: 'failed', code: 451, status: '4.7.1', text } }
}
