import { escapeText, tagText } from './escape.ts'
import { hardenedLink } from './sanitize.ts'
import { linkUrl } from './urls.ts'

/** Addresses of the web and of people, as they stand in text. What ends a sentence is not part of them. */
const LINK =
  /\b(?:https?:\/\/[^\s<>"'`]{1,2000}|www\.[^\s<>"'`]{1,2000}|[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?\.[A-Za-z]{2,24})/gu
const ENDING: ReadonlySet<string> = new Set('.,;:!?*_~')

/** Links of a longer text are not looked for behind this: nobody reads so far, and somebody may try. */
const MAX_LINKED = 262_144

/** Plain text as HTML: lines stay as they are, and addresses are links. */
export const textToHtml = (text: string): string => {
  const pieces: string[] = []
  let at = 0
  for (const match of text.slice(0, MAX_LINKED).matchAll(LINK)) {
    const shown = withoutEnding(match[0])
    const href = linkUrl(addressOf(shown))
    if (href === null) continue
    pieces.push(escapeText(text.slice(at, match.index)), tagText('a', hardenedLink(href)), escapeText(shown), '</a>')
    at = match.index + shown.length
  }
  pieces.push(escapeText(text.slice(at)))
  return `${tagText('div', [['style', 'white-space: pre-wrap; overflow-wrap: anywhere']])}${pieces.join('')}</div>`
}

const addressOf = (shown: string): string => {
  if (/^https?:/i.test(shown)) return shown
  return shown.startsWith('www.') || !shown.includes('@') ? `https://${shown}` : `mailto:${shown}`
}

/** A bracket at the end belongs to the address only if one was opened there. */
const withoutEnding = (link: string): string => {
  const isOpened = link.includes('(')
  let end = link.length
  while (end > 0 && (ENDING.has(link.charAt(end - 1)) || (!isOpened && link.charAt(end - 1) === ')'))) end -= 1
  return link.slice(0, end)
}
