import { escapeAttribute, escapeText } from '@stoa/cms-model/html/escape.ts'
import { droppedTags } from '@stoa/cms-model/html/policy.ts'
import { parseHtml } from '@stoa/html/parse.ts'
import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'

/** An element of pasted HTML, to be changed in place. */
export type PasteElement = {
  tag: string
  attributes: Map<string, string>
  /** Declarations of the style attribute, in lower case. */
  style: ReadonlyMap<string, string>
  children: PasteNode[]
}
export type PasteNode = PasteElement | string

/** Pasted HTML as a tree, without what is never meant to be read. Its depth is bounded by the parser. */
export const readPaste = (html: string): PasteElement => {
  const root = newElement('div')
  root.children = readChildren(parseHtml(html))
  return root
}

export const newElement = (tag: string, children: PasteNode[] = []): PasteElement => ({
  tag,
  attributes: new Map(),
  style: new Map(),
  children,
})

/** The HTML of what is in a tree. Styles are gone. */
export const writePaste = (root: PasteElement): string => root.children.map(writeNode).join('')

export const isElement = (node: PasteNode | undefined): node is PasteElement => typeof node === 'object'

/** The words of a node. */
export const textOf = (node: PasteNode): string => (isElement(node) ? node.children.map(textOf).join('') : node)

/** True when nothing of it is to be seen. */
export const isBlank = (node: PasteNode): boolean => {
  if (!isElement(node)) return /^[\s\u00a0]*$/.test(node)
  return !['img', 'iframe', 'hr', 'table'].includes(node.tag) && node.children.every(isBlank)
}

/** Every element below, from the inside out, replaced by what `change` makes of it: itself, other nodes or nothing. */
export const changeElements = (root: PasteElement, change: (element: PasteElement) => readonly PasteNode[]): void => {
  root.children = root.children.flatMap((child) => {
    if (!isElement(child)) return [child]
    changeElements(child, change)
    return change(child)
  })
}

/** Every element below. */
export function* elementsBelow(root: PasteElement): Generator<PasteElement> {
  for (const child of root.children) {
    if (!isElement(child)) continue
    yield child
    yield* elementsBelow(child)
  }
}

const readChildren = (node: HtmlNode): PasteNode[] => [...childrenOf(node)].flatMap(readNode)

const readNode = (node: HtmlNode): PasteNode[] => {
  if (node.kind === 'text') return [node.text]
  if (node.kind !== 'element' || droppedTags.has(node.name)) return []
  const attributes = new Map(node.attributes.map(({ name, value }) => [name, value]))
  const style = readStyle(attributes.get('style') ?? '')
  const isHidden = attributes.has('hidden') || style.get('display') === 'none' || style.get('mso-hide') === 'all'
  return isHidden ? [] : [{ tag: node.name, attributes, style, children: readChildren(node) }]
}

/** Longer ones say nothing that is kept. */
const MAX_STYLE = 4000

const readStyle = (text: string): ReadonlyMap<string, string> => {
  const style = new Map<string, string>()
  for (const declaration of text.slice(0, MAX_STYLE).toLowerCase().split(';')) {
    const at = declaration.indexOf(':')
    if (at > 0) style.set(declaration.slice(0, at).trim(), declaration.slice(at + 1).trim())
  }
  return style
}

const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr'])
/** Elements that the policy may keep; parsing others would be wasted. */
const KEPT = new Set([
  ...['href', 'title', 'src', 'alt', 'width', 'height', 'start', 'colspan', 'rowspan', 'scope', 'lang', 'dir', 'class'],
  ...['data-media-id', 'data-align', 'target', 'hreflang', 'allowfullscreen'],
])

const writeNode = (node: PasteNode): string => {
  if (!isElement(node)) return escapeText(node)
  let open = `<${node.tag}`
  for (const [name, value] of node.attributes) if (KEPT.has(name)) open += ` ${name}="${escapeAttribute(value)}"`
  return VOID.has(node.tag) ? `${open}>` : `${open}>${node.children.map(writeNode).join('')}</${node.tag}>`
}
