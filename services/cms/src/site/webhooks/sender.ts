import { createSealer, type Sealer } from '@stoa/kit/crypto/seal.ts'
import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import type { WebhookContext } from '@stoa/kit/webhooks/attempt.ts'
import type { WebhookPolicy } from '@stoa/kit/webhooks/policy.ts'
import type { Config } from '../../config.ts'
import type { Services } from '../../context.ts'
import { recordActivity } from '../../events/events.ts'
import type { SystemPrincipal } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { targetOf } from './schema.ts'

/** What signing and sending needs: for the worker, for tests of a webhook, and for storing secrets. */
export type WebhookSender = WebhookContext<Tables> & { sealer: Sealer }

declare module '../../context.ts' {
  interface Ports {
    readonly webhooks: WebhookSender
  }
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** https; the second one is where receivers go whose machine has a website already. */
const PUBLIC_PORTS = [443, 8443]

const webhookPolicy: WebhookPolicy = {
  retryAfterMs: [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS],
  jitter: 0.2,
  timeoutMs: 10 * SECOND_MS,
  testTimeoutMs: 10 * SECOND_MS,
  // Refused, unknown and closed targets take alike, so that the button does not explore a network.
  testFailureFloorMs: 2 * SECOND_MS,
  disableAfter: { consecutiveFailures: 50 },
  keep: { perEndpoint: 100 },
  headerFamilies: ['webhook'],
  userAgent: 'stoa-cms-webhooks/1',
  extraHeaders: ({ type }) => ({ 'x-cms-event': type }),
  maxRedirects: 3,
}

/** The way out to webhook targets, as the operator allows it. */
const webhookEgress = ({ webhookAllowPrivate }: Pick<Config, 'webhookAllowPrivate'>): Egress =>
  createEgress({ ports: PUBLIC_PORTS, allowPrivate: webhookAllowPrivate })

const SYSTEM: SystemPrincipal = { kind: 'system', name: 'webhooks' }

export const createSender = (
  { database, config, log, clock }: Pick<Services, 'database' | 'config' | 'log' | 'clock'>,
  egress: Egress = webhookEgress(config),
): WebhookSender => {
  const now = () => clock.now()
  return {
    database,
    egress,
    policy: webhookPolicy,
    sealer: createSealer({ current: config.secret }, 'webhook'),
    now,
    log,
    hooks: {
      onDisabled: async (tx, { endpoint, reason }) => {
        const target = targetOf(endpoint)
        await recordActivity({ principal: SYSTEM, now }, tx, {
          action: 'webhook.disabled',
          target,
          changed: ['enabled'],
        })
        log.warn({ webhookId: endpoint.id, reason }, 'a webhook was turned off because of its responses')
      },
    },
  }
}
