import { isBlank, type Leaf, trimRun, writeRun } from './runs.ts'

/** State that is shared within one cleaning. */
export type Cleaning = {
  readonly embedHosts: readonly string[]
  /** Counted while it is made: formatting around many blocks is written into each of them. */
  written: number
}

/** The tag that a line of text gets, where it may not stand by itself. */
export type Wrapper = { readonly tag: string; readonly open: string }

type Block = { readonly html: string; readonly kind: 'block' | 'line' | 'empty paragraph' }

/** The content of the root, a list item, a cell, a quotation …: blocks, and the line that is being collected. */
export type Flow = {
  readonly kind: string
  /** Elements around the content. */
  readonly depth: number
  readonly blocks: Block[]
  line: Leaf[]
  /** The content of `summary`, which `details` shows first. */
  summary: string
}

export const newFlow = (kind: string, depth: number): Flow => ({ kind, depth, blocks: [], line: [], summary: '' })

/** Ends the line: as a paragraph or heading if it has a wrapper, as it is otherwise. */
export const endLine = (cleaning: Cleaning, flow: Flow, wrapper: Wrapper | null): void => {
  const line = trimRun(flow.line)
  flow.line = []
  if (line.length === 0) return
  if (wrapper && isBlank(line)) {
    if (wrapper.tag === 'p') addEmptyParagraph(flow)
    return
  }
  const html = writeRun(line)
  cleaning.written += html.length
  if (wrapper) flow.blocks.push({ html: `${wrapper.open}${html}</${wrapper.tag}>`, kind: 'block' })
  else addLine(flow, html)
}

export const addBlock = (flow: Flow, html: string): void => {
  if (html !== '') flow.blocks.push({ html, kind: 'block' })
}

/** Two blocks may have one empty paragraph between them. */
export const addEmptyParagraph = (flow: Flow): void => {
  if (flow.blocks.at(-1)?.kind !== 'empty paragraph') flow.blocks.push({ html: '<p></p>', kind: 'empty paragraph' })
}

/** The HTML of a flow whose lines have all ended; nothing when it is only empty paragraphs. */
export const htmlOf = (flow: Flow): string => {
  if (flow.blocks.every(({ kind }) => kind === 'empty paragraph')) return ''
  let html = ''
  for (const block of flow.blocks) html += block.html
  return html
}

/** Two lines that had something between them, which is gone, must not become one word. */
const addLine = (flow: Flow, html: string): void => {
  const apart = flow.blocks.at(-1)?.kind === 'line' ? '<br>' : ''
  flow.blocks.push({ html: apart + html, kind: 'line' })
}
