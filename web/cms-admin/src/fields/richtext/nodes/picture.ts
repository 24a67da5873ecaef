import { mergeAttributes, Node } from '@tiptap/core'
import { elementsIn, hasOwnText, isTag, numberOf, textAttribute, written } from './element.ts'
import { goOnBehind } from './go-on.ts'
import { pictureView } from './picture-view.ts'

export const alignments = ['left', 'center', 'right', 'wide'] as const
export type Alignment = (typeof alignments)[number]

/** The link around a picture, if it has one. */
export type PictureLink = {
  href: string
  entryId?: string | null
  title: string | null
  hreflang: string | null
  target: '_blank' | null
}

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    picture: {
      /** Puts pictures at the selection, each as a block of its own. */
      insertPictures: (pictures: readonly PictureAttributes[]) => ReturnType
    }
  }
}

export type PictureAttributes = {
  src: string | null
  alt: string | null
  mediaId?: string | null
  width?: number | null
  height?: number | null
  caption?: string
}

/** A picture as a block: `figure` with one `img` and a caption, which is the node's content. */
export const Picture = Node.create({
  name: 'picture',
  group: 'block',
  content: 'inline*',
  draggable: true,
  isolating: true,
  addAttributes: () => ({
    ...imageAttributes,
    align: { default: null, rendered: false },
    link: { default: null, rendered: false },
  }),
  parseHTML: () => [
    {
      tag: 'figure',
      getAttrs: readFigure,
      contentElement: captionOf,
    },
  ],
  renderHTML: ({ node, HTMLAttributes }) => {
    const align = textAttribute(node.attrs, 'align')
    const image: ['img', Record<string, string>] = ['img', imageTagAttributes(node.attrs)]
    const link = pictureLinkOf(node.attrs)
    return [
      'figure',
      mergeAttributes(HTMLAttributes, written({ 'data-align': align })),
      link ? ['a', linkTagAttributes(link), image] : image,
      ['figcaption', 0],
    ]
  },
  addNodeView: () => pictureView,
  addCommands() {
    return {
      insertPictures:
        (pictures) =>
        ({ chain }) =>
          chain()
            .insertContent(
              pictures.map(({ caption, ...attrs }) => ({
                type: this.name,
                attrs,
                ...(caption ? { content: [{ type: 'text', text: caption }] } : {}),
              })),
            )
            .command(({ tr }) => goOnBehind(tr))
            .run(),
    }
  },
})

/** A picture inside a line of text: an icon, a small sign. */
export const InlineImage = Node.create({
  name: 'inlineImage',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => imageAttributes,
  parseHTML: () => [{ tag: 'img', getAttrs: readImage }],
  renderHTML: ({ node, HTMLAttributes }) => ['img', mergeAttributes(imageTagAttributes(node.attrs), HTMLAttributes)],
  addNodeView: () => pictureView,
})

/** Something else with a caption: a table, a quotation, two pictures. Kept, not offered. */
export const Figure = Node.create({
  name: 'figure',
  group: 'block',
  content: '(block | figcaption)+',
  addAttributes: () => ({
    align: { default: null, parseHTML: readAlign, renderHTML: ({ align }) => (align ? { 'data-align': align } : {}) },
  }),
  parseHTML: () => [{ tag: 'figure', priority: 40 }],
  renderHTML: ({ HTMLAttributes }) => ['figure', HTMLAttributes, 0],
})

export const Figcaption = Node.create({
  name: 'figcaption',
  content: 'block+',
  parseHTML: () => [{ tag: 'figcaption' }],
  renderHTML: ({ HTMLAttributes }) => ['figcaption', HTMLAttributes, 0],
})

const imageAttributes = Object.fromEntries(
  ['src', 'alt', 'title', 'width', 'height', 'mediaId', 'loading'].map((name) => [
    name,
    { default: null, rendered: false },
  ]),
)

const readImage = (image: Element) => ({
  src: image.getAttribute('src'),
  alt: image.getAttribute('alt'),
  title: image.getAttribute('title'),
  width: numberOf(image, 'width'),
  height: numberOf(image, 'height'),
  mediaId: image.getAttribute('data-media-id'),
  loading: image.getAttribute('loading'),
})

const imageTagAttributes = (attrs: Readonly<Record<string, unknown>>): Record<string, string> => {
  const number = (name: string): number | null => (typeof attrs[name] === 'number' ? attrs[name] : null)
  return written({
    src: textAttribute(attrs, 'src'),
    alt: textAttribute(attrs, 'alt'),
    title: textAttribute(attrs, 'title'),
    width: number('width'),
    height: number('height'),
    'data-media-id': textAttribute(attrs, 'mediaId'),
    loading: textAttribute(attrs, 'loading'),
  })
}

/** Only what the node can hold; any other figure stays what it is. */
const readFigure = (figure: Element) => {
  const [first, second, ...more] = elementsIn(figure)
  if (more.length > 0 || hasOwnText(figure)) return false
  if (second !== undefined && !isPlainCaption(second)) return false
  const link = isTag(first, 'a') && !hasOwnText(first) ? readLink(first) : null
  const inner = link && first ? elementsIn(first) : [first]
  const image = inner[0]
  if (inner.length !== 1 || !isTag(image, 'img') || hasLanguage(image)) return false
  return { ...readImage(image), align: readAlign(figure), link }
}

const readAlign = (figure: Element): Alignment | null =>
  alignments.find((alignment) => alignment === figure.getAttribute('data-align')) ?? null

const readLink = (link: Element): PictureLink | null => {
  const href = link.getAttribute('href')
  const entryId = link.getAttribute('data-entry-id')
  if ((href === null && entryId === null) || hasLanguage(link)) return null
  return {
    href: href ?? '',
    entryId,
    title: link.getAttribute('title'),
    hreflang: link.getAttribute('hreflang'),
    target: link.getAttribute('target') === '_blank' ? '_blank' : null,
  }
}

const isPlainCaption = (element: Element): boolean =>
  isTag(element, 'figcaption') && !hasLanguage(element) && !holdsBlocks(element)

const hasLanguage = (element: Element): boolean => element.hasAttribute('lang') || element.hasAttribute('dir')

const BLOCKS =
  'p, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, hr, figure, table, details, iframe, video, audio, div'

const holdsBlocks = (element: Element): boolean => Boolean(element.querySelector(BLOCKS))

const captionOf = (figure: globalThis.Node): HTMLElement => {
  const caption = Array.from(figure.childNodes).find(isCaption)
  const page = figure.ownerDocument
  if (caption) return caption
  if (!page) throw new Error('a parsed figure has a document')
  return page.createElement('figcaption')
}

const isCaption = (node: globalThis.Node): node is HTMLElement => node.nodeName.toLowerCase() === 'figcaption'

/** The link that a picture node holds. */
export const pictureLinkOf = (attrs: Readonly<Record<string, unknown>>): PictureLink | null =>
  isPictureLink(attrs.link) ? attrs.link : null

/** Only parsing and the dialog of pictures write it. */
const isPictureLink = (link: unknown): link is PictureLink =>
  typeof link === 'object' && link !== null && 'href' in link && typeof link.href === 'string'

const linkTagAttributes = ({ target, href, entryId = null, ...rest }: PictureLink): Record<string, string> =>
  written({
    href: href || null,
    'data-entry-id': entryId,
    ...rest,
    target,
    rel: target === null ? null : 'noopener noreferrer',
  })
