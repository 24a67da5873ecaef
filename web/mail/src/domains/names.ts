/** Names are stored in ASCII: what is typed in another script is searched for as that. Half a word may not be found. */
export const toAsciiSearch = (typed: string): string => asciiName(typed) ?? typed

/** The DNS spelling of a name in another script; null when it is ASCII already, or no name. */
export const asciiName = (typed: string): string | null => {
  const text = typed.trim().replace(/\.$/, '')
  if (/^\p{ASCII}*$/u.test(text) || /[\s/?#@:\\]/.test(text)) return null
  const url = URL.parse(`https://${text}`)
  return url === null || url.hostname === '' ? null : url.hostname
}

/** What people paste when they mean the domain: an address, a web page, the name with capitals or a dot at its end. */
export const tidyName = (typed: string): string =>
  typed
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/^.*@/, '')
    .replace(/\.$/, '')
    .toLowerCase()
