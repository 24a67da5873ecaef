import { type ByteRange, embeddedMessage, isMultipart, type MimeStructure, type Part } from './structure.ts'

/** What BODY[…] names: a part by its numbers, and what of it (RFC 9051 §6.4.5). */
export type Section = {
  readonly path: readonly number[]
  readonly what: 'all' | 'header' | 'text' | 'mime' | 'fields' | 'fieldsNot'
  /** In lower case. */
  readonly fields: readonly string[]
}

/** The byte ranges of a section. `needsBlankLine`: the selected fields must be ended by a line the message lacks. */
export type SectionBytes = { readonly ranges: readonly ByteRange[]; readonly needsBlankLine: boolean }

const SECTION =
  /^((?:[1-9]\d{0,4})(?:\.[1-9]\d{0,4}){0,199})?(?:(^|\.)(HEADER|TEXT|MIME|HEADER\.FIELDS(?:\.NOT)?))?(?: \(([^()]*)\))?$/i

/** `1.2.HEADER`, `TEXT`, `HEADER.FIELDS (From To)` and so on. Null when it is no section. */
export const parseSection = (text: string): Section | null => {
  const match = SECTION.exec(text)
  if (!match) return null
  const [, numbers = '', separator, name = '', list] = match
  const path = numbers === '' ? [] : numbers.split('.').map(Number)
  const what = KINDS[name.toUpperCase()]
  const isFields = what === 'fields' || what === 'fieldsNot'
  if (!what || isFields !== (list !== undefined)) return null
  if (name !== '' && (separator === '.') !== path.length > 0) return null
  if (what === 'mime' && path.length === 0) return null
  const fields = (list ?? '').split(/\s+/).filter((field) => field !== '')
  if (isFields && fields.length === 0) return null
  return { path, what, fields: fields.map((field) => field.replace(/^"(.*)"$/, '$1').toLowerCase()) }
}

const KINDS: Readonly<Record<string, Section['what'] | undefined>> = {
  '': 'all',
  HEADER: 'header',
  TEXT: 'text',
  MIME: 'mime',
  'HEADER.FIELDS': 'fields',
  'HEADER.FIELDS.NOT': 'fieldsNot',
}

/** The part at the end of a path, or null. The body of a message that is no multipart is its part 1. */
export const findPart = (structure: MimeStructure, path: readonly number[]): Part | null => {
  let part: Part = structure.root
  let message: Part | null = structure.root
  for (const number of path) {
    const holder = message ?? embeddedMessage(part)
    const parent: Part = holder ?? part
    const child: Part | null = isMultipart(parent) ? (parent.children[number - 1] ?? null) : null
    if (!child && (!holder || isMultipart(parent) || number !== 1)) return null
    part = child ?? parent
    message = null
  }
  return part
}

/** The bytes of a section, or null when the message has no such section. */
export const resolveSection = (structure: MimeStructure, section: Section): SectionBytes | null => {
  const part = findPart(structure, section.path)
  if (!part) return null
  const isWhole = section.path.length === 0
  if (section.what === 'all') return one(isWhole ? part.start : part.bodyStart, part.end)
  if (section.what === 'mime') return one(part.start, part.bodyStart)
  const message = isWhole ? part : embeddedMessage(part)
  if (!message) return null
  if (section.what === 'header') return one(message.start, message.bodyStart)
  if (section.what === 'text') return one(message.bodyStart, message.end)
  return fieldRanges(message, section)
}

const one = (start: number, end: number): SectionBytes => ({ ranges: [{ start, end }], needsBlankLine: false })

const fieldRanges = (message: Part, { what, fields }: Section): SectionBytes => {
  const wanted = new Set(fields)
  const ranges = message.fields
    .filter((field) => wanted.has(field.name) === (what === 'fields'))
    .map((field) => ({ start: field.start, end: field.next }))
  const hasBlankLine = message.bodyStart > message.headerEnd
  if (hasBlankLine) ranges.push({ start: message.headerEnd, end: message.bodyStart })
  return { ranges, needsBlankLine: !hasBlankLine }
}
