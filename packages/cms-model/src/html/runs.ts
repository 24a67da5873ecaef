import { escapeText, isHtmlSpace } from './escape.ts'

/** Inline formatting around a leaf, innermost first. */
export type Mark = { readonly tag: string; readonly open: string; readonly outer: Mark | null }

/** A piece of a line: text, a line break or a picture. */
export type Leaf =
  | { readonly kind: 'text'; readonly text: string; readonly marks: Mark | null }
  | { readonly kind: 'break'; readonly marks: Mark | null }
  | { readonly kind: 'picture'; readonly html: string; readonly marks: Mark | null }

/** True inside formatting of this kind: a second one would say nothing more. */
export const isMarked = (marks: Mark | null, tag: string): boolean => {
  for (let mark = marks; mark; mark = mark.outer) if (mark.tag === tag) return true
  return false
}

/** Leaves without the space that a browser collapses at both ends. */
export const trimRun = (leaves: readonly Leaf[]): Leaf[] => {
  let start = 0
  let end = leaves.length
  while (start < end && isSpace(leaves[start])) start += 1
  while (end > start && isSpace(leaves[end - 1])) end -= 1
  return leaves.slice(start, end).map((leaf, index, { length }) => {
    if (leaf.kind !== 'text') return leaf
    const text = index === 0 ? leaf.text.replace(/^[ \t\n]+/, '') : leaf.text
    return { ...leaf, text: index === length - 1 ? trimEnd(text) : text }
  })
}

/** True when nothing is to be seen: space, no-break spaces and line breaks only. */
export const isBlank = (leaves: readonly Leaf[]): boolean =>
  leaves.every((leaf) => leaf.kind === 'break' || (leaf.kind === 'text' && /^[\s\u00a0]*$/.test(leaf.text)))

/** Leaves in their formatting, each opened once for as long as it lasts. */
export const writeRun = (leaves: readonly Leaf[]): string => {
  let html = ''
  let open: Mark | null = null
  for (const leaf of leaves) {
    html += moveBetween(open, leaf.marks)
    open = leaf.marks
    if (leaf.kind === 'text') html += escapeText(leaf.text)
    else html += leaf.kind === 'break' ? '<br>' : leaf.html
  }
  return html + moveBetween(open, null)
}

const isSpace = (leaf: Leaf | undefined): boolean => leaf?.kind === 'text' && isHtmlSpace(leaf.text)

/** Not a regular expression: those look for the end from every space in the text. */
const trimEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && isHtmlSpace(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

const moveBetween = (from: Mark | null, to: Mark | null): string => {
  if (from === to) return ''
  const left = chainOf(from)
  const entered = chainOf(to)
  let shared = 0
  while (shared < left.length && left[shared] === entered[shared]) shared += 1
  const closing = left.slice(shared).reverse()
  return (
    closing.map((mark) => `</${mark.tag}>`).join('') +
    entered
      .slice(shared)
      .map((mark) => mark.open)
      .join('')
  )
}

const chainOf = (marks: Mark | null): Mark[] => {
  const chain: Mark[] = []
  for (let mark = marks; mark; mark = mark.outer) chain.unshift(mark)
  return chain
}
