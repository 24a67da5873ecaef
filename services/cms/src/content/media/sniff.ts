import type { MediaType } from '@stoa/cms-model/media.ts'

/** The length of a file's beginning that decides its type. */
export const HEAD_BYTES = 4096

/** What a file is, by its content alone; null for everything that the library does not take. */
export const sniffType = (head: Buffer): MediaType | null => {
  for (const [type, matches] of sniffers) if (matches(head)) return type
  return null
}

const startsWith =
  (...bytes: number[]) =>
  (head: Buffer): boolean =>
    bytes.every((byte, index) => head[index] === byte)

const textAt = (head: Buffer, start: number, length: number): string => head.toString('latin1', start, start + length)

const isGif = (head: Buffer): boolean => ['GIF87a', 'GIF89a'].includes(textAt(head, 0, 6))

const isWebp = (head: Buffer): boolean => textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 4) === 'WEBP'

/** ISO/IEC 14496-12 §4.3: the main brand, and those that the file keeps to besides. */
const brandsOf = (head: Buffer): string[] => {
  if (head.length < 16 || textAt(head, 4, 4) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [textAt(head, 8, 4)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(textAt(head, at, 4))
  return brands
}

const isAvif = (head: Buffer): boolean => {
  const [main = '', ...others] = brandsOf(head)
  if (main === 'avif' || main === 'avis') return true
  // HEIC uses the same container with another codec.
  return main === 'mif1' && others.includes('avif') && !others.some((brand) => /^hei[csx]|^hev[cx]/.test(brand))
}

const MP4_BRANDS = new Set(
  'isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 mp41 mp42 avc1 dash mmp4 MSNV M4V M4VH'.split(' '),
)

const isMp4 = (head: Buffer): boolean => MP4_BRANDS.has((brandsOf(head)[0] ?? '').trim())

const isQuickTime = (head: Buffer): boolean => brandsOf(head)[0] === 'qt  '

/** EBML (RFC 8794): the document type distinguishes WebM from other Matroska files. */
const isWebm = (head: Buffer): boolean => {
  if (!startsWith(0x1a, 0x45, 0xdf, 0xa3)(head)) return false
  const docType = head.subarray(0, 128).indexOf(Buffer.from([0x42, 0x82]))
  if (docType === -1) return false
  const length = (head[docType + 2] ?? 0) & 0x7f
  return textAt(head, docType + 3, length) === 'webm'
}

const isMp3 = (head: Buffer): boolean => {
  if (textAt(head, 0, 3) === 'ID3') return head.length >= 10 && (head[3] ?? 255) <= 4 && (head[6] ?? 255) < 0x80
  const length = frameLength(head, 0)
  // Twelve bits are a weak sign: the next frame has to be where the first one says.
  return length !== null && length + 4 <= head.length && frameLength(head, length) !== null
}

const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const SAMPLE_RATES = [44_100, 48_000, 32_000]

/** ISO/IEC 11172-3 §2.4.1.3 and 13818-3, Layer III. */
const frameLength = (head: Buffer, at: number): number | null => {
  const [first = 0, second = 0, third = 0] = head.subarray(at, at + 3)
  const version = (second >> 3) & 3
  const isLayer3 = first === 0xff && (second & 0xe0) === 0xe0 && ((second >> 1) & 3) === 1 && version !== 1
  const bitrate = (version === 3 ? BITRATES_1 : BITRATES_2)[third >> 4]
  const rate = SAMPLE_RATES[(third >> 2) & 3]
  if (!isLayer3 || !bitrate || !rate) return null
  const divisor = version === 3 ? 1 : version === 2 ? 2 : 4
  const samples = version === 3 ? 144_000 : 72_000
  return Math.floor((samples * bitrate) / (rate / divisor)) + ((third >> 1) & 1)
}

/** A document whose first element is `svg`; whether it is a harmless one is for the parser to say. */
const isSvg = (head: Buffer): boolean => {
  if (head.includes(0)) return false
  let text = head.toString('utf8').replace(/^\ufeff/, '')
  for (;;) {
    text = text.trimStart()
    const skipped = text.startsWith('<?')
      ? '?>'
      : text.startsWith('<!--')
        ? '-->'
        : /^<!doctype\s+svg/i.test(text)
          ? '>'
          : null
    if (skipped === null) return /^<(?:[a-z][\w.-]{0,30}:)?svg[\s/>]/i.test(text)
    const end = text.indexOf(skipped)
    if (end === -1) return false
    text = text.slice(end + skipped.length)
  }
}

const sniffers: readonly [MediaType, (head: Buffer) => boolean][] = [
  ['image/jpeg', startsWith(0xff, 0xd8, 0xff)],
  ['image/png', startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['image/gif', isGif],
  ['image/webp', isWebp],
  ['image/avif', isAvif],
  ['video/mp4', isMp4],
  ['video/quicktime', isQuickTime],
  ['video/webm', isWebm],
  ['audio/mpeg', isMp3],
  ['application/pdf', (head) => textAt(head, 0, 5) === '%PDF-'],
  ['image/svg+xml', isSvg],
]
