import { parseHtml } from '@stoa/html/parse.ts'
import { byteLength } from '../fields/sizes.ts'
import { escapeText } from './escape.ts'
import { inlineContent } from './inline-content.ts'
import { MAX_HTML_BYTES } from './policy.ts'
import { isMarked, type Leaf } from './runs.ts'

/**
 * The value of a field that a visual definition calls `formatted`: text, `i` and `br`, nothing else and no attributes.
 * Cleaning it again changes nothing. Null when it is longer than MAX_HTML_BYTES.
 */
export const cleanInline = (html: string): string | null => {
  if (byteLength(html) > MAX_HTML_BYTES) return null
  const leaves = inlineContent(parseHtml(html), null).filter((leaf) => leaf.kind !== 'picture')
  let cleaned = ''
  let isOpen = false
  for (const leaf of withoutOuterBreaks(leaves)) {
    const isItalic = isMarked(leaf.marks, 'em')
    if (isItalic !== isOpen) cleaned += isItalic ? '<i>' : '</i>'
    isOpen = isItalic
    cleaned += leaf.kind === 'text' ? escapeMarkup(leaf.text) : '<br>'
  }
  return isOpen ? `${cleaned}</i>` : cleaned
}

const withoutOuterBreaks = (leaves: readonly Leaf[]): readonly Leaf[] => {
  const start = leaves.findIndex((leaf) => leaf.kind !== 'break')
  const end = leaves.findLastIndex((leaf) => leaf.kind !== 'break')
  return start === -1 ? [] : leaves.slice(start, end + 1)
}

/** The editor shows a no-break space as a character, so that it is one here as well. */
const escapeMarkup = (text: string): string => escapeText(text).replaceAll('&nbsp;', '\u00a0')
