import { parseHtml } from '@stoa/html/parse.ts'
import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import { attributeOf, keptAttributes } from './attributes.ts'
import { ALLOWED, DROPPED, MAX_ELEMENTS, MAX_HTML_LENGTH, TABLE_PARENTS, VOID } from './policy.ts'
import { isHidden } from './styles.ts'
import { imageAddress, linkUrl } from './urls.ts'

/** Where pictures are shown from. Null leaves one out; its place shows the alternative text. */
export type ImageUrls = {
  /** The address of a part of the message by its Content-ID. */
  cid(cid: string): string | null
  /** The address through which a picture of somebody else's server is shown. */
  remote(url: string): string | null
}

/** What a reader is told about a message besides its HTML. */
export type SanitizedHtml = {
  readonly html: string
  /** Pictures on other servers, whether they are shown or not. */
  readonly remoteImages: number
  /** Of these, the ones that are made not to be seen: they tell the sender that the message was opened. */
  readonly trackingPixels: number
  /** Content-IDs that the text shows: these parts need not be listed as attachments. */
  readonly cids: readonly string[]
  readonly isTruncated: boolean
}

/**
 * The HTML of a message as it may be shown: only elements, attributes and styles that are on the list, no forms, no
 * frames, no SVG, nothing that loads or runs. What comes out is read back by any parser as what was written.
 */
export const sanitizeHtml = (html: string, images: ImageUrls): SanitizedHtml => {
  const cleaning: Cleaning = {
    images,
    output: [],
    length: 0,
    remoteImages: 0,
    trackingPixels: 0,
    cids: new Set(),
  }
  writeChildren(cleaning, parseHtml(html.slice(0, MAX_HTML_LENGTH), { maxElements: MAX_ELEMENTS }), 'div', cleanTag)
  return {
    html: settle(cleaning.output.join('')),
    remoteImages: cleaning.remoteImages,
    trackingPixels: cleaning.trackingPixels,
    cids: [...cleaning.cids],
    isTruncated: html.length > MAX_HTML_LENGTH || cleaning.length > MAX_OUTPUT_LENGTH,
  }
}

/** Styles and addresses of our own make the output longer than the input, but never without end. */
const MAX_OUTPUT_LENGTH = MAX_HTML_LENGTH * 4
/** Unwrapped elements may leave what a parser nests differently; it comes to rest after one or two readings. */
const MAX_READINGS = 4

type Cleaning = {
  readonly images: ImageUrls
  readonly output: string[]
  length: number
  remoteImages: number
  trackingPixels: number
  readonly cids: Set<string>
}

/** The start tag of an element that is on the list, or null to unwrap it. */
type TagWriter = (cleaning: Cleaning, node: HtmlNode) => string | null

const write = (cleaning: Cleaning, text: string): void => {
  cleaning.output.push(text)
  cleaning.length += text.length
}

/** The parser bounds the depth, so that this may call itself. */
const writeChildren = (cleaning: Cleaning, node: HtmlNode, parent: string, tagOf: TagWriter): void => {
  for (const child of childrenOf(node)) {
    if (cleaning.length > MAX_OUTPUT_LENGTH) return
    if (child.kind === 'text') write(cleaning, escapeText(child.text))
    else if (child.kind === 'element') writeElement(cleaning, child, parent, tagOf)
  }
}

const writeElement = (cleaning: Cleaning, node: HtmlNode, parent: string, tagOf: TagWriter): void => {
  const { name } = node
  if (DROPPED.has(name) || node.namespace !== HTML_NAMESPACE) return
  const place = TABLE_PARENTS.get(name)
  const tag = ALLOWED.has(name) && (!place || place.includes(parent)) ? tagOf(cleaning, node) : null
  if (tag === null) {
    writeChildren(cleaning, node, parent, tagOf)
    return
  }
  write(cleaning, tag)
  if (VOID.has(name)) return
  // A parser takes the first line break after <pre> away.
  if (name === 'pre' && node.first?.kind === 'text' && node.first.text.startsWith('\n')) write(cleaning, '\n')
  writeChildren(cleaning, node, name, tagOf)
  write(cleaning, `</${name}>`)
}

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml'

const cleanTag: TagWriter = (cleaning, node) => {
  const attributes = keptAttributes(node)
  if (node.name === 'a') attributes.push(...linkAttributes(node))
  if (node.name === 'img') attributes.push(...imageAttributes(cleaning, node, attributes))
  return tagText(node.name, attributes)
}

const tagText = (name: string, attributes: readonly (readonly [string, string])[]): string =>
  `<${name}${attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join('')}>`

/** Links open outside and tell their target nothing about where they stood. */
const linkAttributes = (node: HtmlNode): [string, string][] => {
  const href = linkUrl(attributeOf(node, 'href') ?? '')
  if (href === null) return []
  return [
    ['href', href],
    ['target', '_blank'],
    ['rel', 'noopener noreferrer nofollow'],
  ]
}

const imageAttributes = (
  cleaning: Cleaning,
  node: HtmlNode,
  kept: readonly (readonly [string, string])[],
): [string, string][] => {
  const address = imageAddress(attributeOf(node, 'src') ?? '')
  if (!address) return []
  if (address.kind === 'data') return [['src', address.url]]
  if (address.kind === 'cid') cleaning.cids.add(address.cid)
  else {
    cleaning.remoteImages += 1
    if (isPixel(node, kept)) cleaning.trackingPixels += 1
  }
  const url = address.kind === 'cid' ? cleaning.images.cid(address.cid) : cleaning.images.remote(address.url)
  return url === null ? [] : [['src', url]]
}

const isPixel = (node: HtmlNode, kept: readonly (readonly [string, string])[]): boolean => {
  const isTiny = (name: string) => /^\s*[0-3](?:px)?\s*$/.test(attributeOf(node, name) ?? '')
  return (isTiny('width') && isTiny('height')) || kept.some(([name, value]) => name === 'style' && isHidden(value))
}

/** Reads and writes until nothing changes. Only tags that we wrote are in it, so their attributes stay. */
const settle = (html: string): string => {
  let settled = html
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const before = settled
    settled = rewrite(before)
    if (settled === before) break
  }
  return settled
}

const rewrite = (html: string): string => {
  const images = { cid: () => null, remote: () => null }
  const cleaning: Cleaning = { images, output: [], length: 0, remoteImages: 0, trackingPixels: 0, cids: new Set() }
  writeChildren(cleaning, parseHtml(html, { maxElements: MAX_ELEMENTS }), 'div', (_cleaning, node) =>
    tagText(
      node.name,
      node.attributes.map(({ name, value }) => [name, value]),
    ),
  )
  return cleaning.output.join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
}

const escapeText = (text: string): string =>
  plain(text).replace(/[&<>\u00a0]/g, (character) => ESCAPES[character] ?? '')

const escapeAttribute = (text: string): string =>
  plain(text).replace(/[&<>"\u00a0]/g, (character) => ESCAPES[character] ?? '')

/** Parsers replace or move these, each in its own way. */
const plain = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .toWellFormed()
