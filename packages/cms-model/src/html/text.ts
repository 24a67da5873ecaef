import { markTags } from './policy.ts'

/** The words of cleaned HTML, for searching and counting. What is not cleaned gives some text, never an error. */
export const textOfHtml = (html: string): string => {
  let text = ''
  let at = 0
  while (at < html.length) {
    const start = html.indexOf('<', at)
    const end = start === -1 ? -1 : html.indexOf('>', start)
    if (end === -1) break
    text += html.slice(at, start)
    const name = /^\/?([a-z0-9]{1,12})/.exec(html.slice(start + 1, start + 14))?.[1] ?? ''
    if (!markTags.has(name)) text += ' '
    at = end + 1
  }
  return decode(text + html.slice(at))
    .replace(/\s+/g, ' ')
    .trim()
}

/** True when cleaned HTML shows something besides text: a picture, a player, a rule. */
export const showsMedia = (html: string): boolean => /<(?:img|iframe|video|audio|hr)\b/.test(html)

/** Ids of the library's pictures, videos and sounds in cleaned HTML. */
export const mediaIdsOf = (html: string): string[] =>
  !html.includes('data-media-id="')
    ? []
    : [...html.matchAll(/<(?:img|video|audio) [^<>]*?data-media-id="([0-9a-f-]{36})"/g)].map((match) => match[1] ?? '')

/** Ids of the entries that cleaned HTML links to. */
export const entryIdsOf = (html: string): string[] =>
  !html.includes('data-entry-id="')
    ? []
    : [...html.matchAll(/<a [^<>]*?data-entry-id="([0-9a-f-]{36})"/g)].map((match) => match[1] ?? '')

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
}

const decode = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => entities[entity] ?? '')
