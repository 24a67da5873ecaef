import { embedFrom } from './embed-url.ts'

/** Longer addresses are data in disguise; browsers and proxies refuse them, too. */
const MAX_URL_LENGTH = 4096
/** A base that no address leads to: relative addresses keep it, all others do not. */
const NOWHERE = 'https://relative.invalid'

const linkSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel'])
const imageSchemes: ReadonlySet<string> = new Set(['http', 'https'])

/** The address of a link: http, https, mailto, tel, relative or a fragment; anything else is null. */
export const linkUrl = (value: string): string | null => safeUrl(value, linkSchemes)

/** The address of a picture: http, https or relative; anything else is null. */
export const imageUrl = (value: string): string | null => safeUrl(value, imageSchemes)

/**
 * The address of a player on one of these hosts, over https, or that of the player for the page of a video; anything else
 * is null.
 */
export const embedUrl = (value: string, hosts: readonly string[]): string | null => {
  const text = cleanAddress(value)
  if (text === null || !URL.canParse(text, NOWHERE)) return null
  const url = new URL(text, NOWHERE)
  if (url.port !== '' || url.username !== '' || url.password !== '') return null
  if (hosts.includes(url.hostname)) return url.protocol === 'https:' ? url.href : null
  return embedFrom(url.href)?.src ?? null
}

const safeUrl = (value: string, schemes: ReadonlySet<string>): string | null => {
  const text = cleanAddress(value)
  if (text === null || !URL.canParse(text, NOWHERE)) return null
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined) return schemes.has(scheme) ? text : null
  return text.startsWith('//') ? `https:${text}` : text
}

/**
 * The attribute has been decoded by the parser. Browsers skip tabs and line breaks inside an address and read a
 * backslash as a slash: nothing with either is what it looks like.
 */
const cleanAddress = (value: string): string | null => {
  const text = value.trim().replaceAll(' ', '%20')
  if (text === '' || text.length > MAX_URL_LENGTH) return null
  return /[\p{Cc}\p{Z}\u202a-\u202e\u2066-\u2069\ufeff\\]/u.test(text) ? null : text
}
