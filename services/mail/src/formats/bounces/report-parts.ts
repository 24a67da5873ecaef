import { type Bytes, decodeBounded, type MimeStructure, type Part, parseMessage, readForm } from '../mime/mime.ts'

/** What the message that a report is about says of itself. */
export type OriginalMessage = {
  readonly messageId: string | null
  readonly returnPath: string | null
  readonly from: string | null
  readonly to: readonly string[]
  readonly subject: string | null
}

/** Field names in lower case; the first of each name first. */
export type FieldGroup = ReadonlyMap<string, readonly string[]>

/** A report of a thousand recipients is shorter. */
const REPORT_BYTES = 262_144
const MAX_GROUPS = 1_001
const MAX_FIELDS = 100
const ORIGINAL_HEADER_BYTES = 102_400
const MAX_TO = 100

/** The first part of one of these types among the children of a report (RFC 6522 §3), or the message itself. */
export const reportPart = (structure: MimeStructure, types: readonly string[]): Part | null => {
  const { root } = structure
  const candidates = root.type === 'multipart/report' || root.type === 'multipart/mixed' ? root.children : [root]
  return candidates.find(({ type }) => types.includes(type)) ?? null
}

/** Groups of fields with blank lines between them, as in RFC 3464 §2.1. */
export const readGroups = (part: Part, bytes: Bytes): FieldGroup[] => {
  const text = decodeBounded({ part }, bytes, REPORT_BYTES).toString('utf8')
  const groups: Map<string, string[]>[] = []
  let open: Map<string, string[]> | null = null
  let last: string[] | null = null
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') {
      open = null
      last = null
      continue
    }
    if (/^[ \t]/.test(line)) {
      const value = last?.pop()
      if (last && value !== undefined) last.push(`${value} ${clean(line)}`)
      continue
    }
    const match = FIELD.exec(line)
    last = null
    if (!match) continue
    if (!open) {
      if (groups.length >= MAX_GROUPS) break
      open = new Map()
      groups.push(open)
    }
    if (open.size >= MAX_FIELDS) continue
    const name = (match[1] ?? '').toLowerCase()
    last = open.get(name) ?? []
    if (last.length < MAX_FIELDS) last.push(clean(match[2] ?? ''))
    open.set(name, last)
  }
  return groups
}

export const firstOf = (group: FieldGroup, name: string): string | null => group.get(name)?.[0] || null

/** The value behind `type;`, as in `rfc822; user@example.org`, without brackets; null when there is none. */
export const typedValue = (text: string | null): string | null => {
  if (text === null) return null
  const value = text
    .replace(/^[a-z0-9-]{1,40}\s*;/i, '')
    .trim()
    .replace(/^<(.*)>$/, '$1')
  return value === '' ? null : value
}

/** The message that came back, whole or only its header. */
export const readOriginal = (structure: MimeStructure, bytes: Bytes): OriginalMessage | null => {
  const part = reportPart(structure, ORIGINAL_TYPES)
  if (!part || part === structure.root) return null
  const header = decodeBounded({ part }, bytes, ORIGINAL_HEADER_BYTES)
  const { root } = parseMessage(header)
  const addresses = (name: string): string[] => {
    const field = root.fields.find((candidate) => candidate.name === name)
    return field ? readForm(header, field, 'addresses').map(({ email }) => email) : []
  }
  const idField = root.fields.find(({ name }) => name === 'message-id')
  const subjectField = root.fields.find(({ name }) => name === 'subject')
  return {
    messageId: (idField && readForm(header, idField, 'messageIds')?.[0]) ?? null,
    returnPath: addresses('return-path')[0] ?? null,
    from: addresses('from')[0] ?? null,
    to: addresses('to').slice(0, MAX_TO),
    subject: subjectField ? readForm(header, subjectField, 'text') : null,
  }
}

const ORIGINAL_TYPES = [
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global-headers',
]

const FIELD = /^([!-9;-~]{1,80})[ \t]*:(.*)$/

/** Text from others is stored, logged and shown: it is cut to one bounded line without control characters. */
const clean = (value: string): string =>
  value
    .slice(0, 4_096)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed()
    .trim()
