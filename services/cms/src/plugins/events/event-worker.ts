import { eachOnItsOwn, inBatches } from '@stoa/kit/db/batches.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type Claim, createQueueTable, type QueueTable } from '@stoa/kit/queue/table.ts'
import { createQueueWorker, type Polling, type QueueWorker } from '@stoa/kit/queue/worker.ts'
import type { CmsDb, CmsTx, Services } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import {
  claimEvents,
  deleteEvent,
  deleteForgottenEvents,
  deleteSurplusEvents,
  type EventRow,
  findSurplusEvent,
  insertNote,
  listPluginsWithEvents,
  nextEventDue,
} from './queries.ts'
import { type HandlerOutcome, LATER_MS, runHandler } from './running-handlers.ts'

const LEASE_MS = 60_000
const POLL_MS = 5_000
/** The limit per plugin and process. A plugin that hangs blocks only its own slots. */
const SLOTS_PER_PLUGIN = 2
/** The limit per process. */
const PARALLEL = 64

/** The limit of queued events per plugin; beyond it the oldest are dropped. */
export const MAX_WAITING = 10_000
/** A plugin that is off this long does not want to know any more what happened meanwhile. */
const KEEP_WHILE_OFF_MS = 86_400_000
const UPKEEP_MS = 60_000
/** Stays far below the statement timeout. */
const REMOVED_AT_ONCE = 1_000

const plain = createQueueTable<never>({
  table: 'plugin_event',
  id: 'id',
  key: 'record',
  dueAt: 'due_at',
  fence: 'claims',
  isInOrder: true,
})

/** Delivers events to plugins. Any number of processes may run one each. */
export const createEventWorker = (services: Services, { pollMs = POLL_MS }: Polling): QueueWorker => {
  const { database, clock, log, plugins } = services
  const busy = new Map<string, number>()
  const count = (plugin: string, by: number) => void busy.set(plugin, (busy.get(plugin) ?? 0) + by)
  return createQueueWorker<Tables, EventRow>({
    database,
    table: eventQueue(services, busy),
    name: 'an event of a plugin',
    log,
    now: () => clock.now(),
    leaseMs: LEASE_MS,
    isExtended: true,
    pollMs,
    isTimed: true,
    limits: { healthy: PARALLEL, failing: 0, slow: 0, perKey: 1 },
    async work(claim, { signal }) {
      const { plugin, event, payload, chain } = claim.row
      count(plugin, 1)
      try {
        const found = plugins.find(plugin)
        const isWanted = found?.manifest.events.some((name) => name === event) ?? true
        if (!isWanted) return await database.tx((tx) => deleteEvent(tx, claim))
        const call = { kind: 'event', name: event, input: payload, chain } as const
        const outcome = await runHandler(services, plugin, call, signal)
        await settle(services, claim, outcome)
      } finally {
        count(plugin, -1)
      }
    },
    upkeep: { everyMs: UPKEEP_MS, run: () => tidy(services) },
  })
}

const eventQueue = ({ plugins }: Services, busy: ReadonlyMap<string, number>): QueueTable<EventRow> => ({
  ...plain,
  async claim(tx, { limit, now, leaseUntil }) {
    const slots = new Map<string, number>()
    for (const { name } of plugins.enabled()) {
      const free = SLOTS_PER_PLUGIN - (busy.get(name) ?? 0)
      if (free > 0) slots.set(name, Math.min(free, limit))
    }
    if (slots.size === 0) return []
    const rows = await claimEvents(tx as unknown as CmsTx, slots, { now, leaseUntil })
    return rows.map(({ id, record, fence, ...row }) => ({ id, key: record, fence, leaseUntil, row }))
  },
  nextDueAt: (db, now) =>
    nextEventDue(
      db as unknown as CmsDb,
      plugins.enabled().map(({ name }) => name),
      now,
    ),
})

/** Like webhooks: tried again ever more seldom, then given up. The record's later events wait as long. */
const settle = async (
  { database, clock, webhooks, log }: Services,
  claim: Claim<EventRow>,
  outcome: HandlerOutcome,
): Promise<void> => {
  const { retryAfterMs, jitter } = webhooks.policy
  const { plugin, event, attempts } = claim.row
  const now = clock.now()
  if (outcome === 'done') return database.tx((tx) => deleteEvent(tx, claim))
  if (outcome === 'later') {
    await database.tx((tx) => plain.settle(tx, claim, { dueAt: new Date(now.getTime() + LATER_MS) }))
    return
  }
  const wait = retryAfterMs[attempts]
  if (wait !== undefined) {
    const dueAt = new Date(now.getTime() + wait * (1 + Math.random() * jitter))
    await database.tx((tx) => plain.settle(tx, claim, { dueAt, set: { attempts: attempts + 1 } }))
    return
  }
  log.warn({ plugin, event }, 'a plugin failed to handle an event')
  const message = `Gave up after ${attempts + 1} attempts`
  await database.tx(async (tx) => {
    await deleteEvent(tx, claim)
    await insertNote(tx, { id: newId(), plugin, at: now, kind: 'event', name: event, message })
  })
}

/** Bounds what waits for each plugin, and says so. */
export const tidy = async (services: Services): Promise<{ hasMore: boolean }> => {
  await eachOnItsOwn(
    await listPluginsWithEvents(services.database.db),
    (plugin) => tidyPlugin(services, plugin),
    (err, plugin) => services.log.error({ err, plugin }, 'events of a plugin could not be removed'),
  )
  return { hasMore: false }
}

const tidyPlugin = async ({ database, clock, log }: Services, plugin: string): Promise<void> => {
  const now = clock.now()
  const before = new Date(now.getTime() - KEEP_WHILE_OFF_MS)
  await inBatches(database, REMOVED_AT_ONCE, (tx, limit) => deleteForgottenEvents(tx, { plugin, before, limit }))
  const newest = await findSurplusEvent(database.db, plugin, MAX_WAITING)
  if (newest === null) return
  const count = await inBatches(database, REMOVED_AT_ONCE, (tx, limit) =>
    deleteSurplusEvents(tx, { plugin, newest, limit }),
  )
  if (count === 0) return
  const message = `The ${count} oldest events were dropped because more than ${MAX_WAITING} were waiting`
  await database.tx((tx) => insertNote(tx, { id: newId(), plugin, at: now, kind: 'event', name: 'queue', message }))
  log.warn({ plugin, count }, 'events of a plugin were dropped: too many waited')
}
