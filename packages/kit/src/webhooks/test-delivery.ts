import { setTimeout as sleep } from 'node:timers/promises'
import { attemptDelivery, LEASE_MARGIN_MS, type WebhookContext } from './attempt.ts'
import { claimTest } from './claim.ts'

export type TestResult = {
  deliveryId: string
  type: string
  isDelivered: boolean
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  durationMs: number
}

/**
 * Sends a signed sample now and waits for the outcome; it is in the log like any other event, but is not retried and
 * says nothing about the endpoint's health. A refused or silent target is a result too. Null: no such endpoint.
 */
export const testDelivery = async <T>(
  context: WebhookContext<T>,
  input: { owner: string; endpointId: string; type: string; payload: (deliveryId: string) => string },
): Promise<TestResult | null> => {
  const { policy } = context
  const now = context.now()
  const started = performance.now()
  const leaseUntil = new Date(now.getTime() + policy.testTimeoutMs + LEASE_MARGIN_MS)
  const claim = await context.database.tx((tx) => claimTest(tx, { ...input, now, leaseUntil }))
  if (claim === null) return null
  const sent = await attemptDelivery(context, claim, { timeoutMs: policy.testTimeoutMs })
  if (sent === null) return null
  const { outcome } = sent
  const isAnswered = outcome.responseStatus !== null
  if (!isAnswered) await sleep(Math.max(0, policy.testFailureFloorMs - (performance.now() - started)))
  return {
    deliveryId: claim.id,
    type: input.type,
    isDelivered: outcome.isDelivered,
    responseStatus: outcome.responseStatus,
    responseBody: outcome.responseBody,
    error: outcome.error,
    durationMs: isAnswered ? outcome.durationMs : Math.max(outcome.durationMs, policy.testFailureFloorMs),
  }
}
