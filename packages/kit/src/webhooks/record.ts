import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { ClaimedDelivery } from './claim.ts'
import { type DeliverySummary, SUMMARY, type SummaryRow, toSummary } from './deliveries.ts'
import { disableEndpoint, ENDPOINT_IS_OFF, type Endpoint, lockEndpoint } from './endpoints.ts'
import { type AttemptOutcome, judge, judgeEndpoint, type NextStatus, type WebhookPolicy } from './policy.ts'

/** Called inside the transaction that records an attempt, so that what a service writes there is never lost. */
export type WebhookHooks<T> = {
  /** After each attempt. `delivery.status` says whether it will be retried. */
  onOutcome?: (
    tx: Tx<T>,
    event: { endpoint: Endpoint; delivery: DeliverySummary; outcome: AttemptOutcome },
  ) => Promise<void>
  /** When the endpoint was switched off because of its answers. */
  onDisabled?: (
    tx: Tx<T>,
    event: { endpoint: Endpoint; delivery: DeliverySummary; reason: 'gone' | 'failing' },
  ) => Promise<void>
}

/** Writes down how a claimed attempt went. Null, and no effect, when a later attempt has taken its place. */
export const recordOutcome = async <T>(
  tx: Tx<T>,
  claim: ClaimedDelivery,
  outcome: AttemptOutcome,
  options: { policy: WebhookPolicy; hooks: WebhookHooks<T>; now: Date },
): Promise<DeliverySummary | null> => {
  const { policy, hooks, now } = options
  // Endpoint before delivery, here and everywhere, so that no two transactions wait for each other.
  const endpoint = await lockEndpoint(tx, { owner: claim.owner, id: claim.endpointId })
  if (endpoint === null) return null
  const health = healthAfter(endpoint, claim, outcome, policy, now)
  const verdict = health.disable || endpoint.status === 'disabled' ? end(health.verdict) : health.verdict
  const row = await writeDelivery(tx, claim, outcome, verdict)
  if (row === undefined) return null
  await writeAttempt(tx, claim, outcome)
  const delivery = toSummary(row)
  if (!claim.isTest) await writeHealth(tx, endpoint.id, health)
  const after = health.disable ? await disableEndpoint(tx, endpoint.id, health.disable, now) : endpoint
  await hooks.onOutcome?.(tx, { endpoint: after, delivery, outcome })
  if (health.disable) await hooks.onDisabled?.(tx, { endpoint: after, delivery, reason: health.disable })
  return delivery
}

type Health = {
  verdict: NextStatus
  failingSince: Date | null
  consecutiveFailures: number
  lastSuccessAt: Date | null
  disable: 'gone' | 'failing' | null
}

const healthAfter = (
  endpoint: Endpoint,
  claim: ClaimedDelivery,
  outcome: AttemptOutcome,
  policy: WebhookPolicy,
  now: Date,
): Health => {
  const verdict = judge(policy, claim, outcome, now)
  if (outcome.isDelivered)
    return { verdict, failingSince: null, consecutiveFailures: 0, lastSuccessAt: now, disable: null }
  const failingSince = endpoint.failingSince ?? now
  const consecutiveFailures = endpoint.consecutiveFailures + (verdict.status === 'failed' ? 1 : 0)
  const mayDisable = !claim.isTest && endpoint.status === 'enabled'
  const disable = mayDisable ? judgeEndpoint(policy, { failingSince, consecutiveFailures }, outcome, now) : null
  return { verdict, failingSince, consecutiveFailures, lastSuccessAt: endpoint.lastSuccessAt, disable }
}

/** A disabled endpoint gets no retries. */
const end = (verdict: NextStatus): NextStatus => (verdict.status === 'pending' ? { status: 'failed' } : verdict)

const writeDelivery = async <T>(tx: Tx<T>, claim: ClaimedDelivery, outcome: AttemptOutcome, verdict: NextStatus) => {
  // An attempt that was under way when its endpoint was disabled still records its result.
  const [row] = await tx.query<SummaryRow>({
    text: `update webhook_delivery set status = $3, next_attempt_at = $4, retries = retries + $5, response_status = $6,
             response_body = $7, error = $8, duration_ms = $9
           where id = $1 and attempts = $2 and (status = 'attempting' or status = 'failed' and error = $10)
           returning ${SUMMARY}`,
    values: [
      claim.id,
      claim.attempt,
      verdict.status,
      verdict.status === 'pending' ? verdict.nextAttemptAt : null,
      outcome.isDelivered ? 0 : 1,
      outcome.responseStatus,
      outcome.responseBody,
      outcome.error,
      outcome.durationMs,
      ENDPOINT_IS_OFF,
    ],
  })
  return row
}

const writeAttempt = <T>(tx: Tx<T>, claim: ClaimedDelivery, outcome: AttemptOutcome) =>
  tx.query({
    text: `insert into webhook_attempt (id, delivery_id, attempt, sent_at, duration_ms, response_status, response_body, error)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      newId(),
      claim.id,
      claim.attempt,
      outcome.sentAt,
      outcome.durationMs,
      outcome.responseStatus,
      outcome.responseBody,
      outcome.error,
    ],
  })

const writeHealth = <T>(tx: Tx<T>, endpointId: string, health: Health) =>
  tx.query({
    text: `update webhook_endpoint set failing_since = $2, consecutive_failures = $3, last_success_at = $4 where id = $1`,
    values: [endpointId, health.failingSince, health.consecutiveFailures, health.lastSuccessAt],
  })
