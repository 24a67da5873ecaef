/** Longer addresses are data in disguise; browsers and proxies refuse them, too. */
const MAX_URL_LENGTH = 8192
const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'xmpp:'])
/** Pictures inside the address itself; SVG is not among them. */
const DATA_PICTURE = /^data:image\/(?:png|gif|jpe?g|webp|bmp);base64,[A-Za-z0-9+/=\s]*$/i
const MAX_DATA_LENGTH = 262_144

/** What a picture's address is. */
export type ImageAddress =
  | { readonly kind: 'cid'; readonly cid: string }
  | { readonly kind: 'remote'; readonly url: string }
  | { readonly kind: 'data'; readonly url: string }

/** The address of a link: absolute, of a scheme that opens something harmless. Anything else is null. */
export const linkUrl = (value: string): string | null => {
  const url = parse(value)
  return url && LINK_SCHEMES.has(url.protocol) ? url.href : null
}

/** The address of a picture, or null when it is none that may be shown. */
export const imageAddress = (value: string): ImageAddress | null => {
  const text = value.trim()
  const cid = /^cid:(.{1,998})$/is.exec(text)?.[1]
  if (cid !== undefined) return { kind: 'cid', cid: decodeCid(cid) }
  if (text.length <= MAX_DATA_LENGTH && DATA_PICTURE.test(text)) return { kind: 'data', url: text.replace(/\s+/g, '') }
  const url = parse(text.startsWith('//') ? `https:${text}` : text)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? { kind: 'remote', url: url.href } : null
}

/** Browsers skip control characters inside an address; nothing with one in it is what it looks like. */
const parse = (value: string): URL | null => {
  const text = value.trim()
  if (text === '' || text.length > MAX_URL_LENGTH || /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text)) return null
  return URL.parse(text)
}

/** RFC 2392 §2: a cid in an address is percent-encoded. */
const decodeCid = (cid: string): string => {
  const text = cid.replace(/^<|>$/g, '')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
