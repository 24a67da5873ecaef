import { isAscii } from 'node:buffer'

/** What IMAP sends: NIL, numbers, strings and lists. `run` lists its members without spaces, as bodies of a multipart. */
export type ImapValue = null | number | string | readonly ImapValue[] | { readonly run: readonly ImapValue[] }

/** Longer strings go as literals: clients read lines into buffers. */
const MAX_QUOTED = 1024

/**
 * A value as IMAP text (RFC 9051 §4.3): quoted where that is allowed, otherwise a literal whose length counts the bytes
 * of UTF-8. `utf8` allows UTF-8 in quoted strings, as IMAP4rev2 and UTF8=ACCEPT do.
 */
export const formatImap = (value: ImapValue, options: { utf8?: boolean } = {}): string => {
  if (value === null) return 'NIL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return formatString(value, options.utf8 ?? false)
  if ('run' in value) return value.run.map((member) => formatImap(member, options)).join('')
  return `(${value.map((member) => formatImap(member, options)).join(' ')})`
}

const formatString = (value: string, utf8: boolean): string => {
  const text = value.replaceAll('\0', '')
  const isQuotable = text.length <= MAX_QUOTED && !/[\r\n]/.test(text) && (utf8 || isAscii(Buffer.from(text)))
  return isQuotable ? `"${text.replace(/["\\]/g, '\\$&')}"` : `{${Buffer.byteLength(text)}}\r\n${text.toWellFormed()}`
}
