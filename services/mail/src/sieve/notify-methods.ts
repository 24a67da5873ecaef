import { parseAddress } from './addresses.ts'

/** True for `mailto:` with one to a few addresses and nothing that could become another header field (RFC 5436). */
export const isMailto = (method: string): boolean => {
  const [, to = ''] = /^mailto:([^?#]*)(?:\?[^#]*)?$/i.exec(method) ?? []
  if (to === '' || /[\r\n]|%0[ad]/i.test(method) || method.length > 2_000) return false
  return to.split(',').every((address) => parseAddress(decoded(address)) !== null)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
