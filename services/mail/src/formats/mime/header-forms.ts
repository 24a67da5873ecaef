import { type Mailbox, type MailboxGroup, parseAddresses, parseAddressGroups } from './addresses.ts'
import { formatDate, parseDate } from './dates.ts'
import { decodeWords } from './encoded-words.ts'
import { decodeHeader, headerText } from './header-text.ts'
import { parseMessageIds } from './message-ids.ts'
import type { Bytes, HeaderField, Part } from './structure.ts'

/** The forms of RFC 8621 §4.1.2 in which a header field can be asked for. */
export type HeaderForms = {
  raw: string
  text: string
  addresses: Mailbox[]
  groupedAddresses: MailboxGroup[]
  messageIds: string[] | null
  date: string | null
  urls: string[] | null
}

export type HeaderForm = keyof HeaderForms

/** A field in one of its forms. */
export const readForm = <Form extends HeaderForm>(bytes: Bytes, field: HeaderField, form: Form): HeaderForms[Form] =>
  READERS[form](bytes, field)

/** The last field of that name (in lower case), as RFC 8621 §4.1.3 wants it, or null when there is none. */
export const lastForm = <Form extends HeaderForm>(
  part: Part,
  bytes: Bytes,
  name: string,
  form: Form,
): HeaderForms[Form] | null => {
  const field = part.fields.findLast((candidate) => candidate.name === name)
  return field ? readForm(bytes, field, form) : null
}

/** All fields of that name in order. */
export const allForms = <Form extends HeaderForm>(
  part: Part,
  bytes: Bytes,
  name: string,
  form: Form,
): HeaderForms[Form][] =>
  part.fields.filter((field) => field.name === name).map((field) => readForm(bytes, field, form))

/** All fields with their names as written and their values raw: the `headers` of an Email or a body part. */
export const rawHeaders = (part: Part, bytes: Bytes): { name: string; value: string }[] =>
  part.fields.map((field) => ({
    name: bytes.subarray(field.start, field.start + field.name.length).toString('latin1'),
    value: readForm(bytes, field, 'raw'),
  }))

/** RFC 8621 §4.1.2: a field that is defined elsewhere may be read in its own forms only; others in any. */
export const isFormAllowed = (name: string, form: HeaderForm): boolean => {
  if (form === 'raw') return true
  const forms = FORMS.get(name.toLowerCase())
  return forms === undefined || forms.includes(form)
}

const READERS: { readonly [Form in HeaderForm]: (bytes: Bytes, field: HeaderField) => HeaderForms[Form] } = {
  raw: (bytes, field) => decodeHeader(bytes.subarray(field.valueStart, field.end)),
  text: (bytes, field) => decodeWords(headerText(bytes, field)).normalize('NFC'),
  addresses: (bytes, field) => parseAddresses(headerText(bytes, field)),
  groupedAddresses: (bytes, field) => parseAddressGroups(headerText(bytes, field)),
  messageIds: (bytes, field) => parseMessageIds(headerText(bytes, field)),
  date: (bytes, field) => {
    const date = parseDate(headerText(bytes, field))
    return date ? formatDate(date) : null
  },
  urls: (bytes, field) => parseUrls(headerText(bytes, field)),
}

/** RFC 2369 §2: addresses in angle brackets, separated by commas. */
const parseUrls = (text: string): string[] | null => {
  const urls = [...text.matchAll(/<([^<>]{1,4096})>/g)].map((match) => (match[1] ?? '').replace(/\s+/g, ''))
  const found = urls.filter((url) => url !== '')
  return found.length > 0 ? found : null
}

const TEXT: readonly HeaderForm[] = ['text']
const ADDRESSES: readonly HeaderForm[] = ['addresses', 'groupedAddresses']
const MESSAGE_IDS: readonly HeaderForm[] = ['messageIds']
const DATE: readonly HeaderForm[] = ['date']
const URLS: readonly HeaderForm[] = ['urls']
const NONE: readonly HeaderForm[] = []

/** The fields of RFC 5322 and RFC 2369. */
const FORMS: ReadonlyMap<string, readonly HeaderForm[]> = new Map([
  ...['subject', 'comments', 'keywords', 'list-id'].map((name) => [name, TEXT] as const),
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'bcc'].map((name) => [name, ADDRESSES] as const),
  ...['resent-from', 'resent-sender', 'resent-reply-to', 'resent-to', 'resent-cc', 'resent-bcc'].map(
    (name) => [name, ADDRESSES] as const,
  ),
  ...['message-id', 'in-reply-to', 'references', 'resent-message-id'].map((name) => [name, MESSAGE_IDS] as const),
  ...['date', 'resent-date'].map((name) => [name, DATE] as const),
  ...['list-help', 'list-unsubscribe', 'list-subscribe', 'list-post', 'list-owner', 'list-archive'].map(
    (name) => [name, URLS] as const,
  ),
  ...['return-path', 'received'].map((name) => [name, NONE] as const),
])
