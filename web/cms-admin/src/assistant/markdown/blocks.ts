import { type Inline, parseInline } from './inline.ts'

export type Item = { children: readonly Inline[]; below: readonly Block[] }

export type Block =
  | { kind: 'heading'; level: number; children: readonly Inline[] }
  | { kind: 'paragraph'; children: readonly Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; children: readonly Block[] }
  | { kind: 'list'; start: number | null; items: readonly Item[] }
  | { kind: 'table'; head: readonly (readonly Inline[])[]; rows: readonly (readonly (readonly Inline[])[])[] }
  | { kind: 'rule' }

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const RULE = /^ {0,3}(?:-\s*){3,}$|^ {0,3}(?:\*\s*){3,}$|^ {0,3}(?:_\s*){3,}$/
const ITEM = /^(\s*)(?:[-*+]|(\d{1,6})[.)])\s+(.*)$/
const QUOTE = /^ {0,3}> ?/
const TABLE_LINE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/
const BLANK = /^\s*$/

type Kind = 'text' | 'list' | 'quote' | 'single'

/**
 * The sources of the blocks of a text that may still grow: all but the last are finished, so that only the last one is
 * parsed and drawn again.
 */
export const splitBlocks = (text: string): string[] => {
  const blocks: string[] = []
  let lines: string[] = []
  let kind: Kind = 'text'
  let fence: string | undefined
  const end = () => {
    if (lines.length > 0) blocks.push(lines.join('\n'))
    lines = []
  }
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (fence !== undefined) {
      lines.push(line)
      if (closes(line, fence)) {
        end()
        fence = undefined
      }
      continue
    }
    const opened = FENCE.exec(line)?.[1]
    if (opened !== undefined && !(kind === 'list' && lines.length > 0 && /^\s{2,}/.test(line))) {
      end()
      fence = opened
      lines.push(line)
      continue
    }
    if (BLANK.test(line)) {
      end()
      continue
    }
    const next = kindOf(line, lines.length === 0 ? undefined : kind)
    if (next !== kind || next === 'single') end()
    kind = next
    lines.push(line)
  }
  end()
  return blocks
}

const closes = (line: string, fence: string): boolean => {
  const mark = line.trim()
  return mark.length >= fence.length && mark[0] === fence[0] && mark.replaceAll(mark[0] ?? '', '') === ''
}

const kindOf = (line: string, before: Kind | undefined): Kind => {
  if (HEADING.test(line) || RULE.test(line)) return 'single'
  if (QUOTE.test(line)) return 'quote'
  if (ITEM.test(line)) return 'list'
  return before === 'list' || before === 'quote' ? before : 'text'
}

/** One block as it is drawn. `base` is the path of the admin, which links may begin with. */
export const parseBlock = (source: string, base = '', depth = 0): Block => {
  const lines = source.split('\n')
  const first = lines[0] ?? ''
  const fence = FENCE.exec(first)?.[1]
  if (fence !== undefined) return codeOf(lines, fence)
  const heading = HEADING.exec(first)
  if (heading) return { kind: 'heading', level: heading[1]?.length ?? 1, children: parseInline(heading[2] ?? '', base) }
  if (RULE.test(first)) return { kind: 'rule' }
  if (QUOTE.test(first) && depth < 3) {
    const inner = lines.map((line) => line.replace(QUOTE, '')).join('\n')
    return { kind: 'quote', children: splitBlocks(inner).map((block) => parseBlock(block, base, depth + 1)) }
  }
  if (ITEM.test(first) && depth < 4) return listOf(lines, base, depth)
  if (lines.length > 1 && first.includes('|') && TABLE_LINE.test(lines[1] ?? '')) return tableOf(lines, base)
  return { kind: 'paragraph', children: parseInline(lines.map((line) => line.trim()).join('\n'), base) }
}

const codeOf = (lines: readonly string[], fence: string): Block => {
  const rest = lines.slice(1)
  const isClosed = rest.length > 0 && closes(rest.at(-1) ?? '', fence)
  return { kind: 'code', text: (isClosed ? rest.slice(0, -1) : rest).join('\n') }
}

const listOf = (lines: readonly string[], base: string, depth: number): Block => {
  const indent = widthOf(ITEM.exec(lines[0] ?? '')?.[1] ?? '')
  const start = ITEM.exec(lines[0] ?? '')?.[2]
  const items: { own: string[]; below: string[] }[] = []
  for (const line of lines) {
    const found = ITEM.exec(line)
    const last = items.at(-1)
    if (found && (!last || widthOf(found[1] ?? '') <= indent + 1)) items.push({ own: [found[3] ?? ''], below: [] })
    else if (last && (found || last.below.length > 0)) last.below.push(line)
    else last?.own.push(line.trim())
  }
  return {
    kind: 'list',
    start: start === undefined ? null : Number(start),
    items: items.map(({ own, below }) => ({
      children: parseInline(own.join('\n'), base),
      below: below.length === 0 ? [] : [parseBlock(below.join('\n'), base, depth + 1)],
    })),
  }
}

const widthOf = (space: string): number => space.replaceAll('\t', '    ').length

const tableOf = (lines: readonly string[], base: string): Block => {
  const [head = '', , ...rows] = lines
  return { kind: 'table', head: cellsOf(head, base), rows: rows.map((row) => cellsOf(row, base)) }
}

const cellsOf = (line: string, base: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => parseInline(cell.trim(), base))
