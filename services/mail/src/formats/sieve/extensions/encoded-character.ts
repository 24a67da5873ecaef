import { defineExtension } from '../define.ts'
import { SieveSyntaxError } from '../problems.ts'

/** RFC 5228 §2.4.2.4: `${hex:40 41}` and `${unicode:20AC}`. What is not written so stays as it is. */
export const encodedCharacter = defineExtension({
  name: 'encoded-character',
  strings: { stage: 'characters', read: (text, at) => text.replace(ENCODED, (...found) => decoded(found, at)) },
})

const BLANK = '[ \\t\\r\\n]'
const UNICODE = `\\$\\{unicode:${BLANK}*([0-9a-f]+(?:${BLANK}+[0-9a-f]+)*)${BLANK}*\\}`
const HEX = `\\$\\{hex:${BLANK}*[0-9a-f]{1,2}(?:${BLANK}+[0-9a-f]{1,2})*${BLANK}*\\}`
/** Read once from left to right. Octets of one character may be written in several pieces that touch. */
const ENCODED = new RegExp(`${UNICODE}|(?:${HEX})+`, 'gi')

const decoded = ([whole = '', codes]: readonly string[], at: number): string => {
  if (codes === undefined) return octets(whole)
  return words(codes)
    .map((code) => character(code, at))
    .join('')
}

const words = (text: string): string[] => text.trim().split(/[ \t\r\n]+/)

const octets = (pieces: string): string =>
  Buffer.from(words(pieces.replace(/\$\{hex:|\}/gi, ' ')).map((octet) => Number.parseInt(octet, 16)))
    .toString('utf8')
    .replaceAll('\0', '')

const character = (code: string, at: number): string => {
  const digits = code.replace(/^0+(?=.)/, '')
  const point = digits.length > 6 ? Number.POSITIVE_INFINITY : Number.parseInt(digits, 16)
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) || point === 0)
    throw new SieveSyntaxError(at, `\${unicode:${code.slice(0, 12)}} isn't a character`)
  return String.fromCodePoint(point)
}
