import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Secret } from '../secret.ts'

export type SealingKeys = { current: Secret; previous?: readonly Secret[] }

export type Sealer = {
  /** Encrypts text. `context` (a row's id) must be given again to open it, so that a value cannot be moved. */
  seal(plain: string | Secret, context?: string): string
  /** Decrypts with the current key or a previous one; throws SealError. */
  open(sealed: string, context?: string): Secret
  /** True when a previous key sealed it and it should be sealed again. */
  needsReseal(sealed: string): boolean
}

export type SealProblem = 'malformed' | 'unknown_key' | 'tampered'

/** A sealed text that cannot be opened: not ours, of a key we do not have, or changed since. */
export class SealError extends Error {
  readonly problem: SealProblem

  constructor(problem: SealProblem) {
    super(`sealed value cannot be opened: ${problem}`)
    this.name = 'SealError'
    this.problem = problem
  }
}

/** A 256-bit key for one purpose, derived from the secret (HKDF-SHA-256, RFC 5869). */
export const subKey = (secret: Secret, label: string): Buffer => derive(secret, label, 32)

/**
 * AES-256-GCM sealing for one purpose. Text form `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url.
 * To rotate: make the new secret `current`, keep the old one in `previous` until `needsReseal` finds no more.
 */
export const createSealer = (keys: SealingKeys, purpose: string): Sealer => {
  const current = sealingKey(keys.current, purpose)
  const all = new Map([current, ...(keys.previous ?? []).map((secret) => sealingKey(secret, purpose))].map(byId))

  return {
    seal: (plain, context = '') => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce)
      cipher.setAAD(binding(current.id, purpose, context))
      const text = typeof plain === 'string' ? plain : plain.reveal()
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, current.id, nonce.toString('base64url'), body.toString('base64url')].join('.')
    },
    open: (sealed, context = '') => {
      const { id, nonce, body } = parse(sealed)
      const key = all.get(id)
      if (!key) throw new SealError('unknown_key')
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(binding(id, purpose, context))
      decipher.setAuthTag(body.subarray(-TAG_BYTES))
      try {
        const plain = Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()])
        return new Secret(plain.toString('utf8'))
      } catch {
        throw new SealError('tampered')
      }
    },
    needsReseal: (sealed) => parse(sealed).id !== current.id,
  }
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

type SealingKey = { id: string; key: Buffer }

const sealingKey = (secret: Secret, purpose: string): SealingKey => ({
  id: derive(secret, `seal-id/${purpose}`, 6).toString('base64url'),
  key: derive(secret, `seal/${purpose}`, 32),
})

const byId = ({ id, key }: SealingKey): [string, Buffer] => [id, key]

const derive = (secret: Secret, label: string, length: number): Buffer => {
  const text = secret.reveal()
  if (text === '') throw new TypeError('a key cannot be derived from an empty secret')
  return Buffer.from(hkdfSync('sha256', text, '', label, length))
}

const binding = (id: string, purpose: string, context: string): Buffer =>
  Buffer.from(JSON.stringify([VERSION, id, purpose, context]))

const parse = (sealed: string): { id: string; nonce: Buffer; body: Buffer } => {
  const [version, id, nonceText, bodyText, ...rest] = sealed.split('.', 5)
  if (version !== VERSION || !id || !nonceText || !bodyText || rest.length > 0) throw new SealError('malformed')
  const nonce = decode(nonceText)
  const body = decode(bodyText)
  if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) throw new SealError('malformed')
  return { id, nonce, body }
}

// Decoding is lenient; encoding the bytes again shows whether the text was exactly what we wrote.
const decode = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new SealError('malformed')
  return bytes
}
