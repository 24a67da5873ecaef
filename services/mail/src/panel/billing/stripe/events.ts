import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@stoa/kit/secret.ts'
import type { ProviderEvent } from '../provider.ts'

/** In both directions: clocks differ, and what was caught on its way must not be played back later. */
const TOLERANCE_SECONDS = 300
const MAX_SIGNATURES = 16

/**
 * An event whose `Stripe-Signature` is right: `t=<unix seconds>,v1=<hex>[,v1=…]` with the HMAC-SHA-256 of `<t>.<body>`.
 * The SDK's check is not used because it decodes the bytes before: then another body can have the same signature.
 */
export const readEvent = (
  secrets: readonly Secret[],
  { raw, signature, now }: { raw: Buffer; signature: string | undefined; now: Date },
): ProviderEvent | undefined => {
  const { timestamp, signatures } = parseSignature(signature ?? '')
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return undefined
  const isRight = secrets.some((secret) => {
    const expected = createHmac('sha256', secret.reveal()).update(`${timestamp}.`).update(raw).digest()
    return signatures.some((given) => timingSafeEqual(given, expected))
  })
  return isRight && timestamp !== undefined ? parseEvent(raw) : undefined
}

const parseSignature = (header: string): { timestamp: string | undefined; signatures: Buffer[] } => {
  const pairs = header.split(',').map((part) => part.trim().split('='))
  const valuesOf = (name: string): string[] => pairs.flatMap(([key, value]) => (key === name && value ? [value] : []))
  return {
    timestamp: valuesOf('t').find((text) => /^\d{1,12}$/.test(text)),
    signatures: valuesOf('v1')
      .filter((text) => /^[0-9a-f]{64}$/.test(text))
      .slice(0, MAX_SIGNATURES)
      .map((text) => Buffer.from(text, 'hex')),
  }
}

type Json = { readonly [member: string]: unknown }

const parseEvent = (raw: Buffer): ProviderEvent | undefined => {
  const event = asObject(parseJson(raw.toString('utf8')))
  const { id, type } = event
  return typeof id === 'string' && typeof type === 'string'
    ? { id, type, customer: customerOf(asObject(event.data)) }
    : undefined
}

/** An object that was just taken from its customer names it among what it was before. */
const customerOf = (data: Json): string | null => {
  const object = asObject(data.object)
  if (object.object === 'customer') return asId(object.id)
  return asId(object.customer) ?? asId(asObject(data.previous_attributes).customer)
}

const asId = (value: unknown): string | null =>
  typeof value === 'string' ? value : value !== null && typeof value === 'object' ? asId(asObject(value).id) : null

const asObject = (value: unknown): Json => (isObject(value) ? value : {})

const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
