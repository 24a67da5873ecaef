import type { Egress } from '@stoa/kit/egress/egress.ts'
import { newId } from '@stoa/kit/ids.ts'
import { SHARE_TOPIC } from '../../shares/access.ts'
import type { JmapParts } from '../method.ts'
import { type ClaimedRow, claimSubscriptions, hasSubscribers } from './claim-queries.ts'
import { deliverPush } from './deliver.ts'
import { PUSH_TOPIC } from './methods.ts'
import { createPushEgress } from './subscription.ts'
import { deleteExpired } from './subscription-queries.ts'

/** Changes of one action come within moments, and devices are told once. */
const GATHER_MS = 200
/** What another process left, and what is tried again. */
const SWEEP_MS = 5_000
/** Longer than one delivery takes. */
const LEASE_MS = 60_000
/** Deliveries at once: those to slow places must not hold up the others. */
const MAX_RUNNING = 50
/** Mailboxes that changed; past this, all are looked at with the next sweep. */
const MAX_CHANGED = 10_000

export type PushWorker = { stop(): Promise<void> }

/** Delivers pushes to subscriptions (RFC 8620 §7.2); any number of processes may. */
export const startPush = (
  parts: Pick<JmapParts, 'database' | 'bus' | 'clock' | 'log' | 'config'>,
  egress: Egress = createPushEgress(parts.config),
): PushWorker => {
  const { database, bus, clock, log } = parts
  const running = new Set<Promise<void>>()
  let changed = new Set<string>()
  /** When each mailbox was last heard of, for those who are being told meanwhile. */
  const heard = new Map<string, number>()
  let moment = 0
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
    moment += 1
    if (running.size > 0 && heard.size < MAX_CHANGED) heard.set(addressId, moment)
    wake()
  }
  const deliver = async (row: ClaimedRow): Promise<void> => {
    const begun = moment
    try {
      const accountIds = await deliverPush({ parts, egress }, row)
      // Nobody could take it for what changed while it was on its way.
      if (accountIds.some((id) => (heard.get(id) ?? 0) > begun)) note(row.address_id)
    } catch (error) {
      log.error({ err: error, subscriptionId: row.id }, 'a push failed')
    }
  }
  const start = (row: ClaimedRow): void => {
    const delivery = deliver(row).then(() => {
      running.delete(delivery)
      if (running.size === 0) heard.clear()
    })
    running.add(delivery)
  }
  const claim = async (): Promise<void> => {
    const room = MAX_RUNNING - running.size
    if (room <= 0) return
    const mailboxes = [...changed]
    changed = new Set()
    const now = clock.now()
    const known = mailboxes.length > 0 && (await hasSubscribers(database.db, mailboxes)) ? mailboxes : []
    const lease = newId()
    const leasedUntil = new Date(now.getTime() + LEASE_MS)
    const rows = await database.tx((tx) =>
      claimSubscriptions(tx, { changed: known, now, leasedUntil, lease, limit: room }),
    )
    for (const row of rows) start(row)
    // There may be more than fit.
    if (rows.length === room) for (const addressId of known) note(addressId)
  }
  const look = (): void => {
    if (looking) {
      wake()
      return
    }
    looking = claim()
      .catch((error: unknown) => log.warn({ err: error }, 'pushes cannot be looked for'))
      .finally(() => {
        looking = null
      })
  }

  const stops = [
    bus.subscribe(({ topic, data }) => {
      if (topic === 'mailbox') note(data.addressId)
      else if (topic === PUSH_TOPIC) note(data.addressId)
      else if (topic === SHARE_TOPIC) note(data.withAddressId)
    }),
    bus.onResync(wake),
  ]
  const sweep = setInterval(wake, SWEEP_MS)
  const clean = setInterval(() => {
    database
      .tx((tx) => deleteExpired(tx, clock.now()))
      .catch((error: unknown) => log.warn({ err: error }, 'old subscriptions cannot be removed'))
  }, CLEAN_MS)
  wake()

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      clearInterval(sweep)
      clearInterval(clean)
      for (const stop of stops) stop()
      await looking
      await Promise.all(running)
    },
  }
}

const CLEAN_MS = 3_600_000
