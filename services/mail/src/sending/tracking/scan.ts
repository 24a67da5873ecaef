import { BoundedTokenizer } from '@stoa/html/parse.ts'
import { type Token, type TokenHandler, type Tokenizer, TokenizerMode } from 'parse5'

/** A link in a document: the text of its attribute, where that stands, and where it leads to. */
export type FoundLink = { start: number; end: number; href: string }

/** Elements whose content is text: a link in there is none. */
const TEXT_ELEMENTS: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
])

/** HTML §13.1.2.3. parse5 does not say where a quoted value ends that another attribute follows without a space. */
const ATTRIBUTE = /href\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*)/iy

/** The links of a document, and where its body ends, in time that grows with its length. */
export const scanHtml = (html: string): { links: FoundLink[]; bodyEnd: number } => {
  const links: FoundLink[] = []
  let bodyEnd = html.length
  const tokenizer = new BoundedTokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED,
      onStartTag(token) {
        const link = linkOf(html, token)
        if (link) links.push(link)
        const mode = TEXT_ELEMENTS.get(token.tagName)
        if (mode !== undefined && !token.selfClosing) tokenizer.state = mode
      },
      onEndTag({ tagName, location }) {
        if (tagName === 'body' && location) bodyEnd = location.startOffset
      },
    },
  )
  tokenizer.write(html, true)
  return { links, bodyEnd }
}

const nothing = (): void => undefined
const IGNORED: TokenHandler = {
  onComment: nothing,
  onDoctype: nothing,
  onStartTag: nothing,
  onEndTag: nothing,
  onEof: nothing,
  onCharacter: nothing,
  onNullCharacter: nothing,
  onWhitespaceCharacter: nothing,
}

const linkOf = (html: string, { tagName, attrs, location }: Token.TagToken): FoundLink | null => {
  if (tagName !== 'a' && tagName !== 'area') return null
  const href = attrs.find(({ name }) => name === 'href')?.value
  const start = location?.attrs?.href?.startOffset
  if (href === undefined || start === undefined) return null
  ATTRIBUTE.lastIndex = start
  const written = ATTRIBUTE.exec(html)?.[0]
  return written === undefined ? null : { start, end: start + written.length, href }
}
