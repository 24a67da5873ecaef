/**
 * A text in the form in which i;unicode-casemap compares it (RFC 5051): without letter case, compatible forms taken
 * apart. What is left is compared character by character.
 */
export const casemap = (text: string): string => (IS_ASCII.test(text) ? text : text.normalize('NFKD')).toUpperCase()

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const IS_ASCII = /^[\x00-\x7f]*$/

export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
