import type { Readable } from 'node:stream'
import { BlobError, type Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import { createBodyHash, type DkimKey, type Signer } from '../../formats/signing/signing.ts'
import type { Claim } from './parts.ts'
import { createLineEnds, withLineEnds } from './wire.ts'

/** A message as it goes over the wire, signed, before dots are doubled. */
export type Outgoing = { size: number; body: () => AsyncIterable<Buffer> | Iterable<Buffer> }

/** A message that can never be sent: its bytes or its key are gone. */
export class Unsendable extends Error {
  readonly status: string

  constructor(status: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Unsendable'
    this.status = status
  }
}

export type OutgoingParts = {
  blobs: Blobs
  signer: Signer
  clock: Clock
  hostname: string
  signingKeyOf: (domainId: string) => Promise<DkimKey | null>
}

/** Larger ones are read twice, once to be signed and once to be sent, instead of being kept. */
const LARGE_BYTES = 1_048_576
const KEPT_MESSAGES = 64
const KEPT_BYTES = 16_777_216
/** A message with several destinations is signed once, when they are tried within this time. */
const KEPT_MS = 30_000
/** RFC 5322 has no limit for a header; this is well above what any peer takes. */
const MAX_HEADER_BYTES = 1_048_576

/** Reads and signs messages; those in memory are kept for a moment for their other destinations. */
export const createOutgoing = (parts: OutgoingParts) => {
  const kept = new Map<string, { outgoing: Promise<Outgoing>; size: number; until: number }>()
  let keptBytes = 0
  const forget = (id: string): void => {
    keptBytes -= kept.get(id)?.size ?? 0
    kept.delete(id)
  }
  const makeRoom = (now: number): void => {
    for (const [id, { until }] of kept) {
      if (until > now && kept.size < KEPT_MESSAGES && keptBytes < KEPT_BYTES) return
      forget(id)
    }
  }

  return {
    prepare(claim: Claim): Promise<Outgoing> {
      const { messageId, message } = claim
      if (message.size > LARGE_BYTES) return prepareLarge(parts, claim)
      const now = parts.clock.now().getTime()
      const known = kept.get(messageId)
      if (known && known.until > now) return known.outgoing
      forget(messageId)
      makeRoom(now)
      const outgoing = prepareSmall(parts, claim)
      kept.set(messageId, { outgoing, size: message.size, until: now + KEPT_MS })
      keptBytes += message.size
      outgoing.catch(() => forget(messageId))
      return outgoing
    },
  }
}

export type OutgoingMessages = ReturnType<typeof createOutgoing>

/** The message as it was given, at most so many bytes of it: for reports about it. */
export const readQueued = async (blobs: Blobs, claim: Claim, maxBytes: number): Promise<Buffer> => {
  const { prefix, blobKey } = claim.message
  const chunks: Buffer[] = [prefix]
  let left = maxBytes - prefix.length
  for await (const chunk of await open(blobs, blobKey)) {
    chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    if (left <= 0) break
  }
  return withLineEnds(Buffer.concat(chunks))
}

const prepareSmall = async (parts: OutgoingParts, claim: Claim): Promise<Outgoing> => {
  const chunks: Buffer[] = [claim.message.prefix]
  for await (const chunk of await open(parts.blobs, claim.message.blobKey)) chunks.push(chunk)
  const bytes = withLineEnds(Buffer.concat(chunks))
  const key = await keyFor(parts, claim)
  if (key === null) return { size: bytes.length, body: () => [bytes] }
  const at = parts.clock.now()
  const end = headerEnd(bytes)
  const field =
    claim.message.source === 'forward'
      ? await seal(parts, { key, message: bytes, header: bytes.subarray(0, end), at })
      : await parts.signer.sign({ key, header: bytes.subarray(0, end), body: bytes.subarray(end), at })
  const signature = Buffer.from(field, 'latin1')
  return { size: signature.length + bytes.length, body: () => [Buffer.concat([signature, bytes])] }
}

const prepareLarge = async (parts: OutgoingParts, claim: Claim): Promise<Outgoing> => {
  const read = () => readLines(parts.blobs, claim)
  const key = await keyFor(parts, claim)
  const hash = createBodyHash()
  let header: Buffer | null = null
  let start: Buffer = Buffer.alloc(0)
  let size = 0
  for await (const chunk of read()) {
    size += chunk.length
    if (header !== null) {
      hash.push(chunk)
      continue
    }
    start = Buffer.concat([start, chunk])
    const end = headerEnd(start)
    if (end === start.length && end < MAX_HEADER_BYTES) continue
    header = start.subarray(0, end)
    hash.push(start.subarray(end))
  }
  const at = parts.clock.now()
  // Forwards of this size are not sealed: that would need them in memory as a whole.
  const field =
    key === null || claim.message.source === 'forward'
      ? ''
      : await parts.signer.sign({ key, header: header ?? start, body: hash.digest(), at })
  const signature = Buffer.from(field, 'latin1')
  return { size: size + signature.length, body: () => signed(signature, read()) }
}

async function* signed(signature: Buffer, body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  if (signature.length > 0) yield signature
  yield* body
}

async function* readLines(blobs: Blobs, { message }: Claim): AsyncIterable<Buffer> {
  const lines = createLineEnds()
  if (message.prefix.length > 0) yield lines.push(message.prefix)
  for await (const chunk of await open(blobs, message.blobKey)) yield lines.push(chunk)
  const end = lines.end()
  if (end.length > 0) yield end
}

const open = async (blobs: Blobs, key: string): Promise<Readable> => {
  try {
    return (await blobs.get(key)).stream
  } catch (error) {
    if (error instanceof BlobError && error.problem === 'missing')
      throw new Unsendable('5.3.0', 'the message no longer exists', error)
    throw error
  }
}

const keyFor = async (parts: OutgoingParts, { message }: Claim): Promise<DkimKey | null> => {
  if (message.signingDomainId === null) return null
  const key = await parts.signingKeyOf(message.signingDomainId)
  // Unsigned mail of a domain that is gone would be refused anyway, and harm those that are not.
  if (key === null && message.source !== 'forward') throw new Unsendable('5.7.0', 'the sender domain no longer exists')
  return key
}

const seal = async (
  parts: OutgoingParts,
  { key, message, header, at }: { key: DkimKey; message: Buffer; header: Buffer; at: Date },
): Promise<string> => {
  const authResults = ownResults(header.toString('latin1'), parts.hostname)
  if (authResults === null) return ''
  const arc = /\barc=(pass|fail|none)\b/.exec(authResults)?.[1]
  const chain = arc === 'pass' || arc === 'fail' ? arc : 'none'
  return parts.signer.seal({ key, message, authResults, chain, at })
}

/** The Authentication-Results field that we added on receipt, which stands before all others. */
const ownResults = (header: string, hostname: string): string | null => {
  for (const match of header.matchAll(/^Authentication-Results:((?:[^\r]|\r\n[ \t])*)\r\n/gim)) {
    const value = (match[1] ?? '').replace(/\r\n[ \t]+/g, ' ').trim()
    if (value.toLowerCase().startsWith(`${hostname.toLowerCase()};`)) return value
  }
  return null
}

/** Behind the blank line, or the end when there is none. */
const headerEnd = (bytes: Buffer): number => {
  if (bytes[0] === 13) return 2
  const at = bytes.indexOf('\r\n\r\n')
  return at === -1 ? bytes.length : at + 4
}
