import { newId } from '@stoa/kit/ids.ts'
import type Stripe from 'stripe'
import type { Payment } from '../../../config/payment.ts'
import { toProviderError } from './errors.ts'

export type StripeConfig = Payment & { secretKey: NonNullable<Payment['secretKey']> }

/** For tests. */
export type StripeTuning = { timeoutMs: number; retries: number }

/**
 * A payment takes seconds. Each request is tried again by the SDK with the same idempotency key, so that one whose answer
 * was lost has its effect once.
 */
const TUNING: StripeTuning = { timeoutMs: 15_000, retries: 1 }

/** The page size, per kind of object of a customer. */
const PAGE = 100
const MAX_OBJECTS = 10 * PAGE

/** The SDK is large, and loaded by those only who take payments. */
export const openClient = async (
  { secretKey, apiBase }: StripeConfig,
  { timeoutMs, retries }: StripeTuning = TUNING,
): Promise<Stripe> => {
  const { default: Sdk } = await import('stripe')
  const { hostname, port, protocol } = new URL(apiBase)
  return new Sdk(secretKey.reveal(), {
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
  })
}

/** Turns errors of the SDK into ProviderError. */
export const ask = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    throw toProviderError(error)
  }
}

type Pages<T> = { autoPagingToArray(options: { limit: number }): Promise<T[]> }

/** All pages, within bounds; the newest come first. */
export const askAll = <T>(list: (page: { limit: number }) => Pages<T>): Promise<T[]> =>
  ask(() => list({ limit: PAGE }).autoPagingToArray({ limit: MAX_OBJECTS }))

/** Another step of the operation that a key stands for has a key of its own. */
export const withKey = (key: string, step?: string): { idempotencyKey: string } => ({
  idempotencyKey: step === undefined ? key : `${key}-${step}`,
})

/**
 * For what can be repeated without harm. A key that stays the same would do harm: the default that was chosen this
 * morning, and again after another one, would be answered with the answer of the morning.
 */
export const withNewKey = (): { idempotencyKey: string } => withKey(newId())

/** Members that refer to another object hold its id, or the object where it was asked for. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id

export const idOrNull = (reference: string | { id: string } | null | undefined): string | null =>
  reference ? idOf(reference) : null

export const toDate = (seconds: number): Date => new Date(seconds * 1_000)
export const toDateOrNull = (seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined ? null : toDate(seconds)
