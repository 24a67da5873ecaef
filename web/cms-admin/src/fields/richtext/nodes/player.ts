import { mergeAttributes, Node } from '@tiptap/core'
import { displayUrl } from './display-url.ts'
import { numberOf, textAttribute, written } from './element.ts'
import { goOnBehind } from './go-on.ts'

export type PlayerAttributes = { kind: 'video' | 'audio'; mediaId: string; src: string; title: string | null }

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    player: {
      /** Puts videos and sounds of the library at the selection. */
      insertPlayers: (players: readonly PlayerAttributes[]) => ReturnType
    }
  }
}

/** A video or sound of the library, by its id. */
export const Player = Node.create({
  name: 'player',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () =>
    Object.fromEntries(
      ['kind', 'mediaId', 'src', 'title', 'width', 'height'].map((name) => [name, { default: null, rendered: false }]),
    ),
  parseHTML: () => ['video', 'audio'].map((tag) => ({ tag: `${tag}[data-media-id]`, getAttrs: readPlayer })),
  renderHTML: ({ node, HTMLAttributes }) => [tagOf(node.attrs), mergeAttributes(playerTag(node.attrs), HTMLAttributes)],
  addCommands() {
    return {
      insertPlayers:
        (players) =>
        ({ chain }) =>
          chain()
            .insertContent(players.map((attrs) => ({ type: this.name, attrs })))
            .command(({ tr }) => goOnBehind(tr))
            .run(),
    }
  },
  addNodeView:
    () =>
    ({ node }) => {
      const dom = document.createElement('div')
      dom.className = 'rt-player'
      const media = document.createElement(tagOf(node.attrs))
      media.controls = true
      media.preload = 'metadata'
      const src = displayUrl(textAttribute(node.attrs, 'src'), textAttribute(node.attrs, 'mediaId'))
      if (src !== null) media.src = src
      media.setAttribute('aria-label', textAttribute(node.attrs, 'title') ?? 'Media file')
      dom.append(media)
      return { dom, update: (next) => next.type === node.type && next.sameMarkup(node) }
    },
})

const tagOf = (attrs: Readonly<Record<string, unknown>>): 'video' | 'audio' =>
  attrs.kind === 'audio' ? 'audio' : 'video'

const readPlayer = (element: Element) => ({
  kind: element.nodeName.toLowerCase(),
  mediaId: element.getAttribute('data-media-id'),
  src: element.getAttribute('src'),
  title: element.getAttribute('title'),
  width: numberOf(element, 'width'),
  height: numberOf(element, 'height'),
})

const playerTag = (attrs: Readonly<Record<string, unknown>>): Record<string, string> => {
  const number = (name: string): number | null => (typeof attrs[name] === 'number' ? attrs[name] : null)
  return written({
    src: textAttribute(attrs, 'src'),
    title: textAttribute(attrs, 'title'),
    width: number('width'),
    height: number('height'),
    'data-media-id': textAttribute(attrs, 'mediaId'),
    controls: '',
    preload: 'metadata',
  })
}
