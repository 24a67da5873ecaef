import { parseEmail } from './email.ts'

/** An address with the name that is shown for it. `text` is how it was given. */
export type NamedAddress = { name: string | null; email: string; text: string }

const MAX_LENGTH = 400
const NAMED = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/
const QUOTED = /^"(?<inside>(?:[^"\\]|\\.)*)"$/

/**
 * One address, as `ada@example.org` or `Ada <ada@example.org>`. Null for anything else: a list, a group, a route, a
 * quoted local part. Strict, because what two readers take for two different addresses goes to the wrong one.
 */
export const parseNamedAddress = (given: string): NamedAddress | null => {
  const text = given.trim()
  if (text.length > MAX_LENGTH || /[\p{Cc}\u2028\u2029]/u.test(text) || !text.isWellFormed()) return null
  const named = NAMED.exec(text)?.groups
  const email = asWritten(named?.address ?? text)
  const name = named ? nameOf(named.name ?? '') : null
  return email === null || name === undefined ? null : { name, email, text }
}

/** Null when there is no name, undefined when it is none. */
const nameOf = (given: string): string | null | undefined => {
  const text = given.trim()
  if (text === '') return null
  const inside = QUOTED.exec(text)?.groups?.inside
  if (inside !== undefined) return inside.replace(/\\(.)/g, '$1').trim() || null
  return text.includes('"') ? undefined : text
}

/** The local part keeps its letters: only its host knows whether they matter. */
const asWritten = (address: string): string | null => {
  const text = address.trim()
  const parsed = parseEmail(text)
  return parsed && text.slice(0, text.lastIndexOf('@')) + parsed.slice(parsed.lastIndexOf('@'))
}
