import type { Secret } from '@stoa/kit/secret.ts'

/** The smart host that all mail to others goes through. */
export type Relay = {
  host: string
  port: number
  isImplicit: boolean
  credentials: { user: string; password: string } | undefined
}

/** Reads RELAY_URL: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. */
export const readRelay = (given: Secret | null): Relay | null => {
  if (given === null) return null
  const url = URL.parse(given.reveal())
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    throw new TypeError('RELAY_URL must be smtp://host or smtps://host, with user:password@ before the host if needed')
  const isImplicit = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[|\]$/g, '').toLowerCase(),
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    isImplicit,
    credentials: user === '' ? undefined : { user, password: decodeURIComponent(url.password) },
  }
}
