import { encodeWord } from '../../../formats/compose/compose.ts'
import { formatMailDate, type HeaderForm } from '../../../formats/mime/mime.ts'
import { encodeHeaderText } from '../../../receiving/filters/filters.ts'
import { isRecord, isStrings } from '../standard/arguments.ts'

/**
 * The value of a header field as it is sent, folded, from a form in which a client gave it (RFC 8621 §4.6). Null when it
 * is not of that form, or would end the field and begin another one.
 */
export const writeForm = (form: HeaderForm, value: unknown): string | null => WRITERS[form](value)

/** Encoded words have at most 75 characters (RFC 2047 §2). */
const WORD_LENGTH = 75
/** RFC 5322 §2.1.1: lines have at most 998; what has no space to break at is encoded before. */
const UNBROKEN = /[^ ]{400}| {400}/
const CONTROL = /\p{Cc}/u
const MAX_ITEMS = 1_000

const writeRaw = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const text = value.toWellFormed().replace(/\r?\n/g, '\r\n')
  const lines = text.split('\r\n')
  const isFolded = lines.every((line, index) => !/[\0\r\n]/.test(line) && (index === 0 || /^[ \t]+\S/.test(line)))
  return isFolded && lines.every((line) => Buffer.byteLength(line) <= 900) ? text : null
}

const writeText = (value: unknown): string | null => {
  if (typeof value !== 'string' || CONTROL.test(value.replaceAll('\t', ' '))) return null
  return ` ${textOf(value)}`
}

/** Text that looks like an encoded word must be encoded itself, or readers would decode it. */
const textOf = (text: string): string =>
  text.includes('=?') || UNBROKEN.test(text) ? encoded(text.trim()) : encodeHeaderText(text)

const encoded = (text: string): string => encodeWord(text.toWellFormed(), 'B', WORD_LENGTH).replaceAll(' ', '\r\n ')

const writeAddresses = (value: unknown): string | null => {
  const written = eachOf(value, addressOf)
  return written && ` ${written.join(',\r\n ')}`
}

const writeGroups = (value: unknown): string | null => {
  const written = eachOf(value, groupOf)
  return written && ` ${written.join(',\r\n ')}`
}

const groupOf = (value: unknown): string | null => {
  if (!isRecord(value)) return null
  const { name = null, addresses } = value
  const list = eachOf(addresses, addressOf)
  if (!list || (name !== null && typeof name !== 'string')) return null
  if (name === null) return list.length > 0 ? list.join(',\r\n ') : null
  const phrase = phraseOf(name)
  return phrase && `${phrase}: ${list.join(',\r\n ')};`
}

const PLAIN_ADDRESS = /^[^\s"(),:;<>@[\]\\]+@[^\s"(),:;<>@[\]\\]+$/

/** Drafts may have half an address; only what would make it several is refused. */
const addressOf = (value: unknown): string | null => {
  if (!isRecord(value)) return null
  const { name = null, email } = value
  if (typeof email !== 'string' || CONTROL.test(email) || /[<>]/.test(email) || email.length > 900) return null
  if (name !== null && typeof name !== 'string') return null
  const plain = email.toWellFormed().trim()
  if (name === null || name.trim() === '') return PLAIN_ADDRESS.test(plain) ? plain : `<${plain}>`
  const phrase = phraseOf(name)
  return phrase && `${phrase} <${plain}>`
}

const ATOMS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** A name of a person or a group: as words, in quotes or encoded. */
const phraseOf = (name: string): string | null => {
  if (/[\r\n\0]/.test(name)) return null
  const text = name.replace(/\s+/g, ' ').trim()
  if (text === '') return '""'
  const isAscii = /^[\x20-\x7e]*$/.test(text)
  if (!isAscii || text.includes('=?') || UNBROKEN.test(text)) return encoded(text.replace(/\p{Cc}/gu, ' '))
  return ATOMS.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

const MESSAGE_ID = /^[^\s<>\p{Cc}]{1,900}$/u

const writeMessageIds = (value: unknown): string | null => {
  const ids = eachOf(value, (id) => (typeof id === 'string' && MESSAGE_ID.test(id) ? `<${id.toWellFormed()}>` : null))
  return ids && ids.length > 0 ? ` ${ids.join('\r\n ')}` : null
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|([+-])(\d\d):(\d\d))$/

/** RFC 8620 §1.4 becomes RFC 5322 §3.3: the author's time zone is kept. */
const writeDate = (value: unknown): string | null => {
  const match = typeof value === 'string' ? DATE.exec(value) : null
  const date = new Date(match?.[0] ?? '')
  if (!match || Number.isNaN(date.getTime())) return null
  const [, sign = '+', hours = '00', minutes = '00'] = match
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const local = new Date(date.getTime() + offset * 60_000)
  const isShown = local.getUTCFullYear() >= 1900 && local.getUTCFullYear() <= 9998 && Number(minutes) < 60
  return isShown ? ` ${formatMailDate(local).replace('+0000', `${sign}${hours}${minutes}`)}` : null
}

const URL_TEXT = /^[!-;=?-~]{1,900}$/

const writeUrls = (value: unknown): string | null => {
  const urls = eachOf(value, (url) => (typeof url === 'string' && URL_TEXT.test(url) ? `<${url}>` : null))
  return urls && urls.length > 0 ? ` ${urls.join(',\r\n ')}` : null
}

/** Each of a list as text, or null if one of them cannot be. */
const eachOf = (value: unknown, write: (item: unknown) => string | null): string[] | null => {
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return null
  const written = value.map(write)
  return isStrings(written) ? written : null
}

const WRITERS: Readonly<Record<HeaderForm, (value: unknown) => string | null>> = {
  raw: writeRaw,
  text: writeText,
  addresses: writeAddresses,
  groupedAddresses: writeGroups,
  messageIds: writeMessageIds,
  date: writeDate,
  urls: writeUrls,
}
