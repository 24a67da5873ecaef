import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { DOMSerializer, type Node } from '@tiptap/pm/model'
import { elementsIn, isTag } from './nodes/element.ts'
import { isPending } from './pending-images.ts'

/**
 * The document as the service will store it: the policy has gone over it, lists and cells hold plain lines where they
 * can, and what is only there for writing (an empty last paragraph, pictures that are still uploaded) is left out.
 * Null when it does not fit into a megabyte.
 */
export const toStoredHtml = (doc: Node, page: Document, embedHosts: readonly string[] = []): string | null => {
  const root = page.createElement('div')
  DOMSerializer.fromSchema(doc.type.schema).serializeFragment(doc.content, { document: page }, root)
  dropPending(root)
  for (const item of all(root, 'li')) tightenItem(item)
  for (const box of all(root, 'td', 'th', 'figcaption')) tightenBox(box)
  for (const figure of all(root, 'figure')) tightenFigure(figure)
  for (const table of all(root, 'table')) addHead(table, page)
  for (const pre of all(root, 'pre')) keepFirstBreak(pre, page)
  dropLastEmpty(root)
  return cleanHtml(root.innerHTML, embedHosts)
}

/** Hosts of the players in stored HTML: the site's own settings allow them, even if we do not know why. */
export const embedHostsOf = (html: string): string[] =>
  [...html.matchAll(/<iframe src="https:\/\/([a-z0-9.-]{1,253})[/"?]/g)].map((match) => match[1] ?? '')

const all = (root: Element, ...tags: string[]): Element[] => Array.from(root.querySelectorAll(tags.join(', ')))

const isPlainParagraph = (element: Element | undefined): element is Element =>
  isTag(element, 'p') && element.attributes.length === 0

const unwrap = (element: Element): void => {
  while (element.firstChild) element.parentNode?.insertBefore(element.firstChild, element)
  element.remove()
}

const isEmpty = (element: Element): boolean => element.childNodes.length === 0

/** `<li>text<ul>…</ul></li>` rather than a paragraph in each item. */
const tightenItem = (item: Element): void => {
  const [first, ...rest] = elementsIn(item)
  if (!isPlainParagraph(first) || !rest.every((child) => isTag(child, 'ul', 'ol'))) return
  if (!isEmpty(first) || rest.length === 0) unwrap(first)
}

const tightenBox = (box: Element): void => {
  const [only, ...rest] = elementsIn(box)
  if (isPlainParagraph(only) && rest.length === 0) unwrap(only)
}

const tightenFigure = (figure: Element): void => {
  const [first, ...rest] = elementsIn(figure)
  if (isPlainParagraph(first) && !isEmpty(first) && rest.every((child) => isTag(child, 'figcaption'))) unwrap(first)
}

/** Leading rows of headings are the head. */
const addHead = (table: Element, page: Document): void => {
  const body = elementsIn(table).find((child) => isTag(child, 'tbody'))
  const rows = body ? elementsIn(body) : []
  const isHead = (row: Element): boolean => elementsIn(row).every((cell) => isTag(cell, 'th'))
  const count = rows.findIndex((row) => !isHead(row))
  const leading = rows.slice(0, count === -1 ? rows.length : count)
  if (!body || leading.length === 0) return
  const head = page.createElement('thead')
  for (const row of leading) head.appendChild(row)
  table.insertBefore(head, body)
  if (leading.length === rows.length) body.remove()
}

/** A parser takes the first line break after `<pre>` away. */
const keepFirstBreak = (pre: Element, page: Document): void => {
  const first = pre.firstChild
  if (first?.nodeType === 3 && first.nodeValue?.startsWith('\n')) pre.insertBefore(page.createTextNode('\n'), first)
}

const dropPending = (root: Element): void => {
  for (const image of all(root, 'img')) {
    if (!isPending(image.getAttribute('src') ?? '')) continue
    const figure = image.closest('figure')
    if (figure) figure.remove()
    else image.remove()
  }
}

const dropLastEmpty = (root: Element): void => {
  for (let last = elementsIn(root).at(-1); isPlainParagraph(last) && isEmpty(last); last = elementsIn(root).at(-1))
    last.remove()
}
