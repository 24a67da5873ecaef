import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { Secret } from '../secret.ts'
import { timingSafeEqualText } from './tokens.ts'

const STEP_SECONDS = 30
const DIGITS = 6
// RFC 6238 §5.2: one step either side for clocks that differ and people who type slowly.
const WINDOW = 1
// RFC 4226 §4 R6 recommends 160 bits, the size of SHA-1's output.
const SECRET_BYTES = 20

/** A new shared secret in base32, as authenticator apps take it. */
export const newTotpSecret = (): Secret => new Secret(encodeBase32(randomBytes(SECRET_BYTES)))

/** The `otpauth://` address behind the QR code. */
export const totpUri = ({ secret, issuer, account }: { secret: Secret; issuer: string; account: string }): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const parameters = `secret=${secret.reveal()}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${parameters}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
}

export type TotpAttempt = {
  secret: Secret
  /** What the person typed; spaces are ignored. */
  code: string
  now: Date
  /** The step of the last accepted code, or null: a code is good once. */
  lastStep: number | null
}

/** The step that the code belongs to, to be stored as `lastStep` in the same transaction; null when it is not good. */
export const verifyTotp = ({ secret, code, now, lastStep }: TotpAttempt): number | null => {
  const digits = code.replaceAll(' ', '')
  if (!/^\d{6}$/.test(digits)) return null
  const key = decodeBase32(secret.reveal())
  const current = Math.floor(now.getTime() / 1000 / STEP_SECONDS)
  let found: number | null = null
  for (let step = current - WINDOW; step <= current + WINDOW; step += 1) {
    const matches = timingSafeEqualText(totpCode(key, step), digits)
    if (matches && (lastStep === null || step > lastStep)) found ??= step
  }
  return found
}

/** The code of one step (RFC 4226 §5.3 on the step counter). */
export const totpCode = (key: Buffer, step: number, digits = DIGITS): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const value = mac.readUInt32BE(offset) & 0x7fffffff
  return String(value % 10 ** digits).padStart(digits, '0')
}

// No vowels, no look-alikes (0 o, 1 l i): cannot spell a word and can be read aloud.
const RECOVERY_ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
const RECOVERY_CODES = 10

/** Ten new recovery codes `xxxxx-xxxxx`. Each is good once; store `hmacToken` of it, for 48 bits alone can be searched. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, () => `${five()}-${five()}`)

/** The form that is hashed: as typed, without spaces and capitals, with its dash. Null when it cannot be a code. */
export const normaliseRecoveryCode = (text: string): string | null => {
  const characters = text.toLowerCase().replace(/[\s-]/g, '')
  if (characters.length !== 10 || [...characters].some((each) => !RECOVERY_ALPHABET.includes(each))) return null
  return `${characters.slice(0, 5)}-${characters.slice(5)}`
}

const five = (): string => {
  let text = ''
  while (text.length < 5) text += RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]
  return text
}

// RFC 4648 §6
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const encodeBase32 = (bytes: Uint8Array): string => {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(held >>> bits) & 31]
    }
  }
  return bits > 0 ? text + BASE32[(held << (5 - bits)) & 31] : text
}

/** Reads base32 in either case, with or without padding and spaces; throws on anything else. */
export const decodeBase32 = (text: string): Buffer => {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const character of text.toUpperCase().replace(/[\s=]/g, '')) {
    const value = BASE32.indexOf(character)
    if (value === -1) throw new TypeError('not base32 text')
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >>> bits) & 0xff)
  }
  return Buffer.from(bytes)
}
