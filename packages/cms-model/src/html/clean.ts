import { parseHtml } from '@stoa/html/parse.ts'
import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import { byteLength } from '../fields/sizes.ts'
import { embedTag, languageAttributes, playerTag, startTag } from './attributes.ts'
import { isHtmlSpace } from './escape.ts'
import {
  addBlock,
  addEmptyParagraph,
  type Cleaning,
  endLine,
  type Flow,
  htmlOf,
  newFlow,
  type Wrapper,
} from './flow.ts'
import { inlineContent, keptName, leafOf, markedBy } from './inline-content.ts'
import { blockTags, EMBED_HOSTS, headingTags, MAX_HTML_BYTES, MAX_HTML_DEPTH, playerTags } from './policy.ts'
import { isBlank, type Mark, trimRun, writeRun } from './runs.ts'

/**
 * Rich text as it is stored: only what the policy allows, in a form that every parser reads back as the same tree, so
 * that cleaning it again changes nothing. Null when it is longer than MAX_HTML_BYTES, before or after.
 */
export const cleanHtml = (html: string, embedHosts: readonly string[] = []): string | null => {
  if (byteLength(html) > MAX_HTML_BYTES) return null
  const cleaning: Cleaning = { embedHosts: [...EMBED_HOSTS, ...embedHosts], written: 0 }
  const root = newFlow('root', 0)
  addContent(cleaning, parseHtml(html), root, null, plainParagraph)
  endLine(cleaning, root, plainParagraph)
  if (isFull(cleaning)) return null
  const cleaned = htmlOf(root)
  return byteLength(cleaned) > MAX_HTML_BYTES ? null : cleaned
}

const plainParagraph: Wrapper = { tag: 'p', open: '<p>' }

/** Below this, a paragraph with every kind of formatting still fits. */
const MAX_CONTAINER_DEPTH = MAX_HTML_DEPTH - 16

const isFull = (cleaning: Cleaning): boolean => cleaning.written > MAX_HTML_BYTES

const addContent = (
  cleaning: Cleaning,
  node: HtmlNode,
  flow: Flow,
  marks: Mark | null,
  wrapper: Wrapper | null,
): void => {
  for (const child of childrenOf(node)) {
    if (isFull(cleaning)) return
    addNode(cleaning, child, flow, marks, wrapper)
  }
}

const addNode = (cleaning: Cleaning, node: HtmlNode, flow: Flow, marks: Mark | null, wrapper: Wrapper | null): void => {
  const leaf = leafOf(node, marks)
  if (leaf) flow.line.push(leaf)
  const tag = node.kind === 'element' ? keptName(node) : null
  if (tag === null) return
  if (!blockTags.has(tag) && !playerTags.has(tag)) {
    addContent(cleaning, node, flow, markedBy(node, tag, marks), wrapper)
    return
  }
  endLine(cleaning, flow, wrapper)
  const builder = builders[tag]
  if (builder && flow.depth + builder.levels <= MAX_CONTAINER_DEPTH && (builder.fits?.(node, flow) ?? true)) {
    addBlock(flow, builder.build(cleaning, node, flow, marks))
    return
  }
  const inner = wrapperInside(tag, node, wrapper)
  const before = flow.blocks.length
  addContent(cleaning, node, flow, marks, inner)
  endLine(cleaning, flow, inner)
  if (tag === 'p' && flow.blocks.length === before) addEmptyParagraph(flow)
}

/** Lines inside a heading stay headings; the language of what is unwrapped stays with its paragraphs. */
const wrapperInside = (tag: string, node: HtmlNode, wrapper: Wrapper | null): Wrapper => {
  if (headingTags.has(tag)) return { tag, open: startTag(tag, node) }
  if (wrapper && headingTags.has(wrapper.tag)) return wrapper
  const language = languageAttributes(node)
  return language === '' ? (wrapper ?? plainParagraph) : { tag: 'p', open: `<p${language}>` }
}

type Builder = {
  /** Elements it puts around its content. */
  readonly levels: number
  /** Whether the element is allowed at this position; otherwise it is unwrapped. */
  readonly fits?: (node: HtmlNode, flow: Flow) => boolean
  /** Empty when nothing of it is left. */
  readonly build: (cleaning: Cleaning, node: HtmlNode, flow: Flow, marks: Mark | null) => string
}

const buildContainer: Builder['build'] = (cleaning, node, flow, marks) => {
  const inner = newFlow(node.name, flow.depth + 1)
  addContent(cleaning, node, inner, marks, null)
  endLine(cleaning, inner, null)
  const content = inner.summary + htmlOf(inner)
  return content === '' ? '' : `${startTag(node.name, node)}${content}</${node.name}>`
}

type Item = { readonly open: string; readonly flow: Flow; readonly isLoose: boolean }

/** A list has items only: what else is in it joins the item before, or becomes one. */
const buildList: Builder['build'] = (cleaning, node, flow, marks) => {
  const items: Item[] = []
  const newItem = (open: string, isLoose: boolean): Flow => {
    const item = { open, flow: newFlow('li', flow.depth + 2), isLoose }
    items.push(item)
    return item.flow
  }
  for (const child of childrenOf(node)) {
    if (isFull(cleaning)) return ''
    if (child.name === 'li') addContent(cleaning, child, newItem(startTag('li', child), false), marks, null)
    else if (child.kind === 'element' || (child.kind === 'text' && !isHtmlSpace(child.text))) {
      const last = items.at(-1)
      const isNested = child.name === 'ul' || child.name === 'ol'
      const target = last && (isNested || last.isLoose) ? last.flow : newItem('<li>', true)
      addNode(cleaning, child, target, marks, null)
    }
  }
  let content = ''
  for (const item of items) {
    endLine(cleaning, item.flow, null)
    const html = htmlOf(item.flow)
    if (html !== '' || !item.isLoose) content += `${item.open}${html}</li>`
  }
  return content === '' ? '' : `${startTag(node.name, node)}${content}</${node.name}>`
}

const buildTable: Builder['build'] = (cleaning, node, flow, marks) => {
  let captions = ''
  let groups = ''
  for (const child of childrenOf(node)) {
    if (child.name === 'caption') captions += buildLine(cleaning, 'caption', child, marks)
    else if (isRowGroup(child)) groups += buildRows(cleaning, child, flow, marks)
  }
  return `${startTag('table', node)}${captions}${groups}</table>`
}

const buildRows = (cleaning: Cleaning, group: HtmlNode, flow: Flow, marks: Mark | null): string => {
  let rows = ''
  for (const row of childrenOf(group)) {
    let cells = ''
    for (const cell of childrenOf(row)) {
      if (isFull(cleaning)) return ''
      if (!isCell(cell)) continue
      const inner = newFlow('cell', flow.depth + 4)
      addContent(cleaning, cell, inner, marks, null)
      endLine(cleaning, inner, null)
      cells += `${startTag(cell.name, cell)}${htmlOf(inner)}</${cell.name}>`
    }
    if (cells !== '') rows += `${startTag('tr', row)}${cells}</tr>`
  }
  const tag = group.name === 'thead' ? 'thead' : 'tbody'
  return rows === '' ? '' : `${startTag(tag, group)}${rows}</${tag}>`
}

const isRowGroup = (node: HtmlNode): boolean => node.name === 'thead' || node.name === 'tbody' || node.name === 'tfoot'

const isCell = (node: HtmlNode): boolean => node.name === 'td' || node.name === 'th'

const hasCells = (table: HtmlNode): boolean => {
  for (const group of childrenOf(table))
    if (isRowGroup(group))
      for (const row of childrenOf(group)) for (const cell of childrenOf(row)) if (isCell(cell)) return true
  return false
}

/** An element that holds one line only. */
const buildLine = (cleaning: Cleaning, tag: string, node: HtmlNode, marks: Mark | null): string => {
  const line = trimRun(inlineContent(node, marks))
  if (isBlank(line)) return ''
  const html = writeRun(line)
  cleaning.written += html.length
  return `${startTag(tag, node)}${html}</${tag}>`
}

const buildPreformatted: Builder['build'] = (cleaning, node, _flow, marks) => {
  const leaves = inlineContent(node, marks)
  if (isBlank(leaves)) return ''
  const html = writeRun(leaves)
  cleaning.written += html.length
  // A parser takes the first line break after <pre> away.
  return `${startTag('pre', node)}${html.startsWith('\n') ? '\n' : ''}${html}</pre>`
}

const builders: Readonly<Record<string, Builder>> = {
  ul: { levels: 2, build: buildList },
  ol: { levels: 2, build: buildList },
  table: { levels: 4, fits: hasCells, build: buildTable },
  blockquote: { levels: 1, build: buildContainer },
  figure: { levels: 1, build: buildContainer },
  figcaption: { levels: 1, fits: (_node, flow) => flow.kind === 'figure', build: buildContainer },
  details: { levels: 1, build: buildContainer },
  summary: {
    levels: 0,
    fits: (_node, flow) => flow.kind === 'details' && flow.summary === '',
    build: (cleaning, node, flow, marks) => {
      flow.summary = buildLine(cleaning, 'summary', node, marks)
      return ''
    },
  },
  pre: { levels: 0, build: buildPreformatted },
  hr: { levels: 0, build: () => '<hr>' },
  iframe: { levels: 0, build: (cleaning, node) => embedTag(node, cleaning.embedHosts) ?? '' },
  video: { levels: 0, build: (_cleaning, node) => playerTag(node) ?? '' },
  audio: { levels: 0, build: (_cleaning, node) => playerTag(node) ?? '' },
}
