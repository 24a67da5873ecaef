import { parseHtml } from '@stoa/html/parse.ts'
import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import { attributeOf, type Known, keptAttributes } from './attributes.ts'
import { tagText } from './escape.ts'
import { MAX_ELEMENTS, MAX_HTML_LENGTH } from './policy.ts'
import { SCOPE_CLASS } from './selectors.ts'
import { cleanStyleSheets } from './style-sheets.ts'
import { cleanStyle, isHidden } from './styles.ts'
import { imageAddress, linkUrl } from './urls.ts'
import { writeClean } from './write.ts'

/** Where pictures are shown from. Null leaves one out; its place shows the alternative text. */
export type ImageUrls = {
  /** The address of a part of the message by its Content-ID. */
  cid(cid: string): string | null
  /** The address through which a picture of somebody else's server is shown. */
  remote(url: string): string | null
}

/** What is shown to a reader about a message besides its HTML. */
export type SanitizedHtml = {
  readonly html: string
  /** Pictures on other servers, whether they are shown or not. */
  readonly remoteImages: number
  /** The HTML refers to other remote content, which is never shown: backgrounds, fonts, image variants, videos. */
  readonly hasOtherRemote: boolean
  /** Remote images that are invisible: tracking pixels, which report to the sender that the message was opened. */
  readonly trackingPixels: number
  /** Content-IDs that the text shows: these parts need not be listed as attachments. */
  readonly cids: readonly string[]
  readonly isTruncated: boolean
}

/**
 * Only listed elements, attributes and styles stay: nothing that loads or runs, no forms, frames or SVG. The result is one
 * element for the body after the stylesheet of the message, and every parser reads it in the same way.
 */
export const sanitizeHtml = (html: string, images: ImageUrls): SanitizedHtml => {
  const cleaning: Cleaning = { images, known: new Map(), remoteImages: 0, trackingPixels: 0, cids: new Set() }
  const sheets: string[] = []
  const source = html.slice(0, MAX_HTML_LENGTH)
  const body = writeClean(parseHtml(source, { maxElements: MAX_ELEMENTS }), {
    tagOf: (node) => cleanTag(cleaning, node),
    onStyle: (css) => void sheets.push(css),
  })
  const css = cleanStyleSheets(sheets)
  return {
    html: `${css === '' ? '' : `<style>\n${css}\n</style>`}${bodyTag(source)}${body.html}</div>`,
    remoteImages: cleaning.remoteImages,
    hasOtherRemote: OTHER_REMOTE.test(source),
    trackingPixels: cleaning.trackingPixels,
    cids: [...cleaning.cids],
    isTruncated: html.length > MAX_HTML_LENGTH || body.isTruncated,
  }
}

const OTHER_REMOTE = /(?:\burl\(|@import\s|\b(?:background|srcset|poster|data)\s*=)\s{0,5}["']?\s{0,5}(?:https?:)?\/\//i

type Cleaning = {
  readonly images: ImageUrls
  readonly known: Known
  remoteImages: number
  trackingPixels: number
  readonly cids: Set<string>
}

const cleanTag = (cleaning: Cleaning, node: HtmlNode): string => {
  const attributes = keptAttributes(node, cleaning.known)
  if (node.name === 'a') attributes.push(...linkAttributes(node))
  if (node.name === 'img') attributes.push(...imageAttributes(cleaning, node, attributes))
  return tagText(node.name, attributes)
}

/** Links open in a new window and send no referrer. */
const linkAttributes = (node: HtmlNode): readonly [string, string][] => {
  const href = linkUrl(attributeOf(node, 'href') ?? '')
  return href === null ? [] : hardenedLink(href)
}

/** The attributes of a link to an address that `linkUrl` gave. */
export const hardenedLink = (href: string): [string, string][] => [
  ['href', href],
  ['target', '_blank'],
  ['rel', 'noopener noreferrer nofollow'],
]

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

/** How far the `<body>` tag is searched for attributes. */
const MAX_BODY_TAG = 8192

/** Stands for the body: it keeps its colors, direction and classes. */
const bodyTag = (source: string): string => {
  const at = source.search(/<body[\s>/]/i)
  const text = at === -1 ? '' : `<div${source.slice(at + '<body'.length, at + MAX_BODY_TAG)}`
  const [node] = childrenOf(parseHtml(text))
  if (node?.kind !== 'element') return tagText('div', [['class', SCOPE_CLASS]])
  const kept = new Map(keptAttributes(node, new Map()))
  const legacy = `background-color: ${attributeOf(node, 'bgcolor') ?? ''}; color: ${attributeOf(node, 'text') ?? ''}`
  const style = [cleanStyle(legacy), kept.get('style')].filter(Boolean).join('; ')
  const others = ['dir', 'lang'].flatMap((name): [string, string][] => {
    const value = kept.get(name)
    return value === undefined ? [] : [[name, value]]
  })
  return tagText('div', [
    ['class', [SCOPE_CLASS, kept.get('class')].filter(Boolean).join(' ')],
    ...(style === '' ? [] : [['style', style] as const]),
    ...others,
  ])
}
