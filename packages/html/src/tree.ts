import { html, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'

/**
 * A node of a parsed fragment. Children are a linked list: parse5's own arrays make the moves that broken markup asks
 * for (foster parenting, adoption) quadratic, and an author can ask for very many.
 */
export type HtmlNode = {
  readonly kind: 'element' | 'text' | 'other'
  /** Tag name, in lower case for HTML elements. */
  readonly name: string
  readonly namespace: html.NS
  readonly attributes: readonly Token.Attribute[]
  text: string
  parent: HtmlNode | null
  first: HtmlNode | null
  last: HtmlNode | null
  previous: HtmlNode | null
  next: HtmlNode | null
}

type TreeMap = TreeAdapterTypeMap<
  HtmlNode,
  HtmlNode,
  HtmlNode,
  HtmlNode,
  HtmlNode,
  HtmlNode,
  HtmlNode,
  HtmlNode,
  HtmlNode,
  HtmlNode
>

export type HtmlTreeMap = TreeMap

/** The children of a node, in order. */
export function* childrenOf(node: HtmlNode): Generator<HtmlNode> {
  for (let child = node.first; child; child = child.next) yield child
}

/** How parse5 builds our tree. Source locations, document types and comments are not wanted. */
export const treeAdapter: TreeAdapter<TreeMap> = {
  createDocument: () => newNode('other', '#document'),
  createDocumentFragment: () => newNode('other', '#document-fragment'),
  createElement: (name, namespace, attributes) => newNode('element', name, namespace, attributes),
  createCommentNode: () => newNode('other', '#comment'),
  createTextNode: (text) => newText(text),
  appendChild: (parent, node) => insert(parent, node, null),
  insertBefore: (parent, node, reference) => insert(parent, node, reference),
  insertText: (parent, text) => insertText(parent, text, null),
  insertTextBefore: (parent, text, reference) => insertText(parent, text, reference),
  detachNode: (node) => detach(node),
  // What a template holds is dropped with it, so it may as well be its child.
  setTemplateContent: (template, content) => insert(template, content, null),
  getTemplateContent: (template) => template.first ?? template,
  // Only <html> and <body> adopt attributes, and both are unwrapped.
  adoptAttributes: () => undefined,
  setDocumentType: () => undefined,
  setDocumentMode: () => undefined,
  getDocumentMode: () => html.DOCUMENT_MODE.NO_QUIRKS,
  getFirstChild: (node) => node.first,
  getChildNodes: (node) => [...childrenOf(node)],
  getParentNode: (node) => node.parent,
  getAttrList: (node) => [...node.attributes],
  getTagName: (node) => node.name,
  getNamespaceURI: (node) => node.namespace,
  getTextNodeContent: (node) => node.text,
  getCommentNodeContent: () => '',
  getDocumentTypeNodeName: () => '',
  getDocumentTypeNodePublicId: () => '',
  getDocumentTypeNodeSystemId: () => '',
  isTextNode: (node): node is HtmlNode => node.kind === 'text',
  isCommentNode: (node): node is HtmlNode => node.name === '#comment',
  isDocumentTypeNode: (_node): _node is HtmlNode => false,
  isElementNode: (node): node is HtmlNode => node.kind === 'element',
  setNodeSourceCodeLocation: () => undefined,
  getNodeSourceCodeLocation: () => undefined,
  updateNodeSourceCodeLocation: () => undefined,
}

const newNode = (
  kind: HtmlNode['kind'],
  name: string,
  namespace: html.NS = html.NS.HTML,
  attributes: readonly Token.Attribute[] = [],
): HtmlNode => ({
  kind,
  name,
  namespace,
  attributes,
  text: '',
  parent: null,
  first: null,
  last: null,
  previous: null,
  next: null,
})

const newText = (text: string): HtmlNode => ({ ...newNode('text', '#text'), text })

const insert = (parent: HtmlNode, node: HtmlNode, before: HtmlNode | null): void => {
  const previous = before ? before.previous : parent.last
  node.parent = parent
  node.previous = previous
  node.next = before
  if (previous) previous.next = node
  else parent.first = node
  if (before) before.previous = node
  else parent.last = node
}

const insertText = (parent: HtmlNode, text: string, before: HtmlNode | null): void => {
  const previous = before ? before.previous : parent.last
  if (previous?.kind === 'text') previous.text += text
  else insert(parent, newText(text), before)
}

const detach = (node: HtmlNode): void => {
  if (!node.parent) return
  if (node.previous) node.previous.next = node.next
  else node.parent.first = node.next
  if (node.next) node.next.previous = node.previous
  else node.parent.last = node.previous
  node.parent = null
  node.previous = null
  node.next = null
}
