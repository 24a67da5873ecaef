import { SIGNATURE_LINE } from './doc-to-mail.ts'
import { type DocNode, docOf, paragraph, textNode } from './document.ts'
import { safeHref } from './links.ts'

/** Deeper quotations stay as they are written. */
const MAX_DEPTH = 10

/** Plain text as a text of the editor: a line is a line, and what is quoted with `>` is a quotation. */
export const textToDoc = (text: string): DocNode => docOf(textToBlocks(text))

export const textToBlocks = (text: string): DocNode[] => blocksOf(text.replace(/\r\n?/g, '\n').split('\n'), 0)

const blocksOf = (lines: readonly string[], depth: number): DocNode[] => {
  const blocks: DocNode[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    if (line === SIGNATURE_LINE && depth === 0) {
      const end = lines.findIndex((later, index) => index > at && (later.startsWith('>') || later.trim() === ''))
      const signed = lines.slice(at + 1, end === -1 ? undefined : end)
      if (signed.length > 0) blocks.push({ type: 'signature', content: blocksOf(signed, 1) })
      at = end === -1 ? lines.length : end
      continue
    }
    if (!line.startsWith('>') || depth >= MAX_DEPTH) {
      blocks.push(paragraph(linked(line)))
      at += 1
      continue
    }
    const end = lines.findIndex((later, index) => index > at && !later.startsWith('>'))
    const quoted = lines.slice(at, end === -1 ? undefined : end)
    blocks.push({
      type: 'blockquote',
      content: blocksOf(
        quoted.map((one) => one.replace(/^> ?/, '')),
        depth + 1,
      ),
    })
    at = end === -1 ? lines.length : end
  }
  return blocks
}

const ADDRESS = /https?:\/\/[^\s<>"]{1,2000}[^\s<>".,;:!?)\]]/g

const linked = (line: string): DocNode[] => {
  const nodes: DocNode[] = []
  let at = 0
  for (const match of line.matchAll(ADDRESS)) {
    const href = safeHref(match[0])
    if (href === null) continue
    nodes.push(...textNode(line.slice(at, match.index)), ...textNode(match[0], [{ type: 'link', attrs: { href } }]))
    at = match.index + match[0].length
  }
  return [...nodes, ...textNode(line.slice(at))]
}
