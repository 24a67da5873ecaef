import { topLevelDomains } from './top-level-domains.ts'

/** Where an address begins and ends in a text, and whether it was written with `http://` or `https://`. */
export type CaptionUrl = { start: number; end: number; hasProtocol: boolean }

/**
 * The addresses that X makes links of, as its published rules for texts say (twitter-text, config v3): with or without
 * a protocol, below a known top-level domain. One pass over the text, whatever is written in it.
 */
export const captionUrls = (text: string): CaptionUrl[] => {
  const urls: CaptionUrl[] = []
  if (!text.includes('.')) return urls
  let at = 0
  while (at < text.length) {
    if (at > 0 && !canFollow(text.charCodeAt(at - 1))) {
      at += 1
      continue
    }
    const protocol = matchAt(PROTOCOL, text, at)
    const domain = domainAt(text, at + protocol)
    if (domain.end === 0) {
      at = Math.max(at + 1, domain.scanned)
      continue
    }
    const rest = restAt(text, domain.end)
    if (protocol > 0) addWithProtocol(urls, text, at, rest.end)
    else if (!/[-_./]/.test(text[at - 1] ?? '')) addBare(urls, text, at, domain.end, rest)
    // The character after an address is what may stand before the next.
    at = rest.end + 1
  }
  return urls
}

const PROTOCOL = /https?:\/\//iy
const DOT = 0x2e
const COLON = 0x3a
const MAX_URL = 4_096
const MAX_LABEL = 63
const MAX_DOMAIN = 255

const INVISIBLE = '\\uFFFE\\uFEFF\\uFFFF'
const DIRECTION = '\\u202A-\\u202E\\u061C\\u200E\\u200F\\u2066-\\u2069'
const SPACE = '\\x09-\\x0D\\x20\\x85\\xA0\\u1680\\u180E\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000'
const PUNCTUATION = "!'#%&()*+,\\\\\\-./:;<=>?@\\[\\]^_{|}~$"
const LATIN =
  '\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289\\u028B\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF'
const PATH = `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&${LATIN}]`
const QUERY = "[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]"

const DOMAIN_CHAR = new RegExp(`[^${PUNCTUATION}${SPACE}${INVISIBLE}${DIRECTION}]`)
const LABEL = new RegExp(`(?:[^${PUNCTUATION}${SPACE}${INVISIBLE}${DIRECTION}]|[-_])+`, 'y')
const BARE_LABEL = new RegExp(`[-a-z0-9${LATIN}]+\\.`, 'iy')
const PATH_RUN = new RegExp(`${PATH}+|\\((?:${PATH}+|${PATH}*\\(${PATH}+\\)${PATH}*)\\)`, 'iy')
const PATH_END = new RegExp(`[+\\-a-z\\u0400-\\u04FF0-9=_#/${LATIN}]`, 'i')
const QUERY_RUN = new RegExp(`\\?${QUERY}*`, 'iy')
const QUERY_END = /[a-z0-9\-_&=#/]/i
const PORT = /:[0-9]+/y
const SHORTENED = new RegExp(`^https?:\\/\\/t\\.co\\/([a-z0-9]+)(?:\\?${QUERY}*[a-z0-9\\-_&=#/])?`, 'i')

/** Digits and letters of ASCII, the signs of mentions and tags, and invisible characters. */
const canFollow = (before: number): boolean => {
  if (before < 0x80) return !isPlainLetter(before) && before !== 0x40 && before !== 0x24 && before !== 0x23
  return before !== 0xff20 && before !== 0xff03 && before !== 0xfffe && before !== 0xfeff && before !== 0xffff
}

const isPlainLetter = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/** How long the match is that begins here. */
const matchAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - at : 0
}

/** The longest domain that begins here; `scanned` is how far there is none when `end` is 0. */
const domainAt = (text: string, start: number): { end: number; scanned: number } => {
  let at = start
  let end = 0
  let hasTop = false
  let isAfterName = false
  for (;;) {
    const length = matchAt(LABEL, text, at)
    const top = at > start ? topLevelAt(text, at, length) : 0
    if (top > 0) {
      hasTop = true
      if (isAfterName) end = at + top
    }
    const isLast = text.charCodeAt(at + length) !== DOT || at + length - start > MAX_DOMAIN
    const label = isLast ? '' : text.slice(at, at + length)
    if (isLast || !isLabel(label)) return { end, scanned: hasTop ? 0 : beforeProtocol(text, at + length) }
    isAfterName = !label.includes('_')
    at += length + 1
  }
}

/** Letters that are no domain may end in the protocol of the next address. */
const beforeProtocol = (text: string, end: number): number => {
  if (text.charCodeAt(end) !== COLON) return end
  return end - (/https?$/i.exec(text.slice(Math.max(0, end - 5), end))?.[0].length ?? 0)
}

const isLabel = (label: string): boolean =>
  label.length > 0 &&
  label.length <= MAX_LABEL &&
  DOMAIN_CHAR.test(label[0] ?? '') &&
  DOMAIN_CHAR.test(label.at(-1) ?? '')

const LONGEST_TOP = Math.max(...[...topLevelDomains].map((name) => name.length))
const PUNYCODE = /xn--[-0-9a-z]+/iy
const ASCII = /[a-z]+/iy

/** How long the top-level domain is that begins here. Letters that cannot be part of a name may follow it. */
const topLevelAt = (text: string, at: number, length: number): number => {
  const punycode = matchAt(PUNYCODE, text, at)
  if (punycode > 0) return punycode
  const letters = matchAt(ASCII, text, at)
  if (letters > 0) return isTopLevel(text, at, letters) ? letters : 0
  for (let size = Math.min(length, LONGEST_TOP); size >= 2; size -= 1) if (isTopLevel(text, at, size)) return size
  return 0
}

const isTopLevel = (text: string, at: number, size: number): boolean =>
  topLevelDomains.has(text.slice(at, at + size).toLowerCase()) && !/[0-9a-z@+-]/i.test(text[at + size] ?? '')

const restAt = (text: string, start: number): { pathEnd: number; end: number } => {
  const afterPort = start + matchAt(PORT, text, start)
  const pathEnd = text[afterPort] === '/' ? pathAt(text, afterPort) : 0
  const queryStart = pathEnd || afterPort
  let query = matchAt(QUERY_RUN, text, queryStart)
  while (query > 0 && !QUERY_END.test(text[queryStart + query - 1] ?? '')) query -= 1
  return { pathEnd: pathEnd && queryStart + query, end: queryStart + query }
}

const pathAt = (text: string, slash: number): number => {
  let at = slash + 1
  let end = at
  for (;;) {
    const length = matchAt(PATH_RUN, text, at)
    if (length === 0) return end
    const isGroup = text[at] === '('
    let kept = length
    while (!isGroup && kept > 0 && !PATH_END.test(text[at + kept - 1] ?? '')) kept -= 1
    if (kept > 0) end = at + kept
    at += length
  }
}

const addWithProtocol = (urls: CaptionUrl[], text: string, start: number, end: number): void => {
  if (end - start > MAX_URL) return
  const shortened = SHORTENED.exec(text.slice(start, end))
  if (shortened && (shortened[1] ?? '').length > 40) return
  urls.push({ start, end: shortened ? start + shortened[0].length : end, hasProtocol: true })
}

/** Without a protocol only what is plain letters counts; a path belongs to the last such part. */
const addBare = (
  urls: CaptionUrl[],
  text: string,
  start: number,
  domainEnd: number,
  rest: { pathEnd: number; end: number },
): void => {
  if (rest.end - start > MAX_URL) return
  let last: CaptionUrl | undefined
  for (let at = start; at < domainEnd; ) {
    const found = bareDomainAt(text, at, domainEnd)
    if (found.end > 0) {
      last = { start: at, end: found.end, hasProtocol: false }
      urls.push(last)
    }
    at = Math.max(at + 1, found.end || found.scanned)
  }
  if (last && rest.pathEnd > 0) last.end = rest.pathEnd
}

const bareDomainAt = (text: string, start: number, domainEnd: number): { end: number; scanned: number } => {
  let end = 0
  let at = start
  for (let length = matchAt(BARE_LABEL, text, at); length > 0; length = matchAt(BARE_LABEL, text, at)) {
    at += length
    const top = topLevelAt(text, at, domainEnd - at)
    if (top > 0) end = at + top
  }
  return { end, scanned: at }
}
