/**
 * Takes out of a text what a reader of the page never sees: comments, and elements that their own attributes or styles
 * hide. Reads a text as HTML is read, in one pass, and keeps every other character.
 */
export const withoutHiddenText = (text: string): string => withoutHiddenElements(withoutComments(text))

const OPEN = '<!--'
const CLOSE = '-->'

/** The result holds no comment, not even one that is joined together by the removal of another. */
const withoutComments = (text: string): string => {
  if (!text.includes('<!')) return text
  const kept: string[] = []
  for (let at = 0; at < text.length; ) {
    kept.push(text.charAt(at))
    at += 1
    if (kept.at(-1) !== '-' || kept.slice(-OPEN.length).join('') !== OPEN) continue
    kept.length -= OPEN.length
    const end = text.indexOf(CLOSE, at)
    // HTML: a comment without an end goes on to the end of the text.
    at = end < 0 ? text.length : end + CLOSE.length
  }
  return kept.join('')
}

type Tag = { name: string; attributes: ReadonlyMap<string, string>; end: number }

const withoutHiddenElements = (text: string): string => {
  let kept = ''
  let from = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const tag = readTag(text, at)
    if (tag === 'unfinished') break
    if (tag === null) at += 1
    else if (isHidden(tag)) {
      kept += text.slice(from, at)
      at = endOf(text, tag)
      from = at
    } else at = tag.end
  }
  return kept + text.slice(from)
}

const NAME = /[a-z][a-z0-9:-]*/iy
const GAP = /[\s/]*/y
const ATTRIBUTE = /([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?/y

/** The tag that starts here; null where there is none, `unfinished` where the text ends before it does. */
const readTag = (text: string, start: number): Tag | null | 'unfinished' => {
  const name = matchAt(NAME, text, start + 1)?.[0]
  if (name === undefined) return null
  const attributes = new Map<string, string>()
  for (let at = start + 1 + name.length; ; ) {
    at += matchAt(GAP, text, at)?.[0].length ?? 0
    if (at >= text.length) return 'unfinished'
    if (text[at] === '>') return { name: name.toLowerCase(), attributes, end: at + 1 }
    const [whole = '', key = '', value = ''] = matchAt(ATTRIBUTE, text, at) ?? []
    const first = key.toLowerCase()
    if (key !== '' && !attributes.has(first)) attributes.set(first, value.replace(/^(["'])(.*)\1$/s, '$2'))
    // A character that starts no attribute, such as a lone `=`, is skipped as in HTML.
    at += Math.max(whole.length, 1)
  }
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Their content is never shown as text. */
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'title', 'head'])

const HIDING: readonly RegExp[] = [
  /(?:^|;)display:none/,
  /(?:^|;)visibility:(?:hidden|collapse)/,
  /(?:^|;)content-visibility:hidden/,
  /(?:^|;)opacity:0*(?:\.0*)?%?(?:;|!|$)/,
  /(?:^|;)font-size:0*(?:\.\d*)?(?:0|px|pt|em|rem|%)*(?:;|!|$)/,
  /(?:^|;)(?:-webkit-text-fill-)?color:(?:transparent|rgba\([^)]*,0*(?:\.0*)?%?\)|#[0-9a-f]{3}0(?:;|!|$)|#[0-9a-f]{6}00)/,
  /(?:^|;)text-indent:-\d{3,}/,
  /(?:^|;)(?:left|right|top|bottom|margin|margin-left|margin-top):-\d{4,}/,
  /(?:^|;)clip:rect\((?:0(?:px)?,?){4}\)/,
  /(?:^|;)clip-path:(?:inset\((?:50|100)%|circle\(0)/,
  /(?:^|;)transform:scale\(0/,
]

const NO_SIZE = /(?:^|;)(?:max-)?(?:height|width):[01](?:px)?(?:;|!|$)/

const isHidden = ({ name, attributes }: Tag): boolean => {
  if (SILENT.has(name) || attributes.has('hidden')) return true
  if (name === 'input' && attributes.get('type')?.toLowerCase() === 'hidden') return true
  const style = plainStyle(attributes.get('style') ?? '')
  if (style === '') return false
  return HIDING.some((pattern) => pattern.test(style)) || (NO_SIZE.test(style) && style.includes('overflow:hidden'))
}

/** A style without what can be written in several ways: spaces, comments, escapes, entities and capitals. */
const plainStyle = (style: string): string =>
  style
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex, decimal) => characterOf(hex ? `0x${hex}` : decimal))
    .replace(/&colon;/gi, ':')
    .replace(/\/\*.*?(?:\*\/|$)/gs, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex) => characterOf(`0x${hex}`))
    .replace(/\\(.)/g, '$1')
    .replace(/\s+/g, '')
    .toLowerCase()

const characterOf = (code: string): string => {
  const point = Number(code)
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
}

const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])

/** Where the element ends that this tag begins: after its own end tag, or with the text. */
const endOf = (text: string, { name, end }: Tag): number => {
  if (VOID.has(name)) return end
  const same = new RegExp(`<(/?)${name}(?=[\\s/>])[^<>]*>`, 'gi')
  same.lastIndex = end
  for (let open = 1; ; ) {
    const match = same.exec(text)
    if (match === null) return text.length
    open += match[1] === '/' ? -1 : 1
    if (open === 0) return same.lastIndex
  }
}
