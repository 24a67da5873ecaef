import { isAscii, isUtf8 } from 'node:buffer'
import { decodeHz, decodeIso2022Kr } from './shifted-charsets.ts'
import { decodeUtf7 } from './utf7.ts'

/** Text of given bytes; `hasProblem` when the charset is unknown or some bytes have no meaning in it. */
export type Decoded = { readonly text: string; readonly hasProblem: boolean }

/** Names that real mail uses and the encoding standard does not know. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...['cp932', 'ms-kanji', 'sjis-win', 'windows-932', 'x-ms-cp932'].map((name) => [name, 'shift_jis'] as const),
  ...['cp949', 'ms949', 'uhc', 'ksc5601', 'x-windows-949', 'ks_c_5601'].map((name) => [name, 'euc-kr'] as const),
  ...['cp936', 'ms936', 'windows-936', 'gb2312', 'gb_2312', 'gbk', 'euc-cn', 'x-euc-cn'].map(
    (name) => [name, 'gb18030'] as const,
  ),
  ...['cp950', 'ms950', 'windows-950', 'big5hkscs', 'x-windows-950'].map((name) => [name, 'big5'] as const),
  ...['iso-2022-jp-1', 'iso-2022-jp-2', 'iso-2022-jp-3', 'iso-2022-jp-ms', 'cp50220', 'cp50221'].map(
    (name) => [name, 'iso-2022-jp'] as const,
  ),
  ...['cp65001', 'utf_8', 'utf-8n', 'utf8mb4', 'utf-8-mac', 'unicode'].map((name) => [name, 'utf-8'] as const),
  ...['win-1250', 'win1250'].map((name) => [name, 'windows-1250'] as const),
  ...['win-1251', 'win1251'].map((name) => [name, 'windows-1251'] as const),
  ...['win-1252', 'win1252', 'ansi', 'iso-8859-1-windows-3.1-latin-1'].map((name) => [name, 'windows-1252'] as const),
  ...['cp874', 'tis620'].map((name) => [name, 'windows-874'] as const),
  ...['mac', 'macroman', 'x-macroman'].map((name) => [name, 'macintosh'] as const),
  ['koi8r', 'koi8-r'],
  ['koi8u', 'koi8-u'],
  ['eucjp', 'euc-jp'],
  ['euckr', 'euc-kr'],
])

/** No charset, or one that only claims that there is nothing to know: the bytes decide. */
const UNLABELLED: ReadonlySet<string> = new Set([
  ...['', 'us-ascii', 'ascii', 'ansi_x3.4-1968', '7bit', '8bit', 'unknown-8bit', 'x-unknown', 'unknown', 'default'],
  ...['binary', 'none', 'x-user-defined', 'default_charset', 'charset'],
])

const OWN: ReadonlyMap<string, (bytes: Buffer) => string> = new Map([
  ...['utf-7', 'utf7', 'unicode-1-1-utf-7', 'x-unicode-2-0-utf-7', 'csunicode11utf7'].map(
    (name) => [name, decodeUtf7] as const,
  ),
  ...['iso-2022-kr', 'csiso2022kr'].map((name) => [name, decodeIso2022Kr] as const),
  ...['hz-gb-2312', 'hz'].map((name) => [name, decodeHz] as const),
])

/**
 * Decodes bytes by the name of a charset as mail gives it. An unknown one is read as UTF-8 or windows-1252, so that
 * there is always something to read.
 */
export const decodeCharset = (bytes: Buffer, charset: string | null): Decoded => {
  const name = normalName(charset ?? '')
  if (UNLABELLED.has(name)) {
    // Plain ASCII is right; anything else was sent without saying what it is.
    return isAscii(bytes) ? { text: bytes.toString('latin1'), hasProblem: false } : guess(bytes)
  }
  const own = OWN.get(name)
  if (own) return checked(own(bytes))
  const decoder = decoderOf(byteOrderMark(bytes) ?? ALIASES.get(name) ?? name)
  if (!decoder) return guess(bytes)
  return checked(decoder.decode(bytes))
}

/** Bytes without a declared charset: UTF-8 if they can be, else windows-1252. */
export const decodeUnlabelled = (bytes: Buffer): string =>
  isUtf8(bytes) ? bytes.toString('utf8') : (decoderOf('windows-1252')?.decode(bytes) ?? bytes.toString('latin1'))

const guess = (bytes: Buffer): Decoded => ({ text: decodeUnlabelled(bytes), hasProblem: true })

/** A message that has U+FFFD in its own text is reported as having a problem, which does no harm. */
const checked = (text: string): Decoded => ({ text, hasProblem: text.includes('\ufffd') })

/** Also without the quotes and the rest of a sentence that mailers leave around it. */
const normalName = (charset: string): string =>
  charset
    .slice(0, 64)
    .trim()
    .replace(/^["']|["';,].*$/g, '')
    .toLowerCase()

const byteOrderMark = (bytes: Buffer): string | null => {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return null
}

const decoders = new Map<string, TextDecoder | null>()
/** More names than this are not names of charsets. */
const MAX_DECODERS = 500

const decoderOf = (name: string): TextDecoder | null => {
  const known = decoders.get(name)
  if (known !== undefined) return known
  const decoder = newDecoder(name)
  if (decoders.size < MAX_DECODERS) decoders.set(name, decoder)
  return decoder
}

const newDecoder = (name: string): TextDecoder | null => {
  try {
    return new TextDecoder(name)
  } catch {
    return null
  }
}
