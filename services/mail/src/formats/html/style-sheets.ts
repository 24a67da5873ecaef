import { cleanSelectors } from './selectors.ts'
import { cleanDeclarations } from './styles.ts'

/** The limit of all stylesheets of a message together; the rest is left out. */
const MAX_LENGTH = 262_144
const MAX_RULES = 3_000

/**
 * The rules of a message's stylesheets that may stay: those that color, space and align elements of the message itself,
 * alone or for some widths of the window. Nothing in them loads anything or ends the style element.
 */
export const cleanStyleSheets = (sheets: readonly string[]): string => {
  const text = sheets
    .join('\n')
    .slice(0, MAX_LENGTH)
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' ')
  const clean = readRules(text, { isInside: false, left: { rules: MAX_RULES } })
  // Every piece was checked; this is for the day on which one was not.
  return /[<\\@]/.test(clean.replaceAll('@media ', '')) ? '' : clean
}

type Reading = { readonly isInside: boolean; readonly left: { rules: number } }

const readRules = (text: string, reading: Reading): string => {
  const written: string[] = []
  let semicolon = -1
  for (let at = 0; at < text.length && reading.left.rules > 0; ) {
    const open = text.indexOf('{', at)
    if (open === -1) break
    // Looked for again only when it is behind us: a sheet without one would be read to its end for each rule.
    if (semicolon < at) semicolon = indexOrEnd(text, ';', at)
    // `@import …;` and whatever else ends without a block.
    if (semicolon < open) {
      at = semicolon + 1
      continue
    }
    const close = closingBrace(text, open)
    written.push(cleanRule(text.slice(at, open).trim(), text.slice(open + 1, close), reading))
    at = close + 1
  }
  return written.filter((rule) => rule !== '').join('\n')
}

const cleanRule = (prelude: string, block: string, reading: Reading): string => {
  reading.left.rules -= 1
  if (prelude.startsWith('@')) {
    const condition = reading.isInside ? null : mediaCondition(prelude)
    const rules = condition === null ? '' : readRules(block, { ...reading, isInside: true })
    return rules === '' ? '' : `@media ${condition} {\n${rules}\n}`
  }
  const selectors = cleanSelectors(prelude)
  const declarations = selectors === '' ? [] : cleanDeclarations(block, { keepsImportant: true })
  return declarations.length === 0 ? '' : `${selectors} { ${declarations.join('; ')} }`
}

const indexOrEnd = (text: string, character: string, from: number): number => {
  const at = text.indexOf(character, from)
  return at === -1 ? text.length : at
}

/** The brace that closes a block, or the end of the text. */
const closingBrace = (text: string, open: number): number => {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === 0x7b) depth += 1
    else if (character === 0x7d) depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

const MEDIA_WORDS: ReadonlySet<string> = new Set(
  (
    'only not and or all screen print min-width max-width min-device-width max-device-width min-height max-height ' +
    'orientation portrait landscape prefers-color-scheme light dark prefers-reduced-motion reduce no-preference ' +
    'min-resolution max-resolution hover none'
  ).split(' '),
)
const MAX_CONDITION = 200

const mediaCondition = (prelude: string): string | null => {
  const [, given = ''] = /^@media\s+(.+)$/is.exec(prelude.slice(0, MAX_CONDITION)) ?? []
  const condition = given.trim().toLowerCase().replace(/\s+/g, ' ')
  if (prelude.length > MAX_CONDITION || !/^[a-z0-9 ():,.-]+$/.test(condition)) return null
  const words = condition.match(/[a-z][a-z0-9-]*|[\d.]+[a-z]*/g) ?? []
  const isKnown = (word: string) => MEDIA_WORDS.has(word) || /^\d+(?:\.\d+)?(?:px|em|rem|dpi|dppx)?$/.test(word)
  const isBalanced = condition.replace(/\([^()]*\)/g, '').match(/[()]/) === null
  return words.length > 0 && words.every(isKnown) && isBalanced ? condition : null
}
