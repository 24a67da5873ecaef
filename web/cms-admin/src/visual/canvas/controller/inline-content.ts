import { escapeText, isHtmlSpace, plainText } from '@stoa/cms-model/html/escape.ts'
import { blockTags, droppedTags, playerTags, renames } from '@stoa/cms-model/html/policy.ts'

/** The required part of a DOM node. */
export type ContentNode = {
  readonly nodeType: number
  readonly nodeName: string
  readonly namespaceURI?: string | null
  readonly nodeValue: string | null
  readonly childNodes: Iterable<ContentNode>
}

type Piece = { kind: 'text'; text: string; italic: boolean } | { kind: 'break' | 'edge'; italic: boolean }

const HTML = 'http://www.w3.org/1999/xhtml'

/**
 * The content of an element as a formatted field keeps it: text, `i` and `br`. The service does the same to a string with
 * `cleanInline`, which needs a parser; here the browser has parsed already. Pictures are not kept, and make no line.
 */
export const inlineHtml = (node: ContentNode): string => {
  const pieces: Piece[] = []
  collect(node, false, pieces)
  const leaves = joinLines(pieces)
  const start = leaves.findIndex((leaf) => leaf.kind !== 'break')
  const end = leaves.findLastIndex((leaf) => leaf.kind !== 'break')
  let html = ''
  let isOpen = false
  for (const leaf of start === -1 ? [] : leaves.slice(start, end + 1)) {
    if (leaf.italic !== isOpen) html += leaf.italic ? '<i>' : '</i>'
    isOpen = leaf.italic
    html += leaf.kind === 'text' ? escapeText(leaf.text).replaceAll('&nbsp;', '\u00a0') : '<br>'
  }
  return isOpen ? `${html}</i>` : html
}

const collect = (node: ContentNode, italic: boolean, pieces: Piece[]): void => {
  for (const child of node.childNodes) {
    if (child.nodeType === 3) {
      const text = plainText(child.nodeValue ?? '')
      if (text !== '') pieces.push({ kind: 'text', text, italic })
    }
    if (child.nodeType !== 1 || child.namespaceURI !== HTML) continue
    const name = child.nodeName.toLowerCase()
    const tag = renames.get(name) ?? name
    if (tag === 'br') pieces.push({ kind: 'break', italic })
    if (droppedTags.has(tag) || playerTags.has(tag)) continue
    const isBlock = blockTags.has(tag)
    if (isBlock) pieces.push({ kind: 'edge', italic })
    collect(child, italic || tag === 'em', pieces)
    if (isBlock) pieces.push({ kind: 'edge', italic })
  }
}

/** A line break between what were blocks, unless there is one. */
const joinLines = (pieces: readonly Piece[]): Piece[] => {
  const leaves: Piece[] = []
  let edge: Piece | null = null
  for (const piece of pieces) {
    if (piece.kind === 'edge') edge = piece
    else if (edge === null) leaves.push(piece)
    else if (piece.kind !== 'text' || !isHtmlSpace(piece.text)) {
      if (leaves.length > 0 && leaves.at(-1)?.kind !== 'break' && piece.kind !== 'break')
        leaves.push({ kind: 'break', italic: edge.italic })
      leaves.push(piece)
      edge = null
    }
  }
  return leaves
}
