/** The longest name that file systems and browsers accept; a longer one is cut before its extension. */
const MAX_BYTES = 200
const MAX_ENDING = 20

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'txt'],
  ['text/html', 'html'],
  ['text/calendar', 'ics'],
  ['text/csv', 'csv'],
  ['text/vcard', 'vcf'],
  ['message/rfc822', 'eml'],
  ['message/global', 'eml'],
  ['message/delivery-status', 'txt'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['application/json', 'json'],
  ['application/pgp-signature', 'asc'],
])

/**
 * A name under which an attachment can be saved: no folders, no control characters, nothing that turns the direction of
 * the text to hide the ending. A part without a usable name is called by its type.
 */
export const safeFileName = (name: string | null, type: string): string => {
  const plain = (name ?? '')
    .slice(0, 4096)
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain)
  if (plain === '') return `attachment.${ENDINGS.get(type) ?? 'bin'}`
  return shorten(isReserved ? `_${plain}` : plain)
}

const shorten = (name: string): string => {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= MAX_ENDING ? name.slice(dot) : ''
  const bytes = Buffer.from(name.slice(0, name.length - ending.length), 'utf8')
  let end = MAX_BYTES - Buffer.byteLength(ending)
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end) + ending
}
