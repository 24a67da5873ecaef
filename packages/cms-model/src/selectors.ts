import { z } from 'zod'

const MAX_LENGTH = 500

/** A CSS selector of the host's own pages. */
export const selector = z.string('must be a CSS selector like ".hero"').superRefine((text, context) => {
  const message = selectorProblem(text)
  if (message !== null) context.addIssue({ code: 'custom', message })
})

/** What to change in a selector that no parser would take, or null. */
export const selectorProblem = (text: string): string | null => {
  if (text.trim() === '') return 'must be a CSS selector like ".hero"'
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
  if (/[\u0000-\u0008\u000b\u000e-\u001f\u007f{};@!%&<]/.test(withoutStrings(text))) return NOT_ONE
  return readList(text) ? null : NOT_ONE
}

/** Whether the elements found depend on where they stand among their siblings. The selector is a right one. */
export const isPositional = (text: string): boolean => {
  const bare = withoutStrings(text).replace(/\[[^\]]*\]/g, '')
  return /:(?:nth|first|last|only)-/i.test(bare) || /[+~]/.test(bare)
}

/** The selector without the spaces that mean nothing, so that equal ones are equal texts. */
export const withoutSpaces = (text: string): string =>
  text
    .trim()
    .replace(new RegExp(String.raw`(${STRING})|\s*([>+~,])\s*|\s+`, 'g'), (_, string, sign) => string ?? sign ?? ' ')

const NOT_ONE = 'isn\'t a valid CSS selector; use one like ".hero" or "main > section[data-hero]"'

const NAME = String.raw`(?:--|-?(?:[A-Za-z_\u0080-\uffff]|\\[^\n]))(?:[\w\u0080-\uffff-]|\\[^\n])*`
const STRING = String.raw`"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'`
const SIMPLE = new RegExp(
  [
    String.raw`\*`,
    NAME,
    `[.]${NAME}`,
    String.raw`#(?:[\w\u0080-\uffff-]|\\[^\n])+`,
    String.raw`\[\s*${NAME}\s*(?:[~|^$*]?=\s*(?:${STRING}|${NAME}|\d[\w-]*)\s*(?:[iIsS]\s*)?)?\]`,
    String.raw`:(${NAME})(\()?`,
  ].join('|'),
  'y',
)
const COMBINATOR = /\s*[>+~]\s*|\s+/y
const COMMA = /\s*,\s*/y
/** Pseudo-classes whose argument is a list of selectors. */
const TAKES_SELECTORS = new Set(['is', 'not', 'has', 'where', 'matches'])

const withoutStrings = (text: string): string => text.replace(new RegExp(STRING, 'g'), '""')

const readList = (text: string): boolean => {
  const trimmed = text.trim()
  return readSelectors(trimmed, 0, false) === trimmed.length
}

/** Reads as far as the list of selectors goes; -1 where it is none. `isRelative`: may begin with a combinator. */
const readSelectors = (text: string, from: number, isRelative: boolean): number => {
  let at = from
  for (;;) {
    if (isRelative) at = skip(COMBINATOR, text, at) ?? at
    at = readCompound(text, at)
    if (at < 0) return -1
    for (;;) {
      const next = skip(COMBINATOR, text, at)
      if (next === null || next === text.length || text[next] === ',' || text[next] === ')') break
      at = readCompound(text, next)
      if (at < 0) return -1
    }
    const comma = skip(COMMA, text, at)
    if (comma === null) return at
    at = comma
  }
}

/** One or more simple selectors without anything between them. */
const readCompound = (text: string, from: number): number => {
  let at = from
  for (;;) {
    SIMPLE.lastIndex = at
    const found = SIMPLE.exec(text)
    // An element's name comes first.
    if (!found || (at > from && /^[^.#[:]/.test(found[0]))) return at === from ? -1 : at
    at = SIMPLE.lastIndex
    if (found[2] === undefined) continue
    at = readArgument(text, at, found[1] ?? '')
    if (at < 0) return -1
  }
}

const readArgument = (text: string, from: number, name: string): number => {
  const start = skip(/\s*/y, text, from) ?? from
  if (!TAKES_SELECTORS.has(name.toLowerCase())) return skip(/[^()]+\)/y, text, start) ?? -1
  const end = readSelectors(text, start, name.toLowerCase() === 'has')
  return end < 0 ? -1 : (skip(/\s*\)/y, text, end) ?? -1)
}

const skip = (pattern: RegExp, text: string, at: number): number | null => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}
