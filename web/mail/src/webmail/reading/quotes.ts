/** The index at which the quote at the end of a plain text begins, with its introductory line; null without a quote. */
export const quoteStart = (text: string): number | null => {
  const lines = text.split('\n')
  let first = lines.length
  let quoted = 0
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? ''
    if (line.startsWith('>')) {
      first = index
      quoted += 1
    } else if (line.trim() !== '') break
  }
  if (quoted < MIN_LINES) return null
  const start = attributionBefore(lines, first)
  const before = lines.slice(0, start).join('\n')
  return before.trim() === '' ? null : before.length + 1
}

/** A shorter one takes no more room than the line that stands for it. */
const MIN_LINES = 2
/** "On Monday, somebody with a long name" may go on to a second line before "wrote:". */
const MAX_ATTRIBUTION_LINES = 2
const MAX_ATTRIBUTION = 200

const attributionBefore = (lines: readonly string[], first: number): number => {
  let last = first - 1
  while (last >= 0 && lines[last]?.trim() === '') last -= 1
  if (last < 0 || !lines[last]?.trim().endsWith(':')) return first
  let start = last
  while (start > 0 && last - start + 1 < MAX_ATTRIBUTION_LINES && lines[start - 1]?.trim() !== '') start -= 1
  const words = lines.slice(start, last + 1).join(' ')
  return words.length <= MAX_ATTRIBUTION ? start : last
}

// Markup that mail programs put around quotes; the service prefixes class names with `m_`
const QUOTES = '.m_gmail_quote, .m_yahoo_quoted, .m_protonmail_quote, .m_moz-signature ~ blockquote, blockquote'
const MARK = 'data-stoa-quote'

/** Folds the quote that a message ends with: in a conversation it stands above. Done from outside, by the browser's own means. */
export const foldQuote = (page: Document, isText: boolean): void => {
  if (page.querySelector(`[${MARK}]`)) return
  const content = isText ? takeTextQuote(page) : takeQuote(page)
  if (!content) return
  const details = page.createElement('details')
  details.setAttribute(MARK, '')
  const summary = page.createElement('summary')
  summary.textContent = 'Quoted text'
  content.before(details)
  details.append(summary, content)
}

/** The looks of what `foldQuote` makes. */
export const QUOTE_STYLE =
  `details[${MARK}]>summary{width:fit-content;margin:8px 0;padding:1px 8px;border-radius:6px;font-size:12px;cursor:default;` +
  'background:color-mix(in srgb,currentcolor 8%,transparent)}'

const takeQuote = (page: Document): Element | null => {
  const quotes = [...page.body.querySelectorAll(QUOTES)]
  const outer = quotes.filter((quote) => !quotes.some((other) => other !== quote && other.contains(quote)))
  const last = outer.at(-1)
  if (!last || hasContent(page, last, 'after')) return null
  return hasContent(page, last, 'before') ? last : null
}

/** Words or pictures between the start of the page and the quote, or between the quote and its end. */
const hasContent = (page: Document, quote: Element, side: 'before' | 'after'): boolean => {
  const range = page.createRange()
  range.selectNodeContents(page.body)
  if (side === 'after') range.setStartAfter(quote)
  else range.setEndBefore(quote)
  const content = range.cloneContents()
  return (content.textContent ?? '').trim() !== '' || content.querySelector('img') !== null
}

/** Plain text is one element with text and links in it: its end becomes an element of its own. */
const takeTextQuote = (page: Document): Element | null => {
  const holder = page.body.firstElementChild
  const start = holder && page.body.children.length === 1 ? quoteStart(holder.textContent ?? '') : null
  if (!holder || start === null) return null
  const at = placeOf(page, holder, start)
  if (!at) return null
  const range = page.createRange()
  range.setStart(at.node, at.offset)
  range.setEndAfter(holder.lastChild ?? holder)
  const box = page.createElement('div')
  box.append(range.extractContents())
  holder.append(box)
  return box
}

const placeOf = (page: Document, holder: Element, index: number): { node: Node; offset: number } | null => {
  const walker = page.createTreeWalker(holder, NodeFilter.SHOW_TEXT)
  let passed = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0
    if (passed + length > index) return { node, offset: index - passed }
    passed += length
  }
  return null
}
