/** So far into a page may its own word about its encoding stand (HTML, "prescan a byte stream"). */
const PRESCAN_BYTES = 1024

const BYTE_ORDER_MARKS: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
]

/** The text of a page, as a browser would read its bytes: by its mark, its header, its `meta`, or else as UTF-8. */
export const decodeHtml = (bytes: Uint8Array, contentType: string | null): string => {
  const mark = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0]
  return decoderOf(mark ?? charsetOf(contentType) ?? metaCharset(bytes)).decode(bytes)
}

/** `text/html` of `Text/HTML; charset=…`; empty when there is none. */
export const mediaTypeOf = (contentType: string | null): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

const charsetOf = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? null

const metaCharset = (bytes: Uint8Array): string | null => {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1')
  const named = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:-]+)/i.exec(start)?.[1] ?? null
  // A document whose meta tag can be read in single bytes is not UTF-16.
  return named !== null && /^utf-16/i.test(named) ? 'utf-8' : named
}

const decoderOf = (label: string | null): TextDecoder => {
  try {
    return new TextDecoder(label ?? 'utf-8')
  } catch {
    return new TextDecoder('utf-8')
  }
}
