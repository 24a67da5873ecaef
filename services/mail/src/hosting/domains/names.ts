import { domainToASCII } from 'node:url'
import { parse } from 'tldts'

/** RFC 1035 §2.3.4, without the closing dot. */
const MAX_NAME = 253
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** What a domain name may hold before it becomes ASCII: anything else has a meaning in a URL, or none at all. */
const GIVEN = /^[\p{L}\p{M}\p{N}.\-\u3002]+$/u

/** The one spelling of a domain: lower case, in ASCII, without a closing dot. Null when it is not a domain name. */
export const parseDomainName = (given: string): string | null => {
  const text = given.trim().replace(/\.$/, '')
  if (text.length > MAX_NAME || !GIVEN.test(text)) return null
  const name = /^\p{ASCII}*$/u.test(text) ? text.toLowerCase() : domainToASCII(text)
  return name.length <= MAX_NAME && HOST_NAME.test(name) ? name : null
}

/** Whether someone can own the name. `com`, `co.uk` and `github.io` belong to everybody below them. */
export const isRegistrable = (name: string): boolean => {
  const { domain, isIp } = parse(name, { allowPrivateDomains: true })
  return domain !== null && isIp !== true
}

/** RFC 2606 and 6761: nobody can own these, so outside production they need no proof. */
export const needsNoProof = (name: string): boolean => /\.(test|localhost|example)$/.test(name)
