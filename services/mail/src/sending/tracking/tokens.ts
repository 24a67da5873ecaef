import { createHmac, timingSafeEqual } from 'node:crypto'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import type { Secret } from '@stoa/kit/secret.ts'

/** Which sent email a link belongs to. */
export type TrackedEmail = { accountId: string; emailId: string }

/** Makes and reads the tokens of tracking links. A changed SECRET ends them all. */
export type TrackingTokens = {
  open(email: TrackedEmail): string
  /** The address that the link leads to is part of what is signed: the service leads to no other. */
  click(email: TrackedEmail, url: string): string
  readOpen(token: string): TrackedEmail | null
  readClick(token: string, url: string): TrackedEmail | null
}

const ID_BYTES = 16
/** 128 bits of the signature: a guess is a request to us, and links stay short. */
const SIGNATURE_BYTES = 16
const TOKEN = /^[\w-]{64}$/

export const createTrackingTokens = (secret: Secret): TrackingTokens => {
  const keys = { open: subKey(secret, 'mail/tracking-open'), click: subKey(secret, 'mail/tracking-click') }
  const sign = (kind: keyof typeof keys, ids: Buffer, url: string): Buffer =>
    createHmac('sha256', keys[kind]).update(ids).update(url).digest().subarray(0, SIGNATURE_BYTES)
  const write = (kind: keyof typeof keys, email: TrackedEmail, url: string): string => {
    const ids = Buffer.concat([idBytes(email.accountId), idBytes(email.emailId)])
    return Buffer.concat([ids, sign(kind, ids, url)]).toString('base64url')
  }
  const read = (kind: keyof typeof keys, token: string, url: string): TrackedEmail | null => {
    if (!TOKEN.test(token)) return null
    const bytes = Buffer.from(token, 'base64url')
    const ids = bytes.subarray(0, 2 * ID_BYTES)
    if (!timingSafeEqual(bytes.subarray(2 * ID_BYTES), sign(kind, ids, url))) return null
    return { accountId: idText(ids.subarray(0, ID_BYTES)), emailId: idText(ids.subarray(ID_BYTES)) }
  }
  return {
    open: (email) => write('open', email, ''),
    click: (email, url) => write('click', email, url),
    readOpen: (token) => read('open', token, ''),
    readClick: (token, url) => read('click', token, url),
  }
}

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

const idText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
