import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanInline } from '@stoa/cms-model/html/inline.ts'
import { parseHtml } from '@stoa/html/parse.ts'
import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import fc from 'fast-check'
import { type ContentNode, inlineHtml } from './inline-content.ts'

/** A parsed node as the browser would show it. */
const asDom = (node: HtmlNode): ContentNode => ({
  nodeType: node.kind === 'element' ? 1 : node.kind === 'text' ? 3 : 8,
  nodeName: node.name,
  namespaceURI: node.namespace,
  nodeValue: node.text,
  childNodes: [...childrenOf(node)].map(asDom),
})

const tags = (
  'p div span b i em u a h1 h3 h6 ul li table tr td blockquote pre br br br i i em hr figure details summary center ' +
  'script style textarea template noscript svg math mi button select option video audio iframe form section x-y'
).split(' ')
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...tags).map((tag) => `<${tag} class="x">`) },
  { weight: 4, arbitrary: fc.constantFrom(...tags).map((tag) => `</${tag}>`) },
  {
    weight: 5,
    arbitrary: fc.constantFrom('x', ' ', '\n', 'a b', '&nbsp;', '&lt;', '&amp;', '\f', '&#1;', '<!-- c -->', '😀', '"'),
  },
)

describe('the content of a formatted element', () => {
  test('is the same that the service makes of its HTML', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = pieces.join('')
        assert.equal(inlineHtml(asDom(parseHtml(html))), cleanInline(html))
      }),
      { seed: 20261116, numRuns: 3000 },
    )
  })
})
