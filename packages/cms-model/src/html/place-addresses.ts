import { escapeAttribute } from './escape.ts'

const IMAGE = /<img ([^<>]*?data-media-id="([0-9a-f-]{36})"[^<>]*)>/g
const SOURCE = /(?:^|\s)src="([^"]*)"/

/**
 * Cleaned HTML whose pictures of the library have the address that their file has now: a replaced file has another one
 * than the text was saved with. A file without an address is left as it is.
 */
export const placeMediaUrls = (html: string, urlOf: (id: string) => string | null): string => {
  if (!html.includes('data-media-id')) return html
  return html.replace(IMAGE, (image, attributes: string, id: string) => {
    const url = urlOf(id)
    if (url === null) return image
    const stored = SOURCE.exec(attributes)?.[1] ?? ''
    const rest = attributes.replace(SOURCE, '').trim()
    return `<img src="${escapeAttribute(url)}${sizeOf(stored, id)}" ${rest}>`
  })
}

/** The picture may be shown smaller than it is: `?w=640`. */
const sizeOf = (stored: string, id: string): string => {
  const at = stored.indexOf('?')
  return at !== -1 && stored.slice(0, at).includes(`/media/${id}/`) ? stored.slice(at) : ''
}
