import { parseDomainName } from '../domains/domains.ts'

/** RFC 5321 §4.5.3.1.1 */
const MAX_LOCAL_PART = 64
/** RFC 5321 §4.5.3.1.3 without the angle brackets. */
const MAX_ADDRESS = 254
/** RFC 5322 §3.2.3, in lower case. */
const DOT_ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Ours at MAIL_HOSTNAME, or what a bounce seems to come from. */
const RESERVED = /^(?:mailer-daemon$|srs[01]|b\.)/

/** ASCII letters only: other scripts have letters that become ASCII ones in lower case, and would be someone else. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

export type NameProblem = 'malformed' | 'reserved'

/** The local part of a new address, in lower case, or what is wrong with it. */
export const parseLocalPart = (given: string): { localPart: string } | { problem: NameProblem } => {
  const localPart = lowerAscii(given)
  if (!isDotAtom(localPart) || /[+*]/.test(localPart)) return { problem: 'malformed' }
  return RESERVED.test(localPart) ? { problem: 'reserved' } : { localPart }
}

/** A further name of an address. A pattern has one `*`, which stands for any text. */
export type Alias = { domain: string; localPart: string; kind: 'alias' | 'pattern' }

/** Reads an alias: a local part at the address's own domain, or a whole address. */
export const parseAlias = (given: string, ownDomain: string): Alias | { problem: NameProblem } => {
  const at = given.lastIndexOf('@')
  const localPart = lowerAscii(at === -1 ? given : given.slice(0, at))
  const domain = at === -1 ? ownDomain : parseDomainName(given.slice(at + 1))
  if (domain === null || !isDotAtom(localPart) || localPart.startsWith('+')) return { problem: 'malformed' }
  const stars = localPart.split('*').length - 1
  const kind = stars === 1 ? 'pattern' : 'alias'
  // Everything at a domain is the catch-all's; and what follows a + is cut off before patterns are looked at.
  if (stars > 1 || localPart === '*' || (kind === 'pattern' && localPart.includes('+'))) return { problem: 'malformed' }
  return RESERVED.test(localPart) ? { problem: 'reserved' } : { domain, localPart, kind }
}

export type Recipient = {
  localPart: string
  /** The local part in the letters it was given in. */
  spelled: string
  /** The local part without its detail; the same when it has none. */
  base: string
  detail: string | null
  /** Null for a bare `postmaster` (RFC 5321 §4.5.1). */
  domain: string | null
}

/**
 * Reads an envelope recipient, or a sender's own address, in any spelling that SMTP allows. Null when it is none: with
 * control characters, a source route, too long, or with an address literal that could name anything.
 */
export const parseRecipient = (given: string): Recipient | null => {
  if (lowerAscii(given) === 'postmaster') return withDetail(given, null)
  const at = given.lastIndexOf('@')
  if (at < 1 || Buffer.byteLength(given) > MAX_ADDRESS) return null
  const spelled = unquote(given.slice(0, at))
  const domain = parseDomainName(given.slice(at + 1))
  return spelled === null || domain === null ? null : withDetail(spelled, domain)
}

const isDotAtom = (text: string): boolean => text.length <= MAX_LOCAL_PART && DOT_ATOM.test(text)

/** RFC 5321 §4.1.2 with the letters of RFC 6531 §3.3. */
const UNQUOTED = /^[^\s"(),:;<>@[\\\]\p{Cc}.]+(?:\.[^\s"(),:;<>@[\\\]\p{Cc}.]+)*$/u
const QUOTED = /^"((?:[^"\\\p{Cc}]|\\[^\p{Cc}])*)"$/u

/**
 * RFC 5321 §4.1.2: quoted or not, the same text is the same local part. Rewritten senders (SRS) are longer than the 64
 * bytes that a local part should have, so only the whole address is limited.
 */
const unquote = (given: string): string | null => {
  if (!given.isWellFormed()) return null
  const quoted = QUOTED.exec(given)?.[1]
  if (quoted !== undefined) return quoted === '' ? null : quoted.replace(/\\(.)/gu, '$1')
  return UNQUOTED.test(given) ? given : null
}

const withDetail = (spelled: string, domain: string | null): Recipient => {
  const localPart = lowerAscii(spelled)
  const plus = localPart.indexOf('+')
  if (plus < 1) return { localPart, spelled, base: localPart, detail: null, domain }
  return { localPart, spelled, base: localPart.slice(0, plus), detail: spelled.slice(plus + 1), domain }
}
