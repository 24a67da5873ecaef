import type { SplitAddress } from './define.ts'

/** More addresses than this in one header field are not looked at. */
const MAX_ADDRESSES = 10_000

/** The addresses of a header field or an argument, as written there. What is none comes back without its parts. */
export const parseAddresses = (source: string): SplitAddress[] => {
  const found: SplitAddress[] = []
  for (const words of mailboxesOf(tokensOf(source))) {
    if (found.length === MAX_ADDRESSES) break
    const address = readMailbox(words)
    if (address) found.push(address)
  }
  return found
}

/** The one address that the text is, with or without a name before it, or null. */
export const parseAddress = (source: string): SplitAddress | null => {
  const [address, ...more] = parseAddresses(source)
  return address && isWhole(address) && more.length === 0 && !/[\r\n]/.test(source) ? address : null
}

export const isWhole = ({ local, domain }: SplitAddress): boolean => local !== '' && domain !== ''

/** Without regard to the case of letters, as mail systems compare them in practice. */
export const isSameAddress = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

type Word = { readonly kind: 'atom' | 'quoted' | 'mark'; readonly text: string; readonly spaced: boolean }

const MARKS = '<>@,;:'
/** A literal such as `[IPv6:::1]` is one word whatever is in it. */
const ATOM = /(?:\[[^\]\s]{0,255}\]|[^\s()"<>@,;:])+/y

/** Words of RFC 5322 without comments; everything that is open at the end counts as closed. */
const tokensOf = (source: string): Word[] => {
  const words: Word[] = []
  let spaced = false
  for (let at = 0; at < source.length; ) {
    const next = source.charAt(at)
    if (next === '(') at = afterComment(source, at)
    else if (next === '"') {
      const [text, end] = readQuoted(source, at)
      words.push({ kind: 'quoted', text, spaced })
      at = end
    } else if (MARKS.includes(next)) {
      words.push({ kind: 'mark', text: next, spaced })
      at += 1
    } else {
      ATOM.lastIndex = at
      const atom = ATOM.exec(source)?.[0]
      if (atom) words.push({ kind: 'atom', text: atom, spaced })
      at += atom?.length ?? 1
    }
    spaced = next === '(' || /\s/.test(next)
  }
  return words
}

const afterComment = (source: string, from: number): number => {
  let depth = 0
  for (let at = from; at < source.length; at += 1) {
    const next = source.charAt(at)
    if (next === '\\') at += 1
    else if (next === '(') depth += 1
    else if (next === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  return source.length
}

const readQuoted = (source: string, from: number): [text: string, end: number] => {
  let text = ''
  for (let at = from + 1; at < source.length; at += 1) {
    const next = source.charAt(at)
    if (next === '"') return [text, at + 1]
    if (next === '\\') at += 1
    text += source.charAt(at)
  }
  return [text, source.length]
}

/** Between commas; the name of a group and its semicolon count for nothing. */
const mailboxesOf = (words: readonly Word[]): Word[][] => {
  const lists: Word[][] = []
  let current: Word[] = []
  let isAngle = false
  for (const word of words) {
    const mark = word.kind === 'mark' ? word.text : ''
    if (mark === '<') isAngle = true
    if (mark === '>') isAngle = false
    if (!isAngle && mark === ':') current = []
    else if (!isAngle && (mark === ',' || mark === ';')) {
      lists.push(current)
      current = []
    } else current.push(word)
  }
  lists.push(current)
  return lists.filter((list) => list.length > 0)
}

const readMailbox = (words: readonly Word[]): SplitAddress | null => {
  const open = words.findLastIndex(({ kind, text }) => kind === 'mark' && text === '<')
  const close = words.findLastIndex(({ kind, text }) => kind === 'mark' && text === '>')
  const isAngle = open >= 0 && close > open
  const inner = isAngle ? withoutRoute(words.slice(open + 1, close)) : words
  const at = inner.findLastIndex(({ kind, text }) => kind === 'mark' && text === '@')
  const local = inner.slice(0, Math.max(at, 0))
  const domain = inner.slice(at + 1)
  if (at < 1 || domain.length === 0 || !isPlain(local) || !isPlain(domain))
    return {
      all: words
        .map(({ text, spaced }) => (spaced ? ` ${text}` : text))
        .join('')
        .trim(),
      local: '',
      domain: '',
    }
  return joined(local.map(({ text }) => text).join(''), domain.map(({ text }) => text).join(''))
}

/** RFC 5322 §4.4: `@relay,@relay:` before the address is from another time. */
const withoutRoute = (words: readonly Word[]): readonly Word[] =>
  words.slice(words.findLastIndex(({ kind, text }) => kind === 'mark' && text === ':') + 1)

/** Words that belong to one address stand without blanks between them, but around dots. */
const isPlain = (words: readonly Word[]): boolean =>
  words.every(
    ({ kind, text, spaced }, index) =>
      kind !== 'mark' &&
      (index === 0 || !spaced || text.startsWith('.') || words[index - 1]?.text.endsWith('.') === true),
  )

const DOT_ATOM = /^[^\s()"<>@,;:\\[\]]+$/

const joined = (local: string, domain: string): SplitAddress => {
  const written = DOT_ATOM.test(local) ? local : `"${local.replace(/["\\]/g, '\\$&')}"`
  return { all: `${written}@${domain}`, local, domain }
}
