import { z } from 'zod'

/** A mailbox as RFC 8621 §4.1.2.3 gives it. */
export type Mailbox = { readonly name: string | null; readonly email: string }

/** RFC 5321 §4.5.3.1.3 with its brackets taken off: what fits into MAIL FROM and RCPT TO. */
export const MAX_EMAIL = 254
const MAX_LOCAL_PART = 64
/** RFC 5322 §3.2.3 dot-atom. Quoted local parts are legal and used by nobody but attackers. */
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Two labels or more; the last one is not a number, or it would be an IP address. */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one spelling of a person's email address: lower case, the domain in ASCII. Null when it is not an address.
 * Letters are checked before they are made small: U+212A, which `toLowerCase` makes an ASCII k, must not sign in as one.
 */
export const parseEmail = (text: string): string | null => {
  const trimmed = text.trim()
  if (trimmed.length > MAX_EMAIL) return null
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, Math.max(at, 0))
  const domain = asciiDomain(trimmed.slice(at + 1))
  if (local.length > MAX_LOCAL_PART || !DOT_ATOM.test(local) || domain === null) return null
  const email = `${local.toLowerCase()}@${domain}`
  return email.length > MAX_EMAIL ? null : email
}

/** An email address in a request; comes out in its one spelling. */
export const email = z.string({ error: 'must be text' }).transform((text, context) => {
  const parsed = parseEmail(text)
  if (parsed !== null) return parsed
  context.addIssue({ code: 'custom', message: 'must be an email address' })
  return z.NEVER
})

/** A domain in lower case and ASCII; null when it is none. */
export const asciiDomain = (text: string): string | null => {
  const domain = /^[\p{ASCII}]*$/u.test(text) ? text.toLowerCase() : punycode(text)
  return domain !== null && HOST_NAME.test(domain) ? domain : null
}

/** The platform's own IDNA. Characters that have a meaning in a URL would make it read another host. */
const punycode = (text: string): string | null =>
  /^[\p{L}\p{M}\p{N}.-]+$/u.test(text) ? (URL.parse(`http://${text}`)?.hostname ?? null) : null
