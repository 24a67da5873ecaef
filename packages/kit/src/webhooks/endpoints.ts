import type { Selectable } from 'kysely'
import type { Sealer } from '../crypto/seal.ts'
import type { Db, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Secret } from '../secret.ts'
import type { DisabledReason, EndpointStatus, WebhookTables } from './tables.ts'

export type Endpoint = {
  id: string
  owner: string
  url: string
  events: string[]
  details: Record<string, unknown>
  status: EndpointStatus
  disabledReason: DisabledReason | null
  secretHint: string
  failingSince: Date | null
  consecutiveFailures: number
  lastSuccessAt: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** An endpoint of one owner: a foreign id is simply not found. */
export type EndpointKey = { owner: string; id: string }

export type NewEndpoint = {
  owner: string
  url: string
  events: readonly string[]
  details?: Record<string, unknown>
  status?: EndpointStatus
  /** Shown to the owner once; kept sealed. */
  secret: Secret
  /** The part of it that may be shown again. */
  secretHint: string
  now: Date
}

/** The URL must have passed `egress.check` before: no network call belongs into a transaction. */
export const createEndpoint = async <T>(
  tx: Tx<T>,
  sealer: Pick<Sealer, 'seal'>,
  input: NewEndpoint,
): Promise<Endpoint> => {
  const id = newId()
  const status = input.status ?? 'enabled'
  const [row] = await tx.query<EndpointRow>({
    text: `insert into webhook_endpoint (id, owner, url, events, details, secret_sealed, secret_hint, status,
             disabled_reason, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning ${COLUMNS}`,
    values: [
      id,
      input.owner,
      input.url,
      input.events,
      JSON.stringify(input.details ?? {}),
      sealer.seal(input.secret, id),
      input.secretHint,
      status,
      status === 'disabled' ? 'owner' : null,
      input.now,
    ],
  })
  return toEndpoint(row!)
}

export const findEndpoint = async <T>(db: Db<T>, key: EndpointKey): Promise<Endpoint | null> => {
  const text = `select ${COLUMNS} from webhook_endpoint where id = $1 and owner = $2`
  const [row] = await db.query<EndpointRow>({ text, values: [key.id, key.owner] })
  return row ? toEndpoint(row) : null
}

/** Reads an endpoint and keeps it from changing until the transaction ends. */
export const lockEndpoint = async <T>(tx: Tx<T>, key: EndpointKey): Promise<Endpoint | null> => {
  const text = `select ${COLUMNS} from webhook_endpoint where id = $1 and owner = $2 for no key update`
  const [row] = await tx.query<EndpointRow>({ text, values: [key.id, key.owner] })
  return row ? toEndpoint(row) : null
}

/** All endpoints of an owner, newest first. */
export const listEndpoints = async <T>(
  db: Db<T>,
  input: { owner: string; limit: number; offset: number },
): Promise<{ items: Endpoint[]; total: number }> => {
  const rows = await db.query<EndpointRow>({
    text: `select ${COLUMNS} from webhook_endpoint where owner = $1 order by created_at desc, id desc limit $2 offset $3`,
    values: [input.owner, input.limit, input.offset],
  })
  const text = 'select count(*) as total from webhook_endpoint where owner = $1'
  const [count] = await db.query<{ total: number }>({ text, values: [input.owner] })
  return { items: rows.map(toEndpoint), total: count?.total ?? 0 }
}

export type EndpointChanges = {
  url?: string
  events?: readonly string[]
  details?: Record<string, unknown>
  status?: EndpointStatus
}

/** Changes what the owner may change. Switching it on forgets past failures, switching it off ends what is waiting. */
export const updateEndpoint = async <T>(
  tx: Tx<T>,
  key: EndpointKey,
  changes: EndpointChanges,
  now: Date,
): Promise<Endpoint | null> => {
  const before = await lockEndpoint(tx, key)
  if (before === null) return null
  const status = changes.status ?? before.status
  const isSwitchedOn = status === 'enabled' && before.status === 'disabled'
  const isSwitchedOff = status === 'disabled' && before.status === 'enabled'
  const [row] = await tx.query<EndpointRow>({
    text: `update webhook_endpoint set url = $2, events = $3, details = $4, status = $5, disabled_reason = $6,
             failing_since = case when $7 then null else failing_since end,
             consecutive_failures = case when $7 then 0 else consecutive_failures end,
             version = version + 1, updated_at = $8
           where id = $1 returning ${COLUMNS}`,
    values: [
      key.id,
      changes.url ?? before.url,
      changes.events ?? before.events,
      JSON.stringify(changes.details ?? before.details),
      status,
      status === 'enabled' ? null : isSwitchedOff ? 'owner' : before.disabledReason,
      isSwitchedOn,
      now,
    ],
  })
  if (isSwitchedOff) await endWaiting(tx, key.id)
  return toEndpoint(row!)
}

/** Replaces the signing secret: the old one signs nothing more. */
export const rotateSecret = async <T>(
  tx: Tx<T>,
  sealer: Pick<Sealer, 'seal'>,
  key: EndpointKey,
  input: { secret: Secret; secretHint: string; now: Date },
): Promise<Endpoint | null> => {
  const [row] = await tx.query<EndpointRow>({
    text: `update webhook_endpoint set secret_sealed = $3, secret_hint = $4, version = version + 1, updated_at = $5
           where id = $1 and owner = $2 returning ${COLUMNS}`,
    values: [key.id, key.owner, sealer.seal(input.secret, key.id), input.secretHint, input.now],
  })
  return row ? toEndpoint(row) : null
}

/** Deletes an endpoint and its log. False when there was none. */
export const deleteEndpoint = async <T>(tx: Tx<T>, key: EndpointKey): Promise<boolean> => {
  const text = 'delete from webhook_endpoint where id = $1 and owner = $2 returning id'
  return (await tx.query({ text, values: [key.id, key.owner] })).length > 0
}

/**
 * Takes endpoints from their owner, one or all: nobody finds them any more and nothing is sent. `pruneDeliveries` removes
 * them with their logs, which may be long, in batches. Gives the ids.
 */
export const retireEndpoints = async <T>(
  tx: Tx<T>,
  { owner, id }: { owner: string; id?: string },
): Promise<string[]> => {
  const rows = await tx.query<{ id: string }>({
    text: `update webhook_endpoint set owner = $3, status = 'disabled', disabled_reason = 'owner', secret_sealed = ''
           where owner = $1 and ($2::text is null or id = $2) returning id`,
    values: [owner, id ?? null, NOBODY],
  })
  for (const row of rows) await endWaiting(tx, row.id)
  return rows.map((row) => row.id)
}

/** Whose retired endpoints are. No owner has an empty name. */
export const NOBODY = ''

/** Switches a locked endpoint off because of how it answers. */
export const disableEndpoint = async <T>(
  tx: Tx<T>,
  id: string,
  reason: 'gone' | 'failing',
  now: Date,
): Promise<Endpoint> => {
  const [row] = await tx.query<EndpointRow>({
    text: `update webhook_endpoint set status = 'disabled', disabled_reason = $2, updated_at = $3
           where id = $1 returning ${COLUMNS}`,
    values: [id, reason, now],
  })
  await endWaiting(tx, id)
  return toEndpoint(row!)
}

export const ENDPOINT_IS_OFF = 'The endpoint is turned off'

/** Deliveries that wait for an endpoint that is off have failed; each can be replayed once it is on again. */
const endWaiting = async <T>(tx: Tx<T>, id: string): Promise<void> => {
  await tx.query({
    text: `update webhook_delivery set status = 'failed', next_attempt_at = null, error = $2
           where endpoint_id = $1 and next_attempt_at is not null`,
    values: [id, ENDPOINT_IS_OFF],
  })
}

/** The columns that leave the database to be shown: the sealed secret is not among them. */
export type EndpointRow = Omit<Selectable<WebhookTables['webhook_endpoint']>, 'secret_sealed'>

const COLUMNS = `id, owner, url, events, details, secret_hint, status, disabled_reason, failing_since,
  consecutive_failures, last_success_at, version, created_at, updated_at`

export const toEndpoint = (row: EndpointRow): Endpoint => ({
  id: row.id,
  owner: row.owner,
  url: row.url,
  events: row.events,
  details: row.details,
  status: row.status,
  disabledReason: row.disabled_reason,
  secretHint: row.secret_hint,
  failingSince: row.failing_since,
  consecutiveFailures: row.consecutive_failures,
  lastSuccessAt: row.last_success_at,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
