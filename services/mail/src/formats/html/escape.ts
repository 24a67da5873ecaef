const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
}

export const escapeText = (text: string): string =>
  plain(text).replace(/[&<>\u00a0]/g, (character) => ESCAPES[character] ?? '')

const escapeAttribute = (text: string): string =>
  plain(text).replace(/[&<>"\u00a0]/g, (character) => ESCAPES[character] ?? '')

/** A start tag. */
export const tagText = (name: string, attributes: readonly (readonly [string, string])[]): string =>
  `<${name}${attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join('')}>`

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNPLAIN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]/

/** Parsers replace or move these, each in its own way. */
const plain = (text: string): string =>
  UNPLAIN.test(text)
    ? text
        .replace(/\r\n?/g, '\n')
        .replace(/[^\P{Cc}\t\n]/gu, '')
        .toWellFormed()
    : text
