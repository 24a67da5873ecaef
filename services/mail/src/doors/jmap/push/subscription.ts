import { isIP } from 'node:net'
import { isPublicAddress } from '@stoa/kit/egress/address.ts'
import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import { isLocalhostName } from '@stoa/kit/egress/resolve.ts'
import { checkTarget } from '@stoa/kit/webhooks/target.ts'
import type { Config } from '../../../config.ts'
import type { Args, JmapCall } from '../method.ts'
import { failProperties } from '../set-error.ts'
import { isRecord, isStrings, parseUtcDate, utcDate } from '../standard/arguments.ts'
import { areKeys, type PushKeys } from './encrypt.ts'
import type { SubscriptionRow } from './subscription-queries.ts'

const DAY_MS = 86_400_000
/** Programs come back within this time to keep it; those that do not are gone. */
const MAX_LIFE_MS = 30 * DAY_MS
const DEFAULT_LIFE_MS = 7 * DAY_MS
const MAX_URL_LENGTH = 2_048
const MAX_DEVICE_LENGTH = 255
const MAX_TYPES = 50

/** What a client gives for a new subscription (RFC 8620 §7.2). */
export type SubscriptionInput = {
  deviceClientId: string
  url: string
  keys: PushKeys | null
  types: string[] | null
  expiresAt: Date
}

/** Push goes to any place that a client names, so it is reached as webhooks are. */
export const createPushEgress = (config: Config): Egress =>
  createEgress({
    ports: [443, 8443],
    allowPrivate: config.webhookAllowPrivate,
    ...(config.dnsResolvers.length > 0 && { resolvers: config.dnsResolvers }),
  })

const CREATABLE = ['deviceClientId', 'url', 'keys', 'verificationCode', 'expires', 'types']

export const readSubscription = async ({ parts }: JmapCall, object: Args): Promise<SubscriptionInput> => {
  const wrong = Object.keys(object).filter((name) => !CREATABLE.includes(name))
  if (wrong.length > 0) return failProperties(wrong, 'These properties cannot be set.')
  const { deviceClientId, url, keys = null, verificationCode = null, expires = null, types = null } = object
  if (typeof deviceClientId !== 'string' || deviceClientId === '' || deviceClientId.length > MAX_DEVICE_LENGTH)
    return failProperties(['deviceClientId'], 'Must be a string.')
  if (verificationCode !== null) return failProperties(['verificationCode'], 'The code is sent with the first push.')
  return {
    deviceClientId,
    url: await checkUrl(parts.config, url),
    keys: readKeys(keys),
    types: readTypeList(types),
    expiresAt: readExpires(expires, parts.clock.now()),
  }
}

/** RFC 8620 §7.2: https only. Where private places are allowed, those may be without: an address, or a short name. */
const checkUrl = async (config: Config, url: unknown): Promise<string> => {
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH) return failProperties(['url'], 'Must be a URL.')
  const isPlain = !/^https:/i.test(url)
  const egress = createPushEgress(config)
  if (!config.webhookAllowPrivate) {
    const checked = checkTarget(egress, url)
    return 'url' in checked ? checked.url : failProperties(['url'], 'Must be a public https URL.')
  }
  try {
    const checked = await egress.check(url)
    const isInside = isIP(checked.host) > 0 || !checked.host.includes('.') || isLocalhostName(checked.host)
    if (isPlain && (!isInside || checked.addresses.some(isPublicAddress)))
      return failProperties(['url'], 'Must be an https URL.')
    return checked.url
  } catch (error) {
    // Its name server may be away for a moment.
    if (error instanceof EgressFailed && !isPlain) return url
    if (error instanceof EgressFailed || error instanceof EgressRefused)
      return failProperties(['url'], `${error.publicMessage}.`)
    throw error
  }
}

const readKeys = (keys: unknown): PushKeys | null => {
  if (keys === null) return null
  const { p256dh, auth } = isRecord(keys) ? keys : {}
  return typeof p256dh === 'string' && typeof auth === 'string' && areKeys({ p256dh, auth })
    ? { p256dh, auth }
    : failProperties(['keys'], 'Must be p256dh and auth keys in base64url.')
}

export const readTypeList = (types: unknown): string[] | null => {
  if (types === null) return null
  return isStrings(types) && types.length <= MAX_TYPES
    ? types
    : failProperties(['types'], 'Must be a list of types, or null for all.')
}

/** The requested expiry, limited to our longest. */
export const readExpires = (expires: unknown, now: Date): Date => {
  if (expires === null) return new Date(now.getTime() + DEFAULT_LIFE_MS)
  const at = parseUtcDate(expires)
  if (!at || at <= now) return failProperties(['expires'], 'Must be a UTC date in the future.')
  return new Date(Math.min(at.getTime(), now.getTime() + MAX_LIFE_MS))
}

/** Its URL and keys are never returned (RFC 8620 §7.2.1). */
export const SUBSCRIPTION_PROPERTIES = ['id', 'deviceClientId', 'verificationCode', 'expires', 'types'] as const

export const subscriptionView = (row: SubscriptionRow): Args => ({
  id: row.id,
  deviceClientId: row.device_client_id,
  verificationCode: row.verified ? row.verification_code : null,
  expires: utcDate(row.expires_at),
  types: row.types,
})
