import { parseHtml } from '@stoa/html/parse.ts'
import type { HtmlNode } from '@stoa/html/tree.ts'
import { escapeText, tagText } from './escape.ts'
import { isTextInPlace, staysInPlace } from './nesting.ts'
import { ALLOWED, DROPPED, MAX_ELEMENTS, MAX_HTML_LENGTH, TABLE_PARENTS, VOID } from './policy.ts'

/** Styles and addresses of our own make the output longer than the input, but never without end. */
const MAX_OUTPUT_LENGTH = MAX_HTML_LENGTH * 4
/** Unwrapped elements may leave what a parser nests differently; it comes to rest after one or two readings. */
const MAX_READINGS = 4
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml'

export type WriteRules = {
  /** The start tag of an element that is on the list. */
  tagOf(node: HtmlNode): string
  /** Called with the text of each stylesheet, which is not written itself. */
  onStyle?(css: string): void
}

export type Written = { html: string; isTruncated: boolean }

/** Writes what is on the list, so that any parser reads what was written. */
export const writeClean = (root: HtmlNode, rules: WriteRules): Written => {
  const writing = write(root, rules)
  const html = writing.output.join('')
  return { html: writing.isInPlace ? html : settle(html), isTruncated: writing.length > MAX_OUTPUT_LENGTH }
}

type Writing = {
  readonly rules: WriteRules
  readonly output: string[]
  /** Elements that are being written, the outermost first. */
  readonly open: string[]
  length: number
  /** Every tag was written where a parser leaves it. */
  isInPlace: boolean
}

const write = (root: HtmlNode, rules: WriteRules): Writing => {
  const writing: Writing = { rules, output: [], open: [], length: 0, isInPlace: true }
  writeChildren(writing, root)
  return writing
}

const put = (writing: Writing, text: string): void => {
  writing.output.push(text)
  writing.length += text.length
}

/** The parser bounds the depth, so that this may call itself. */
const writeChildren = (writing: Writing, node: HtmlNode): void => {
  for (let child = node.first; child; child = child.next) {
    if (writing.length > MAX_OUTPUT_LENGTH) return
    if (child.kind === 'element') writeElement(writing, child)
    else if (child.kind === 'text') {
      writing.isInPlace &&= isTextInPlace(child.text, writing.open)
      put(writing, escapeText(child.text))
    }
  }
}

const writeElement = (writing: Writing, node: HtmlNode): void => {
  const { name } = node
  const { rules, open } = writing
  if (name === 'style' && node.first?.kind === 'text') rules.onStyle?.(node.first.text)
  if (DROPPED.has(name) || node.namespace !== HTML_NAMESPACE) return
  const place = TABLE_PARENTS.get(name)
  if (!ALLOWED.has(name) || (place && !place.includes(open.at(-1) ?? ''))) {
    writeChildren(writing, node)
    return
  }
  writing.isInPlace &&= staysInPlace(name, open)
  put(writing, rules.tagOf(node))
  if (VOID.has(name)) return
  // A parser takes the first line break after <pre> away.
  if (name === 'pre' && node.first?.kind === 'text' && node.first.text.startsWith('\n')) put(writing, '\n')
  open.push(name)
  writeChildren(writing, node)
  open.pop()
  put(writing, `</${name}>`)
}

/** Reads and writes until nothing changes. Only tags that we wrote are in it, so their attributes stay. */
const settle = (html: string): string => {
  let settled = html
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const before = settled
    settled = rewrite(before)
    if (settled === before) break
  }
  return settled
}

/** Parses and writes HTML once, without changes. */
export const rewrite = (html: string): string =>
  write(parseHtml(html, { maxElements: MAX_ELEMENTS }), { tagOf: asWritten }).output.join('')

const asWritten = ({ name, attributes }: HtmlNode): string =>
  tagText(
    name,
    attributes.map((attribute) => [attribute.name, attribute.value]),
  )
