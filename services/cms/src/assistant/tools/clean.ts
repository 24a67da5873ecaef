import type { Json } from '../../people/call-route/call-route.ts'
import { withoutHiddenText } from './hidden-text.ts'

export const MAX_STRING = 4_000
const MAX_KEY = 200
/** Deeper content is no content that people edit. */
const MAX_DEPTH = 24
/** Texts are cut at this length before they are cleaned, because at most a part of them is shown. */
const MAX_LOOKED_AT = 4 * MAX_STRING
/** The limit for markup that is nested inside markup; no person writes more than this. */
const MAX_PASSES = 8

/** Zero-width and bidi characters, tags, and those variation selectors that no emoji is written with. */
const UNSEEN =
  /[\ufe00-\ufe0e\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Whether content was left out: because it was too long, or because people do not see it. */
type LeftOut = { readonly isCut: boolean; readonly hasHidden: boolean }

export type Cleaned = LeftOut & { readonly value: Json }

/** Far more than a result can hold: content after it is not read. */
const MAX_WORK = 500_000
/** The work that a value costs besides its text. */
const VALUE_WORK = 8

/**
 * Content of the site as a model may read it: without characters and markup that people do not see, and no text longer
 * than the limit. Cleaning twice is cleaning once.
 */
export const cleanContent = (value: Json, maxString = MAX_STRING): Cleaned => {
  let isCut = false
  let hasHidden = false
  let work = 0
  const cleanString = (given: string, max: number): string => {
    const cleaned = cleanText(given, max)
    isCut ||= cleaned.isCut
    hasHidden ||= cleaned.hasHidden
    work += cleaned.text.length
    return cleaned.text
  }
  /** Cleans items until the work is used up. */
  const upTo = <T, R>(items: readonly T[], clean: (item: T) => R): R[] => {
    const cleaned: R[] = []
    for (const item of items) {
      if (work > MAX_WORK) {
        isCut = true
        break
      }
      cleaned.push(clean(item))
    }
    return cleaned
  }
  const clean = (inner: Json, depth: number): Json => {
    work += VALUE_WORK
    if (typeof inner === 'string') return cleanString(inner, maxString)
    if (typeof inner !== 'object' || inner === null) return inner
    if (depth >= MAX_DEPTH) {
      isCut = true
      return null
    }
    if (isList(inner)) return upTo(inner, (item) => clean(item, depth + 1))
    const members = Object.entries(inner)
    return Object.fromEntries(upTo(members, ([key, member]) => [cleanString(key, MAX_KEY), clean(member, depth + 1)]))
  }
  return { value: clean(value, 0), isCut, hasHidden }
}

export const cleanText = (given: string, max = MAX_STRING): LeftOut & { readonly text: string } => {
  const { text, hasHidden } = visibleText(given.slice(0, MAX_LOOKED_AT))
  if (text.length <= max && given.length <= MAX_LOOKED_AT) return { text, isCut: false, hasHidden }
  // Text that was cut inside a tag reads differently, so it is cleaned again.
  const beginning = visibleText(text.slice(0, max - 1)).text
  return { text: `${beginning}…`.toWellFormed(), isCut: true, hasHidden }
}

const visibleText = (given: string): { text: string; hasHidden: boolean } => {
  let text = given
  let hasHidden = false
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const printed = text.replace(UNSEEN, '').replace(CONTROLS, '')
    const next = withoutHiddenText(printed)
    hasHidden ||= next !== printed
    if (next === text) return { text, hasHidden }
    text = next
  }
  return { text: text.replace(/</g, '').replace(UNSEEN, ''), hasHidden: true }
}

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
