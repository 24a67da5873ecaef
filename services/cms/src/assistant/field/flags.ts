import type { FieldActionName, FieldEvents } from '@stoa/cms-model/assistant.ts'
import { textOfHtml } from '@stoa/cms-model/html/text.ts'
import type { FieldKind } from './clean.ts'

export type Flag = FieldEvents['done']['flags'][number]

/**
 * What a value may lose and gain. `same`: it says the same in other words. `fewer`: it says less, and nothing new.
 * `free`: another text is the point.
 */
type Keeping = 'same' | 'fewer' | 'free'

const keeping: Readonly<Record<FieldActionName, Keeping>> = {
  rewrite: 'same',
  fix: 'same',
  tone: 'same',
  translate: 'same',
  expand: 'same',
  shorten: 'fewer',
  summarise: 'fewer',
  title: 'fewer',
  custom: 'same',
  alt: 'free',
}

export type Compared = {
  readonly action: FieldActionName
  readonly kind: FieldKind
  /** `before` and `after` are as the field would store them. */
  readonly before: string
  readonly after: string
  /** A part is put back into its surroundings, so its tags must stay the same. */
  readonly isPart: boolean
  /** Text that the person asked for may be added. */
  readonly instruction?: string | undefined
}

/** What to look at before the value is used. */
export const flagsOf = ({ action, kind, before, after, isPart, instruction = '' }: Compared): Flag[] => {
  const kept = keeping[action]
  if (kept === 'free' || kind === 'select' || before.trim() === '') return []
  const [was, is, asked] = [
    tokensOf(kind, before, action),
    tokensOf(kind, after, action),
    tokensOf('text', instruction, action),
  ]
  const differs = (name: TokenKind): boolean => {
    const isAsked = (token: string): boolean => action === 'custom' && asked[name].includes(token)
    const gained = without(is[name], was[name]).filter((token) => !isAsked(token))
    const lost = kept === 'fewer' ? [] : without(was[name], is[name])
    // A value that was asked for takes the place of another
    const replaced = without(is[name], was[name]).length - gained.length
    return gained.length > 0 || lost.length > replaced
  }
  const tagsMatter = (isPart || kept === 'same') && (kind === 'richtext' || kind === 'formatted') && action !== 'expand'
  return [
    ...(tagsMatter && !isSameBag(was.tags, is.tags) ? (['formatting'] as const) : []),
    ...(['numbers', 'links', 'emails', 'placeholders'] as const).filter(differs),
  ]
}

type TokenKind = 'numbers' | 'links' | 'emails' | 'placeholders'
type Tokens = Readonly<Record<TokenKind | 'tags', readonly string[]>>

const PLACEHOLDER = /\{\{[^{}\n]{0,100}\}\}|\$?\{[^{}\n]{1,100}\}/gu
const URL_LIKE = /\b(?:https?:\/\/|www\.)[^\s<>"'()[\]{}]+/giu
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu
const NUMBER = /\p{Nd}+(?:[.,'’\u00a0\u202f]\p{Nd}+)*/gu

const tokensOf = (kind: FieldKind, content: string, action: FieldActionName): Tokens => {
  const html = kind === 'richtext' || kind === 'formatted' ? readHtml(content) : null
  let rest = html?.text ?? content
  const take = (pattern: RegExp): string[] => {
    const found = rest.match(pattern) ?? []
    rest = rest.replace(pattern, ' ')
    return found
  }
  const placeholders = take(PLACEHOLDER)
  const targets = kind === 'markdown' ? [...content.matchAll(/\]\(([^()\s]+)/g)].map(([, target = '']) => target) : []
  const links = [...(html?.links ?? []), ...targets, ...take(URL_LIKE).map((url) => url.replace(/[.,;:!?]+$/, ''))]
  const emails = take(EMAIL).map((address) => address.toLowerCase())
  const numbers = take(NUMBER).map((number) => plainNumber(number, action === 'translate'))
  return { tags: html?.tags ?? [], placeholders, links, emails, numbers }
}

/** Languages write 1,234.5 with other signs and digits. */
const plainNumber = (number: string, isTranslated: boolean): string => {
  const western = number.replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
  return isTranslated ? western.replace(/[^0-9]/g, '') : western
}

/** The digits of a script stand together, from nought to nine (UAX 44). */
const digitOf = (digit: string): number => {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return before % 10
}

type Read = { readonly text: string; readonly tags: readonly string[]; readonly links: readonly string[] }

/** Cleaned HTML has no other form. */
const TAG = /<([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/g
const ADDRESS = / ((?:href|src|data-entry-id|data-media-id)="[^"]*")/g

const readHtml = (html: string): Read => {
  const tags = [...html.matchAll(TAG)]
  return {
    text: textOfHtml(html),
    tags: tags.map(([, name = '']) => name),
    links: tags.flatMap(([, , attributes = '']) =>
      [...attributes.matchAll(ADDRESS)].map(([, address = '']) => address),
    ),
  }
}

/** The items that `others` lacks; duplicates are counted. */
const without = (items: readonly string[], others: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1)
  return items.filter((item) => {
    const count = counts.get(item) ?? 0
    counts.set(item, count - 1)
    return count <= 0
  })
}

const isSameBag = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && without(a, b).length === 0
