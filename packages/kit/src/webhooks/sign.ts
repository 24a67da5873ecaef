import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from '../secret.ts'

/** A new signing secret: `whsec_` and this many random bytes as base64 (24 to 64 by Standard Webhooks). */
export const newSigningSecret = (bytes: number): Secret => {
  if (bytes < 24 || bytes > 64) throw new RangeError('a signing secret has 24 to 64 bytes')
  return new Secret(PREFIX + randomBytes(bytes).toString('base64'))
}

export type SignedMessage = { id: string; timestampSeconds: number; body: string }

/** The Standard Webhooks signature `v1,<base64>` over `id.timestamp.body`. */
export const signMessage = (secret: Secret, message: SignedMessage): string => {
  const hmac = createHmac('sha256', keyOf(secret))
  hmac.update(`${message.id}.${message.timestampSeconds}.${message.body}`)
  return `v1,${hmac.digest('base64')}`
}

/** The three headers under each name family: `['webhook', 'svix']` gives `webhook-id`, `svix-id` and so on. */
export const signatureHeaders = (
  secret: Secret,
  message: SignedMessage,
  families: readonly string[],
): Record<string, string> => {
  const signature = signMessage(secret, message)
  return Object.fromEntries(
    families.flatMap((family) => [
      [`${family}-id`, message.id],
      [`${family}-timestamp`, String(message.timestampSeconds)],
      [`${family}-signature`, signature],
    ]),
  )
}

const PREFIX = 'whsec_'

const keyOf = (secret: Secret): Buffer => {
  const text = secret.reveal()
  const key = Buffer.from(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '', 'base64')
  if (key.length === 0) throw new TypeError('not a webhook signing secret')
  return key
}
