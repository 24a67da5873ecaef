import { parseSection, type Section } from '../../../formats/mime/mime.ts'
import type { PartialRange } from '../fetch-response/fetch-items.ts'

/** A message of this server, or a part of one, as a URL names it (RFC 5092). */
export type MessageUrl = {
  /** Null: the selected folder. */
  readonly mailbox: string | null
  readonly uidValidity: number | null
  readonly uid: number
  readonly section: Section
  readonly partial: PartialRange | null
}

/** Whose URLs are understood: this server's, for the signed-in user. */
export type UrlBase = { readonly hostname: string; readonly email: string }

const WHOLE: Section = { path: [], what: 'all', fields: [] }
const MAX_LENGTH = 4_096

/**
 * `imap://user@host/INBOX;UIDVALIDITY=1/;UID=20/;SECTION=1.2/;PARTIAL=0.100`, or the same without what comes before the
 * path, or before `;UID` when a folder is selected (RFC 4469 §3). Null when it is none of these, or another server's.
 */
export const parseMessageUrl = (url: string, base: UrlBase): MessageUrl | null => {
  if (url.length > MAX_LENGTH) return null
  const path = pathOf(url, base)
  if (path === null) return null
  const [head = '', ...rest] = path.split(/\/?(?=;(?:UID|SECTION|PARTIAL)=)/i)
  const isRelative = head === '' || head.startsWith(';')
  const folder = isRelative ? { mailbox: null, uidValidity: null } : parseFolder(head)
  const parameters = parseParameters(head.startsWith(';') ? [head, ...rest] : rest)
  if (!folder || !parameters) return null
  const uid = numberOf(parameters.get('uid'))
  const text = parameters.get('section')
  const section = text === undefined ? WHOLE : parseSection(text)
  const range = parameters.get('partial')
  const partial = range === undefined ? null : parsePartial(range)
  if (uid === null || uid === 0 || !section || (range !== undefined && !partial)) return null
  return { ...folder, uid, section, partial }
}

/** The path of a URL that names this server; null for any other server. */
const pathOf = (url: string, { hostname, email }: UrlBase): string | null => {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return url.startsWith('//') ? null : url
  const found = /^imap:\/\/(?:([^@/]*)@)?([^:/@]+)(?::\d{1,5})?(\/.*)$/i.exec(url)
  if (!found) return null
  const [, who, host = '', path = ''] = found
  const user = who === undefined ? null : decode(who.replace(/;AUTH=[^;@]*$/i, ''))
  const isOurs = host.toLowerCase() === hostname.toLowerCase()
  return isOurs && (who === undefined || user?.toLowerCase() === email.toLowerCase()) ? path : null
}

const parseFolder = (text: string): { mailbox: string; uidValidity: number | null } | null => {
  const [, name = '', validity] = /^\/?([^;]*)(?:;UIDVALIDITY=(\d{1,10}))?$/i.exec(text) ?? []
  const mailbox = decode(name)
  if (mailbox === null || mailbox === '') return null
  return { mailbox, uidValidity: numberOf(validity) }
}

/** Each at most once, in the order of RFC 5092. */
const ORDER = ['uid', 'section', 'partial']

const parseParameters = (texts: readonly string[]): Map<string, string> | null => {
  const found = new Map<string, string>()
  let last = -1
  for (const text of texts) {
    const [, name = '', value = ''] = /^;(UID|SECTION|PARTIAL)=([^;/]*)$/i.exec(text) ?? []
    const place = ORDER.indexOf(name.toLowerCase())
    const decoded = decode(value)
    if (place <= last || decoded === null) return null
    last = place
    found.set(name.toLowerCase(), decoded)
  }
  return found
}

const parsePartial = (text: string): PartialRange | null => {
  const [, origin, count] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? []
  if (origin === undefined) return null
  const length = count === undefined ? Number.MAX_SAFE_INTEGER : Number(count)
  return length === 0 ? null : { origin: Number(origin), count: length }
}

const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : null

/** Percent-encoded UTF-8; null when it is not. */
const decode = (text: string): string | null => {
  try {
    const decoded = decodeURIComponent(text)
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}
