import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { ENDPOINT_IS_OFF } from './endpoints.ts'
import type { EndpointStatus } from './tables.ts'

/** A delivery that this process may attempt until its lease ends. */
export type Claim = {
  id: string
  endpointId: string
  owner: string
  type: string
  payload: string
  isTest: boolean
  retries: number
  /** The fencing token. */
  attempt: number
  leaseUntil: Date
  endpoint: { url: string; secretSealed: string; status: EndpointStatus }
}

export type ClaimInput = {
  /** Endpoints that fail have places of their own, so that they cannot take those of others. */
  lane: 'healthy' | 'failing'
  limit: number
  perEndpoint: number
  /** Places left at endpoints that are being talked to already. */
  placesLeft: ReadonlyMap<string, number>
  now: Date
  leaseUntil: Date
}

/**
 * Takes due deliveries, first one of each endpoint, then a second of each and so on. Rows that another process is
 * taking are passed over; one whose worker died is taken again when its lease is over.
 */
export const claimDue = async <T>(tx: Tx<T>, input: ClaimInput): Promise<Claim[]> => {
  const rows = await tx.query<ClaimRow>({
    name: 'webhook_claim',
    text: CLAIM,
    values: [
      input.now,
      input.leaseUntil,
      input.lane === 'failing',
      input.perEndpoint,
      [...input.placesLeft.keys()],
      [...input.placesLeft.values()],
      input.limit,
    ],
  })
  return rows.map((row) => toClaim(row, input.leaseUntil))
}

/** Writes a test delivery that is claimed from the start; null when the owner has no such endpoint. */
export const claimTest = async <T>(
  tx: Tx<T>,
  input: {
    owner: string
    endpointId: string
    type: string
    payload: (deliveryId: string) => string
    now: Date
    leaseUntil: Date
  },
): Promise<Claim | null> => {
  const id = newId()
  const [row] = await tx.query<ClaimRow>({
    text: `with added as (
             insert into webhook_delivery
               (id, endpoint_id, owner, type, payload, status, is_test, attempts, next_attempt_at, last_attempt_at, created_at)
             select $1, e.id, e.owner, $4, $5, 'attempting', true, 1, $7, $6, $6
             from webhook_endpoint e where e.id = $2 and e.owner = $3
             returning *
           )
           select ${CLAIM_COLUMNS} from added d join webhook_endpoint e on e.id = d.endpoint_id`,
    values: [id, input.endpointId, input.owner, input.type, input.payload(id), input.now, input.leaseUntil],
  })
  return row ? toClaim(row, input.leaseUntil) : null
}

/** Gives a claimed delivery back unsent, due at once. Without effect when the claim is no longer the latest. */
export const releaseClaim = async <T>(tx: Tx<T>, claim: Claim, now: Date): Promise<void> => {
  await tx.query({
    text: `update webhook_delivery set status = 'pending', next_attempt_at = $3
           where id = $1 and attempts = $2 and status = 'attempting'`,
    values: [claim.id, claim.attempt, now],
  })
}

/** Ends a claimed delivery unsent, because its endpoint is off. */
export const endClaim = async <T>(tx: Tx<T>, claim: Claim): Promise<void> => {
  await tx.query({
    text: `update webhook_delivery set status = 'failed', next_attempt_at = null, error = $3
           where id = $1 and attempts = $2 and status = 'attempting'`,
    values: [claim.id, claim.attempt, ENDPOINT_IS_OFF],
  })
}

type ClaimRow = {
  id: string
  endpoint_id: string
  owner: string
  type: string
  payload: string
  is_test: boolean
  retries: number
  attempts: number
  url: string
  secret_sealed: string
  endpoint_status: EndpointStatus
}

const CLAIM_COLUMNS = `d.id, d.endpoint_id, d.owner, d.type, d.payload, d.is_test, d.retries, d.attempts, e.url, e.secret_sealed,
  e.status as endpoint_status`

// `waiting` jumps from endpoint to endpoint through the index of unfinished deliveries, so that a long queue of one
// endpoint costs no more than a short one.
const CLAIM = `
  with recursive waiting as (
    (select endpoint_id, next_attempt_at from webhook_delivery
     where next_attempt_at is not null order by endpoint_id, next_attempt_at limit 1)
    union all
    select next.endpoint_id, next.next_attempt_at from waiting w
    cross join lateral (
      select d.endpoint_id, d.next_attempt_at from webhook_delivery d
      where d.next_attempt_at is not null and d.endpoint_id > w.endpoint_id
      order by d.endpoint_id, d.next_attempt_at limit 1
    ) next
  ),
  candidate as (
    select due.id from waiting w
    join webhook_endpoint e on e.id = w.endpoint_id and (e.failing_since is not null) = $3 and w.next_attempt_at <= $1
    left join unnest($5::text[], $6::integer[]) as busy (id, places) on busy.id = e.id
    cross join lateral (
      select d.id, d.next_attempt_at, row_number() over (order by d.next_attempt_at, d.id) as place
      from webhook_delivery d
      where d.endpoint_id = e.id and d.next_attempt_at <= $1
      order by d.next_attempt_at, d.id limit least(busy.places, $4)
    ) due
    order by due.place, due.next_attempt_at limit $7
  ),
  locked as (
    select d.id from webhook_delivery d where d.id in (select id from candidate) and d.next_attempt_at <= $1
    for update skip locked
  )
  update webhook_delivery d
  set status = 'attempting', attempts = d.attempts + 1, next_attempt_at = $2, last_attempt_at = $1
  from locked, webhook_endpoint e where d.id = locked.id and e.id = d.endpoint_id
  returning ${CLAIM_COLUMNS}`

const toClaim = (row: ClaimRow, leaseUntil: Date): Claim => ({
  id: row.id,
  endpointId: row.endpoint_id,
  owner: row.owner,
  type: row.type,
  payload: row.payload,
  isTest: row.is_test,
  retries: row.retries,
  attempt: row.attempts,
  leaseUntil,
  endpoint: { url: row.url, secretSealed: row.secret_sealed, status: row.endpoint_status },
})
