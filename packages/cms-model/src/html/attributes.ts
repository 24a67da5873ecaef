import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import { escapeAttribute, plainText } from './escape.ts'
import { mediaAddress } from './media-address.ts'
import { EMBED_ALLOW, EMBED_SANDBOX } from './policy.ts'
import { embedUrl, imageUrl, linkUrl } from './urls.ts'

/** Gives the value to keep, or null to leave the attribute out. */
type Rule = (value: string) => string | null

/** The start tag of an element that stays, with only the attributes it may have. */
export const startTag = (tag: string, node: HtmlNode): string => {
  const given = readAttributes(node)
  return `<${tag}${writeAttributes(given, rules[tag] ?? [])}${languageOf(given)}>`
}

/** `lang` and `dir`, which any element may carry. */
export const languageAttributes = (node: HtmlNode): string => languageOf(readAttributes(node))

/** The start tag of a link, or null without an address that may be followed. An entry is found by its id. */
export const linkTag = (node: HtmlNode): string | null => {
  const given = readAttributes(node)
  const isKnown = linkUrl(given.get('href') ?? '') !== null || recordId(given.get('data-entry-id') ?? '') !== null
  if (!isKnown) return null
  const rel = blankTarget(given.get('target') ?? '') === null ? '' : ' rel="noopener noreferrer"'
  return `<a${writeAttributes(given, linkRules)}${rel}${languageOf(given)}>`
}

/** A picture, or null when nothing says which. One from the library is found by its id. */
export const imageTag = (node: HtmlNode): string | null => {
  const given = readAttributes(node)
  const isKnown = imageUrl(given.get('src') ?? '') !== null || recordId(given.get('data-media-id') ?? '') !== null
  return isKnown ? `<img${writeAttributes(given, imageRules)}${languageOf(given)}>` : null
}

/** A video or sound of the library, or null for any other. Its controls are ours; its address is of the service. */
export const playerTag = (node: HtmlNode): string | null => {
  const given = readAttributes(node)
  const addresses = [given.get('src') ?? '', ...sourcesIn(node)].map(mediaAddress)
  const id = recordId(given.get('data-media-id') ?? '') ?? addresses.find((address) => address !== null)?.id
  if (id === undefined) return null
  const path = addresses.find((address) => address?.id === id)?.path
  const src = path === undefined ? '' : ` src="${escapeAttribute(path)}"`
  const size = node.name === 'video' ? sizeRules : []
  const ours = ` data-media-id="${id}" controls="" preload="metadata"`
  return `<${node.name}${src}${writeAttributes(given, [titleRule, ...size])}${ours}${languageOf(given)}></${node.name}>`
}

const sourcesIn = (node: HtmlNode): string[] =>
  [...childrenOf(node)].filter(({ name }) => name === 'source').map((child) => readAttributes(child).get('src') ?? '')

/** An embedded player, or null when its host is not one of these. A video of YouTube gets the player without cookies. */
export const embedTag = (node: HtmlNode, hosts: readonly string[]): string | null => {
  const given = readAttributes(node)
  const src = embedUrl(given.get('src') ?? '', hosts)
  if (src === null) return null
  const fullscreen = given.has('allowfullscreen') ? ' allowfullscreen=""' : ''
  const ours = ` loading="lazy" sandbox="${EMBED_SANDBOX}" allow="${EMBED_ALLOW}"`
  return `<iframe src="${escapeAttribute(src)}"${writeAttributes(given, embedRules)}${fullscreen}${ours}${languageOf(given)}></iframe>`
}

const readAttributes = (node: HtmlNode): Map<string, string> =>
  new Map(node.attributes.map(({ name, value }) => [name, value]))

const writeAttributes = (given: Map<string, string>, allowed: readonly (readonly [string, Rule])[]): string => {
  let written = ''
  for (const [name, rule] of allowed) {
    const value = given.get(name)
    const kept = value === undefined ? null : rule(value)
    if (kept !== null) written += ` ${name}="${escapeAttribute(kept)}"`
  }
  return written
}

const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.find((known) => known === value.trim().toLowerCase()) ?? null

const wholeNumber =
  (min: number, max: number): Rule =>
  (value) => {
    const text = value.trim()
    if (!/^-?\d{1,7}$/.test(text)) return null
    const number = Number(text)
    return number >= min && number <= max ? String(number === 0 ? 0 : number) : null
  }

const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value) ? value : null

const blankTarget = oneOf('_blank')
const dimension = wholeNumber(1, 10_000)
const span = wholeNumber(1, 1000)
const languageTag = matching(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/)

const recordId: Rule = (value) => {
  const id = value.trim().toLowerCase()
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null
}

/** The language of a code block: the first `language-…` among the classes. */
const codeLanguage: Rule = (value) =>
  value.split(/\s+/, 20).find((name) => /^language-[A-Za-z0-9+#.-]{1,40}$/.test(name)) ?? null

const languageOf = (given: Map<string, string>): string => writeAttributes(given, languageRules)

const languageRules: readonly (readonly [string, Rule])[] = [
  ['lang', languageTag],
  ['dir', oneOf('ltr', 'rtl', 'auto')],
]

const linkRules: readonly (readonly [string, Rule])[] = [
  ['href', linkUrl],
  ['data-entry-id', recordId],
  ['title', plainText],
  ['hreflang', languageTag],
  ['target', blankTarget],
]

const imageRules: readonly (readonly [string, Rule])[] = [
  ['src', imageUrl],
  ['alt', plainText],
  ['title', plainText],
  ['width', dimension],
  ['height', dimension],
  ['data-media-id', recordId],
  ['loading', oneOf('lazy', 'eager')],
]

const titleRule = ['title', plainText] as const
const sizeRules = [
  ['width', dimension],
  ['height', dimension],
] as const

const embedRules: readonly (readonly [string, Rule])[] = [titleRule, ...sizeRules]

const cellRules: readonly (readonly [string, Rule])[] = [
  ['colspan', span],
  ['rowspan', span],
]

const rules: Readonly<Record<string, readonly (readonly [string, Rule])[]>> = {
  ol: [['start', wholeNumber(-999_999, 999_999)]],
  code: [['class', codeLanguage]],
  figure: [['data-align', oneOf('left', 'center', 'right', 'wide')]],
  th: [['scope', oneOf('row', 'col', 'rowgroup', 'colgroup')], ...cellRules],
  td: cellRules,
}
