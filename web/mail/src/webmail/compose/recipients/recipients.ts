import { parseEmail } from '@stoa/mail-model/email.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'
import { shownPerson } from '../../people.ts'

/** Somebody whom a message goes to, as it was typed: `email` may be no address yet. */
export type Recipient = { name: string | null; email: string }
export type RecipientField = 'to' | 'cc' | 'bcc'
export const RECIPIENT_FIELDS: readonly RecipientField[] = ['to', 'cc', 'bcc']

/** The service takes no more of them in one message. */
export const MAX_RECIPIENTS = 100
/** A pasted novel is no list of addresses. */
const MAX_PASTED = 100_000
const MAX_PART = 320

/**
 * Reads what was typed or pasted: `Ann <ann@example.org>, bob@example.org; "Doe, Jo" <jo@example.org>`, one per line, with
 * or without a comma between. What is no address is kept as it is, to be seen and fixed.
 */
export const parseRecipients = (text: string): Recipient[] =>
  splitList(text.slice(0, MAX_PASTED)).flatMap((piece) => {
    const one = readOne(piece)
    if (one === null) return []
    if (isSendable(one.email) || one.name !== null) return [one]
    // A list of bare addresses with nothing but space between
    const words = piece.split(/\s+/).filter(Boolean)
    return words.length > 1 && words.every(isSendable) ? words.map((email) => ({ name: null, email })) : [one]
  })

/** Whether the service will send to it; letters of any script stand in the local part where those of ASCII do. */
export const isSendable = (email: string): boolean =>
  parseEmail(email.replace(/[^\p{ASCII}](?=.*@)/gu, (sign) => (/[\p{L}\p{M}\p{N}]/u.test(sign) ? 'x' : sign))) !== null

/** The error in an address, for the person who typed it; null when it is valid. */
export const problemOf = (email: string): string | null => {
  if (isSendable(email)) return null
  if (!email.includes('@')) return `“${email}” is missing an @. Enter an address like ann@example.org.`
  const [local = '', domain = ''] = [email.slice(0, email.lastIndexOf('@')), email.slice(email.lastIndexOf('@') + 1)]
  if (local === '') return `“${email}” is missing the part before the @.`
  if (domain === '') return `“${email}” is missing the part after the @.`
  if (/\s/.test(email)) return `“${email}” contains a space.`
  if (!domain.includes('.')) return `“${email}” is missing a domain like example.org.`
  return `“${email}” isn't a valid email address.`
}

/** True when both spell the same mailbox. */
export const sameAddress = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Adds those that are not there yet; a name that was missing is learned. Names are of strangers, and go out again. */
export const addRecipients = (list: readonly Recipient[], more: readonly Recipient[]): Recipient[] => {
  const result = [...list]
  for (const one of more.map(shownPerson)) {
    const at = result.findIndex(({ email }) => sameAddress(email, one.email))
    const known = result[at]
    if (!known) result.push(one)
    else if (known.name === null && one.name !== null) result[at] = { ...known, name: one.name }
  }
  return result
}

/** `"Doe, Jo" <jo@example.org>`: read again it is the same. */
export const formatRecipient = ({ name, email }: Recipient): string => {
  if (name === null) return email
  const isPlain = /^[\p{L}\p{M}\p{N} _'.-]+$/u.test(name)
  return `${isPlain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${email}>`
}

/** Splits at commas, semicolons and line ends that are neither in quotes nor in angle brackets nor in a comment. */
const splitList = (text: string): string[] => {
  const pieces: string[] = []
  let piece = ''
  let isQuoted = false
  let isAngled = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (isQuoted && sign === '\\' && at + 1 < text.length) {
      piece += sign + text.charAt(at + 1)
      at += 1
      continue
    }
    // A quote opens only where a name begins: 5" pipes are no quotation
    if (sign === '"' && (isQuoted || piece.trim() === '') && closes(text, at, isQuoted)) isQuoted = !isQuoted
    if (!isQuoted && sign === '<') isAngled = true
    const ends = !isQuoted && (/[;\r\n]/.test(sign) || (sign === ',' && !isAngled))
    if (ends) {
      pieces.push(piece)
      piece = ''
      isAngled = false
      continue
    }
    piece += sign
    if (!isQuoted && sign === '>') {
      isAngled = false
      pieces.push(piece)
      piece = ''
    }
  }
  return [...pieces, piece]
}

const closes = (text: string, at: number, isQuoted: boolean): boolean => isQuoted || text.indexOf('"', at + 1) !== -1

const readOne = (piece: string): Recipient | null => {
  const given = tidy(piece)
  if (given === '') return null
  const start = given.lastIndexOf('<')
  if (start === -1) return recipient('', given)
  const end = given.indexOf('>', start)
  return recipient(given.slice(0, start), given.slice(start + 1, end === -1 ? undefined : end))
}

const recipient = (name: string, email: string): Recipient | null => {
  const address = email
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/[<>]/g, '')
    .slice(0, MAX_PART)
  const shown = unquoted(name.trim()).slice(0, MAX_PART).trim()
  if (address === '') return shown === '' ? null : { name: null, email: shown }
  return { name: shown === '' || sameAddress(shown, address) ? null : shown, email: address.trim() }
}

const unquoted = (name: string): string => {
  if (name.length > 1 && name.startsWith('"') && name.endsWith('"')) return name.slice(1, -1).replace(/\\(.)/g, '$1')
  if (name.length > 1 && name.startsWith("'") && name.endsWith("'")) return name.slice(1, -1)
  return name
}

const tidy = (text: string): string => shownLine(text.toWellFormed())
