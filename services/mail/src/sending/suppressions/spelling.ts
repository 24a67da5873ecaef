import { domainToASCII } from 'node:url'

/**
 * The spelling under which an address is suppressed: lower case, the domain in ASCII. What stands behind a `+` is part
 * of it. Unlike the addresses that people type in, those of the queue are not checked again: what has no such spelling
 * stays as it is.
 */
export const suppressionSpelling = (address: string): string => {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  return `${address.slice(0, at + 1).toLowerCase()}${domainToASCII(domain) || domain}`
}
