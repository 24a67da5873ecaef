import { setTimeout as sleep } from 'node:timers/promises'
import { SealError, type Sealer } from '../crypto/seal.ts'
import type { Database } from '../db/database.ts'
import type { Egress } from '../egress/egress.ts'
import { Fault } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Secret } from '../secret.ts'
import { type ClaimedDelivery, endClaim } from './claim.ts'
import type { DeliverySummary } from './deliveries.ts'
import type { AttemptOutcome, WebhookPolicy } from './policy.ts'
import { recordOutcome, type WebhookHooks } from './record.ts'
import { sendMessage } from './send.ts'

/** What sending needs, given by the service once. */
export type WebhookContext<T> = {
  database: Database<T>
  egress: Egress
  policy: WebhookPolicy
  /** Opens signing secrets; the endpoint's id is the context. */
  sealer: Pick<Sealer, 'open'>
  now: () => Date
  log: Log
  hooks?: WebhookHooks<T>
}

/** How long a lease outlives the attempt's own time limit: for recording the result. */
export const LEASE_MARGIN_MS = 30_000

/** Sends a claimed delivery and records the outcome; an abort throws. Null when its endpoint is off. */
export const attemptDelivery = async <T>(
  context: WebhookContext<T>,
  claim: ClaimedDelivery,
  options: { timeoutMs: number; signal?: AbortSignal },
): Promise<{ outcome: AttemptOutcome; delivery: DeliverySummary | null } | null> => {
  const { database, policy, log, now } = context
  if (claim.endpoint.status === 'disabled' && !claim.isTest) {
    await database.tx((tx) => endClaim(tx, claim))
    return null
  }
  const outcome = await send(context, claim, options)
  const delivery = await whileUnavailable({ claim, now, signal: options.signal }, () =>
    database.tx((tx) => recordOutcome(tx, claim, outcome, { policy, hooks: context.hooks ?? {}, now: now() })),
  )
  if (delivery === null) log.info({ webhookId: claim.id, attempt: claim.attempt }, 'a late webhook result was dropped')
  return { outcome, delivery }
}

const send = async <T>(
  context: WebhookContext<T>,
  claim: ClaimedDelivery,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<AttemptOutcome> => {
  const secret = openSecret(context, claim)
  if (secret === null) {
    const error = "The signing secret can't be read. Rotate it."
    const sentAt = context.now()
    return { isDelivered: false, sentAt, durationMs: 0, responseStatus: null, responseBody: null, error }
  }
  const { id, type, payload } = claim
  return sendMessage({ id, type, payload, url: claim.endpoint.url, secret }, { ...context, timeoutMs }, signal)
}

/** Null after the operator replaced the key that sealed it. */
const openSecret = <T>({ sealer, log }: WebhookContext<T>, claim: ClaimedDelivery): Secret | null => {
  try {
    return sealer.open(claim.endpoint.secretSealed, claim.endpointId)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    log.error({ err: error, endpointId: claim.endpointId }, 'the signing secret of a webhook endpoint cannot be opened')
    return null
  }
}

const RECORD_AGAIN_AFTER_MS = 1_000

type Recording = { claim: ClaimedDelivery; now: () => Date; signal: AbortSignal | undefined }

/** A result is worth keeping through a database restart, as long as nobody else may take the delivery and nobody stops us. */
const whileUnavailable = async <R>({ claim, now, signal }: Recording, record: () => Promise<R>): Promise<R> => {
  for (;;) {
    try {
      return await record()
    } catch (error) {
      const isAway = error instanceof Fault && error.kind === 'unavailable'
      if (!isAway || now().getTime() + RECORD_AGAIN_AFTER_MS > claim.leaseUntil.getTime()) throw error
      await sleep(RECORD_AGAIN_AFTER_MS, undefined, { ...(signal && { signal }) })
    }
  }
}
