import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import { html } from 'parse5'
import { imageTag, linkTag, startTag } from './attributes.ts'
import { isHtmlSpace, plainText } from './escape.ts'
import { blockTags, droppedTags, markTags, playerTags, renames } from './policy.ts'
import { isMarked, type Leaf, type Mark } from './runs.ts'

/** The name an element is kept under, or null for one that goes with its content. */
export const keptName = (node: HtmlNode): string | null => {
  if (node.namespace !== html.NS.HTML) return null
  const name = renames.get(node.name) ?? node.name
  return droppedTags.has(name) ? null : name
}

/** The formatting inside this element: one kind more, or the same as around it. */
export const markedBy = (node: HtmlNode, tag: string, marks: Mark | null): Mark | null => {
  if (!markTags.has(tag) || isMarked(marks, tag)) return marks
  const open = tag === 'a' ? linkTag(node) : startTag(tag, node)
  return open === null ? marks : { tag, open, outer: marks }
}

/** The leaf that a text, `br` or `img` is; null for everything else. */
export const leafOf = (node: HtmlNode, marks: Mark | null): Leaf | null => {
  if (node.kind === 'text') {
    const text = plainText(node.text)
    return text === '' ? null : { kind: 'text', text, marks }
  }
  if (node.name === 'br') return { kind: 'break', marks }
  const picture = node.name === 'img' ? imageTag(node) : null
  return picture === null ? null : { kind: 'picture', html: picture, marks }
}

/** Everything below the node on one line, with a line break between what were blocks. */
export const inlineContent = (node: HtmlNode, marks: Mark | null): Leaf[] => {
  const pieces: Piece[] = []
  collect(node, marks, pieces)
  return joinPieces(pieces)
}

/** An edge is where a block begins or ends. */
type Piece = Leaf | { readonly kind: 'edge'; readonly marks: Mark | null }

const collect = (node: HtmlNode, marks: Mark | null, pieces: Piece[]): void => {
  for (const child of childrenOf(node)) {
    const leaf = leafOf(child, marks)
    if (leaf) pieces.push(leaf)
    const tag = child.kind === 'element' ? keptName(child) : null
    // What is between the tags of a player is for browsers without one.
    if (tag === null || playerTags.has(tag)) continue
    const isBlock = blockTags.has(tag)
    if (isBlock) pieces.push({ kind: 'edge', marks })
    collect(child, markedBy(child, tag, marks), pieces)
    if (isBlock) pieces.push({ kind: 'edge', marks })
  }
}

const joinPieces = (pieces: readonly Piece[]): Leaf[] => {
  const leaves: Leaf[] = []
  let edge: Piece | null = null
  for (const piece of pieces) {
    if (piece.kind === 'edge') edge = piece
    else if (edge === null) leaves.push(piece)
    else if (piece.kind !== 'text' || !isHtmlSpace(piece.text)) {
      if (leaves.length > 0 && leaves.at(-1)?.kind !== 'break' && piece.kind !== 'break')
        leaves.push({ kind: 'break', marks: edge.marks })
      leaves.push(piece)
      edge = null
    }
  }
  return leaves
}
