import { newId } from '@stoa/kit/ids.ts'
import { type HeaderField, isMultipart, type Part, parseMessage } from '../../formats/mime/mime.ts'
import { type BodyEdit, type HeaderLine, type MessageEdits, noEdits } from '../../formats/sieve/sieve.ts'
import { encodeHeaderText } from './header-encoding.ts'
import { textPart } from './text-part.ts'

/** True when an action takes the message as it came. */
export const isUntouched = (edits: MessageEdits): boolean => edits.headers === null && edits.body.length === 0

/**
 * The message as a script changed it (RFC 5293, RFC 5703), with the fields that we put before it: one message whose
 * bytes are all its own.
 */
export const applyEdits = (prefix: Buffer, message: Buffer, edits: MessageEdits): Buffer => {
  const whole = Buffer.concat([prefix, message])
  if (isUntouched(edits)) return whole
  const { root } = parseMessage(whole)
  const body = whole.subarray(root.bodyStart)
  const header = edits.headers ? headerOf(edits.headers, root, whole) : headerBytes(root, whole)
  let current: Buffer = Buffer.concat([header, CRLF, body])
  for (const edit of edits.body)
    current = edit.kind === 'replace' ? replaced(current, edit) : enclosed(current, edit, { prefix, message })
  return current
}

const CRLF = Buffer.from('\r\n')

const headerBytes = (root: Part, bytes: Buffer): Buffer => withLineEnd(bytes.subarray(root.start, root.headerEnd))

const headerOf = (lines: readonly HeaderLine[], root: Part, bytes: Buffer): Buffer =>
  Buffer.concat(
    lines.map((line) =>
      'name' in line ? fieldOf(line.name, line.value) : originalField(root.fields, bytes, line.original),
    ),
  )

const originalField = (fields: readonly HeaderField[], bytes: Buffer, index: number): Buffer => {
  const field = fields[index]
  return field ? withLineEnd(bytes.subarray(field.start, field.next)) : Buffer.alloc(0)
}

const fieldOf = (name: string, value: string): Buffer => Buffer.from(`${name}: ${encodeHeaderText(value)}\r\n`)

const withLineEnd = (bytes: Buffer): Buffer =>
  bytes.length === 0 || bytes.at(-1) === 10 ? bytes : Buffer.concat([bytes, CRLF])

const CONTENT = /^content-|^mime-version$/

/** RFC 5703 §5. Without a path it is the message: its header stays, but what says how the content is written. */
const replaced = (bytes: Buffer, edit: Extract<BodyEdit, { kind: 'replace' }>): Buffer => {
  const { root } = parseMessage(bytes)
  const part = edit.mime ? Buffer.from(edit.text) : textPart(edit.text)
  const target = partAt(root, edit.path)
  if (!target) return bytes
  if (target !== root)
    return Buffer.concat([bytes.subarray(0, target.start), part, bytes.subarray(Math.min(target.end, bytes.length))])
  const away = (name: string) =>
    CONTENT.test(name) || (edit.subject !== null && name === 'subject') || (edit.from !== null && name === 'from')
  return Buffer.concat([
    keptHeader(root, bytes, away),
    ...(edit.subject === null ? [] : [fieldOf('Subject', edit.subject)]),
    ...(edit.from === null ? [] : [fieldOf('From', edit.from)]),
    Buffer.from('MIME-Version: 1.0\r\n'),
    part,
  ])
}

/** RFC 5703 §6: a new message of the text and the old one. */
const enclosed = (
  bytes: Buffer,
  edit: Extract<BodyEdit, { kind: 'enclose' }>,
  original: { prefix: Buffer; message: Buffer },
): Buffer => {
  const { root } = parseMessage(bytes)
  const inner =
    edit.message === noEdits
      ? Buffer.concat([original.prefix, original.message])
      : applyEdits(original.prefix, original.message, edit.message)
  const copied = new Set(edit.headers.map((name) => name.toLowerCase()))
  const away = (name: string) => CONTENT.test(name) || (copied.size > 0 && !KEPT.has(name) && !copied.has(name))
  const boundary = `=_${newId()}`
  return Buffer.concat([
    keptHeader(root, bytes, away),
    Buffer.from(`MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\n`),
    textPart(edit.text),
    Buffer.from(`\r\n--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`),
    inner,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}

/** Fields without which it would be no message. */
const KEPT: ReadonlySet<string> = new Set([
  ...['from', 'to', 'cc', 'date', 'subject', 'message-id', 'received', 'return-path', 'delivered-to'],
  ...['authentication-results', 'sender', 'reply-to', 'in-reply-to', 'references'],
])

const keptHeader = (root: Part, bytes: Buffer, isAway: (name: string) => boolean): Buffer =>
  Buffer.concat(
    root.fields
      .filter(({ name }) => !isAway(name))
      .map((field) => withLineEnd(bytes.subarray(field.start, field.next))),
  )

const partAt = (root: Part, path: readonly number[]): Part | null => {
  let part: Part | undefined = root
  for (const index of path)
    part = part && (isMultipart(part) || part.children.length > 0) ? part.children[index] : undefined
  return part ?? null
}
