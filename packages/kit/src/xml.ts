import { SaxesParser } from 'saxes'

/** The end of an element: where it stands, as `feedback/record/row`, and its own text without the space around it. */
export type XmlElement = {
  readonly path: string
  readonly text: string
  /** Attributes by their names as written, with prefixes. */
  readonly attributes: Readonly<Record<string, string>>
}

/** Thrown for what is no XML, or more than an answer or a report needs of it. */
export class XmlError extends Error {
  constructor(reason: string) {
    super(`not read as XML: ${reason}`)
    this.name = 'XmlError'
  }
}

/** Reports are nine levels deep. */
const MAX_DEPTH = 20
const MAX_TEXT = 4_096
/** Read at once, before what was found in it is given out. */
const PIECE = 16_384

/**
 * The elements of a document in the order of their ends. Prefixes of their names are left out. A document type is refused:
 * entities are how XML is made to read files or to grow without end.
 */
export function* xmlElements(xml: string): Generator<XmlElement> {
  const parser = new SaxesParser({ position: false, xmlns: false })
  const open: { path: string; text: string; attributes: Record<string, string> }[] = []
  const ended: XmlElement[] = []
  const addText = (text: string): void => {
    const top = open.at(-1)
    if (top) top.text += text.slice(0, MAX_TEXT - top.text.length)
  }
  parser.on('error', ({ message }) => {
    throw new XmlError(message)
  })
  parser.on('doctype', () => {
    throw new XmlError('document type')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= MAX_DEPTH) throw new XmlError('too deep')
    const plain = name.slice(name.indexOf(':') + 1)
    const top = open.at(-1)
    open.push({ path: top ? `${top.path}/${plain}` : plain, text: '', attributes })
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const top = open.pop()
    if (top) ended.push({ path: top.path, text: top.text.trim(), attributes: top.attributes })
  })
  const text = escapeLooseAmpersands(xml.trimStart())
  for (let at = 0; at < text.length; at += PIECE) {
    parser.write(text.slice(at, at + PIECE))
    yield* ended.splice(0)
  }
  parser.close()
}

/** Some who write reports forget to escape; an `&` that begins no entity stays one. In a section it is one anyway. */
const escapeLooseAmpersands = (xml: string): string =>
  xml.includes('<![CDATA[') ? xml : xml.replace(LOOSE_AMPERSAND, '&amp;')

const LOOSE_AMPERSAND = /&(?!(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)/g
