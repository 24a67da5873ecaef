import { ENTITIES } from './html-entities.ts'

/** Elements whose content nobody reads. */
const SILENT: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'template',
  'noscript',
  'svg',
  'math',
  'object',
])
/** Elements that stand in a line; all others break it. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i img ins kbd mark q s samp small span strike strong sub sup tt u var wbr o:p'.split(
    ' ',
  ),
)
const CELLS: ReadonlySet<string> = new Set(['td', 'th'])
const NAME = /\/?([a-z][a-z0-9:-]{0,20})/iy

/**
 * The words of an HTML text for previews and searching, read in one pass; at most so many characters. Not for showing
 * as HTML: for that there is the sanitiser.
 */
export const htmlToText = (html: string, maxLength = Number.POSITIVE_INFINITY): string => {
  const pieces: string[] = []
  let length = 0
  let at = 0
  while (at < html.length && length < maxLength) {
    const start = html.indexOf('<', at)
    const end = start === -1 ? html.length : start
    const text = decodeEntities(html.slice(at, end)).replace(SPACES, ' ')
    pieces.push(text)
    length += text.length
    if (start === -1) break
    const tag = readTag(html, start)
    pieces.push(tag.break)
    at = tag.next
  }
  return pieces
    .join('')
    .replace(/[ \t]*\n[ \t\n]*/g, '\n')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
}

/** Spaces and control characters that become one space; a single one stays as it is, which is nearly all of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they count as spaces
const SPACES = /(?! )[\s\0-\x1f\x7f-\x9f][\s\0-\x1f\x7f-\x9f]*| [\s\0-\x1f\x7f-\x9f]+/g

const readTag = (html: string, start: number): { break: string; next: number } => {
  if (html.startsWith('<!--', start)) return { break: '', next: after(html, '-->', start + 4) }
  NAME.lastIndex = start + 1
  const name = NAME.exec(html)?.[1]?.toLowerCase()
  // A lone bracket is text; a declaration is not.
  if (name === undefined)
    return /[!?]/.test(html[start + 1] ?? '')
      ? { break: '', next: after(html, '>', start) }
      : { break: '<', next: start + 1 }
  const next = endOfTag(html, start)
  if (SILENT.has(name) && html[start + 1] !== '/') return { break: '\n', next: afterClosing(html, name, next) }
  if (INLINE.has(name)) return { break: '', next }
  return { break: CELLS.has(name) ? ' ' : '\n', next }
}

/** After the bracket that closes a tag; those in quotes do not. */
const endOfTag = (html: string, start: number): number => {
  TAG_END.lastIndex = start
  const match = TAG_END.exec(html)
  return match ? TAG_END.lastIndex : after(html, '>', start)
}

/** Attributes beyond this are not read for their quotes. */
const TAG_END = /<(?:[^<>"']|"[^"]{0,4096}"|'[^']{0,4096}'){0,512}>/y

const afterClosing = (html: string, name: string, from: number): number => {
  const closing = new RegExp(`</${name}[\\s>/]`, 'gi')
  closing.lastIndex = from
  return closing.test(html) ? after(html, '>', closing.lastIndex - 1) : html.length
}

const after = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}

const decodeEntities = (text: string): string =>
  text.includes('&') ? text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,20}));?/gi, entityText) : text

const entityText = (whole: string, decimal?: string, hex?: string, name?: string): string => {
  if (name !== undefined) return ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase()) ?? whole
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}
