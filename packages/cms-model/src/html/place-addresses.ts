import { escapeAttribute } from './escape.ts'

const MEDIA = /<(img|video|audio) ([^<>]*?data-media-id="([0-9a-f-]{36})"[^<>]*)>/g
/** Links are never inside of each other, so that the next end tag is theirs. */
const ENTRY_LINK = /<a ([^<>]*?data-entry-id="([0-9a-f-]{36})"[^<>]*)>([\s\S]*?)<\/a>/g
const SOURCE = /(?:^|\s)src="([^"]*)"/
const HREF = /(?:^|\s)href="[^"]*"/

export type Addresses = {
  /** Where a file of the library is now; null when it is gone. */
  media(id: string): string | null
  /** Where an entry is shown now, null for nowhere; undefined when it cannot be reached. */
  entry(id: string): string | null | undefined
}

/**
 * Cleaned HTML with the addresses that files and entries have now: a replaced file and a renamed entry have others than
 * the text was saved with. A file that is gone is left as it is; a link to an entry that cannot be reached is unwrapped.
 */
export const placeAddresses = (html: string, { media, entry }: Addresses): string => {
  const placed = html.includes('data-media-id') ? placeMedia(html, media) : html
  return placed.includes('data-entry-id') ? placeLinks(placed, entry) : placed
}

const placeMedia = (html: string, urlOf: Addresses['media']): string =>
  html.replace(MEDIA, (whole, tag: string, attributes: string, id: string) => {
    const url = urlOf(id)
    if (url === null) return whole
    const stored = SOURCE.exec(attributes)?.[1] ?? ''
    const rest = attributes.replace(SOURCE, '').trim()
    return `<${tag} src="${escapeAttribute(url)}${sizeOf(stored, id)}" ${rest}>`
  })

/** The picture may be shown smaller than it is: `?w=640`. */
const sizeOf = (stored: string, id: string): string => {
  const at = stored.indexOf('?')
  return at !== -1 && stored.slice(0, at).includes(`/media/${id}/`) ? stored.slice(at) : ''
}

const placeLinks = (html: string, urlOf: Addresses['entry']): string =>
  html.replace(ENTRY_LINK, (whole, attributes: string, id: string, content: string) => {
    const url = urlOf(id)
    // What has no address of its own keeps the one that the text was saved with.
    if (url === undefined || (url === null && !HREF.test(attributes))) return content
    if (url === null) return whole
    return `<a href="${escapeAttribute(url)}" ${attributes.replace(HREF, '').trim()}>${content}</a>`
  })
