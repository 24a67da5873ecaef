import { domainToASCII } from 'node:url'

/**
 * The spelling in which an address is suppressed: lower case, domain in ASCII, with what follows `+`. Addresses of the
 * queue are not checked again, so an invalid one stays as it is.
 */
export const suppressionSpelling = (address: string): string => {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  return `${address.slice(0, at + 1).toLowerCase()}${domainToASCII(domain) || domain}`
}
