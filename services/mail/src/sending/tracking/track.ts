import type { Config } from '../../config.ts'
import { scanHtml } from './scan.ts'
import { createTrackingTokens, type TrackedEmail, type TrackingTokens } from './tokens.ts'

export type TrackingWishes = {
  /** Settings of the sending domain. */
  opens: boolean
  clicks: boolean
}

/** Longer ones leave as they are: they would take long to read, and mail programs cut them off anyway. */
const MAX_HTML = 1_048_576
const MAX_LINKS = 1_000
/** Encoding a URL inside another one triples it at worst, and that must fit into the head of a request. */
const MAX_URL = 2_048

/**
 * The HTML of an email with a tracking pixel, and links that redirect through us to count clicks. Everything else stays
 * as it is, byte for byte.
 */
export const track = (
  config: Pick<Config, 'secret' | 'publicUrl'>,
  html: string,
  { accountId, emailId, opens, clicks }: TrackedEmail & TrackingWishes,
): string => {
  if ((!opens && !clicks) || html.length > MAX_HTML) return html
  const email = { accountId, emailId }
  const tokens = createTrackingTokens(config.secret)
  const { links, bodyEnd } = scanHtml(html)
  const edits = [
    ...(clicks ? links.slice(0, MAX_LINKS) : []).flatMap(({ start, end, href }) => {
      const url = followable(href)
      return url === null ? [] : [{ start, end, text: `href="${clickUrl(config.publicUrl, tokens, email, url)}"` }]
    }),
    ...(opens ? [{ start: bodyEnd, end: bodyEnd, text: picture(config.publicUrl, tokens.open(email)) }] : []),
  ].toSorted((a, b) => a.start - b.start)
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of edits) {
    parts.push(html.slice(at, start), text)
    at = end
  }
  return parts.join('') + html.slice(at)
}

/** The address as a browser would ask for it; null for what is not a page, and for what we could not lead to. */
const followable = (href: string): string | null => {
  if (!/^\s*https?:\/\//i.test(href)) return null
  const url = URL.parse(href)?.href
  return url !== undefined && url.length <= MAX_URL ? url : null
}

/** The result needs no escaping in an attribute. */
const clickUrl = (base: string, tokens: TrackingTokens, email: TrackedEmail, url: string): string =>
  `${base}/t/c/${tokens.click(email, url)}?url=${encodeURIComponent(url).replaceAll("'", '%27')}`

const picture = (base: string, token: string): string =>
  `<img src="${base}/t/o/${token}" width="1" height="1" alt="" style="display:block;border:0">`
