import { escapeText, plainText } from './escape.ts'
import { blockTags, headingTags, markTags, renames } from './policy.ts'

/** Plain text as HTML: blank lines part paragraphs, other line breaks stay. */
export const paragraphsOf = (text: string): string =>
  plainText(text)
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeText(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('')

/**
 * True for a text that somebody wrote as HTML: it has tags, all of them are ones that rich text knows, and each ends inside
 * the one that it began in. "a < b" and "use <p> here" are plain text, of which no character may be lost.
 */
export const isMarkup = (text: string): boolean => {
  const open: string[] = []
  let isTagged = false
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', TAG.lastIndex)) {
    TAG.lastIndex = at
    const [, slash, name] = TAG.exec(text) ?? []
    const tag = name?.toLowerCase()
    if (tag === undefined || !KNOWN.has(tag)) return false
    isTagged = true
    if (slash === '/') {
      if (open.pop() !== tag) return false
    } else if (!VOID.has(tag)) open.push(tag)
  }
  return isTagged && open.length === 0
}

/** Sticky: each match begins where the last `<` was found. */
const TAG = /<(\/?)([a-z][a-z0-9]*)(?:\s+[a-z-]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+))?)*\s*\/?>/iy

const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img'])
const KNOWN: ReadonlySet<string> = new Set([
  ...VOID,
  ...blockTags,
  ...headingTags,
  ...markTags,
  ...renames.keys(),
  ...['span', 'iframe'],
])
