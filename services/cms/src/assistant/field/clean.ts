import { onOneLine } from '@stoa/cms-model/fields/checks.ts'
import type { Writing } from '@stoa/cms-model/fields/define.ts'
import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { escapeText, plainText } from '@stoa/cms-model/html/escape.ts'
import { cleanInline } from '@stoa/cms-model/html/inline.ts'
import { paragraphsOf } from '@stoa/cms-model/html/plain.ts'
import { textOfHtml } from '@stoa/cms-model/html/text.ts'

/** Fields that hold writing. `formatted`: text with italics and line breaks, as visual definitions call it. */
export const fieldKinds = [
  'text',
  'textarea',
  'richtext',
  'markdown',
  'formatted',
  'select',
] as const satisfies readonly (Writing | 'formatted')[]
export type FieldKind = (typeof fieldKinds)[number]

export const isFieldKind = (type: string): type is FieldKind => (fieldKinds as readonly string[]).includes(type)

type CleanOptions = {
  /** The choices of a select field. */
  readonly options?: readonly string[] | undefined
  /** The text that the answer replaces: a fence or quotes around the answer stay if this text begins with them, too. */
  readonly subject: string
}

/** What the model wrote as the field may hold it. Null: nothing of it can be used. */
export const cleanSuggestion = (kind: FieldKind, written: string, { options = [], ...given }: CleanOptions) => {
  const text = unwrap(plainText(written), given.subject)
  const value = cleaners[kind](text, { ...given, options })
  return value === null || value === '' ? null : value
}

type Cleaner = (text: string, given: CleanOptions & { readonly options: readonly string[] }) => string | null

const cleaners: Readonly<Record<FieldKind, Cleaner>> = {
  text: (text) => oneLineOf(text),
  textarea: (text) => text,
  markdown: (text) => text,
  richtext: (text) => cleanHtml(hasTags(text) ? text : paragraphsOf(text)),
  formatted: (text) => cleanInline(hasTags(text) ? text : escapeText(text).replaceAll('\n', '<br>')),
  select: (text, { options }) => optionOf(text, options),
}

/** The model was asked for HTML; where it wrote none, its lines are kept. */
const hasTags = (text: string): boolean => /<\/[a-z][a-z0-9]*\s*>|<(?:br|hr|img)\b/i.test(text)

const oneLineOf = (text: string): string => String(onOneLine(text)).replace(/ {2,}/g, ' ').trim()

const optionOf = (text: string, options: readonly string[]): string | null => {
  if (options.includes(text)) return text
  const plain = (word: string): string =>
    word
      .trim()
      .replace(/[.。]$/, '')
      .toLocaleLowerCase()
  const like = options.filter((option) => plain(option) === plain(text))
  return like.length === 1 ? (like[0] ?? null) : null
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»', '「': '」' }

/** Without a code fence or quotation marks around the whole, unless the content came with them. */
const unwrap = (written: string, subject: string): string => {
  let text = written.trim()
  const [, fenced] = /^```[\w-]*[ \t]*\n([\s\S]*?)\n?```$/.exec(text) ?? []
  if (fenced !== undefined && !fenced.includes('```') && !subject.trim().startsWith('```')) text = fenced.trim()
  const closing = QUOTES[text.charAt(0)]
  const inside = text.slice(1, -1)
  const isQuoted = closing !== undefined && text.length > 2 && text.endsWith(closing)
  if (!isQuoted || inside.includes(text.charAt(0)) || inside.includes(closing)) return text
  return subject.trim().startsWith(text.charAt(0)) ? text : inside.trim()
}

/** Screen readers say what kind of thing it is, and stop listening to longer ones. */
export const MAX_ALT = 125

const PREFACE =
  /^(?:(?:this|the) (?:image|picture|photo|photograph) (?:shows|depicts|is of)|(?:an? |the )?(?:image|picture|photo|photograph) (?:of|showing|depicting|that shows))\s+/i

/** A description of a picture: one line without a preface, cut at a word where it is too long. */
export const cleanAlt = (written: string): { value: string; isCut: boolean } | null => {
  const whole = capitalised(oneLineOf(unwrap(plainText(written), '')).replace(/^alt(?:ernative)? text:\s*/i, ''))
  if (whole === '') return null
  if (whole.length <= MAX_ALT) return { value: whole, isCut: false }
  const head = whole.slice(0, MAX_ALT - 1)
  const end = head.lastIndexOf(' ')
  const kept = (end > MAX_ALT / 2 ? head.slice(0, end) : head).toWellFormed().replace(/[\s\p{P}\ufffd]+$/u, '')
  return { value: `${kept}…`, isCut: true }
}

const capitalised = (text: string): string => {
  const bare = text.replace(PREFACE, '')
  return bare === text ? text : bare.charAt(0).toLocaleUpperCase() + bare.slice(1)
}

/** How much of it people read. */
export const shownLength = (kind: FieldKind, value: string): number =>
  kind === 'richtext' || kind === 'formatted' ? textOfHtml(value).length : value.length
