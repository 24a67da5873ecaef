/** Properties such as `exif:GPSLatitude`, also those of drones (`drone-dji:GpsLatitude`). A version is no place. */
const PROPERTY = /[A-Za-z_][\w.-]{0,60}:GPS(?!VersionID)\w{1,60}/gi
const ATTRIBUTE_VALUE = /\s{0,20}=\s{0,20}(?:"[^"]{0,4096}"|'[^']{0,4096}')/y
const MAX_TAG = 4_096
const MAX_ELEMENT = 65_536

/**
 * XMP without the properties of a location, padded with spaces to the same length. If they can't be parsed as XMP, the
 * whole packet is blanked. Null when there are none.
 */
export const withoutXmpLocation = (given: Buffer): Buffer | null => {
  // One character per byte, whatever the encoding.
  const text = given.toString('latin1')
  if (/g\0p\0s\0/i.test(text)) return Buffer.alloc(given.length, ' ')
  let cleaned: Buffer | null = null
  let blankedTo = 0
  for (const { index, 0: name } of text.matchAll(PROPERTY)) {
    if (index < blankedTo) continue
    const range = rangeOf(text, index, name)
    if (range === 'no property') continue
    if (range === null) return Buffer.alloc(given.length, ' ')
    cleaned ??= Buffer.from(given)
    cleaned.fill(' ', range.start, range.end)
    blankedTo = range.end
  }
  return cleaned
}

const rangeOf = (text: string, at: number, name: string): { start: number; end: number } | null | 'no property' => {
  const before = text[at - 1] ?? ''
  if (before === '<') return elementAt(text, at, name)
  if (!/\s/.test(before)) return 'no property'
  ATTRIBUTE_VALUE.lastIndex = at + name.length
  if (ATTRIBUTE_VALUE.test(text)) return { start: at, end: ATTRIBUTE_VALUE.lastIndex }
  return /^\s*=/.test(text.slice(at + name.length, at + name.length + 20)) ? null : 'no property'
}

const elementAt = (text: string, at: number, name: string): { start: number; end: number } | null => {
  const head = text.slice(at, at + MAX_TAG)
  const tagEnd = head.indexOf('>')
  if (tagEnd === -1) return null
  if (head[tagEnd - 1] === '/') return { start: at - 1, end: at + tagEnd + 1 }
  const rest = text.slice(at, at + MAX_ELEMENT)
  const closing = rest.indexOf(`</${name}`, tagEnd)
  const end = closing === -1 ? -1 : rest.indexOf('>', closing)
  return end === -1 ? null : { start: at - 1, end: at + end + 1 }
}
