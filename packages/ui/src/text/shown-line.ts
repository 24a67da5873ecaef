/**
 * Signs that are not seen, or turn what is around them: with them a name can be empty to the eye, or read as another
 * one. Mail is written by strangers.
 */
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu

/** A line of a stranger's text, as it may be shown. */
export const shownLine = (text: string): string => text.replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim()

/** The same text with invisible characters spelled out, for where the exact text matters: `‹U+202E›`. */
export const spellInvisible = (text: string): string =>
  text.replaceAll(UNSEEN, (signs) =>
    [...signs].map((sign) => (/[\t\r\n]/.test(sign) ? sign : `‹U+${codeOf(sign)}›`)).join(''),
  )

const codeOf = (sign: string): string => (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
