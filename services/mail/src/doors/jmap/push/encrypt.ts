import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The keys of a browser's subscription, in base64url (RFC 8291 §2). */
export type PushKeys = { p256dh: string; auth: string }

const CURVE = 'prime256v1'
const PUBLIC_KEY_BYTES = 65
const AUTH_BYTES = 16
const TAG_BYTES = 16

/** Whether messages can be encrypted with these. */
export const areKeys = ({ p256dh, auth }: PushKeys): boolean => {
  const publicKey = Buffer.from(p256dh, 'base64url')
  if (publicKey.length !== PUBLIC_KEY_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  try {
    const own = createECDH(CURVE)
    own.generateKeys()
    own.computeSecret(publicKey)
    return true
  } catch {
    // Not a point of the curve.
    return false
  }
}

/** A message that only the holder of the keys reads: one record of `aes128gcm` (RFC 8188, RFC 8291 §3.4). */
export const encryptPush = (text: string, { p256dh, auth }: PushKeys): Buffer => {
  const receiver = Buffer.from(p256dh, 'base64url')
  const sender = createECDH(CURVE)
  const senderKey = sender.generateKeys()
  const shared = sender.computeSecret(receiver)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, senderKey])
  const material = derive(shared, Buffer.from(auth, 'base64url'), info, 32)
  const salt = randomBytes(16)
  const key = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // RFC 8188 §2: 2 ends the last record.
  const content = Buffer.concat([Buffer.from(text, 'utf8'), Buffer.from([2])])
  const record = Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(Math.max(4_096, content.length + TAG_BYTES))
  head.writeUInt8(senderKey.length, 4)
  return Buffer.concat([salt, head, senderKey, record])
}

const derive = (material: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', material, salt, info, bytes))
