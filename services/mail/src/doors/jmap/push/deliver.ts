import type { Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import { stampOf } from '../../../hosting/addresses/addresses.ts'
import { accessesOf } from '../../../hosting/shares/shares.ts'
import { kindsSince } from '../../../store/store.ts'
import type { JmapParts } from '../method.ts'
import { type ClaimedRow, settleSubscription } from './claim-queries.ts'
import { encryptPush } from './encrypt.ts'
import type { Changed } from './hub.ts'
import { deleteSubscription } from './subscription-queries.ts'
import { typeStateOf } from './types.ts'

export type PushSender = {
  parts: Pick<JmapParts, 'database' | 'clock' | 'log'>
  egress: Egress
  /** Aborts the delivery; the subscription is then released unchanged. */
  giveUp: AbortSignal
}

/** How long a push service keeps a message for a device that is switched off. */
const TTL_SECONDS = 86_400
const TIMEOUT_MS = 10_000
/** Waits after the first, second … failure; the last one from then on. */
const BACKOFF_SECONDS = [5, 30, 120, 600, 1_800, 3_600]
/** Failed attempts to verify before the subscription is removed: the server may be somebody else's. */
const MAX_VERIFICATIONS = 4

/** Whether more changed while the subscription was being notified. */
export type Delivered = 'up_to_date' | 'behind'

/** Sends what a claimed subscription has not received yet, and frees it; when we give up, as it was. */
export const deliverPush = async (sender: PushSender, row: ClaimedRow): Promise<Delivered> => {
  if (!isStanding(row)) return remove(sender, row)
  return row.verified ? sendChanges(sender, row) : sendVerification(sender, row)
}

const sendVerification = async (sender: PushSender, row: ClaimedRow): Promise<Delivered> => {
  const outcome = await post(sender, row, {
    '@type': 'PushVerification',
    pushSubscriptionId: row.id,
    verificationCode: row.verification_code,
  })
  const isHopeless = outcome === 'failed' && row.attempts + 1 >= MAX_VERIFICATIONS
  return outcome === 'gone' || isHopeless ? remove(sender, row) : settle(sender, row, outcome, null)
}

/** Whether what it was made with is still good (RFC 8620 §7.2). */
const isStanding = (row: ClaimedRow): boolean => {
  if (!row.isUsable) return false
  if (row.app_password_id !== null) return true
  return row.password_stamp === stampOf(row.passwordHash) && (!row.requireAppPassword || row.scope === 'webmail')
}

const sendChanges = async (sender: PushSender, row: ClaimedRow): Promise<Delivered> => {
  const { changed, positions } = await gather(sender, row)
  const isNews = Object.keys(changed).length > 0
  const outcome = isNews ? await post(sender, row, { '@type': 'StateChange', changed }) : 'sent'
  if (outcome === 'gone') return remove(sender, row)
  return settle(sender, row, outcome, outcome === 'sent' ? positions : null)
}

const gather = async ({ parts }: PushSender, row: ClaimedRow) => {
  const { db } = parts.database
  const { accountId, domainId, email, name, sendEnabled } = row
  const accesses = await accessesOf(db, { id: row.address_id, accountId, domainId, email, name, sendEnabled })
  const wanted = row.types && new Set(row.types)
  const changed: Changed = {}
  const positions: Record<string, number> = {}
  for (const { addressId } of accesses) {
    const since = row.told[addressId]
    const found = await kindsSince(db, addressId, since ?? 0)
    if (!found) continue
    positions[addressId] = found.modseq
    // An account that was not there before is reported from here on.
    const types = since === undefined || since === found.modseq ? null : typeStateOf(found, wanted)
    if (types) changed[addressId] = types
  }
  return { changed, positions }
}

type Outcome = 'sent' | 'gone' | 'failed' | 'given_up'

const post = async ({ egress, parts, giveUp }: PushSender, row: ClaimedRow, message: unknown): Promise<Outcome> => {
  const text = JSON.stringify(message)
  const isEncrypted = row.p256dh !== null && row.auth !== null
  try {
    const { status } = await egress.request({
      url: row.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ttl: String(TTL_SECONDS),
        urgency: 'normal',
        ...(isEncrypted && { 'content-encoding': 'aes128gcm' }),
      },
      body: isEncrypted ? encryptPush(text, { p256dh: row.p256dh ?? '', auth: row.auth ?? '' }) : text,
      timeoutMs: TIMEOUT_MS,
      signal: giveUp,
    })
    if (status === 404 || status === 410) return 'gone'
    return status >= 200 && status < 300 ? 'sent' : 'failed'
  } catch (error) {
    if (giveUp.aborted) return 'given_up'
    if (!(error instanceof EgressFailed || error instanceof EgressRefused)) throw error
    parts.log.info({ subscriptionId: row.id, reason: error.reason }, 'a push was not delivered')
    return 'failed'
  }
}

const settle = async (
  { parts }: PushSender,
  row: ClaimedRow,
  outcome: Exclude<Outcome, 'gone'>,
  positions: Record<string, number> | null,
): Promise<Delivered> => {
  const { address_id: addressId, id, lease } = row
  const settled = { addressId, id, lease: lease ?? '', positions, ...nextAttempt(row, outcome, parts.clock.now()) }
  return (await parts.database.tx((tx) => settleSubscription(tx, settled))) ? 'behind' : 'up_to_date'
}

const nextAttempt = (
  row: ClaimedRow,
  outcome: Exclude<Outcome, 'gone'>,
  now: Date,
): { attempts: number; dueAt: Date | null } => {
  if (outcome === 'sent') return { attempts: 0, dueAt: null }
  if (outcome === 'given_up') return { attempts: row.attempts, dueAt: row.due_at }
  const attempts = row.attempts + 1
  const seconds = BACKOFF_SECONDS[Math.min(attempts, BACKOFF_SECONDS.length) - 1] ?? 0
  return { attempts, dueAt: new Date(now.getTime() + seconds * 1_000) }
}

const remove = async ({ parts }: PushSender, { address_id: addressId, id }: ClaimedRow): Promise<Delivered> => {
  await parts.database.tx((tx) => deleteSubscription(tx, { addressId, id }))
  return 'up_to_date'
}
