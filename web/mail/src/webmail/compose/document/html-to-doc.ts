import { parseHtml } from '@stoa/html/parse.ts'
import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import { COLOURS, type DocMark, type DocNode, docOf, isColour, paragraph, textNode } from './document.ts'
import { safeHref } from './links.ts'

export type ReadHtmlOptions = {
  /** The id under which a picture of the HTML is part of the message; null leaves it out. */
  picture?: (src: string) => string | null
}

/** A longer one is quoted up to here: nobody answers to the rest. */
const MAX_LENGTH = 500_000
const MAX_ELEMENTS = 20_000
/** Deeper quotations and lists are flattened; each level costs the editor. */
const MAX_DEPTH = 20

/**
 * HTML of a message, a signature or the clipboard as a text of the editor. Its own parser and a short list of what stays:
 * nothing of it ever reaches the page as HTML, so no style, script, form or remote picture can.
 */
export const htmlToDoc = (html: string, options: ReadHtmlOptions = {}): DocNode => docOf(htmlToBlocks(html, options))

export const htmlToBlocks = (html: string, { picture = () => null }: ReadHtmlOptions = {}): DocNode[] => {
  const root = parseHtml(html.slice(0, MAX_LENGTH), { maxElements: MAX_ELEMENTS })
  return trimmed(blocksIn(root, { picture, marks: [], depth: 0, isSpaced: false, isPre: false }))
}

type Reading = {
  picture: (src: string) => string | null
  marks: readonly DocMark[]
  depth: number
  /** In a `p`, which has space around it. */
  isSpaced: boolean
  /** White space is as it stands. */
  isPre: boolean
}

const DROPPED = new Set(
  'script style template noscript object embed applet svg math title head iframe frame frameset noframes noembed xmp input select option textarea button audio video canvas map area base link meta param dialog datalist'.split(
    ' ',
  ),
)
const BLOCKS = new Set(
  'address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul caption'.split(
    ' ',
  ),
)

/** Blocks of what is inside an element; loose text becomes paragraphs. */
const blocksIn = (parent: HtmlNode, reading: Reading): DocNode[] => {
  const blocks: DocNode[] = []
  let line: DocNode[] = []
  const endLine = (isForced = false) => {
    const content = tidyLine(line, reading.isPre)
    if (content.length > 0 || isForced) blocks.push(paragraph(content, reading.isSpaced))
    line = []
  }
  for (const node of childrenOf(parent)) {
    if (isDropped(node)) continue
    if (holdsBlocks(node)) {
      endLine()
      blocks.push(...blocksOf(node, reading))
    } else line.push(...inlineOf(node, reading))
  }
  // `<div><br></div>` is an empty line
  endLine(blocks.length === 0 && line.some(({ type }) => type === 'hardBreak'))
  return blocks
}

const isDropped = (node: HtmlNode): boolean =>
  node.kind === 'other' ||
  (node.kind === 'element' && (DROPPED.has(node.name) || /display\s*:\s*none/i.test(attribute(node, 'style') ?? '')))

/** A block, or an inline element that somebody put blocks into. */
const holdsBlocks = (node: HtmlNode, depth = 0): boolean => {
  if (node.kind !== 'element') return false
  if (BLOCKS.has(node.name)) return true
  if (depth > MAX_DEPTH) return false
  for (const child of childrenOf(node)) if (!isDropped(child) && holdsBlocks(child, depth + 1)) return true
  return false
}

const blocksOf = (node: HtmlNode, reading: Reading): DocNode[] => {
  const inner = { ...reading, marks: marksWith(node, reading.marks), depth: reading.depth + 1, isSpaced: false }
  const make = reading.depth > MAX_DEPTH ? undefined : MAKERS.get(node.name)
  if (make) return make(node, inner)
  const blocks = blocksIn(node, { ...inner, isSpaced: node.name === 'p' })
  return isSignature(node) && blocks.length > 0 ? [{ type: 'signature', content: blocks }] : blocks
}

type Maker = (node: HtmlNode, reading: Reading) => DocNode[]

const wrap =
  (type: string): Maker =>
  (node, reading) => {
    const content = trimmed(blocksIn(node, reading))
    return content.length > 0 ? [{ type, content }] : []
  }

const heading: Maker = (node, reading) => {
  const level = Math.min(3, Number(node.name.slice(1)))
  const isBold = ({ type }: DocMark) => type === 'bold'
  return blocksIn(node, { ...reading, marks: reading.marks.filter((mark) => !isBold(mark)) }).map((block) =>
    block.type === 'paragraph' && block.content ? { ...block, type: 'heading', attrs: { level } } : block,
  )
}

const list: Maker = (node, reading) => {
  const items: DocNode[] = []
  for (const child of childrenOf(node)) {
    if (isDropped(child) || (child.kind === 'text' && child.text.trim() === '')) continue
    const isItem = child.kind === 'element' && child.name === 'li'
    const blocks = isItem
      ? blocksIn(child, { ...reading, marks: marksWith(child, reading.marks), isSpaced: false })
      : holdsBlocks(child)
        ? blocksOf(child, reading)
        : lineOf(child, reading)
    const content = blocks.flatMap((block) => (block.type === 'signature' ? (block.content ?? []) : [block]))
    if (content.length === 0 && !isItem) continue
    items.push({ type: 'listItem', content: content[0]?.type === 'paragraph' ? content : [paragraph(), ...content] })
  }
  if (items.length === 0) return []
  const start = Number(attribute(node, 'start') ?? 1)
  return node.name === 'ol'
    ? [{ type: 'orderedList', attrs: { start: Number.isInteger(start) ? start : 1 }, content: items }]
    : [{ type: 'bulletList', content: items }]
}

const lineOf = (node: HtmlNode, reading: Reading): DocNode[] => {
  const content = tidyLine(inlineOf(node, reading), reading.isPre)
  return content.length > 0 ? [paragraph(content)] : []
}

const pre: Maker = (node) => {
  const text = textIn(node).replace(/^\n/, '').replace(/\s+$/, '')
  return text === '' ? [] : [{ type: 'codeBlock', content: textNode(text) }]
}

const table: Maker = (node, reading) => {
  const rows = rowsIn(node).flatMap((row) => {
    const cells: DocNode[] = []
    for (const cell of childrenOf(row)) {
      if (cell.name !== 'td' && cell.name !== 'th') continue
      const blocks = trimmed(blocksIn(cell, { ...reading, marks: marksWith(cell, reading.marks) }))
      cells.push({
        type: 'tableCell',
        attrs: { header: cell.name === 'th', colspan: span(cell, 'colspan'), rowspan: span(cell, 'rowspan') },
        content: blocks.length > 0 ? blocks : [paragraph()],
      })
    }
    return cells.length > 0 ? [cells] : []
  })
  // Tables of one column lay out newsletters: their content is what counts
  if (rows.every((cells) => cells.length === 1))
    return rows.flatMap((cells) => cells.flatMap(({ content = [] }) => content))
  return [{ type: 'table', content: rows.map((cells) => ({ type: 'tableRow', content: cells })) }]
}

const rowsIn = (node: HtmlNode): HtmlNode[] => {
  const rows: HtmlNode[] = []
  for (const child of childrenOf(node)) {
    if (child.name === 'tr') rows.push(child)
    else if (['thead', 'tbody', 'tfoot'].includes(child.name)) rows.push(...rowsIn(child))
  }
  return rows
}

const span = (cell: HtmlNode, name: string): number => {
  const value = Number(attribute(cell, name) ?? 1)
  return Number.isInteger(value) && value > 0 && value < 100 ? value : 1
}

// Not an object: its inherited members are names of elements as well
const MAKERS: ReadonlyMap<string, Maker> = new Map([
  ['blockquote', wrap('blockquote')],
  ['ul', list],
  ['ol', list],
  ['menu', list],
  ['pre', pre],
  ['table', table],
  ['hr', (): DocNode[] => [{ type: 'horizontalRule' }]],
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading] as const),
])

const inlineOf = (node: HtmlNode, reading: Reading): DocNode[] => {
  if (node.kind === 'text')
    return textNode(reading.isPre ? node.text : node.text.replace(/[ \t\r\n\f]+/g, ' '), reading.marks)
  if (isDropped(node)) return []
  if (node.name === 'br') return [{ type: 'hardBreak' }]
  if (node.name === 'img') return pictureOf(node, reading)
  const inner = { ...reading, marks: marksWith(node, reading.marks) }
  return [...childrenOf(node)].flatMap((child) => inlineOf(child, inner))
}

const pictureOf = (node: HtmlNode, { picture }: Reading): DocNode[] => {
  const cid = picture(attribute(node, 'src') ?? '')
  if (cid === null) return []
  const width = Number(attribute(node, 'width'))
  return [
    {
      type: 'image',
      attrs: {
        cid,
        alt: attribute(node, 'alt') ?? '',
        width: Number.isInteger(width) && width > 0 && width < 5000 ? width : null,
      },
    },
  ]
}

const MARK_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    b: 'bold',
    strong: 'bold',
    i: 'italic',
    em: 'italic',
    cite: 'italic',
    dfn: 'italic',
    var: 'italic',
    u: 'underline',
    ins: 'underline',
    s: 'strike',
    strike: 'strike',
    del: 'strike',
    code: 'code',
    tt: 'code',
    kbd: 'code',
    samp: 'code',
  }),
)

/** Marks that word processors write as styles. */
const STYLED: readonly (readonly [RegExp, string])[] = [
  [/font-weight\s*:\s*(?:bold|[6-9]00)/i, 'bold'],
  [/font-style\s*:\s*italic/i, 'italic'],
  [/text-decoration[^;]*underline/i, 'underline'],
  [/text-decoration[^;]*line-through/i, 'strike'],
]

const marksWith = (node: HtmlNode, marks: readonly DocMark[]): readonly DocMark[] => {
  const style = attribute(node, 'style') ?? ''
  const added: DocMark[] = STYLED.flatMap(([pattern, type]) => (pattern.test(style) ? [{ type }] : []))
  const own = MARK_OF.get(node.name)
  // Google's clipboard is wrapped in a <b> that is not bold
  const isUndone = own === 'bold' && /font-weight\s*:\s*(?:normal|400)/i.test(style)
  if (own !== undefined && !isUndone && !added.some(({ type }) => type === own)) added.push({ type: own })
  const href = node.name === 'a' ? safeHref(attribute(node, 'href')) : null
  if (href !== null) added.push({ type: 'link', attrs: { href } })
  const colour = colourOf(node, style)
  if (colour !== null) added.push({ type: 'textColour', attrs: { colour } })
  const isCode = added.some(({ type }) => type === 'code') || marks.some(({ type }) => type === 'code')
  const all = [...marks.filter(({ type }) => !added.some((one) => one.type === type)), ...added]
  // Code holds no other marks but a link
  return isCode ? all.filter(({ type }) => type === 'code' || type === 'link') : all
}

/** Only our own colors: others would not be readable on every background. */
const colourOf = (node: HtmlNode, style: string): string | null => {
  const given =
    attribute(node, 'data-colour') ?? /(?:^|;)\s*color\s*:\s*(#[0-9a-f]{6})/i.exec(style)?.[1]?.toLowerCase()
  if (isColour(given)) return given
  return Object.entries(COLOURS).find(([, value]) => value === given)?.[0] ?? null
}

/** Matches our own markup, also with the prefix that the service adds to classes of messages. */
const isSignature = (node: HtmlNode): boolean =>
  /(?:^|\s)(?:m_)?stoa-signature(?:\s|$)/.test(attribute(node, 'class') ?? '')

const attribute = (node: HtmlNode, name: string): string | undefined =>
  node.attributes.find((one) => one.name === name)?.value

/** White space at the ends of lines, and a last line break, are not seen. */
const tidyLine = (line: readonly DocNode[], isPre: boolean): DocNode[] => {
  const tidy: DocNode[] = []
  for (const node of line) {
    const last = tidy.at(-1)
    const startsLine = last === undefined || last.type === 'hardBreak'
    const isAfterSpace = last?.text?.endsWith(' ') ?? false
    const text =
      node.type === 'text' && !isPre && (startsLine || isAfterSpace) ? node.text?.replace(/^ +/, '') : node.text
    if (node.type === 'text' && text === '') continue
    if (node.type === 'hardBreak') trimEnd(tidy)
    if (last?.type === 'text' && node.type === 'text' && JSON.stringify(last.marks) === JSON.stringify(node.marks))
      tidy[tidy.length - 1] = { ...last, text: `${last.text ?? ''}${text ?? ''}` }
    else tidy.push(node.type === 'text' ? { ...node, text: text ?? '' } : node)
  }
  trimEnd(tidy)
  if (tidy.at(-1)?.type === 'hardBreak') tidy.pop()
  return tidy
}

const trimEnd = (line: DocNode[]): void => {
  const last = line.at(-1)
  if (last?.type !== 'text') return
  const text = (last.text ?? '').replace(/[ \t\r\n]+$/, '')
  line.pop()
  if (text !== '') line.push({ ...last, text })
}

/** Empty lines at both ends go. */
const trimmed = (blocks: readonly DocNode[]): DocNode[] => {
  const isEmpty = (block: DocNode | undefined) => block?.type === 'paragraph' && block.content === undefined
  let [start, end] = [0, blocks.length]
  while (start < end && isEmpty(blocks[start])) start += 1
  while (end > start && isEmpty(blocks[end - 1])) end -= 1
  return blocks.slice(start, end)
}

const textIn = (node: HtmlNode): string => {
  if (node.kind === 'text') return node.text
  if (node.name === 'br') return '\n'
  return [...childrenOf(node)].map(textIn).join('')
}
