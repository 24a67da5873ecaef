import { embedFrom } from '@stoa/cms-model/html/embed-url.ts'
import { EMBED_ALLOW, EMBED_SANDBOX } from '@stoa/cms-model/html/policy.ts'
import { mergeAttributes, Node } from '@tiptap/core'
import { numberOf, textAttribute } from './element.ts'
import { goOnBehind } from './go-on.ts'

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    embed: {
      /** Puts a player at the selection. */
      insertEmbed: (embed: { src: string; title: string | null }) => ReturnType
    }
  }
}

/** A player of another site. The editor shows a card: nothing is asked of that site before someone wants to. */
export const Embed = Node.create({
  name: 'embed',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src: { default: null },
    title: { default: null },
    width: { default: null, parseHTML: (element) => numberOf(element, 'width') },
    height: { default: null, parseHTML: (element) => numberOf(element, 'height') },
    fullscreen: {
      default: true,
      parseHTML: (element) => element.hasAttribute('allowfullscreen'),
      renderHTML: ({ fullscreen }) => (fullscreen === true ? { allowfullscreen: '' } : {}),
    },
  }),
  parseHTML: () => [{ tag: 'iframe[src]' }],
  renderHTML: ({ HTMLAttributes }) => [
    'iframe',
    mergeAttributes(HTMLAttributes, { loading: 'lazy', sandbox: EMBED_SANDBOX, allow: EMBED_ALLOW }),
  ],
  addCommands() {
    return {
      insertEmbed:
        (attrs) =>
        ({ chain }) =>
          chain()
            .insertContent({ type: this.name, attrs })
            .command(({ tr }) => goOnBehind(tr))
            .run(),
    }
  },
  addNodeView:
    () =>
    ({ node }) => {
      const { type } = node
      const dom = document.createElement('div')
      dom.className = 'rt-embed'
      const name = document.createElement('strong')
      const address = document.createElement('span')
      dom.append(name, address)
      const draw = (attrs: Readonly<Record<string, unknown>>): void => {
        const src = textAttribute(attrs, 'src') ?? ''
        name.textContent = textAttribute(attrs, 'title') || (embedFrom(src)?.provider ?? 'Embedded player')
        address.textContent = src
      }
      draw(node.attrs)
      return {
        dom,
        update: (next) => {
          if (next.type !== type) return false
          draw(next.attrs)
          return true
        },
      }
    },
})
