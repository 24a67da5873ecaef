/** Text as PostgreSQL can hold it: without NUL and halves of characters. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/**
 * Text as it is compared when searching and sorting: compatible forms, letter case and marks make no difference, any
 * space is one space.
 */
export const foldText = (text: string): string => (NOT_ASCII.test(text) ? foldUnicode(text) : foldAscii(text))

const NOT_ASCII = /[\u0080-\uffff]/

/** A fast path for ASCII, which most mail is: a tenth of the time. */
const foldAscii = (text: string): string => text.replaceAll('\0', '').toLowerCase().replace(ASCII_SPACES, ' ').trim()

/** All that become one space; a single one stays as it is, which is nearly all of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they count as spaces
const ASCII_SPACES = /[\x01-\x1f\x7f][\x01-\x20\x7f]*| [\x01-\x20\x7f]+/g

const foldUnicode = (text: string): string =>
  storable(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .trim()
