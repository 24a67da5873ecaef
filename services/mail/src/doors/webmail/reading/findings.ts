import type { Config } from '../../../config.ts'
import { readStoredResults, type StoredResults } from '../../../formats/authenticity/authenticity.ts'
import { type Invitation, MAX_CALENDAR_LENGTH, readInvitation } from '../../../formats/calendar/calendar.ts'
import {
  type Body,
  type BodyPart,
  type Bytes,
  bodyValue,
  headerText,
  type Part,
  parseMessage,
} from '../../../formats/mime/mime.ts'
import { linkWarnings, type Unsubscribe, unsubscribeOf, type Warning } from '../../../formats/trust/trust.ts'

/** What a reader sees about a message beside its text, as far as the message alone decides it. */
export type Findings = {
  readonly invitation: Invitation | null
  /** Authentication results from delivery; null for mail that did not come from outside. */
  readonly results: StoredResults | null
  readonly unsubscribe: Unsubscribe | null
  readonly links: readonly Warning[]
  /** The header identifies it as mail of a list. */
  readonly isList: boolean
}

type ReadMail = {
  prefix: Buffer
  root: Part
  body: Body
  bytes: Bytes
  html: string
  config: Pick<Config, 'hostname' | 'unsubscribeAllowPrivate'>
}

export const readFindings = ({ prefix, root, body, bytes, html, config }: ReadMail): Findings => {
  const results = readStoredResults(fieldsOf(parseMessage(prefix).root, prefix), config.hostname)
  const fields = fieldsOf(root, bytes)
  return {
    invitation: invitationOf(body, bytes),
    results,
    unsubscribe: unsubscribeOf(fields, { results, schemes: config.unsubscribeAllowPrivate ? PLAIN : SECURE }),
    links: linkWarnings(html),
    isList: fields.some(({ name }) => name === 'list-id' || name === 'list-unsubscribe'),
  }
}

const SECURE = ['https:']
const PLAIN = ['https:', 'http:']

const ASKED: ReadonlySet<string> = new Set([
  'authentication-results',
  'received',
  'dkim-signature',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
])
const MAX_FIELDS = 100

/** The raw header fields: a signature covers them before encoded words are decoded. */
const fieldsOf = ({ fields }: Part, bytes: Bytes): { name: string; value: string }[] =>
  fields
    .filter(({ name }) => ASKED.has(name))
    .slice(0, MAX_FIELDS)
    .map((field) => ({ name: field.name, value: headerText(bytes, field) }))

/** The part that an invitation is in (RFC 6047 §2.4); some programs attach it as a file only. */
export const calendarPart = (body: Body): BodyPart | null => {
  const leaves = leavesOf(body.bodyStructure)
  const isFile = ({ type, name }: BodyPart): boolean => type === 'application/ics' || /\.ics$/i.test(name ?? '')
  return leaves.find(({ type }) => type === 'text/calendar') ?? leaves.find(isFile) ?? null
}

const invitationOf = (body: Body, bytes: Bytes): Invitation | null => {
  const part = calendarPart(body)
  if (!part || part.size > MAX_CALENDAR_LENGTH) return null
  // RFC 5545 §6: a calendar that does not say otherwise is UTF-8, unlike other text
  const isUnsaid = part.charset === null || /^us-ascii$/i.test(part.charset)
  return readInvitation(bodyValue({ ...part, charset: isUnsaid ? 'utf-8' : part.charset }, bytes).value)
}

export const leavesOf = (part: BodyPart): BodyPart[] => (part.subParts ? part.subParts.flatMap(leavesOf) : [part])
