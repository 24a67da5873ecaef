/** Text as it is kept: one kind of line break, none of the control characters that break feeds and databases. */
export const plainText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\f', ' ')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .toWellFormed()

/** Text between tags. */
export const escapeText = (text: string): string => text.replace(/[&<>\u00a0]/g, escapeCharacter)

/** The value of an attribute, between double quotes. */
export const escapeAttribute = (text: string): string => text.replace(/[&<>"\u00a0]/g, escapeCharacter)

/** True for what a browser collapses at the edges of a block. A no-break space is not among it. */
export const isHtmlSpace = (text: string): boolean => /^[ \t\n]*$/.test(text)

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' }

const escapeCharacter = (character: string): string => escapes[character] ?? character
