import { html, Parser, type ParserOptions, type Token, Tokenizer } from 'parse5'
import { type HtmlNode, type HtmlTreeMap, treeAdapter } from './tree.ts'

/** Deeper elements are left out and their content kept: every step of the parser looks through all open elements. */
const MAX_OPEN_ELEMENTS = 300
/** Unclosed formatting is opened again in every following block, so that its number multiplies the document. */
const MAX_OPEN_FORMATTING = 32
/** A megabyte holds no more tags than this; only formatting that is opened again and again gets there. */
const MAX_ELEMENTS = 300_000
/** Each attribute is compared with all the others of its tag. */
const MAX_ATTRIBUTES = 64

/**
 * Parses a fragment as a browser does inside a `<div>`, in time that grows with its length whatever the markup:
 * beyond the limits, tags are left out and their text stays.
 */
export const parseHtml = (text: string, { maxElements = MAX_ELEMENTS } = {}): HtmlNode => {
  const context = treeAdapter.createElement('div', html.NS.HTML, [])
  const parser = BoundedParser.getFragmentParser<HtmlTreeMap>(context, { treeAdapter })
  if (parser instanceof BoundedParser) parser.maxElements = maxElements
  parser.tokenizer.write(text, true)
  return parser.getFragment()
}

/** Elements that parse5 keeps in its list of active formatting elements. */
const formatting: ReadonlySet<string> = new Set([
  'a',
  'b',
  'big',
  'code',
  'em',
  'font',
  'i',
  'nobr',
  's',
  'small',
  'strike',
  'strong',
  'tt',
  'u',
])

/** Subclasses, because these are the hooks that parse5 offers. */
class BoundedParser extends Parser<HtmlTreeMap> {
  maxElements = MAX_ELEMENTS
  private elements = 0

  constructor(options?: ParserOptions<HtmlTreeMap>, document?: HtmlNode, fragmentContext?: HtmlNode | null) {
    super(options, document, fragmentContext)
    this.tokenizer = new BoundedTokenizer(this.options, this)
  }

  override onItemPush(node: HtmlNode, tagId: number, isTop: boolean): void {
    this.elements += 1
    super.onItemPush(node, tagId, isTop)
  }

  override onStartTag(token: Token.TagToken): void {
    if (this.elements >= this.maxElements || this.openElements.stackTop >= MAX_OPEN_ELEMENTS) return
    if (this.activeFormattingElements.entries.length >= MAX_OPEN_FORMATTING && formatting.has(token.tagName)) return
    super.onStartTag(token)
  }

  override onEndTag(token: Token.TagToken): void {
    // Some end tags make elements, too.
    if (this.elements < this.maxElements) super.onEndTag(token)
  }
}

/** Reads tags in time that grows with their length: attributes beyond a limit are left out. */
export class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const token = this.currentToken
    if (token && 'attrs' in token && token.attrs.length >= MAX_ATTRIBUTES) return
    super._leaveAttrName()
  }
}
