import { changeElements, isElement, newElement, type PasteElement, type PasteNode, textOf } from './tree.ts'

/** Converts Word's markup: lists that are paragraphs with a sign in front, headings that are classes, notes and changes. */
export const readWord = (root: PasteElement): void => {
  dropNoise(root)
  changeElements(root, (element) => [readHeading(element)])
  joinLists(root)
}

const DROPPED_CLASSES = /\b(?:msocomanchor|msocomoff|msocomtxt|msocommentreference|msocommenttext)\b/
const DROPPED_PARTS = /^(?:comment|comment-list|footnote|footnote-list|endnote|endnote-list|header|footer|frame)$/

const dropNoise = (root: PasteElement): void =>
  changeElements(root, (element) => {
    const { tag, attributes, style } = element
    const isNote = style.has('mso-footnote-id') || style.has('mso-endnote-id') || style.has('mso-comment-reference')
    if (isNote || DROPPED_PARTS.test(style.get('mso-element') ?? '')) return []
    if (DROPPED_CLASSES.test((attributes.get('class') ?? '').toLowerCase())) return []
    // Text deleted with tracked changes is no longer part of the document
    if (tag === 'del') return []
    if (tag === 'ins') return element.children
    attributes.delete('lang')
    attributes.delete('dir')
    const isBookmark = tag === 'a' && (!attributes.has('href') || /^#_/.test(attributes.get('href') ?? ''))
    return isBookmark ? element.children : [element]
  })

const readHeading = (element: PasteElement): PasteElement => {
  if (element.tag !== 'p') return element
  const name = element.attributes.get('class') ?? ''
  const byClass = /^MsoHeading([1-9])|^Heading([1-9])/i.exec(name)
  const byStyle = /^"?heading ([1-9])/.exec(element.style.get('mso-style-name') ?? '')
  const level = byClass?.[1] ?? byClass?.[2] ?? byStyle?.[1] ?? element.style.get('mso-outline-level')
  if (/^MsoTitle/i.test(name)) element.tag = 'h1'
  else if (level !== undefined && /^[1-6]$/.test(level)) element.tag = `h${level}`
  return element
}

type ListPosition = { list: string; level: number }
type OpenList = { element: PasteElement; position: ListPosition; isOrdered: boolean }

/** Word has nine levels. */
const MAX_LEVEL = 9

/** Paragraphs of a list, one after the other, become nested lists. */
const joinLists = (parent: PasteElement): void => {
  const joined: PasteNode[] = []
  let open: OpenList[] = []
  for (const child of parent.children) {
    const position = isElement(child) ? positionOf(child) : null
    if (position === null || !isElement(child)) {
      if (isElement(child)) joinLists(child)
      // Space between two items does not end their list
      if (isElement(child) || child.trim() !== '') open = []
      joined.push(child)
      continue
    }
    const sign = takeSign(child)
    open = open.filter((list) => list.position.level <= position.level)
    const last = open.at(-1)
    const isSame = last?.position.level === position.level
    if (last && isSame && (last.isOrdered !== sign.isOrdered || last.position.list !== position.list)) open.pop()
    addItem(open, joined, child, position, sign)
  }
  parent.children = joined
}

const addItem = (
  open: OpenList[],
  joined: PasteNode[],
  item: PasteElement,
  position: ListPosition,
  sign: Sign,
): void => {
  let list = open.at(-1)
  if (list?.position.level !== position.level) {
    const element = newElement(sign.isOrdered ? 'ol' : 'ul')
    if (sign.isOrdered && sign.number !== 1) element.attributes.set('start', String(sign.number))
    const host = list?.element.children.at(-1)
    if (isElement(host)) host.children.push(element)
    else joined.push(element)
    list = { element, position, isOrdered: sign.isOrdered }
    open.push(list)
  }
  const heading = /^h[1-6]$/.test(item.tag) ? [newElement(item.tag, item.children)] : item.children
  list.element.children.push(newElement('li', heading))
}

/** `mso-list:l0 level2 lfo1` */
const positionOf = ({ tag, style }: PasteElement): ListPosition | null => {
  if (tag !== 'p' && !/^h[1-6]$/.test(tag)) return null
  const [, list, level, run] = /^(l\d+) +level(\d)(?: +(lfo\d+))?/.exec(style.get('mso-list') ?? '') ?? []
  if (list === undefined) return null
  return { list: `${list} ${run ?? ''}`, level: Math.min(Number(level), MAX_LEVEL) }
}

type Sign = { isOrdered: boolean; number: number }

/** Takes the sign that stands in front of an item out of it, and says what it was. */
const takeSign = (item: PasteElement): Sign => {
  let sign = ''
  changeElements(item, (element) => {
    if (element.style.get('mso-list') !== 'ignore') return [element]
    sign ||= textOf(element)
    return []
  })
  return readSign(sign.replace(/[\s\u00a0]+/g, ''))
}

const readSign = (sign: string): Sign => {
  const [, word] = /^[([]?([0-9]{1,6}|[a-z]{1,8})[.):\]]/i.exec(sign) ?? []
  // `1.2.` counts by its last part
  const [, last] = /^(?:\d+\.)+(\d{1,6})\.?$/.exec(sign) ?? []
  if (last !== undefined) return { isOrdered: true, number: Number(last) }
  if (word === undefined) return { isOrdered: false, number: 1 }
  if (/^\d/.test(word)) return { isOrdered: true, number: Number(word) }
  // Word's round bullet is the letter o without a dot behind it
  return { isOrdered: true, number: romanNumber(word.toLowerCase()) ?? letterNumber(word.toLowerCase()) }
}

const romans: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

/** A single letter other than i, v and x is a letter: nobody begins a list with l, c. */
const romanNumber = (word: string): number | null => {
  if (!/^(?:[ivx]|[ivxlc]{2,})$/.test(word)) return null
  let number = 0
  for (let at = 0; at < word.length; at += 1) {
    const value = romans[word.charAt(at)] ?? 0
    number += value < (romans[word.charAt(at + 1)] ?? 0) ? -value : value
  }
  return number
}

const letterNumber = (word: string): number => (word.length === 1 ? word.charCodeAt(0) - 'a'.charCodeAt(0) + 1 : 1)
