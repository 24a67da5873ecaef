import { authenticate, foreignResults } from '../../formats/authenticity/authenticity.ts'
import { registered } from '../../formats/links/links.ts'
import type { ByteRange } from '../../formats/mime/mime.ts'
import { type ReadMessage, readMessage } from '../../store/store.ts'
import { askRspamd, askScanner } from '../../wire/scanners/scanners.ts'
import { refuse } from '../../wire/smtp/smtp.ts'
import { contentReasons, type Facts, readFacts, readSpamText, rspamdReason, type SpamText } from '../spam/spam.ts'
import { hopsOf, MAX_HOPS } from './loops.ts'
import type { Arrived, Peer, ReceiveParts } from './parts.ts'
import { findSpoofedDomain } from './spoofing.ts'
import type { StoredMessage } from './spool.ts'

export type ArrivingMail = {
  readonly bytes: Buffer
  /** Resolves once the bytes are durable. */
  readonly stored: Promise<StoredMessage>
  readonly returnPath: string
  readonly recipients: readonly string[]
  readonly isUtf8: boolean
  readonly peer: Peer
}

/** Finds out what a message from outside is, and refuses what nobody here should get. Once for all its recipients. */
export const judgeArrival = async (parts: ReceiveParts, mail: ArrivingMail): Promise<Arrived> => {
  const { bytes, peer, returnPath } = mail
  const read = readMessage(bytes)
  if (hopsOf(read.structure.root) >= MAX_HOPS) refuse(554, '5.4.6', 'Too many hops, possible mail loop')
  const receivedAt = parts.clock.now()
  const { ip, helo } = peer
  const settings = await parts.settings.current()
  const facts = once(() => readFacts(read, bytes, receivedAt))
  const [authenticity, reputation, scan, rspamd] = await Promise.all([
    authenticate({
      bytes,
      ip,
      helo,
      mailFrom: returnPath,
      resolver: parts.lookup,
      hostname: parts.config.hostname,
      now: receivedAt,
    }),
    parts.reputationOf({ ip, domains: () => domainsOf(returnPath, facts()), settings }),
    parts.config.scannerUrl ? askScanner(parts.config.scannerUrl, bytes, parts.log) : null,
    parts.config.rspamdUrl
      ? askRspamd(
          parts.config.rspamdUrl,
          { bytes, ip, helo, mailFrom: returnPath, recipients: mail.recipients },
          parts.log,
        )
      : null,
  ])
  if (authenticity.ambiguousFrom) refuse(550, '5.6.0', 'The From field must name exactly one author')
  if (authenticity.dmarc.disposition === 'reject')
    refuse(550, '5.7.1', `Rejected by the DMARC policy of ${authenticity.dmarc.domain ?? 'the sender domain'}`)
  if (await parts.replays.isReplayed({ ip, authenticity }))
    refuse(451, '4.7.1', 'This message was received too many times, try again later')
  if (scan?.isInfected) refuse(550, '5.7.1', `The message was rejected: ${scan.name ?? 'malware'}`)
  const claimed = foreignResults(read.structure, bytes, parts.config.hostname)
  const spoofedDomain = await findSpoofedDomain(parts.database.db, parts.config, { authenticity, returnPath })
  const stored = await mail.stored
  return {
    ...(claimed.length > 0 ? await withoutRanges(parts, bytes, claimed) : { blob: stored, bytes, read }),
    hash: stored.key,
    returnPath,
    peer,
    authenticity,
    spoofedDomain,
    reputation,
    spamText: spamTextOf(read, bytes, { facts, now: receivedAt }),
    opinion: rspamd && rspamdReason(rspamd),
    virusLevel: scan ? (scan.isInfected ? 5 : 1) : null,
    isUtf8: mail.isUtf8,
    receivedAt,
    prefix: Buffer.alloc(0),
  }
}

/** Read when it is asked for, and once. Words are a good part of the work, and many mailboxes have taught none. */
const spamTextOf = (
  read: ReadMessage,
  bytes: Buffer,
  { facts, now }: { facts: () => Facts; now: Date },
): ((needsWords: boolean) => SpamText) => {
  let known: SpamText | null = null
  let whole: SpamText | null = null
  return (needsWords) => {
    if (needsWords) whole ??= readSpamText(read, bytes, now)
    else if (!whole) known ??= { words: [], reasons: contentReasons(facts()) }
    return whole ?? known ?? readSpamText(read, bytes, now)
  }
}

const once = <R>(read: () => R): (() => R) => {
  let known: { value: R } | null = null
  return () => {
    known ??= { value: read() }
    return known.value
  }
}

/** The domains that answer for a message, those of its senders first. */
const domainsOf = (returnPath: string, { from, links }: Facts): string[] => {
  const senders = [returnPath, from?.email ?? ''].map((email) => registered(email.slice(email.lastIndexOf('@') + 1)))
  const linked = links.flatMap(({ domain, isAddress }) => (isAddress ? [] : [domain]))
  return [...senders, ...linked].map((domain) => domain.toLowerCase()).filter((domain) => domain.includes('.'))
}

/** RFC 8601 §5: results that claim to be ours are taken out. What was signed has been verified before. */
const withoutRanges = async (
  parts: ReceiveParts,
  bytes: Buffer,
  ranges: readonly ByteRange[],
): Promise<Pick<Arrived, 'blob' | 'bytes' | 'read'>> => {
  const kept: Buffer[] = []
  let from = 0
  for (const { start, end } of ranges) {
    kept.push(bytes.subarray(from, start))
    from = end
  }
  const clean = Buffer.concat([...kept, bytes.subarray(from)])
  const { key, size } = await parts.blobs.put(clean, { maxBytes: clean.length })
  return { blob: { key, size }, bytes: clean, read: readMessage(clean) }
}
