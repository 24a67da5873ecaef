import { BoundedTokenizer } from '@stoa/html/parse.ts'
import { type HtmlNode, type HtmlTreeMap, treeAdapter } from '@stoa/html/tree.ts'
import { html, Parser, type ParserOptions, type Token, type TreeAdapter } from 'parse5'

export const MAX_PAGE_LENGTH = 5_242_880
/** Elements, texts and comments: a page of more cannot be edited with joy, and takes seconds to open. */
const MAX_PAGE_NODES = 100_000
/** Chromium drops deeper levels, too. Every step of the parser looks through all open elements. */
const MAX_OPEN_ELEMENTS = 500
/** Unclosed formatting is opened again in every following block. */
const MAX_OPEN_FORMATTING = 64

export class PageTooComplex extends Error {}

/** Parses a document as a browser does, in time that grows with its length. Throws PageTooComplex beyond the limits. */
export const parsePage = (text: string): HtmlNode => {
  const parser = new PageParser({ treeAdapter: documentAdapter() })
  parser.tokenizer.write(text, true)
  return parser.document
}

/** The adapter of fragments, and what only documents need: their mode, and attributes of repeated html and body tags. */
const documentAdapter = (): TreeAdapter<HtmlTreeMap> => {
  let mode = html.DOCUMENT_MODE.NO_QUIRKS
  let nodes = 0
  const count = () => {
    nodes += 1
    if (nodes > MAX_PAGE_NODES) throw new PageTooComplex()
  }
  return {
    ...treeAdapter,
    createElement: (name, namespace, attributes) => {
      count()
      return treeAdapter.createElement(name, namespace, attributes)
    },
    createCommentNode: (text) => {
      count()
      return treeAdapter.createCommentNode(text)
    },
    insertText: (parent, text) => {
      if (parent.last?.kind !== 'text') count()
      treeAdapter.insertText(parent, text)
    },
    insertTextBefore: (parent, text, reference) => {
      if (reference.previous?.kind !== 'text') count()
      treeAdapter.insertTextBefore(parent, text, reference)
    },
    adoptAttributes: (node, attributes) => {
      const own = node.attributes as Token.Attribute[]
      for (const attribute of attributes) if (!own.some(({ name }) => name === attribute.name)) own.push(attribute)
    },
    setDocumentMode: (_, given) => {
      mode = given
    },
    getDocumentMode: () => mode,
  }
}

const formatting: ReadonlySet<string> = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

/** A subclass, because these are the hooks that parse5 offers. */
class PageParser extends Parser<HtmlTreeMap> {
  constructor(options: ParserOptions<HtmlTreeMap>) {
    super(options)
    this.tokenizer = new BoundedTokenizer(this.options, this)
  }

  override onStartTag(token: Token.TagToken): void {
    if (this.openElements.stackTop >= MAX_OPEN_ELEMENTS) return
    if (this.activeFormattingElements.entries.length >= MAX_OPEN_FORMATTING && formatting.has(token.tagName)) return
    super.onStartTag(token)
  }
}
