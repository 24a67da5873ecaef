import type { Clock } from '@stoa/kit/clock.ts'
import { createSealer, type Sealer } from '@stoa/kit/crypto/seal.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { WebhookContext } from '@stoa/kit/webhooks/attempt.ts'
import type { WebhookPolicy } from '@stoa/kit/webhooks/policy.ts'
import type { Config } from '../../config.ts'
import { notifyAccount, type SystemMailParts, webhookDisabled } from '../../hosting/system-mail/system-mail.ts'
import { announceWebhooks } from '../../hosting/webhook-events/webhook-events.ts'
import type { Tables } from '../../tables.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** https; the second one is where receivers go whose machine has a website already. */
const PUBLIC_PORTS = [443, 8443]

/** `docs/mail-webhooks.md` documents the same for receivers. */
export const webhookPolicy: WebhookPolicy = {
  retryAfterMs: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS],
  jitter: 0.1,
  timeoutMs: 15 * SECOND_MS,
  testTimeoutMs: 10 * SECOND_MS,
  // Refused, unknown and closed targets take alike, so that the test does not explore a network.
  testFailureFloorMs: 2 * SECOND_MS,
  disableAfter: { failingForMs: 5 * DAY_MS },
  keep: { forMs: 30 * DAY_MS },
  headerFamilies: ['webhook', 'svix'],
  userAgent: 'mail-webhooks/1',
  maxRedirects: 0,
}

/** What signing and sending needs: for the worker, for tests of an endpoint, and for storing secrets. */
export type WebhookSender = WebhookContext<Tables> & { sealer: Sealer }

/** `ctx.parts` is enough. */
export type WebhookParts = SystemMailParts & {
  readonly database: Database<Tables>
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<
    Config,
    'secret' | 'webhookAllowPrivate' | 'dnsResolvers' | 'hostname' | 'systemFrom' | 'publicUrl'
  >
}

/** The way out to webhook targets, as the operator allows it. */
export const webhookEgress = ({
  webhookAllowPrivate,
  dnsResolvers,
}: Pick<Config, 'webhookAllowPrivate' | 'dnsResolvers'>): Egress =>
  createEgress({
    ports: PUBLIC_PORTS,
    allowPrivate: webhookAllowPrivate,
    ...(dnsResolvers.length > 0 && { resolvers: dnsResolvers }),
  })

export const createSender = (parts: WebhookParts): WebhookSender => {
  const { database, config, clock, log } = parts
  return {
    database,
    egress: webhookEgress(config),
    policy: webhookPolicy,
    sealer: createSealer({ current: config.secret }, 'webhook'),
    now: clock.now,
    log,
    hooks: {
      onOutcome: async (tx, { endpoint }) => announceWebhooks(tx, endpoint.owner, [endpoint.id], 'attempted'),
      onDisabled: async (tx, { endpoint, reason }) => {
        const url = new URL(`/webhooks/${endpoint.id}`, config.publicUrl).href
        const content = webhookDisabled({ host: new URL(endpoint.url).host, reason, url })
        await notifyAccount(parts, tx, { accountId: endpoint.owner, about: 'webhook_failures', content })
        log.info({ webhookId: endpoint.id, reason }, 'a webhook was turned off because of its responses')
      },
    },
  }
}
