import { compile, type Options } from 'css-select'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html } from 'parse5'

export type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element
export type Matcher = (element: Element) => boolean

/** The test whether an element matches, or null for what is no selector. */
export const compileSelector = (selector: unknown): Matcher | null => {
  if (typeof selector !== 'string' || selector.trim() === '') return null
  try {
    return compile<Node, Element>(selector, { ...options })
  } catch {
    return null
  }
}

/** Calls `visit` with every element in the order of the document. The content of templates is none. */
export const walk = (root: Node, visit: (element: Element) => void): void => {
  // Not by recursion: pages may be nested deeper than the stack.
  const open = [{ nodes: childrenOf(root), next: 0 }]
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const node = level.nodes[level.next]
    level.next += 1
    if (!node) open.pop()
    else if (isElement(node)) {
      visit(node)
      if (node.childNodes.length > 0) open.push({ nodes: node.childNodes, next: 0 })
    }
  }
}

export const isElement = (node: Node): node is Element => 'tagName' in node

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])

const parentOf = (node: Node): Node | null => ('parentNode' in node ? node.parentNode : null)

const siblingsOf = (node: Node): Node[] => {
  const parent = parentOf(node)
  return parent ? childrenOf(parent) : [node]
}

/** Selectors come with names in lower case, and SVG has some in mixed case; `xlink:href` is not `href`. */
const attributeOf = (element: Element, name: string): string | undefined => {
  if (element.namespaceURI === html.NS.HTML) {
    for (const attribute of element.attrs) if (attribute.name === name) return attribute.value
    return undefined
  }
  return element.attrs.find((attribute) => !attribute.prefix && attribute.name.toLowerCase() === name)?.value
}

const textOf = (node: Node): string => {
  if (!isElement(node)) return defaultTreeAdapter.isTextNode(node) ? node.value : ''
  const texts: string[] = []
  const collect = (element: Element): void => {
    for (const child of element.childNodes) if (defaultTreeAdapter.isTextNode(child)) texts.push(child.value)
  }
  collect(node)
  walk(node, collect)
  return texts.join('')
}

/** css-select on the tree of parse5. */
const options: Options<Node, Element> = {
  relativeSelector: false,
  adapter: {
    isTag: isElement,
    getName: ({ namespaceURI, tagName }) => (namespaceURI === html.NS.HTML ? tagName : tagName.toLowerCase()),
    getAttributeValue: attributeOf,
    hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
    getChildren: childrenOf,
    getParent: parentOf,
    getSiblings: siblingsOf,
    getText: textOf,
    // Only asked when several nodes are searched at once, which never happens here.
    removeSubsets: (nodes) => nodes,
  },
}
