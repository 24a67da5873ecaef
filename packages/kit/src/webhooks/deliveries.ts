import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { type EndpointKey, lockEndpoint, NOBODY } from './endpoints.ts'
import type { WebhookPolicy } from './policy.ts'
import type { DeliveryStatus, WebhookTables } from './tables.ts'

/** One event for one endpoint, as lists show it. */
export type DeliverySummary = {
  id: string
  endpointId: string
  owner: string
  type: string
  status: DeliveryStatus
  isTest: boolean
  attempts: number
  responseStatus: number | null
  error: string | null
  durationMs: number | null
  lastAttemptAt: Date | null
  /** Only while it waits for its next attempt. */
  nextAttemptAt: Date | null
  createdAt: Date
}
export type Delivery = DeliverySummary & { payload: string; responseBody: string | null }

export type Attempt = {
  id: string
  attempt: number
  sentAt: Date
  durationMs: number
  responseStatus: number | null
  responseBody: string | null
  error: string | null
}

export type DeliveryKey = { owner: string; endpointId: string; id: string }

export type NewEvent = {
  owner: string
  type: string
  /** The body for one endpoint, given the delivery's id: exactly this text is signed and sent. */
  payload: (deliveryId: string) => string
  /** Further conditions on the endpoint, over the service's own `details`. */
  filter?: (endpoint: { id: string; details: Record<string, unknown> }) => boolean
  now: Date
}

/** Enqueues an event for every enabled endpoint of the owner that wants it. Nothing is sent if the Tx rolls back. */
export const enqueueEvent = async <T>(tx: Tx<T>, event: NewEvent): Promise<string[]> =>
  (await enqueueEvents(tx, [event])).map(({ id }) => id)

/** As `enqueueEvent` for several events of one owner, in order. Returns the endpoints that got a delivery. */
export const enqueueEvents = async <T>(
  tx: Tx<T>,
  events: readonly NewEvent[],
): Promise<{ id: string; endpointId: string }[]> => {
  const [first] = events
  if (first === undefined) return []
  const endpoints = await tx.query<{ id: string; events: string[]; details: Record<string, unknown> }>({
    name: 'webhook_endpoints_for_event',
    // Kept from being deleted until the delivery is written: its owner's transaction must not fail because of that.
    text: `select id, events, details from webhook_endpoint
           where owner = $1 and status = 'enabled' and events && $2::text[] order by id for key share`,
    values: [first.owner, [...events.map(({ type }) => type), '*']],
  })
  const added = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => wants(endpoint, event))
      .map(({ id: endpointId }) => ({ id: newId(), endpointId, event })),
  )
  for (let from = 0; from < added.length; from += INSERT_BATCH)
    await insertDeliveries(tx, added.slice(from, from + INSERT_BATCH))
  return added.map(({ id, endpointId }) => ({ id, endpointId }))
}

/** Stays far below the statement timeout. */
const INSERT_BATCH = 2_000

const wants = (
  endpoint: { id: string; events: readonly string[]; details: Record<string, unknown> },
  event: NewEvent,
): boolean =>
  (endpoint.events.includes(event.type) || endpoint.events.includes('*')) && (event.filter?.(endpoint) ?? true)

const insertDeliveries = async <T>(
  tx: Tx<T>,
  added: readonly { id: string; endpointId: string; event: NewEvent }[],
): Promise<void> => {
  await tx.query({
    name: 'webhook_enqueue',
    text: `insert into webhook_delivery (id, endpoint_id, owner, type, payload, status, next_attempt_at, created_at)
           select id, endpoint_id, owner, type, payload, 'pending', at, at
           from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
             as new (id, endpoint_id, owner, type, payload, at)`,
    values: [
      added.map(({ id }) => id),
      added.map(({ endpointId }) => endpointId),
      added.map(({ event }) => event.owner),
      added.map(({ event }) => event.type),
      added.map(({ id, event }) => event.payload(id)),
      added.map(({ event }) => event.now),
    ],
  })
}

export type ReplayResult =
  | { result: 'not_found' | 'endpoint_disabled' }
  | { result: 'queued'; delivery: DeliverySummary }

/** Sends a delivery again from the first attempt on, with the same id. One that is under way is left alone. */
export const replayDelivery = async <T>(tx: Tx<T>, key: DeliveryKey, now: Date): Promise<ReplayResult> => {
  const endpoint = await lockEndpoint(tx, { owner: key.owner, id: key.endpointId })
  if (endpoint === null) return { result: 'not_found' }
  const found = await findSummary(tx, key)
  if (found === null) return { result: 'not_found' }
  if (endpoint.status === 'disabled') return { result: 'endpoint_disabled' }
  const [row] = await tx.query<SummaryRow>({
    text: `update webhook_delivery set status = 'pending', next_attempt_at = $2, retries = 0
           where id = $1 and status <> 'attempting' returning ${SUMMARY}`,
    values: [key.id, now],
  })
  return { result: 'queued', delivery: row ? toSummary(row) : found }
}

export const findDelivery = async <T>(db: Db<T>, key: DeliveryKey): Promise<Delivery | null> => {
  const [row] = await db.query<SummaryRow & Pick<DeliveryRow, 'payload' | 'response_body'>>({
    // A retired endpoint has no owner any more, its deliveries still do.
    text: `select ${SUMMARY}, payload, response_body from webhook_delivery
           where id = $1 and endpoint_id = $2 and owner = $3
             and exists (select from webhook_endpoint e where e.id = $2 and e.owner = $3)`,
    values: [key.id, key.endpointId, key.owner],
  })
  return row ? { ...toSummary(row), payload: row.payload, responseBody: row.response_body } : null
}

/** The attempts of a delivery, oldest first. */
export const listAttempts = async <T>(db: Db<T>, key: DeliveryKey): Promise<Attempt[]> => {
  const rows = await db.query<AttemptRow>({
    text: `select a.id, a.attempt, a.sent_at, a.duration_ms, a.response_status, a.response_body, a.error
           from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id
           where d.id = $1 and d.endpoint_id = $2 and d.owner = $3 order by a.attempt`,
    values: [key.id, key.endpointId, key.owner],
  })
  return rows.map(toAttempt)
}

export type DeliveryFilter = {
  owner: string
  endpointId?: string | undefined
  status?: DeliveryStatus | undefined
  type?: string | undefined
}

/** One page of an owner's log, newest first, of one endpoint or of all. */
export const listDeliveries = async <T>(
  db: Db<T>,
  input: DeliveryFilter & { limit: number; offset: number },
): Promise<{ items: DeliverySummary[]; total: number }> => {
  const where = `owner = $1 and ($2::text is null or endpoint_id = $2) and ($3::text is null or status = $3)
    and ($4::text is null or type = $4)
    and exists (select from webhook_endpoint e where e.id = endpoint_id and e.owner = $1)`
  const values = [input.owner, input.endpointId ?? null, input.status ?? null, input.type ?? null]
  const rows = await db.query<SummaryRow>({
    text: `select ${SUMMARY} from webhook_delivery where ${where} order by created_at desc, id desc limit $5 offset $6`,
    values: [...values, input.limit, input.offset],
  })
  const text = `select count(*) as total from webhook_delivery where ${where}`
  const [count] = await db.query<{ total: number }>({ text, values })
  return { items: rows.map(toSummary), total: count?.total ?? 0 }
}

/** The newest delivery of each of these endpoints that was tried at least once, by endpoint id. */
export const lastDeliveries = async <T>(
  db: Db<T>,
  endpoints: readonly EndpointKey[],
): Promise<Map<string, DeliverySummary>> => {
  const rows = await db.query<SummaryRow>({
    text: `select ${SUMMARY} from unnest($1::text[], $2::text[]) as wanted (wanted_id, wanted_owner)
           cross join lateral (
             select * from webhook_delivery
             where endpoint_id = wanted_id and owner = wanted_owner and last_attempt_at is not null
             order by last_attempt_at desc, id desc limit 1
           ) last`,
    values: [endpoints.map(({ id }) => id), endpoints.map(({ owner }) => owner)],
  })
  return new Map(rows.map((row) => [row.endpoint_id, toSummary(row)]))
}

/**
 * Deletes finished deliveries beyond what the policy keeps and those of retired endpoints, at most a batch of each, and as
 * many of the endpoints that have none left. Returns whether there may be more.
 */
export const pruneDeliveries = async <T>(
  tx: Tx<T>,
  keep: WebhookPolicy['keep'],
  now: Date,
): Promise<{ removed: number; hasMore: boolean }> => {
  const tooOld = keep.forMs === undefined ? null : new Date(now.getTime() - keep.forMs)
  const rows = await tx.query({
    // Each part counts finished ones only: those that wait would fill its batch, and nothing would be deleted.
    text: `delete from webhook_delivery where next_attempt_at is null and id = any (array(
             (select id from webhook_delivery where next_attempt_at is null and created_at < $1 limit $3)
             union
             (select extra.id from webhook_endpoint e cross join lateral (
               select d.id from webhook_delivery d where d.endpoint_id = e.id and d.next_attempt_at is null
               order by d.created_at desc, d.id desc offset $2
             ) extra where $2::bigint is not null limit $3)
             union
             (select d.id from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
              where e.owner = $4 and d.next_attempt_at is null limit $3)
           )) returning id`,
    values: [tooOld, keep.perEndpoint ?? null, PRUNE_BATCH, NOBODY],
  })
  const endpoints = await tx.query({
    text: `delete from webhook_endpoint where id = any (array(
             select e.id from webhook_endpoint e
             where e.owner = $1 and not exists (select from webhook_delivery d where d.endpoint_id = e.id) limit $2
           )) returning id`,
    values: [NOBODY, PRUNE_BATCH],
  })
  return { removed: rows.length, hasMore: Math.max(rows.length, endpoints.length) >= PRUNE_BATCH }
}

/** Stays far below the statement timeout. */
const PRUNE_BATCH = 2_000

type DeliveryRow = Selectable<WebhookTables['webhook_delivery']>
type AttemptRow = Omit<Selectable<WebhookTables['webhook_attempt']>, 'delivery_id'>
export type SummaryRow = Omit<DeliveryRow, 'payload' | 'retries' | 'response_body'>

export const SUMMARY = `id, endpoint_id, owner, type, status, is_test, attempts, response_status, error, duration_ms,
  last_attempt_at, next_attempt_at, created_at`

const findSummary = async <T>(db: Db<T>, key: DeliveryKey): Promise<DeliverySummary | null> => {
  const text = `select ${SUMMARY} from webhook_delivery where id = $1 and endpoint_id = $2 and owner = $3`
  const [row] = await db.query<SummaryRow>({ text, values: [key.id, key.endpointId, key.owner] })
  return row ? toSummary(row) : null
}

export const toSummary = (row: SummaryRow): DeliverySummary => ({
  id: row.id,
  endpointId: row.endpoint_id,
  owner: row.owner,
  type: row.type,
  status: row.status,
  isTest: row.is_test,
  attempts: row.attempts,
  responseStatus: row.response_status,
  error: row.error,
  durationMs: row.duration_ms,
  lastAttemptAt: row.last_attempt_at,
  nextAttemptAt: row.status === 'pending' ? row.next_attempt_at : null,
  createdAt: row.created_at,
})

const toAttempt = (row: AttemptRow): Attempt => ({
  id: row.id,
  attempt: row.attempt,
  sentAt: row.sent_at,
  durationMs: row.duration_ms,
  responseStatus: row.response_status,
  responseBody: row.response_body,
  error: row.error,
})
