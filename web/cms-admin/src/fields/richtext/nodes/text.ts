import { linkUrl } from '@stoa/cms-model/html/urls.ts'
import { mergeAttributes, Node, textblockTypeInputRule } from '@tiptap/core'
import { Code } from '@tiptap/extension-code'
import { CodeBlock } from '@tiptap/extension-code-block'
import { Heading as TipTapHeading } from '@tiptap/extension-heading'
import { Link as TipTapLink } from '@tiptap/extension-link'
import { elementsIn, hasOwnText, isTag } from './element.ts'

/** Headings of stored HTML: the title of the page is its h1. */
const HEADING_LEVELS = [2, 3, 4] as const
/** h2 to h4; what comes as another heading becomes the nearest of them. */
export const Heading = TipTapHeading.extend({
  parseHTML: () => [
    { tag: 'h1', attrs: { level: 2 } },
    ...HEADING_LEVELS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
    { tag: 'h5', attrs: { level: 4 } },
    { tag: 'h6', attrs: { level: 4 } },
  ],
  addKeyboardShortcuts() {
    return Object.fromEntries(
      HEADING_LEVELS.map((level, index) => [
        `Mod-Alt-${index + 1}`,
        () => this.editor.commands.toggleHeading({ level }),
      ]),
    )
  },
  addInputRules() {
    return HEADING_LEVELS.map((level, index) =>
      textblockTypeInputRule({
        // `# ` and `## ` both begin the largest: people count from the page or from the text
        find: index === 0 ? /^#{1,2}\s$/ : new RegExp(`^#{${level}}\\s$`),
        type: this.type,
        getAttributes: { level },
      }),
    )
  },
}).configure({ levels: [...HEADING_LEVELS] })

/** Code in a line; unlike TipTap's it may be inside other formatting, and keeps its language. */
export const InlineCode = Code.extend({
  excludes: '',
  addAttributes: () => ({
    class: { default: null, parseHTML: (element) => languageClass(element) },
  }),
})

/** Code only: text in one `code`. */
export const CodeLines = CodeBlock.extend({
  addAttributes: () => ({
    language: { default: null, rendered: false, parseHTML: (pre) => codeLanguageOf(elementsIn(pre)[0]) },
  }),
  parseHTML: () => [
    {
      tag: 'pre',
      preserveWhitespace: 'full',
      getAttrs: (pre) => {
        const [code, ...more] = elementsIn(pre)
        const isPlain = isTag(code, 'code') && elementsIn(code).length === 0 && !hasLanguage(code)
        return isPlain && more.length === 0 && !hasAnyText(pre) ? null : false
      },
    },
  ],
})

/** Preformatted text that is not code: a poem, a log with links. Kept, not offered. */
export const Preformatted = Node.create({
  name: 'preformatted',
  group: 'block',
  content: 'inline*',
  whitespace: 'pre',
  defining: true,
  parseHTML: () => [{ tag: 'pre', preserveWhitespace: 'full', priority: 40 }],
  renderHTML: ({ HTMLAttributes }) => ['pre', HTMLAttributes, 0],
})

/** A link with the attributes of stored HTML: to an address, or to an entry by its id. A new window never reaches back. */
export const Link = TipTapLink.extend({
  addAttributes: () => ({
    href: { default: null },
    entryId: {
      default: null,
      parseHTML: (element) => element.getAttribute('data-entry-id'),
      renderHTML: ({ entryId }) => (typeof entryId === 'string' ? { 'data-entry-id': entryId } : {}),
    },
    title: { default: null },
    hreflang: { default: null },
    target: {
      default: null,
      parseHTML: (element) => (element.getAttribute('target') === '_blank' ? '_blank' : null),
      renderHTML: ({ target }) => (target === '_blank' ? { target, rel: 'noopener noreferrer' } : {}),
    },
  }),
  parseHTML: () => [
    { tag: 'a[href]', getAttrs: (link) => (isFollowed(link) ? null : false) },
    { tag: 'a[data-entry-id]' },
  ],
  renderHTML: ({ HTMLAttributes }) => ['a', mergeAttributes(HTMLAttributes), 0],
}).configure({
  openOnClick: false,
  defaultProtocol: 'https',
  isAllowedUri: (url) => linkUrl(url) !== null,
  HTMLAttributes: { target: null, rel: null, class: null },
})

const isFollowed = (link: Element): boolean => linkUrl(link.getAttribute('href') ?? '') !== null

const languageClass = (element: Element): string | null =>
  (element.getAttribute('class') ?? '').split(/\s+/).find((name) => name.startsWith('language-')) ?? null

const codeLanguageOf = (code: Element | undefined): string | null =>
  code ? (languageClass(code)?.slice('language-'.length) ?? null) : null

const hasLanguage = (element: Element): boolean => element.hasAttribute('lang') || element.hasAttribute('dir')

/** Even a line break beside the `code` would be lost with it. */
const hasAnyText = (pre: Element): boolean =>
  hasOwnText(pre) || Array.from(pre.childNodes).some((node) => node.nodeType === 3 && node.nodeValue !== '')
