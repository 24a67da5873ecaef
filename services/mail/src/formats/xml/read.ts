/** The end of an element: where it stands, as `feedback/record/row`, and its own text. */
export type XmlElement = { readonly path: string; readonly text: string }

/** Thrown for what is no XML, or more than a report needs of it. */
export class XmlError extends Error {
  constructor(reason: string) {
    super(`not read as XML: ${reason}`)
    this.name = 'XmlError'
  }
}

/** Reports are nine levels deep. */
const MAX_DEPTH = 20
const MAX_TAG = 4_096
const MAX_TEXT = 4_096

/**
 * The elements of a document in the order of their ends, each character read once. Attributes are skipped, prefixes of
 * names left out. A document type is refused: entities are how XML is made to read files or to grow without end.
 */
export function* xmlElements(xml: string): Generator<XmlElement> {
  const open: { name: string; path: string; text: string }[] = []
  let at = 0
  for (;;) {
    const tag = xml.indexOf('<', at)
    const top = open.at(-1)
    if (top && top.text.length < MAX_TEXT && tag > at) top.text += xml.slice(at, Math.min(tag, at + MAX_TEXT))
    if (tag === -1) break
    const mark = xml[tag + 1]
    if (mark === '?') at = after(xml, '?>', tag)
    else if (mark === '!') at = readMarked(xml, tag, top)
    else if (mark === '/') {
      at = after(xml, '>', tag)
      const closed = open.pop()
      if (!closed || plainName(xml.slice(tag + 2, at - 1).trim()) !== closed.name) throw new XmlError('wrong end')
      yield { path: closed.path, text: decode(closed.text) }
    } else {
      at = endOfTag(xml, tag)
      const isEmpty = xml[at - 2] === '/'
      const name = plainName(NAME.exec(xml.slice(tag + 1, tag + 120))?.[0] ?? '')
      if (name === '') throw new XmlError('no name')
      if (open.length >= MAX_DEPTH) throw new XmlError('too deep')
      const path = top ? `${top.path}/${name}` : name
      if (isEmpty) yield { path, text: '' }
      else open.push({ name, path, text: '' })
    }
  }
  if (open.length > 0) throw new XmlError('no end')
}

const NAME = /^[A-Za-z_][\w.:-]{0,100}/

const plainName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** A comment, or text that needs no escapes. */
const readMarked = (xml: string, start: number, top: { text: string } | undefined): number => {
  if (xml.startsWith('<!--', start)) return after(xml, '-->', start + 4)
  if (!xml.startsWith('<![CDATA[', start)) throw new XmlError('document type')
  const end = after(xml, ']]>', start)
  if (top) top.text += xml.slice(start + 9, Math.min(end - 3, start + 9 + MAX_TEXT)).replaceAll('&', '&amp;')
  return end
}

/** A bracket in the quotes of an attribute does not end a tag. */
const endOfTag = (xml: string, start: number): number => {
  const end = after(xml, '>', start)
  const tag = xml.slice(start, end)
  if (!/["']/.test(tag)) return end
  TAG.lastIndex = start
  const match = TAG.exec(xml.length - start > MAX_TAG ? xml.slice(0, start + MAX_TAG) : xml)
  if (!match) throw new XmlError('broken tag')
  return TAG.lastIndex
}

const TAG = /<[^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>/y

const after = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  if (found === -1) throw new XmlError('cut off')
  return found + mark.length
}

const decode = (text: string): string =>
  (text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, entity)
    : text
  ).trim()

const entity = (_whole: string, decimal?: string, hex?: string, name?: string): string => {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? ''
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
