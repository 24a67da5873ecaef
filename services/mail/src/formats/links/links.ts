import { getDomain } from 'tldts'
import { htmlToText } from '../mime/mime.ts'

/** Where a link leads, and what it says it does. */
export type Link = {
  readonly host: string
  /** The part of the host that somebody registered; the host itself for an address. */
  readonly domain: string
  readonly isAddress: boolean
  /** A user name before the host, as in `http://bank.example@evil.example/`. */
  readonly hasUser: boolean
  /** The domain that its text shows, when it shows one. */
  readonly shownDomain: string | null
  /** That text. */
  readonly shownText: string | null
}

/** Mail with more links is not judged better for all of them. */
const MAX_LINKS = 100
const MAX_TAG = 4_096
const MAX_TEXT = 400

/** The links of an HTML text, read in one pass. */
export const htmlLinks = (html: string, maxLinks = MAX_LINKS): Link[] => {
  const links: Link[] = []
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(html); match && links.length < maxLinks; match = OPENING.exec(html)) {
    const end = html.indexOf('>', match.index)
    if (end === -1) break
    const tag = html.slice(match.index, Math.min(end, match.index + MAX_TAG))
    OPENING.lastIndex = end
    const href = HREF.exec(tag)
    const link = href ? linkOf(decodeAmpersands(href[1] ?? href[2] ?? href[3] ?? '')) : null
    if (!link) continue
    const text = anchorText(html, end + 1)
    const shown = shownDomain(text)
    links.push({ ...link, shownDomain: shown, shownText: shown === null ? null : text })
  }
  return links
}

/** The links that stand in a plain text. */
export const textLinks = (text: string): Link[] => {
  const links: Link[] = []
  for (const [url] of text.matchAll(URLS)) {
    const link = linkOf(url)
    if (link) links.push({ ...link, shownDomain: null, shownText: null })
    if (links.length >= MAX_LINKS) break
  }
  return links
}

const OPENING = /<a[\s/]/gi
const HREF = /\bhref\s{0,20}=\s{0,20}(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'>]{1,4000}))/i
const URLS = /\bhttps?:\/\/[^\s<>"'()[\]{}]{1,1000}/gi

const linkOf = (url: string): Omit<Link, 'shownDomain' | 'shownText'> | null => {
  const text = url.trim()
  if (!/^https?:/i.test(text)) return null
  const parsed = URL.parse(text)
  if (!parsed || parsed.hostname === '') return null
  const host = parsed.hostname.toLowerCase().replace(/\.$/, '')
  const isAddress = /^\[|^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)
  return {
    host,
    domain: isAddress ? host : registered(host),
    isAddress,
    hasUser: parsed.username !== '',
  }
}

export const registered = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

const anchorText = (html: string, start: number): string => {
  const slice = html.slice(start, start + MAX_TEXT)
  const end = slice.search(/<\/a\b/i)
  return htmlToText(end === -1 ? slice : slice.slice(0, end)).trim()
}

/** A text that is nothing but a name or an address of a site. */
const shownDomain = (text: string): string | null => {
  const match = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})(?:[/?#:]\S{0,300})?$/i.exec(
    text,
  )
  const host = match?.[1]?.toLowerCase()
  return host ? getDomain(host, { allowPrivateDomains: true }) : null
}

const decodeAmpersands = (text: string): string => text.replaceAll('&amp;', '&')
