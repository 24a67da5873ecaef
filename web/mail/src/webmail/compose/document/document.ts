/** A written text as TipTap knows it: plain data, made and read without a browser. */
export type DocNode = {
  type: string
  attrs?: Record<string, string | number | boolean | null>
  content?: DocNode[]
  marks?: DocMark[]
  text?: string
}
export type DocMark = { type: string; attrs?: Record<string, string | null> }

/** Colors of text: by name in the document, so that they fit light and dark, and one for all in the mail. */
export const COLOURS = {
  red: '#b3261e',
  orange: '#9a5b00',
  green: '#1d7a3c',
  blue: '#1f5fbf',
  purple: '#7a3ea8',
  grey: '#6b7280',
} as const satisfies Record<string, string>
export type Colour = keyof typeof COLOURS
export const isColour = (name: unknown): name is Colour => typeof name === 'string' && Object.hasOwn(COLOURS, name)

export const textNode = (text: string, marks: readonly DocMark[] = []): DocNode[] =>
  text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 ? { marks: [...marks] } : {}) }]

export const paragraph = (content: DocNode[] = [], isSpaced = false): DocNode => ({
  type: 'paragraph',
  attrs: { spaced: isSpaced },
  ...(content.length > 0 ? { content } : {}),
})

export const docOf = (content: DocNode[]): DocNode => ({
  type: 'doc',
  content: content.length > 0 ? content : [paragraph()],
})

/** Every node, the outer ones first. */
export function* nodesOf(node: DocNode): Generator<DocNode> {
  yield node
  for (const child of node.content ?? []) yield* nodesOf(child)
}

/** Whether plain text would lose something of it. */
export const hasFormatting = (doc: DocNode): boolean =>
  [...nodesOf(doc)].some(
    ({ type, marks = [] }) =>
      ['heading', 'image', 'table', 'codeBlock'].includes(type) || marks.some((mark) => mark.type !== 'link'),
  )

/** Ids of the pictures that the text shows. */
export const picturesIn = (doc: DocNode): Set<string> =>
  new Set(
    [...nodesOf(doc)].flatMap(({ type, attrs }) =>
      type === 'image' && typeof attrs?.cid === 'string' ? [attrs.cid] : [],
    ),
  )

/** Whether nothing is written. */
export const isBlank = (doc: DocNode): boolean =>
  ![...nodesOf(doc)].some(
    ({ type, text = '' }) => ['image', 'horizontalRule'].includes(type) || (type === 'text' && text.trim() !== ''),
  )
