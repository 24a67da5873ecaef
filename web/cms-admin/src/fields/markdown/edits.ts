/** A text edit: replaces the part between `from` and `to`, and sets the selection afterwards. */
export type Edit = { from: number; to: number; insert: string; anchor: number; head: number }

export type Selected = { text: string; from: number; to: number }

/** Puts signs such as `**` around the selection, or takes them away where they are. */
export const toggleAround = ({ text, from, to }: Selected, sign: string): Edit => {
  const size = sign.length
  const before = text.slice(from - size, from)
  const after = text.slice(to, to + size)
  const inner = text.slice(from, to)
  if (from >= size && before === sign && after === sign && !isLonger(text, from, to, sign))
    return { from: from - size, to: to + size, insert: inner, anchor: from - size, head: to - size }
  const isInside = inner.length > size * 2 && inner.startsWith(sign) && inner.endsWith(sign)
  if (isInside && !inner.startsWith(sign + sign.charAt(0))) {
    const bare = inner.slice(size, -size)
    return { from, to, insert: bare, anchor: from, head: from + bare.length }
  }
  return { from, to, insert: sign + inner + sign, anchor: from + size, head: to + size }
}

/** `*` beside the selection may be the half of `**`. */
const isLonger = (text: string, from: number, to: number, sign: string): boolean => {
  if (sign.length !== 1) return false
  const isDouble = text.charAt(from - 2) === sign && text.charAt(to + 1) === sign
  const isTriple = text.charAt(from - 3) === sign && text.charAt(to + 2) === sign
  return isDouble && !isTriple
}

/** Begins every selected line with a sign such as `- ` or `> `, or takes it away when all have it. */
export const toggleLines = (selected: Selected, sign: 'bullets' | 'numbers' | 'quote'): Edit => {
  const { text } = selected
  const from = text.lastIndexOf('\n', selected.from - 1) + 1
  const end = text.indexOf('\n', Math.max(selected.to, from))
  const to = end === -1 ? text.length : end
  const lines = text.slice(from, to).split('\n')
  const has = starts[sign]
  const isOn = lines.every((line) => has.test(line) || line.trim() === '')
  const isEmpty = lines.every((line) => line.trim() === '')
  const changed =
    isOn && !isEmpty
      ? lines.map((line) => line.replace(has, '$1'))
      : lines.map((line, index) => withStart(line, sign, index, lines.length))
  const insert = changed.join('\n')
  return { from, to, insert, anchor: lines.length === 1 ? from + insert.length : from, head: from + insert.length }
}

const starts = { bullets: /^(\s*)[-*+] +/, numbers: /^(\s*)\d+[.)] +/, quote: /^(\s*)> ?/ } as const
const ANY_LIST = /^(\s*)(?:[-*+]|\d+[.)]) +/

const withStart = (line: string, sign: keyof typeof starts, index: number, count: number): string => {
  if (line.trim() === '' && count > 1) return line
  const [, indent = '', rest = ''] = /^(\s*)(.*)$/.exec(line) ?? []
  if (sign === 'quote') return `${indent}> ${rest}`
  const bare = line.replace(ANY_LIST, '$1').trimStart()
  return `${indent}${sign === 'bullets' ? '-' : `${index + 1}.`} ${bare}`
}

/** Makes the line a heading of this level, or plain text when it is one already. */
export const toggleHeading = ({ text, from: at }: Selected, level: number): Edit => {
  const from = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const to = end === -1 ? text.length : end
  const [, marks = '', rest = ''] = /^(#{1,6} +)?(.*)$/.exec(text.slice(from, to)) ?? []
  const wanted = `${'#'.repeat(level)} `
  const insert = marks.trim() === wanted.trim() ? rest : wanted + rest
  return { from, to, insert, anchor: from + insert.length, head: from + insert.length }
}

/** A link on the selected words, or with the given ones where nothing is selected. */
export const linkEdit = ({ text, from, to }: Selected, href: string, title: string): Edit => {
  const words = from === to ? title : text.slice(from, to)
  const insert = `[${escapeWords(words)}](${escapeAddress(href)})`
  return { from, to, insert, anchor: from + insert.length, head: from + insert.length }
}

/** A picture on a line of its own. */
export const pictureEdit = ({ text, from, to }: Selected, url: string, alt: string): Edit =>
  blockEdit({ text, from, to }, `![${escapeWords(alt)}](${escapeAddress(url)})`)

/** Lines of their own, apart from what is around them by an empty line. */
export const blockEdit = ({ text, from, to }: Selected, block: string): Edit => {
  const before = text.slice(0, from)
  const after = text.slice(to)
  const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const end = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
  const insert = gap + block + end
  const head = from + gap.length + block.length
  return { from, to, insert, anchor: head, head }
}

export const TABLE = '| Column | Column |\n| --- | --- |\n|  |  |'

const escapeWords = (words: string): string => words.replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&')

const escapeAddress = (address: string): string =>
  address.replace(/[()\s]/g, encodeURIComponent).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
