import { refuseOtherInHtml, refuseSectionIn } from './svg-as-html.ts'
import { SvgError } from './svg-error.ts'

/** One element as it opens, with its namespace resolved and its attributes decoded. */
export type SvgElement = {
  namespace: string
  prefix: string
  /** The name without its prefix. */
  name: string
  attributes: { name: string; prefix: string; value: string }[]
  /** Direct text, collected until the element ends. */
  text: string
}

const MAX_ELEMENTS = 50_000
const MAX_DEPTH = 256
const MAX_ATTRIBUTES = 200

const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y
const SPACE = /[ \t\r\n]*/y
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML does not allow
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/**
 * Reads an SVG document more strictly than any browser does: what is not plain, well-formed XML in UTF-8 without
 * declarations of its own is refused, and whatever is another thing in HTML, so that no browser can read it in another
 * way. Calls `visit` as each element ends; the root has depth 0.
 */
export const parseSvg = (bytes: Buffer, visit: (element: SvgElement, depth: number) => void): void => {
  const text = decode(bytes)
  const open: { element: SvgElement; qualified: string; scope: ReadonlyMap<string, string> }[] = []
  let at = 0
  let elements = 0
  let isRootSeen = false
  let hasDoctype = false

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const upTo = (end: string, what: string): string => {
    const found = text.indexOf(end, at)
    if (found === -1) throw new SvgError(`has ${what} that isn't closed`)
    const inside = text.slice(at, found)
    at = found + end.length
    return inside
  }
  const close = () => {
    const ended = open.pop()
    if (ended) visit(ended.element, open.length)
  }

  const readAttributes = (): { qualified: string; value: string }[] => {
    const attributes: { qualified: string; value: string }[] = []
    for (;;) {
      const gap = take(SPACE)
      if (text[at] === '>' || text.startsWith('/>', at)) return attributes
      const qualified = take(NAME)
      take(SPACE)
      if (gap === '' || qualified === '' || text[at] !== '=') throw new SvgError("isn't well-formed")
      at += 1
      take(SPACE)
      const quote = text[at]
      if (quote !== '"' && quote !== "'") throw new SvgError("isn't well-formed")
      at += 1
      const raw = upTo(quote, 'an attribute')
      if (raw.includes('<')) throw new SvgError("isn't well-formed")
      if (attributes.some((other) => other.qualified === qualified)) throw new SvgError("isn't well-formed")
      attributes.push({ qualified, value: decodeEntities(raw) })
      if (attributes.length > MAX_ATTRIBUTES) throw new SvgError('has an element with too many attributes')
    }
  }

  const openElement = () => {
    if (isRootSeen && open.length === 0) throw new SvgError('has more than one root element')
    isRootSeen = true
    elements += 1
    const qualified = take(NAME)
    if (qualified === '') throw new SvgError("isn't well-formed")
    if (elements > MAX_ELEMENTS || open.length >= MAX_DEPTH) throw new SvgError('has too many elements')
    const attributes = readAttributes()
    const scope = scopeWith(open.at(-1)?.scope ?? NO_SCOPE, attributes)
    const { prefix, name } = splitName(qualified)
    const namespace = scope.get(prefix)
    const element: SvgElement = {
      namespace: namespace ?? '',
      prefix,
      name,
      attributes: attributes.map((attribute) => ({ ...splitName(attribute.qualified), value: attribute.value })),
      text: '',
    }
    for (const { prefix: used } of [element, ...element.attributes])
      if (used !== '' && used !== 'xmlns' && !scope.has(used)) throw new SvgError('uses an undeclared prefix')
    refuseOtherInHtml(element, open.at(-1)?.element ?? null)
    open.push({ element, qualified, scope })
    const isEmpty = text[at] === '/'
    at += isEmpty ? 2 : 1
    if (isEmpty) close()
  }

  const closeElement = () => {
    const qualified = take(NAME)
    take(SPACE)
    if (open.at(-1)?.qualified !== qualified || text[at] !== '>') throw new SvgError("isn't well-formed")
    at += 1
    close()
  }

  const addText = (found: string) => {
    const current = open.at(-1)
    if (current) current.element.text += found
    else if (/[^ \t\r\n]/.test(found)) throw new SvgError('has text outside its root element')
  }

  while (at < text.length) {
    if (text[at] !== '<') {
      const next = text.indexOf('<', at)
      const raw = text.slice(at, next === -1 ? text.length : next)
      at += raw.length
      if (raw.includes(']]>')) throw new SvgError("isn't well-formed")
      addText(decodeEntities(raw))
    } else if (text.startsWith('<!--', at)) {
      at += 4
      readComment(upTo('-->', 'a comment'))
    } else if (text.startsWith('<![CDATA[', at)) {
      at += 9
      refuseSectionIn(open.at(-1)?.element ?? null)
      addText(upTo(']]>', 'a section'))
    } else if (text.startsWith('<?', at)) {
      at += 2
      readInstruction(upTo('?>', 'an instruction'), at)
    } else if (text.startsWith('<!', at)) {
      at += 2
      readDoctype(upTo('>', 'a declaration'), isRootSeen || hasDoctype)
      hasDoctype = true
    } else if (text.startsWith('</', at)) {
      at += 2
      closeElement()
    } else {
      at += 1
      openElement()
    }
  }
  if (!isRootSeen || open.length > 0) throw new SvgError("isn't well-formed")
}

const NO_SCOPE: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

const decode = (bytes: Buffer): string => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!NOT_XML.test(text)) return text
  } catch {
    // Reported as what follows.
  }
  throw new SvgError("isn't UTF-8 text")
}

const splitName = (qualified: string): { prefix: string; name: string } => {
  const colon = qualified.indexOf(':')
  return colon === -1
    ? { prefix: '', name: qualified }
    : { prefix: qualified.slice(0, colon), name: qualified.slice(colon + 1) }
}

const scopeWith = (
  outer: ReadonlyMap<string, string>,
  attributes: readonly { qualified: string; value: string }[],
): ReadonlyMap<string, string> => {
  const declared = attributes.filter(({ qualified }) => qualified === 'xmlns' || qualified.startsWith('xmlns:'))
  if (declared.length === 0) return outer
  return new Map([
    ...outer,
    ...declared.map(({ qualified, value }): [string, string] => [qualified.slice('xmlns:'.length), value]),
  ])
}

/** `<!-->` and `<!--->` are whole comments in HTML, and `--!>` ends one. */
const readComment = (inside: string): void => {
  if (inside.includes('--') || /^-?>|-$/.test(inside)) throw new SvgError("isn't well-formed")
}

const DECLARATION =
  /^xml[ \t\r\n]+version=(?:"1\.[01]"|'1\.[01]')(?:[ \t\r\n]+encoding=(?:"([\w.-]{1,40})"|'([\w.-]{1,40})'))?(?:[ \t\r\n]+standalone=(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*$/

/** An instruction could name a style sheet or another encoding. */
const readInstruction = (inside: string, end: number): void => {
  const isFirst = end === inside.length + '<??>'.length
  if (!isFirst || !/^xml[ \t\r\n]/.test(inside)) throw new SvgError('has a processing instruction')
  const [declaration, double, single] = DECLARATION.exec(inside) ?? []
  const encoding = double ?? single ?? 'utf-8'
  if (declaration === undefined) throw new SvgError("isn't well-formed")
  if (encoding.toLowerCase() !== 'utf-8') throw new SvgError("isn't UTF-8 text")
}

const IDENTIFIER = `(?:"[^"'<>&[\\]]*"|'[^"'<>&[\\]]*')`
const DOCTYPE = new RegExp(
  `^DOCTYPE[ \\t\\r\\n]+svg(?:[ \\t\\r\\n]+(?:PUBLIC[ \\t\\r\\n]+${IDENTIFIER}|SYSTEM)[ \\t\\r\\n]+${IDENTIFIER})?[ \\t\\r\\n]*$`,
)

/** The usual document type says nothing; one with declarations of its own could say anything. */
const readDoctype = (inside: string, isTooLate: boolean): void => {
  if (isTooLate || !DOCTYPE.test(inside)) throw new SvgError('has an unsupported DOCTYPE')
}

const decodeEntities = (raw: string): string => {
  if (!raw.includes('&')) return raw
  return raw.replace(/&([^;&]{0,12})(;?)/g, (_whole, name: string, end: string) => {
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? []
    const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
    // HTML reads those from 0x80 to 0x9f by windows-1252.
    const isOther = (code >= 0x80 && code <= 0x9f) || (code >= 0xd800 && code <= 0xdfff)
    const isCode = code > 0 && code <= 0x10ffff && !isOther
    const character = isCode ? String.fromCodePoint(code) : Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
    if (end === '' || character === undefined || NOT_XML.test(character)) throw new SvgError("isn't well-formed")
    return character
  })
}
