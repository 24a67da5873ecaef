import { adminPath } from './admin-path.ts'

/** Text of an answer. There is no kind for images or HTML: they stay what was written. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'bold' | 'italic'; children: readonly Inline[] }
  | { kind: 'link'; to: string; children: readonly Inline[] }

type Found = { node: readonly Inline[]; end: number }

const SPECIAL = /[\\`*_![]/g
const PUNCTUATION = /[!-/:-@[-`{-~]/
const WORD = /[\p{L}\p{N}]/u
/** Deeper nesting is never intended. */
const MAX_DEPTH = 4
/** A mark that is not closed within this length is plain text: a line full of open marks costs no more than its length. */
const MAX_SPAN = 1_000

/** Bold, italic, code and links to screens of the admin; every other address is shown, and leads nowhere. */
export const parseInline = (source: string, base = '', depth = 0): Inline[] => {
  const nodes: Inline[] = []
  let text = ''
  let at = 0
  const flush = () => {
    if (text !== '') nodes.push({ kind: 'text', text })
    text = ''
  }
  while (at < source.length) {
    SPECIAL.lastIndex = at
    const next = SPECIAL.exec(source)?.index ?? source.length
    text += source.slice(at, next)
    if (next === source.length) break
    const found = depth < MAX_DEPTH ? readAt(source, next, base, depth) : undefined
    if (found) {
      flush()
      nodes.push(...found.node)
      at = found.end
    } else {
      text += source[next]
      at = next + 1
    }
  }
  flush()
  return nodes
}

const readAt = (source: string, at: number, base: string, depth: number): Found | undefined => {
  const mark = source[at]
  if (mark === '\\') return escaped(source, at)
  if (mark === '`') return code(source, at)
  if (mark === '[') return link(source, at, base, depth)
  if (mark === '!') return source[at + 1] === '[' ? image(source, at) : undefined
  return emphasis(source, at, base, depth)
}

const escaped = (source: string, at: number): Found | undefined => {
  const next = source[at + 1] ?? ''
  return PUNCTUATION.test(next) ? { node: [{ kind: 'text', text: next }], end: at + 2 } : undefined
}

const code = (source: string, at: number): Found | undefined => {
  const fence = /^`+/.exec(source.slice(at, at + MAX_SPAN))?.[0] ?? '`'
  const close = source.indexOf(fence, at + fence.length)
  if (close === -1 || close - at > MAX_SPAN || source[close + fence.length] === '`') return undefined
  const inner = source.slice(at + fence.length, close)
  return { node: [{ kind: 'code', text: inner.trim() || inner }], end: close + fence.length }
}

const emphasis = (source: string, at: number, base: string, depth: number): Found | undefined => {
  const mark = source[at] ?? ''
  const marks = source[at + 1] === mark ? mark + mark : mark
  // Names such as snake_case are one word
  if (mark === '_' && WORD.test(source[at - 1] ?? '')) return undefined
  const start = at + marks.length
  if (/^\s?$/.test(source[start] ?? '')) return undefined
  const close = closeOf(source, start, marks)
  if (close === -1) return undefined
  const children = parseInline(source.slice(start, close), base, depth + 1)
  return { node: [{ kind: marks.length === 2 ? 'bold' : 'italic', children }], end: close + marks.length }
}

const closeOf = (source: string, start: number, marks: string): number => {
  const last = start + MAX_SPAN
  for (
    let close = source.indexOf(marks, start + 1);
    close !== -1 && close < last;
    close = source.indexOf(marks, close + 1)
  ) {
    const after = source[close + marks.length] ?? ''
    const isDoubled = marks.length === 1 && (after === marks || source[close - 1] === marks)
    const isInWord = marks[0] === '_' && WORD.test(after)
    if (!isDoubled && !isInWord && !/\s/.test(source[close - 1] ?? '')) return close
  }
  return -1
}

const LINK = /^!?\[([^\]\n]{0,1000})\]\(([^()\s]{0,2000})(?:\s+"[^"\n]{0,500}")?\)/

const link = (source: string, at: number, base: string, depth: number): Found | undefined => {
  const [whole, label = '', address = ''] = LINK.exec(source.slice(at, at + 4_000)) ?? []
  if (whole === undefined) return undefined
  const to = adminPath(address, base)
  const children = parseInline(label, base, depth + 1)
  return {
    node: to === undefined ? plain(children, label, address) : [{ kind: 'link', to, children }],
    end: at + whole.length,
  }
}

const image = (source: string, at: number): Found | undefined => {
  const [whole, label = '', address = ''] = LINK.exec(source.slice(at, at + 4_000)) ?? []
  if (whole === undefined) return undefined
  return { node: plain([{ kind: 'text', text: label }], label, address), end: at + whole.length }
}

/** The words, and the whole address beside them: people see where it would lead. */
const plain = (children: readonly Inline[], label: string, address: string): readonly Inline[] => {
  if (address === '' || label === address) return children
  return [...children, { kind: 'text', text: label === '' ? address : ` (${address})` }]
}
