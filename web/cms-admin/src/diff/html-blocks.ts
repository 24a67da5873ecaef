import { droppedTags, headingTags, markTags } from '@stoa/cms-model/html/policy.ts'
import { parseHtml } from '@stoa/html/parse.ts'
import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import { wordsOf } from './words.ts'

export type BlockKind =
  | 'p'
  | 'h2'
  | 'h3'
  | 'h4'
  | 'item'
  | 'ordered'
  | 'code'
  | 'row'
  | 'caption'
  | 'summary'
  | 'rule'
  | 'embed'

/** A piece of a line: text with its formatting, or a picture. */
export type Inline = {
  text: string
  /** Tags around it, such as `strong`; of a link `a` and its address. */
  marks: readonly string[]
  picture?: { mediaId: string | null; src: string | null; alt: string }
}

/** A paragraph, a heading, an item of a list, a row of a table: the lines that people compare. */
export type Block = {
  kind: BlockKind
  /** How deep in lists. */
  depth: number
  quoted: boolean
  inlines: readonly Inline[]
}

type BlockContext = { kind: BlockKind; depth: number; quoted: boolean; list: 'item' | 'ordered' }

/** Between the cells of a row. */
const CELL = ' | '

/** Stored HTML as lines. Only what is named here is ever drawn: whatever else the text holds is read as text. */
export const blocksOf = (html: string): readonly Block[] => {
  const reader: Reader = { blocks: [], open: [], context: { kind: 'p', depth: 0, quoted: false, list: 'item' } }
  for (const child of childrenOf(parseHtml(html))) visit(reader, child, [])
  flush(reader)
  return reader.blocks
}

const wordsOfBlock = new WeakMap<Block, readonly Inline[]>()

/** The line word by word. Kept, because a line is first looked for and then compared. */
export const wordInlines = (block: Block): readonly Inline[] => {
  const known = wordsOfBlock.get(block)
  if (known) return known
  const words = block.inlines.flatMap((inline) =>
    inline.picture ? [inline] : wordsOf(inline.text).map((text) => ({ text, marks: inline.marks })),
  )
  wordsOfBlock.set(block, words)
  return words
}

/** Two blocks with the same key look the same. */
export const blockKey = ({ kind, depth, quoted, inlines }: Block): string =>
  `${kind} ${depth} ${quoted} ${inlines.map(inlineKey).join('\u0001')}`

export const inlineKey = ({ text, marks, picture }: Inline): string =>
  `${text}\u0002${marks.join('\u0003')}${picture ? `\u0002${picture.mediaId ?? picture.src}\u0003${picture.alt}` : ''}`

/** The line that is being read, and where. */
type Reader = { blocks: Block[]; open: Inline[]; context: BlockContext }

const INLINE: ReadonlySet<string> = new Set(['br', 'img'])

const visit = (reader: Reader, node: HtmlNode, marks: readonly string[]): void => {
  const { name } = node
  if (node.kind === 'text') add(reader, node.text, marks)
  else if (node.kind === 'other' || droppedTags.has(name)) return
  else if (markTags.has(name)) for (const child of childrenOf(node)) visit(reader, child, [...marks, markOf(node)])
  else if (name === 'br') reader.open.push({ text: '\n', marks: [] })
  else if (name === 'img') reader.open.push({ text: '', marks, picture: pictureOf(node) })
  else if (name === 'hr') single(reader, 'rule', '')
  else if (name === 'iframe') single(reader, 'embed', attribute(node, 'src') ?? '')
  else if (name === 'tr') within(reader, { kind: 'row' }, () => readCells(reader, node, marks))
  else
    within(reader, contextIn(node, reader.context), () => {
      for (const child of childrenOf(node)) visit(reader, child, marks)
    })
}

const add = ({ open, context }: Reader, text: string, marks: readonly string[]): void => {
  open.push({ text: context.kind === 'code' ? text : text.replace(/[^\S\u00a0]+/g, ' '), marks })
}

/** Ends the line. */
const flush = (reader: Reader): void => {
  const { kind, depth, quoted } = reader.context
  const inlines = trimmed(reader.open, kind)
  reader.open = []
  if (inlines.length === 0) return
  reader.blocks.push({ kind, depth, quoted, inlines })
  // Further paragraphs of an item have no mark of their own
  if (kind === 'item' || kind === 'ordered') reader.context = { ...reader.context, kind: 'p' }
}

const within = (reader: Reader, next: Partial<BlockContext>, read: () => void): void => {
  flush(reader)
  const outside = reader.context
  reader.context = { ...outside, ...next }
  read()
  flush(reader)
  const isUsed = reader.context.kind === 'p' && (outside.kind === 'item' || outside.kind === 'ordered')
  reader.context = isUsed && next.kind === undefined ? { ...outside, kind: 'p' } : outside
}

const single = (reader: Reader, kind: BlockKind, text: string): void => {
  flush(reader)
  const { depth, quoted } = reader.context
  reader.blocks.push({ kind, depth, quoted, inlines: [{ text, marks: [] }] })
}

/** A row is one line, whatever its cells hold. */
const readCells = (reader: Reader, row: HtmlNode, marks: readonly string[]): void => {
  let isFirst = true
  for (const cell of childrenOf(row)) {
    if (cell.kind !== 'element') continue
    if (!isFirst) reader.open.push({ text: CELL, marks: [] })
    isFirst = false
    for (const child of childrenOf(cell)) readInCell(reader, child, marks)
  }
}

const readInCell = (reader: Reader, node: HtmlNode, marks: readonly string[]): void => {
  if (node.kind === 'text' || markTags.has(node.name) || INLINE.has(node.name)) {
    visit(reader, node, marks)
    return
  }
  const last = reader.open.at(-1)
  if (last && !last.text.endsWith(' ')) reader.open.push({ text: ' ', marks: [] })
  for (const child of childrenOf(node)) readInCell(reader, child, marks)
}

const contextIn = (node: HtmlNode, { depth, list }: BlockContext): Partial<BlockContext> => {
  const { name } = node
  if (headingTags.has(name)) return { kind: name === 'h2' ? 'h2' : name === 'h3' ? 'h3' : 'h4' }
  if (name === 'pre') return { kind: 'code' }
  if (name === 'ul') return { depth: depth + 1, list: 'item', kind: 'p' }
  if (name === 'ol') return { depth: depth + 1, list: 'ordered', kind: 'p' }
  if (name === 'li') return { kind: list }
  if (name === 'blockquote') return { quoted: true, kind: 'p' }
  if (name === 'figcaption' || name === 'caption') return { kind: 'caption' }
  if (name === 'summary') return { kind: 'summary' }
  // A paragraph of an item is the item
  return {}
}

const markOf = (node: HtmlNode): string => (node.name === 'a' ? `a ${attribute(node, 'href') ?? ''}` : node.name)

const pictureOf = (node: HtmlNode) => ({
  mediaId: attribute(node, 'data-media-id'),
  src: attribute(node, 'src'),
  alt: attribute(node, 'alt') ?? '',
})

const attribute = (node: HtmlNode, wanted: string): string | null =>
  node.attributes.find(({ name }) => name === wanted)?.value ?? null

/** Without the space at its ends, which nobody sees. */
const trimmed = (inlines: readonly Inline[], kind: BlockKind): readonly Inline[] => {
  if (kind === 'code') return inlines
  const isSeen = ({ text, picture }: Inline) => picture !== undefined || text.trim() !== ''
  const start = inlines.findIndex(isSeen)
  const end = inlines.findLastIndex(isSeen)
  return inlines.slice(start < 0 ? inlines.length : start, end + 1).map((inline, at, all) => {
    const left = at === 0 ? inline.text.trimStart() : inline.text
    return { ...inline, text: at === all.length - 1 ? left.trimEnd() : left }
  })
}
