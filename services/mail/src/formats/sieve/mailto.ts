import { isWhole, parseAddresses } from './addresses.ts'

/** A mailto URI (RFC 6068) as a notification reads it (RFC 5436 §2). */
export type Mailto = {
  /** Everybody once, in `to` or in `cc`. */
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string | null
  readonly body: string | null
  /** Other header fields that a script may give. */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

const MAX_LENGTH = 2_000
/** A notification is for one person or a few. */
const MAX_RECIPIENTS = 20

const ENCODED = '%[0-9a-fA-F]{2}'
const TO = new RegExp(`^(?:[A-Za-z0-9\\-._~!$'()*+,:@]|${ENCODED})*$`)
const NAME_OR_VALUE = new RegExp(`^(?:[A-Za-z0-9\\-._~!$'()*+,;:@/?]|${ENCODED})*$`)
const FIELD_NAME = /^[!-9;-~]+$/

/** Reads a mailto URI, or null when it is none that a notification can go to. */
export const parseMailto = (uri: string): Mailto | null => {
  const [, path, query] = /^mailto:([^?]*)(?:\?(.*))?$/is.exec(uri) ?? []
  if (path === undefined || uri.length > MAX_LENGTH || !TO.test(path)) return null
  const fields = query === undefined ? [] : query.split('&').map(readField)
  const first = decoded(path)
  if (first === null || !fields.every((field) => field !== null)) return null
  const firstOf = (name: string) => fields.find((field) => field.name === name)?.value ?? null
  const manyOf = (name: string) => fields.filter((field) => field.name === name).map(({ value }) => value)
  const to = addressesIn([first, ...manyOf('to')])
  const cc = addressesIn(manyOf('cc'))
  if (!to || !cc) return null
  const all = new Map([...to, ...cc].map((address) => [address.toLowerCase(), address]))
  if (all.size === 0 || all.size > MAX_RECIPIENTS) return null
  const main = new Map(to.map((address) => [address.toLowerCase(), address]))
  return {
    to: [...main.values()],
    cc: [...all].flatMap(([key, address]) => (main.has(key) ? [] : [address])),
    subject: firstOf('subject'),
    body: firstOf('body'),
    fields: fields.filter(({ name }) => !OWN_FIELDS.test(name)),
  }
}

/**
 * Fields that a notification has itself, and those that a script must not give: RFC 5436 §2.7 names From, Date,
 * Message-ID, Received and Auto-Submitted, the others would say who sent it, whom to, or what is in it.
 */
const OWN_FIELDS =
  /^(?:to|cc|bcc|subject|body|from|sender|date|message-id|received|auto-submitted|return-path|mime-version|importance|x-priority|(?:resent|content|arc|dkim|list|delivered|authentication|received|x-sieve)-.*)$/

const readField = (source: string): { name: string; value: string } | null => {
  const [, rawName = '', rawValue = ''] = /^([^=]*)=([^=]*)$/.exec(source) ?? []
  if (!NAME_OR_VALUE.test(rawName) || !NAME_OR_VALUE.test(rawValue)) return null
  const name = decoded(rawName)?.toLowerCase() ?? ''
  const value = decoded(rawValue)
  if (!FIELD_NAME.test(name) || value === null) return null
  // Only a body has lines.
  return name !== 'body' && /[\r\n]/.test(value) ? null : { name, value }
}

/** Null for what is no UTF-8 or has control characters besides line breaks. */
const decoded = (text: string): string | null => {
  try {
    const plain = decodeURIComponent(text)
    return /[^\P{Cc}\r\n\t]/u.test(plain) ? null : plain
  } catch {
    return null
  }
}

/** The addresses of lists, or null when one of them is none. A comma between two may be encoded. */
const addressesIn = (lists: readonly string[]): string[] | null => {
  const found = lists.flatMap((list) => parseAddresses(list))
  return found.every(isWhole) && !lists.some((list) => /[\r\n]/.test(list)) ? found.map(({ all }) => all) : null
}
