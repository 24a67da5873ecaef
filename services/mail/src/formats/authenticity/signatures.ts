import type { ARCResult, DKIMResult } from 'mailauth'
import { arc } from 'mailauth/lib/arc/index.js'
import { DkimVerifier } from 'mailauth/lib/dkim/dkim-verifier.js'
import { type ParsedHeader, parseHeaders } from 'mailauth/lib/tools.js'
import type { SplitMessage } from './header-block.ts'
import { rememberKeys } from './keys.ts'
import type { DnsLookup } from './lookups.ts'

/** What the signatures of a message say. */
export type Signatures = {
  readonly dkim: readonly DKIMResult[]
  /** Null when nobody passed it on under a seal. */
  readonly arc: ARCResult | null
  /** For each signature in `dkim`: whether it covers everything that a reader sees. */
  readonly isSound: readonly boolean[]
}

/** A message has one or two signatures, one more for each list it went through. */
const MAX_SIGNATURES = 8
/** Longer ones sign the same fields again and again. */
const MAX_SIGNATURE_BYTES = 8_192
/** RFC 8617 §5.1.1 allows 50 sets of three; more than ten hops are a loop. */
const MAX_ARC_FIELDS = 30
/** mailauth reads headers in a time that grows with the square of their lines. */
const MAX_HEADER_BYTES = 262_144
const MAX_HEADER_LINES = 4_000
const MIN_KEY_BITS = 1_024

/** Verifies DKIM signatures (RFC 6376, RFC 8301, RFC 8463) and seals (RFC 8617); null for a header too big to do so. */
export const verifySignatures = async (
  message: SplitMessage,
  options: { lookup: DnsLookup; ip: string; now: Date },
): Promise<Signatures | null> => {
  const { header, body } = message
  if (!SIGNED.test(header.toString('latin1'))) return { dkim: [], arc: null, isSound: [] }
  if (header.length > MAX_HEADER_BYTES || countLines(header) > MAX_HEADER_LINES) return null
  const settings = { resolver: options.lookup, minBitLength: MIN_KEY_BITS, strict: true }
  const verifier = new DkimVerifier({ ...settings, curTime: options.now })
  verifier.keyCache = rememberKeys(verifier.keyCache, options.lookup)
  const headers = parseHeaders(header)
  verifier.headers = { ...headers, parsed: bounded(headers.parsed) }
  await verifier.messageHeaders(verifier.headers)
  for await (const chunk of body) await feed(verifier, chunk)
  await verifier.finalChunk()
  const dkim = verifier.results.filter(({ status }) => status.result !== 'none')
  const counts = countFields(headers.parsed)
  return {
    dkim,
    arc: await readSeals(verifier.arc, { ...settings, ip: options.ip }),
    isSound: dkim.map((result) => isSound(result, counts)),
  }
}

/** Mail that came by SMTP has no bare line feeds; looking for some is much faster than going through all bytes. */
const feed = async (verifier: DkimVerifier, chunk: Buffer): Promise<void> => {
  if (hasBareLineFeed(chunk, verifier.lastByte)) {
    for (const piece of verifier.ensureLinebreaks(chunk)) await verifier.nextChunk(piece)
    return
  }
  await verifier.nextChunk(chunk)
  verifier.lastByte = chunk.at(-1) ?? verifier.lastByte
}

const hasBareLineFeed = (chunk: Buffer, before: number | undefined): boolean => {
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1))
    if ((at === 0 ? before : chunk[at - 1]) !== CR) return true
  return false
}

const LF = 10
const CR = 13

const SIGNED = /^(?:dkim-signature|arc-seal)[ \t]*:/im

const countLines = (header: Buffer): number => {
  let lines = 0
  for (let at = header.indexOf(LF); at !== -1 && lines <= MAX_HEADER_LINES; at = header.indexOf(LF, at + 1)) lines += 1
  return lines
}

const bounded = (rows: readonly ParsedHeader[]): ParsedHeader[] => {
  let signatures = 0
  const arcRows = rows.filter(({ key }) => ARC.test(key))
  const hasManySeals = arcRows.length > MAX_ARC_FIELDS || arcRows.some(({ line }) => line.length > MAX_SIGNATURE_BYTES)
  return rows.filter(({ key, line }) => {
    if (ARC.test(key)) return !hasManySeals
    if (key !== 'dkim-signature') return true
    signatures += 1
    return signatures <= MAX_SIGNATURES && line.length <= MAX_SIGNATURE_BYTES
  })
}

const ARC = /^arc-/

const readSeals = async (
  data: DkimVerifier['arc'],
  settings: { resolver: DnsLookup; minBitLength: number; strict: boolean; ip: string },
): Promise<ARCResult | null> => {
  const { chain } = data
  if (!chain && !data.error) return null
  // It hands over the keys it already has by a hidden member, so the object itself is passed on.
  return arc(Object.assign(data, { chain: chain || [] }), settings)
}

/**
 * RFC 6376 §8.2: a signature over part of the body says nothing about the rest; §8.15: nor about a second field that
 * somebody put before a signed one; §3.6.1: nor, in tests, about anything.
 */
const isSound = (result: DKIMResult, counts: ReadonlyMap<string, number>): boolean => {
  const { status } = result
  if (status.result !== 'pass' || status.testing || (status.underSized ?? 0) > 0) return false
  if (result.signatureTimeValid === false) return false
  const signed = new Map<string, number>()
  for (const name of (result.signingHeaders?.keys ?? '').toLowerCase().split(/:\s*/))
    signed.set(name, (signed.get(name) ?? 0) + 1)
  for (const [name, count] of counts) if (count > 1 && (signed.get(name) ?? 0) < count) return false
  return true
}

/** Fields that a message has once and that readers show or act upon. */
const SINGLE: ReadonlySet<string> = new Set([
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'date',
  'subject',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
])

const countFields = (rows: readonly ParsedHeader[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { key } of rows) if (SINGLE.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
