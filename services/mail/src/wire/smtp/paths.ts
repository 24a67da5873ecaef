import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** The content of the angle brackets of MAIL FROM and RCPT TO. */
export type Path =
  | { readonly kind: 'null' }
  /** `<postmaster>` without a domain (RFC 5321 §4.5.1). */
  | { readonly kind: 'postmaster' }
  | { readonly kind: 'mailbox'; readonly address: string; readonly local: string; readonly domain: string }
  /** A source route, two at signs, no domain: nothing that we carry. */
  | { readonly kind: 'malformed' }

export type PathCommand = { readonly path: Path; readonly parameters: ReadonlyMap<string, string | null> }

/** Octets of a path without its brackets (RFC 5321 §4.5.3.1.3). */
const MAX_PATH = 254
const MAX_PARAMETERS = 20

/**
 * Reads `FROM:<path> parameters` or `TO:<path> parameters`; null when it is no such thing. Blanks after the colon are
 * taken, since many send them.
 */
export const parsePathCommand = (word: 'FROM' | 'TO', text: string): PathCommand | null => {
  if (text.slice(0, word.length + 1).toUpperCase() !== `${word}:`) return null
  const rest = text.slice(word.length + 1).trimStart()
  const end = pathEnd(rest)
  if (end === -1) return null
  const parameters = parseParameters(rest.slice(end + 1))
  return parameters && { path: parsePath(rest.slice(1, end)), parameters }
}

/** The mailbox of an address; quotes that it does not need are gone, its domain is in lower case and ASCII. */
export const parseMailbox = (text: string): Extract<Path, { kind: 'mailbox' }> | null => {
  const [, quoted, plain, domainText = ''] = MAILBOX.exec(text) ?? []
  const local = quoted === undefined ? plain : unquote(quoted)
  const domain = local === undefined ? null : parseDomain(domainText)
  if (local === undefined || domain === null || Buffer.byteLength(text) > MAX_PATH) return null
  const written = DOT_ATOM.test(local) ? local : `"${local.replace(/["\\]/g, '\\$&')}"`
  return { kind: 'mailbox', address: `${written}@${domain}`, local: written, domain }
}

/** A domain in lower case and ASCII, or an address literal; null for what is neither. */
export const parseDomain = (text: string): string | null => {
  if (text.startsWith('[')) return parseLiteral(text)
  if (!DOMAIN.test(text)) return null
  const ascii = /^[\x21-\x7e]+$/.test(text) ? text.toLowerCase() : domainToASCII(text)
  return ascii !== '' && ascii.length <= 253 && ascii.split('.').every((label) => label.length <= 63) ? ascii : null
}

const ATOM = String.raw`[\p{L}\p{N}\p{M}\p{S}!#$%&'*+\-/=?^_\x60{|}~]`
/** Dots at odd places are not right, but they are in use. */
const MAILBOX = new RegExp(String.raw`^(?:("(?:[^"\\\p{Cc}]|\\[\x20-\x7e])*")|((?:${ATOM}|\.)+))@([^@]+)$`, 'u')
const DOT_ATOM = new RegExp(`^(?:${ATOM}|\\.)+$`, 'u')
const DOMAIN =
  /^[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?(?:\.[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?)*$/u

const parsePath = (inner: string): Path => {
  if (inner === '') return { kind: 'null' }
  if (/^postmaster$/i.test(inner)) return { kind: 'postmaster' }
  return parseMailbox(inner) ?? { kind: 'malformed' }
}

/** The closing bracket, which may not be the first one when the local part is quoted. */
const pathEnd = (text: string): number => {
  if (!text.startsWith('<')) return -1
  let isQuoted = false
  for (let at = 1; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (character === '>' && !isQuoted) return at
    else if (character === '<' && !isQuoted) return -1
  }
  return -1
}

const unquote = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1')

const parseLiteral = (text: string): string | null => {
  const [, version, address = ''] = /^\[(IPv6:)?([0-9A-Fa-f:.]+)\]$/i.exec(text) ?? []
  return isIP(address) === (version ? 6 : 4) ? `[${version ? 'IPv6:' : ''}${address.toLowerCase()}]` : null
}

/** RFC 5321 §4.1.2; a keyword that comes twice is refused. */
const parseParameters = (text: string): ReadonlyMap<string, string | null> | null => {
  const parameters = new Map<string, string | null>()
  if (text.trim() === '') return parameters
  if (!text.startsWith(' ')) return null
  for (const word of text.trim().split(/ +/)) {
    const [, keyword, value] = /^([A-Za-z0-9][A-Za-z0-9-]*)(?:=([^= ]+))?$/.exec(word) ?? []
    if (keyword === undefined || parameters.has(keyword.toUpperCase())) return null
    parameters.set(keyword.toUpperCase(), value ?? null)
    if (parameters.size > MAX_PARAMETERS) return null
  }
  return parameters
}

/** RFC 3461 §4: `+` and two hexadecimal digits stand for an octet. Null for control characters and what is no xtext. */
export const decodeXtext = (text: string): string | null => {
  if (/\+(?![0-9A-F]{2})/.test(text)) return null
  const decoded = text.replace(/\+([0-9A-F]{2})/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return /[^\x20-\x7e]/.test(decoded) ? null : decoded
}
