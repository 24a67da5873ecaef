import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { type Claim, createQueueTable } from '../queue/table.ts'
import { ENDPOINT_IS_OFF } from './endpoints.ts'
import type { EndpointStatus } from './tables.ts'

/** A delivery that this process may attempt until its lease ends. */
export type ClaimedDelivery = {
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
): Promise<ClaimedDelivery | null> => {
  const id = newId()
  const [row] = await tx.query<ClaimRow>({
    text: `with added as (
             insert into webhook_delivery
               (id, endpoint_id, owner, type, payload, status, is_test, attempts, next_attempt_at, last_attempt_at, created_at)
             select $1, e.id, e.owner, $4, $5, 'attempting', true, 1, $7, $6, $6
             from webhook_endpoint e where e.id = $2 and e.owner = $3
             returning *
           )
           select ${CLAIM_COLUMNS} from added item ${JOIN}`,
    values: [id, input.endpointId, input.owner, input.type, input.payload(id), input.now, input.leaseUntil],
  })
  return row ? toClaim({ id, fence: 1, leaseUntil: input.leaseUntil, row }) : null
}

/** Ends a claimed delivery unsent, because its endpoint is off. */
export const endClaim = async <T>(tx: Tx<T>, claim: ClaimedDelivery): Promise<void> => {
  const set = { status: 'failed', error: ENDPOINT_IS_OFF }
  await deliveryQueue.settle(tx, { id: claim.id, fence: claim.attempt }, { dueAt: null, set })
}

export type ClaimRow = {
  endpoint_id: string
  owner: string
  type: string
  payload: string
  is_test: boolean
  retries: number
  url: string
  secret_sealed: string
  endpoint_status: EndpointStatus
}

const CLAIM_COLUMNS = `item.endpoint_id, item.owner, item.type, item.payload, item.is_test, item.retries, e.url,
  e.secret_sealed, e.status as endpoint_status`

const JOIN = 'join webhook_endpoint e on e.id = item.endpoint_id'

/** The deliveries as a queue: an endpoint that fails has slots of its own. */
export const deliveryQueue = createQueueTable<ClaimRow>({
  table: 'webhook_delivery',
  id: 'id',
  key: 'endpoint_id',
  dueAt: 'next_attempt_at',
  fence: 'attempts',
  onClaim: `status = 'attempting', last_attempt_at = $1`,
  onRelease: `status = 'pending'`,
  isClaimed: `status = 'attempting'`,
  isFailing: 'exists (select from webhook_endpoint e where e.id = waiting.key and e.failing_since is not null)',
  columns: CLAIM_COLUMNS,
  join: JOIN,
})

export const toClaim = ({ id, fence, leaseUntil, row }: Omit<Claim<ClaimRow>, 'key'>): ClaimedDelivery => ({
  id,
  endpointId: row.endpoint_id,
  owner: row.owner,
  type: row.type,
  payload: row.payload,
  isTest: row.is_test,
  retries: row.retries,
  attempt: fence,
  leaseUntil,
  endpoint: { url: row.url, secretSealed: row.secret_sealed, status: row.endpoint_status },
})
