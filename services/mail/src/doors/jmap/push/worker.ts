import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import { newId } from '@stoa/kit/ids.ts'
import { STOP_GRACE_MS } from '@stoa/kit/stop-deadline.ts'
import { SHARE_TOPIC } from '../../../hosting/shares/shares.ts'
import type { JmapParts } from '../method.ts'
import {
  type ClaimedRow,
  claimSubscriptions,
  FIRST_SUBSCRIPTION,
  findBehind,
  hasSubscribers,
  type SubscriptionKey,
} from './claim-queries.ts'
import { deliverPush } from './deliver.ts'
import { PUSH_TOPIC } from './methods.ts'
import { createPushEgress } from './subscription.ts'
import { deleteExpired } from './subscription-queries.ts'

/** Changes of one action come within moments, and devices are notified once. */
const GATHER_MS = 200
/** How often to look for missed notifications and due retries. */
const SWEEP_MS = 5_000
/** Subscriptions whose states are compared at once. */
const PAGE = 500
/** Longer than one delivery takes. */
const LEASE_MS = 60_000
/** Deliveries at once: those to slow places must not hold up the others. */
const MAX_RUNNING = 50
/** Mailboxes that changed; what is past this, the next sweep finds. */
const MAX_CHANGED = 10_000

export type PushWorker = {
  /** Takes nothing new, waits for what runs, and after the grace gives the rest back for another process. */
  stop(graceMs?: number): Promise<void>
}

/**
 * Delivers pushes to subscriptions (RFC 8620 §7.2); any number of processes may. What is due is known by the database:
 * a subscription is behind when what was pushed to it differs from its mailboxes. Notifications only make it quick.
 */
export const startPush = (
  parts: Pick<JmapParts, 'database' | 'bus' | 'clock' | 'log' | 'config'>,
  egress: Egress = createPushEgress(parts.config),
): PushWorker => {
  const { database, bus, clock, log } = parts
  const running = new Set<Promise<void>>()
  const giveUp = new AbortController()
  let changed = new Set<string>()
  /** How far all subscriptions are compared with their mailboxes; null: to the end. */
  let comparedTo: SubscriptionKey | null = FIRST_SUBSCRIPTION
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let looking: Promise<void> | null = null

  const wake = (): void => {
    if (isStopped || timer) return
    timer = setTimeout(() => {
      timer = undefined
      look()
    }, GATHER_MS)
  }
  const note = (addressId: unknown): void => {
    if (typeof addressId !== 'string') return
    if (changed.size < MAX_CHANGED) changed.add(addressId)
    wake()
  }
  const compareAll = (): void => {
    // A page that is being read now does not count.
    comparedTo = { ...FIRST_SUBSCRIPTION }
    wake()
  }
  const deliver = async (row: ClaimedRow): Promise<void> => {
    try {
      // A change during the delivery may not be in what was sent, so the mailbox is checked again.
      if ((await deliverPush({ parts, egress, giveUp: giveUp.signal }, row)) === 'behind') note(row.address_id)
    } catch (error) {
      log.error({ err: error, subscriptionId: row.id }, 'a push failed')
    }
  }
  const start = (row: ClaimedRow): void => {
    const delivery = deliver(row).then(() => {
      running.delete(delivery)
      if (changed.size > 0 || comparedTo) wake()
    })
    running.add(delivery)
  }
  const claim = async (): Promise<void> => {
    const room = MAX_RUNNING - running.size
    if (room <= 0) return
    const mailboxes = [...changed]
    changed = new Set()
    const from = comparedTo
    const page = from && (await findBehind(database.db, { after: from, now: clock.now(), limit: PAGE }))
    const known = mailboxes.length > 0 && (await hasSubscribers(database.db, mailboxes)) ? mailboxes : []
    const now = clock.now()
    const lease = newId()
    const leasedUntil = new Date(now.getTime() + LEASE_MS)
    const behind = page?.behind ?? []
    const rows = await database.tx((tx) =>
      claimSubscriptions(tx, { changed: known, behind, now, leasedUntil, lease, limit: room }),
    )
    for (const row of rows) start(row)
    // There may be more than fit.
    const isFull = rows.length === room
    if (isFull) for (const addressId of known) note(addressId)
    // It may have to begin again since it was asked.
    if (page && comparedTo === from && !isFull) comparedTo = page.last
    if (comparedTo) wake()
  }
  const look = (): void => {
    if (looking) {
      wake()
      return
    }
    looking = claim()
      .catch((error: unknown) => {
        comparedTo = { ...FIRST_SUBSCRIPTION }
        log.warn({ err: error }, 'pushes could not be claimed; the next sweep tries again')
      })
      .finally(() => {
        looking = null
      })
  }

  const leave = bus.subscribe(({ topic, data }) => {
    if (topic === 'mailbox') note(data.addressId)
    else if (topic === PUSH_TOPIC) note(data.addressId)
    else if (topic === SHARE_TOPIC) note(data.withAddressId)
  }, compareAll)
  const sweep = setInterval(() => {
    comparedTo ??= FIRST_SUBSCRIPTION
    wake()
  }, SWEEP_MS)
  const clean = setInterval(() => {
    inBatches(database, CLEAN_BATCH, (tx, limit) => deleteExpired(tx, clock.now(), limit)).catch((error: unknown) =>
      log.warn({ err: error }, 'old subscriptions cannot be removed'),
    )
  }, CLEAN_MS)
  wake()

  return {
    async stop(graceMs = STOP_GRACE_MS) {
      isStopped = true
      const grace = setTimeout(() => giveUp.abort(new Error('the pushes are stopping')), graceMs)
      clearTimeout(timer)
      clearInterval(sweep)
      clearInterval(clean)
      leave()
      await looking
      await Promise.all(running)
      clearTimeout(grace)
    },
  }
}

const CLEAN_MS = 3_600_000
const CLEAN_BATCH = 1_000
