import { type Extensions, Mark, mergeAttributes, Node } from '@tiptap/core'
import { StarterKit } from '@tiptap/starter-kit'
import { isColour } from './document.ts'
import { safeHref } from './links.ts'

/** Everything that a mail may hold. What is pasted and quoted is made to fit it, and nothing else is sent. */
export const mailExtensions = (pictureUrl: (cid: string) => string | null): Extensions => [
  StarterKit.configure({
    paragraph: false,
    heading: { levels: [1, 2, 3] },
    dropcursor: { class: 'mt-drop-cursor', width: 2, color: false },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (url) => safeHref(url) !== null || /^[^:]+$/.test(url),
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  Paragraph,
  Signature,
  TextColour,
  Picture.configure({ pictureUrl }),
  Table,
  TableRow,
  TableCell,
]

/** A line. Those of other mail programs may have space around them. */
const Paragraph = Node.create({
  name: 'paragraph',
  priority: 1000,
  group: 'block',
  content: 'inline*',
  addAttributes: () => ({
    spaced: {
      default: false,
      parseHTML: (element) => element.hasAttribute('data-spaced'),
      renderHTML: ({ spaced }) => (spaced === true ? { 'data-spaced': '' } : {}),
    },
  }),
  parseHTML: () => [{ tag: 'p' }, { tag: 'div', priority: 10 }],
  renderHTML: ({ HTMLAttributes }) => ['p', HTMLAttributes, 0],
})

/** The signature of the identity: known as such, so that another one can take its place. */
const Signature = Node.create({
  name: 'signature',
  group: 'block',
  content: 'block+',
  parseHTML: () => [{ tag: 'div[data-signature]', priority: 60 }],
  renderHTML: () => ['div', { 'data-signature': '' }, 0],
})

const TextColour = Mark.create({
  name: 'textColour',
  excludes: 'textColour',
  addAttributes: () => ({
    colour: {
      default: null,
      parseHTML: (element) => element.getAttribute('data-colour'),
      renderHTML: ({ colour }) => ({ 'data-colour': colour }),
    },
  }),
  parseHTML: () => [
    {
      tag: 'span[data-colour]',
      getAttrs: (element) => (isColour(element.getAttribute('data-colour')) ? null : false),
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
})

type PictureOptions = { pictureUrl: (cid: string) => string | null }

/** A picture that goes with the message, known by its Content-ID. Where the page shows it from is not part of the text. */
const Picture = Node.create<PictureOptions>({
  name: 'image',
  inline: true,
  group: 'inline',
  atom: true,
  draggable: true,
  addOptions: () => ({ pictureUrl: () => null }),
  addAttributes: () => ({
    cid: {
      default: '',
      parseHTML: (element) => element.getAttribute('data-cid'),
      renderHTML: ({ cid }) => ({ 'data-cid': cid }),
    },
    alt: { default: '' },
    width: { default: null, parseHTML: (element) => Number(element.getAttribute('width')) || null },
  }),
  parseHTML: () => [{ tag: 'img[data-cid]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
  addNodeView() {
    const { pictureUrl } = this.options
    return ({ node }) => {
      const dom = document.createElement('img')
      dom.alt = String(node.attrs.alt)
      if (typeof node.attrs.width === 'number') dom.width = node.attrs.width
      const url = pictureUrl(String(node.attrs.cid))
      if (url !== null) dom.src = url
      return { dom }
    }
  },
})

/** Tables of quoted and pasted text stay tables; none can be made here. */
const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['table', {}, ['tbody', 0]],
})

const TableRow = Node.create({
  name: 'tableRow',
  content: 'tableCell+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

const span = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Number(element.getAttribute(name)) || 1,
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
})

const TableCell = Node.create({
  name: 'tableCell',
  content: 'block+',
  isolating: true,
  addAttributes: () => ({
    header: { default: false, rendered: false, parseHTML: (element) => element.tagName === 'TH' },
    colspan: span('colspan'),
    rowspan: span('rowspan'),
  }),
  parseHTML: () => [{ tag: 'td' }, { tag: 'th' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    node.attrs.header === true ? 'th' : 'td',
    mergeAttributes(HTMLAttributes),
    0,
  ],
})
