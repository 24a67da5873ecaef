import { domainToASCII } from 'node:url'
import {
  decodeWords,
  type HeaderField,
  headerText,
  parseAddressEntries,
  parseAddresses,
  parseMessage,
} from '../mime/mime.ts'

/** Who a message says it is from. */
export type Author = {
  /** The address that every view of ours shows; null when there is none. */
  readonly address: string | null
  /** Its domain in ASCII and lower case. */
  readonly domain: string | null
  /**
   * Readers disagree about who wrote it: several From fields or authors of several domains, or something that one
   * reader takes for a From field and another does not. No such mail is written in good faith.
   */
  readonly isAmbiguous: boolean
}

/** Reads the author from a header, with or without its blank line. */
export const readAuthor = (header: Buffer): Author => {
  const fields = parseMessage(header).root.fields.filter(({ name }) => name === 'from')
  const [field] = fields
  const isAmbiguous = fields.length > 1 || hasHiddenFrom(header, field)
  if (!field) return { address: null, domain: null, isAmbiguous }
  const author = readFrom(headerText(header, field))
  const raw = header.subarray(field.valueStart, field.end)
  return { ...author, isAmbiguous: isAmbiguous || author.isAmbiguous || raw.includes(0) }
}

const readFrom = (text: string): Author => {
  const authors = parseAddressEntries(text).flatMap((entry) => (entry.kind === 'mailbox' ? [entry.address] : []))
  const [first] = authors
  const domains = new Set(authors.map(({ domain }) => (domain === null ? null : asciiDomain(domain))))
  const domain = first?.domain ? asciiDomain(first.domain) : null
  const hasAddress = first !== undefined && domain !== null
  const isAmbiguous =
    domains.size > 1 ||
    authors.some(({ route }) => route !== null) ||
    // Something stands there that others may take for an address.
    (!hasAddress && [text, decodeWords(text), ...parseAddresses(text).map(({ email }) => email)].some(hasAt))
  return { address: hasAddress ? `${first.local}@${first.domain}` : null, domain, isAmbiguous }
}

const hasAt = (text: string): boolean => text.includes('@')

const asciiDomain = (domain: string): string | null => {
  const plain = domain.toLowerCase().replace(/\.$/, '')
  if (/^\[[0-9a-f.:]+\]$|^\[ipv6:[0-9a-f.:]+\]$/.test(plain)) return plain
  const ascii = DOMAIN.test(plain) ? plain : domainToASCII(plain)
  return DOMAIN.test(ascii) && ascii.length <= 253 ? ascii : null
}

const DOMAIN = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/

/**
 * Lines that are no continuation of a field and look like a From field to somebody: behind a space or a control
 * character at the very beginning, with its colon on the next line, after a line that is no field.
 */
const hasHiddenFrom = (header: Buffer, field: HeaderField | undefined): boolean => {
  const text = header.toString('latin1')
  // Most headers have one line that begins like this: no need to look at the others.
  let seen = 0
  for (const { index } of text.matchAll(LIKE_FROM)) {
    seen += 1
    if (index !== field?.start && (seen > MAX_LIKE_FROM || !isContinuation(text, index))) return true
  }
  return false
}

/** Lists of signed fields have such lines; nobody has this many signatures. */
const MAX_LIKE_FROM = 50

const LIKE_FROM = /^[^\x21-\x7e\r\n]{0,100}from[^\x21-\x7e\r\n]{0,100}(?::|\r?$)/gim

/** True for a line that belongs to a field that began before. */
const isContinuation = (text: string, start: number): boolean => {
  let at = start
  while (at > 0 && /[ \t]/.test(text[at] ?? '')) at = text.lastIndexOf('\n', at - 2) + 1
  if (at === start) return false
  return /^[\x21-\x39\x3b-\x7e]{1,256}[ \t]*:/.test(text.slice(at, at + 300))
}
