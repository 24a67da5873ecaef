/**
 * Addresses of files of the library, `/media/<id>/<beginning of the hash>/<filename>`. The host does not matter: ids are
 * random, so that an id can only be copied from this library, perhaps through a CDN or under a former domain.
 */
const ADDRESS =
  /\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[0-9a-f]{8}\/[^\s"'<>?#\\/]+(?:\?[\w=&;.-]*)?/gi

/** Ids of the files whose address stands anywhere in a text, each once: plain, HTML, Markdown or JSON. */
export const mediaIdsIn = (text: string): string[] => {
  const ids = new Set<string>()
  for (const match of unescapeAddresses(text).matchAll(ADDRESS)) if (match[1]) ids.add(match[1].toLowerCase())
  return [...ids]
}

/** The file that one address leads to, with the address as it is on the service itself; null for any other address. */
export const mediaAddress = (address: string): { id: string; path: string } | null => {
  const text = address.trim().replaceAll(' ', '%20')
  const [match] = text.matchAll(ADDRESS)
  if (!match?.[1]) return null
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
  const isWhole = /^(?:(?:https?:)?\/\/[^/?#\\]+)?$/i.test(before) && (after === '' || after.startsWith('#'))
  return isWhole ? { id: match[1].toLowerCase(), path: match[0] } : null
}

/** An address may be written with references to characters (HTML), backslashes (Markdown) or percent signs (URLs). */
const unescapeAddresses = (text: string): string => {
  if (!/[&%\\]/.test(text)) return text
  return text
    .replace(/&(?:#(\d{2,3})|#x([0-9a-f]{2})|(sol|hyphen|dash));/gi, (_whole, decimal, hex, name) =>
      name ? (name.toLowerCase() === 'sol' ? '/' : '-') : ascii(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/%([2-7][0-9a-f])/gi, (_whole, hex) => ascii(Number.parseInt(hex, 16)))
}

const ascii = (code: number): string => (code > 0x20 && code < 0x7f ? String.fromCharCode(code) : ' ')
