/**
 * The form in which i;unicode-casemap compares texts (RFC 5051 §2): title case, decomposed. Marks are not sorted as
 * Unicode would, so that the time is linear.
 */
export const casemap = (text: string): string =>
  text.replace(ASCII_LOWER, (letters) => letters.toUpperCase()).replace(OTHERS, foldCharacter)

/** How many characters of a text take more than a moment. */
export const casemapWork = (text: string): number => {
  let found = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 0x7f && (code < 0x3400 || code > 0xd7a3)) found += 1
  }
  return found
}

const ASCII_LOWER = /[a-z]+/g
/** The signs of Han and the syllables of Hangul, most of what East Asia writes, stay as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
const OTHERS = /[^\x00-\x7f\u3400-\u9fff\uac00-\ud7a3]/gu

/** A cache of folded characters. */
const known = new Map<string, string>()
const MAX_KNOWN = 4_096

const foldCharacter = (character: string): string => {
  const folded = known.get(character) ?? apart(character)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(character, folded)
  return folded
}

const apart = (character: string): string => character.normalize('NFKD').replace(CHANGING, titleOf).normalize('NFKD')

/** Georgian letters are not among them: they are their own title case, though they have capitals. */
const CHANGING = /\p{Changes_When_Titlecased}/gu

/** Most title cases are capitals, and the few that are not come apart into the same letters. `ß` has no single one. */
const titleOf = (character: string): string => {
  const upper = character.toUpperCase()
  return [...upper].length === 1 ? upper : character
}
