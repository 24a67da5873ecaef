/** What a service decides about its webhooks. */
export type WebhookPolicy = {
  /** Waits before the second, third … attempt. After the last one the delivery has failed. */
  retryAfterMs: readonly number[]
  /** Up to this share of each wait is added at random, so that failures do not come back together. */
  jitter: number
  /** Longest time for one attempt. */
  timeoutMs: number
  /** Longest time for a test delivery, which somebody waits for. */
  testTimeoutMs: number
  /** A test that got no answer takes at least this long, so that its duration reveals nothing about the target. */
  testFailureFloorMs: number
  disableAfter: {
    /** Deliveries given up one after the other. */
    consecutiveFailures?: number
    /** Time since the first failed attempt without any success. */
    failingForMs?: number
  }
  /** What is kept of finished deliveries. */
  keep: { perEndpoint?: number; forMs?: number }
  /** Families of signature headers: `webhook`, and perhaps aliases such as `svix`. */
  headerFamilies: readonly string[]
  userAgent: string
  extraHeaders?: (event: { id: string; type: string }) => Record<string, string>
  /** How many 307 and 308 answers are followed. Only ever done by an egress that allows private targets. */
  maxRedirects: number
}

/** How one attempt went. Everything in it may be shown to the endpoint's owner. */
export type AttemptOutcome = {
  isDelivered: boolean
  sentAt: Date
  durationMs: number
  responseStatus: number | null
  /** The beginning of the answer. */
  responseBody: string | null
  error: string | null
}

/** What becomes of the delivery after an attempt. */
export type NextStatus = { status: 'success' } | { status: 'failed' } | { status: 'pending'; nextAttemptAt: Date }

/** 2xx is success; 410 and an exhausted retry table end it; everything else is tried again. */
export const judge = (
  policy: WebhookPolicy,
  delivery: { retries: number; isTest: boolean },
  outcome: AttemptOutcome,
  now: Date,
): NextStatus => {
  if (outcome.isDelivered) return { status: 'success' }
  if (delivery.isTest || outcome.responseStatus === GONE) return { status: 'failed' }
  const wait = policy.retryAfterMs[delivery.retries]
  if (wait === undefined) return { status: 'failed' }
  return { status: 'pending', nextAttemptAt: new Date(now.getTime() + wait * (1 + Math.random() * policy.jitter)) }
}

/** Whether the endpoint must be switched off after a failed attempt, and why. */
export const judgeEndpoint = (
  policy: WebhookPolicy,
  health: { failingSince: Date; consecutiveFailures: number },
  outcome: AttemptOutcome,
  now: Date,
): 'gone' | 'failing' | null => {
  if (outcome.responseStatus === GONE) return 'gone'
  const { consecutiveFailures = Number.POSITIVE_INFINITY, failingForMs = Number.POSITIVE_INFINITY } =
    policy.disableAfter
  if (health.consecutiveFailures >= consecutiveFailures) return 'failing'
  return now.getTime() - health.failingSince.getTime() >= failingForMs ? 'failing' : null
}

const GONE = 410
