import type { HtmlNode } from '@stoa/html/tree.ts'
import { prefixedClass } from './selectors.ts'
import { cleanStyle } from './styles.ts'

/** Gives the value to keep, or null to leave the attribute out. */
type Rule = (value: string) => string | null

/** Values that were cleaned already: a newsletter has the same few on each of its elements. */
export type Known = Map<string, string | null>

/** The attributes that stay on an element, links and pictures aside. */
export const keptAttributes = (node: HtmlNode, known: Known): [string, string][] => {
  const kept: [string, string][] = []
  for (const { name, value } of node.attributes) {
    const rule = RULES.get(name) ?? RULES.get(`${node.name}.${name}`)
    const clean = rule ? cleanOnce(rule, value, known) : null
    if (clean !== null) kept.push([name, clean])
  }
  return kept
}

const MAX_KNOWN = 2_000

const cleanOnce = (rule: Rule, value: string, known: Known): string | null => {
  if (rule !== style) return rule(value)
  const before = known.get(value)
  if (before !== undefined) return before
  const clean = rule(value)
  if (known.size < MAX_KNOWN) known.set(value, clean)
  return clean
}

export const attributeOf = (node: HtmlNode, name: string): string | null =>
  node.attributes.find((attribute) => attribute.name === name)?.value ?? null

const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.find((known) => known === value.trim().toLowerCase()) ?? null

const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value.trim()) ? value.trim() : null

const text: Rule = (value) =>
  value
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 1000)
    .toWellFormed()
const length = matching(/^\d{1,5}(?:\.\d{1,3})?(?:%|px)?$/)
const count = matching(/^\d{1,3}$/)
const color = matching(/^#?[0-9a-z]{1,30}$/i)
const style: Rule = (value) => cleanStyle(value) || null
const MAX_CLASSES = 20
const classes: Rule = (value) =>
  value
    .trim()
    .split(/\s+/, MAX_CLASSES)
    .flatMap((name) => prefixedClass(name) ?? [])
    .join(' ') || null

const TABLES = ['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'col', 'colgroup']

const rulesFor = (tags: readonly string[], name: string, rule: Rule): [string, Rule][] =>
  tags.map((tag) => [`${tag}.${name}`, rule])

/** Keyed by attribute, or by element and attribute. There is no id, name, on… or anything that loads. */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['style', style],
  ['class', classes],
  ['lang', matching(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/)],
  ['dir', oneOf('ltr', 'rtl', 'auto')],
  ['title', text],
  ['align', oneOf('left', 'right', 'center', 'justify', 'middle', 'top', 'bottom')],
  ['valign', oneOf('top', 'middle', 'bottom', 'baseline')],
  ...rulesFor([...TABLES, 'img', 'hr', 'pre'], 'width', length),
  ...rulesFor([...TABLES, 'img'], 'height', length),
  ...rulesFor(TABLES, 'bgcolor', color),
  ...rulesFor(['table', 'img'], 'border', length),
  ...rulesFor(['table'], 'cellpadding', length),
  ...rulesFor(['table'], 'cellspacing', length),
  ...rulesFor(['td', 'th'], 'colspan', count),
  ...rulesFor(['td', 'th'], 'rowspan', count),
  ...rulesFor(['td', 'th'], 'nowrap', () => ''),
  ...rulesFor(['td', 'th'], 'scope', oneOf('row', 'col', 'rowgroup', 'colgroup')),
  ...rulesFor(['col', 'colgroup'], 'span', count),
  ...rulesFor(['table'], 'role', oneOf('presentation', 'none')),
  ...rulesFor(['font'], 'color', color),
  ...rulesFor(['font'], 'size', matching(/^[+-]?\d$/)),
  ...rulesFor(['font'], 'face', matching(/^[\p{L}\p{N} ,'_-]{1,200}$/u)),
  ...rulesFor(['img'], 'alt', text),
  ...rulesFor(['img'], 'hspace', count),
  ...rulesFor(['img'], 'vspace', count),
  ...rulesFor(['ol'], 'start', matching(/^-?\d{1,6}$/)),
  ...rulesFor(['ol', 'ul', 'li'], 'type', matching(/^[1aAiI]$|^(?:disc|circle|square)$/)),
  ...rulesFor(['li'], 'value', matching(/^-?\d{1,6}$/)),
  ...rulesFor(['hr'], 'size', count),
  ...rulesFor(['hr'], 'color', color),
  ...rulesFor(['details'], 'open', () => ''),
])
