/** A cookie to set; always HttpOnly, SameSite=Lax and without a Domain, so that it stays on this host. */
export type CookieOptions = {
  name: string
  value: string
  /** 0 removes it. */
  maxAgeSeconds: number
  secure: boolean
}

/** More pairs than any browser keeps for one site. */
const MAX_COOKIES = 200

/** RFC 6265 §5.4 reading side. The first pair of a name wins, so that a later, injected one cannot replace it. */
export const parseCookies = (header: string | undefined): ReadonlyMap<string, string> => {
  const cookies = new Map<string, string>()
  if (!header) return cookies
  for (const pair of header.split(';', MAX_COOKIES)) {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, equals)).trim()
    if (name !== '' && !cookies.has(name)) cookies.set(name, unquote(pair.slice(equals + 1).trim()))
  }
  return cookies
}

export const serializeCookie = ({ name, value, maxAgeSeconds, secure }: CookieOptions): string => {
  if (!/^[\w.-]+$/.test(name) || !/^[\w.~+/=-]*$/.test(value)) throw new TypeError(`Cookie ${name} is not plain text`)
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

const unquote = (value: string): string =>
  value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
