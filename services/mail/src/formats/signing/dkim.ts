import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'

export type DkimKey = {
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  privateKeyPem: string
}

/** A message of ours that is replayed later than this has no valid signature any more. */
const LIFETIME_SECONDS = 7 * 86_400

/** Signed as often as they are there and once more, so that a second one cannot be added (RFC 6376 §8.15). */
const OVERSIGNED = [
  'From',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Reply-To',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
] as const
/** Signed where they are; RFC 8058 §4 asks for those of unsubscribing. */
const SIGNED = [
  'Sender',
  'Content-Disposition',
  'Content-ID',
  'Content-Language',
  'List-ID',
  'List-Help',
  'List-Post',
  'List-Owner',
  'List-Archive',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
] as const

/** SHA-256 of a body in the relaxed form (RFC 6376 §3.4.4), fed in pieces with CRLF line ends. */
export const createBodyHash = (): { push(chunk: Buffer): void; digest(): string } => {
  const hash = createHash('sha256')
  let rest = ''
  let blankLines = 0
  const feed = (lines: string): void => {
    const relaxed = NEEDS_CHANGE.test(lines) ? lines.replace(SPACES, ' ').replaceAll(' \r\n', '\r\n') : lines
    let from = 0
    while (relaxed.startsWith('\r\n', from)) {
      blankLines += 1
      from += 2
    }
    if (from === relaxed.length) return
    let end = relaxed.length
    while (relaxed.endsWith('\r\n\r\n') && relaxed.startsWith('\r\n\r\n', end - 4)) end -= 2
    if (blankLines > 0) hash.update('\r\n'.repeat(blankLines), 'latin1')
    hash.update(relaxed.slice(from, end), 'latin1')
    blankLines = (relaxed.length - end) / 2
  }
  return {
    push(chunk) {
      const text = rest + chunk.toString('latin1')
      const end = text.lastIndexOf('\r\n') + 2
      if (end === 1) {
        rest = text
        return
      }
      rest = text.slice(end)
      feed(text.slice(0, end))
    },
    digest() {
      if (rest !== '') feed(`${rest}\r\n`)
      return hash.digest('base64')
    },
  }
}

/** Hashes a body that is in memory as a whole. */
export const hashBody = (body: Buffer): string => {
  const hash = createBodyHash()
  hash.push(body)
  return hash.digest()
}

const NEEDS_CHANGE = /\t| [ \r]/
const SPACES = /[ \t]+/g

export type SignInput = {
  key: DkimKey
  /** The header with CRLF line ends; the blank line behind it may be there or not. */
  header: Buffer
  bodyHash: string
  /** When it is signed. */
  at: Date
}

/** The DKIM-Signature field (RFC 6376), with its line end, to stand before the message. */
export const signHeader = async ({ key, header, bodyHash, at }: SignInput): Promise<string> => {
  const fields = readFields(header.toString('latin1'))
  const names = signedNames(fields)
  const time = Math.floor(at.getTime() / 1_000)
  const open =
    `DKIM-Signature: v=1; a=${key.algorithm}; c=relaxed/relaxed; d=${key.domain};\r\n` +
    `\ts=${key.selector}; t=${time}; x=${time + LIFETIME_SECONDS};\r\n` +
    `\th=${foldNames(names)};\r\n\tbh=${bodyHash};\r\n\tb=`
  const data = Buffer.from(canonicalFields(fields, names) + relaxField(open), 'latin1')
  const signature = (await signData(key, data)).toString('base64')
  return `${open}${signature.replace(/.{70}(?=.)/g, '$&\r\n\t ')}\r\n`
}

type Field = { name: string; text: string }

/** Fields with their folding, in order; what is no field is left out, and so not signed. */
const readFields = (header: string): Field[] =>
  header.split(/\r\n(?![ \t])/).flatMap((text) => {
    const name = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/.exec(text)?.[1]
    return name === undefined ? [] : [{ name: name.toLowerCase(), text }]
  })

const signedNames = (fields: readonly Field[]): string[] => {
  const count = (name: string) => fields.filter((field) => field.name === name.toLowerCase()).length
  return [
    ...OVERSIGNED.flatMap((name) => Array.from({ length: count(name) + 1 }, () => name)),
    ...SIGNED.flatMap((name) => Array.from({ length: count(name) }, () => name)),
  ]
}

/** RFC 6376 §5.4.2: several of a name from the bottom up; one that is not there adds nothing. */
const canonicalFields = (fields: readonly Field[], names: readonly string[]): string => {
  const left = Map.groupBy(fields, ({ name }) => name)
  return names
    .map((name) => {
      const field = left.get(name.toLowerCase())?.pop()
      return field ? `${relaxField(field.text)}\r\n` : ''
    })
    .join('')
}

/** RFC 6376 §3.4.2 */
const relaxField = (text: string): string => {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trimEnd().toLowerCase()
  const value = text
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(SPACES, ' ')
  return `${name}:${value.replace(/^ | $/g, '')}`
}

const foldNames = (names: readonly string[]): string => names.join(':').replace(/(.{60}[^:]*:)(?=.)/g, '$1\r\n\t ')

/** An RSA signature takes milliseconds, for which nobody waits: Node makes it in a thread of its own. */
const signData = (key: DkimKey, data: Buffer): Promise<Buffer> => {
  const privateKey = keyOf(key.privateKeyPem)
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, signature: Buffer) => (error ? reject(error) : resolve(signature))
    // RFC 8463 §3: Ed25519 signs the hash.
    if (key.algorithm === 'ed25519-sha256') sign(null, createHash('sha256').update(data).digest(), privateKey, done)
    else sign('sha256', data, privateKey, done)
  })
}

/** Reading a key costs as much as using it. */
const MAX_KEYS = 500
const keys = new Map<string, KeyObject>()

const keyOf = (pem: string): KeyObject => {
  const known = keys.get(pem)
  if (known) return known
  if (keys.size >= MAX_KEYS) keys.clear()
  const key = createPrivateKey(pem)
  keys.set(pem, key)
  return key
}
