import type { HtmlNode } from '@stoa/html/tree.ts'
import { html as markup } from 'parse5'
import { type Cleaning, type CleanTag, cleanTag, type KnownNames } from './clean-page.ts'
import { MAX_PAGE_LENGTH, PageTooComplex, parsePage } from './page-tree.ts'

export type CanvasInput = {
  /** The page as the website gives it. */
  html: string
  pageUrl: string
  /** The built controller, and its hash as a policy names it: `sha256-…`. */
  controller: string
  controllerHash: string
  /** The random word that every message carries. */
  channel: string
  /** For pages that do not say their language. */
  locale: string
  /** The declared names. Marks with other names count as the page's own and are removed. */
  known?: KnownNames
}

export type CanvasDocument =
  | { ok: true; html: string; hasMarks: boolean }
  /** The page is longer than 5 MB, has too many elements, or is nested in a way that cannot be written down again. */
  | { ok: false; reason: 'too_large' | 'too_complex' | 'unreadable' }

/** Broken nesting is another page when it is read again; it settles after a few times, or it is made to never settle. */
const MAX_ROUNDS = 6

/**
 * The document of a canvas: the page without anything that acts, under a policy that lets only the controller run. It is
 * read and written until that changes nothing more: then the browser reads what was cleaned, however the page is nested.
 */
export const canvasDocument = (input: CanvasInput): CanvasDocument => {
  assertFit(input)
  if (input.html.length > MAX_PAGE_LENGTH) return { ok: false, reason: 'too_large' }
  try {
    let before = writeCanvas(input.html, input)
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const after = writeCanvas(before.html, input)
      if (after.html === before.html) return { ok: true, ...after }
      before = after
    }
    return { ok: false, reason: 'unreadable' }
  } catch (error) {
    if (error instanceof PageTooComplex) return { ok: false, reason: 'too_complex' }
    throw error
  }
}

const assertFit = ({ pageUrl, controller, controllerHash, channel }: CanvasInput): void => {
  if (!/^https?:$/.test(URL.parse(pageUrl)?.protocol ?? '')) throw new TypeError('A page has an http address')
  if (!/^sha256-[A-Za-z0-9+/]{43}=$/.test(controllerHash)) throw new TypeError('The controller needs its SHA-256')
  if (!/^[\w-]{16,128}$/.test(channel)) throw new TypeError('The channel must be a random token')
  if (/<\/script|<!--/i.test(controller)) throw new TypeError('The controller would end its own element')
}

const STYLE = `
[data-cms-section],[data-cms-field],[data-cms-part]{cursor:pointer!important}
[data-cms-hidden]{opacity:.4!important}
html.cms-canvas{scroll-behavior:auto!important}
.cms-canvas-frame{display:inline-block;box-sizing:border-box;max-width:100%;border:1px dashed #8888;background:repeating-linear-gradient(45deg,#8881 0 12px,#8883 12px 24px)}
`

/** The base address that the page declares, as long as it is of the same site. */
const baseOf = (document: HtmlNode, pageUrl: string): string => {
  const page = new URL(pageUrl)
  page.hash = ''
  page.username = ''
  page.password = ''
  for (let node: HtmlNode | null = document; node; node = following(node)) {
    if (node.name !== 'base' || node.namespace !== markup.NS.HTML) continue
    const href = node.attributes.find(({ name }) => name === 'href')?.value
    if (href === undefined) continue
    const base = URL.parse(href, page)
    return base?.origin === page.origin ? base.href : page.href
  }
  return page.href
}

const following = (node: HtmlNode): HtmlNode | null => {
  if (node.first) return node.first
  for (let at: HtmlNode | null = node; at; at = at.parent) if (at.next) return at.next
  return null
}

const headOf = ({ controllerHash }: CanvasInput, base: string): string => {
  const policy = [
    "default-src 'none'",
    `script-src '${controllerHash}'`,
    "style-src * 'unsafe-inline'",
    'img-src * data: blob:',
    'font-src * data:',
    'media-src * data: blob:',
    "form-action 'none'",
    "connect-src 'none'",
    "frame-src 'none'",
    `base-uri ${new URL(base).origin}`,
  ].join('; ')
  return (
    `<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">` +
    `<base href="${escapeAttribute(base)}"><meta name="referrer" content="no-referrer">` +
    `<style data-cms-canvas="">${STYLE}</style>`
  )
}

/** Reads a page and writes it down again as a canvas. */
const writeCanvas = (page: string, input: CanvasInput): { html: string; hasMarks: boolean } => {
  const document = parsePage(page)
  const root = childNamed(document, 'html')
  const head = childNamed(root, 'head')
  const body = childNamed(root, 'body')
  const cleaning: Cleaning = { known: input.known, sections: new Set(), marks: 0 }
  const attributesOf = (node: HtmlNode | null) => (node ? cleanTag(node, cleaning)?.attributes : undefined) ?? []
  const html =
    `<!doctype html>${startTag('html', withCanvasClass(attributesOf(root), input.locale))}` +
    `<head>${headOf(input, baseOf(document, input.pageUrl))}${contentOf(head, cleaning)}</head>` +
    `${startTag('body', attributesOf(body))}${contentOf(body, cleaning)}` +
    `<script data-channel="${input.channel}">${input.controller}</script></body></html>`
  return { html, hasMarks: cleaning.marks > 0 }
}

const childNamed = (node: HtmlNode | null, name: string): HtmlNode | null => {
  for (let child = node?.first ?? null; child; child = child.next)
    if (child.name === name && child.namespace === markup.NS.HTML) return child
  return null
}

const withCanvasClass = (attributes: CleanTag['attributes'], locale: string): CleanTag['attributes'] => {
  const names = new Map(attributes)
  const classes = (names.get('class') ?? '').split(/\s+/).filter((name) => name !== '' && name !== 'cms-canvas')
  names.set('class', [...classes, 'cms-canvas'].join(' '))
  if (!names.has('lang') && locale !== '') names.set('lang', locale)
  return [...names]
}

const VOID: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
)

/** The content of an element, built iteratively: pages may nest to any depth. */
const contentOf = (parent: HtmlNode | null, cleaning: Cleaning): string => {
  let text = ''
  const open: { node: HtmlNode; endTag: string }[] = []
  let at = parent?.first ?? null
  while (at) {
    const tag = at.kind === 'element' ? cleanTag(at, cleaning) : null
    if (at.kind === 'text') text += textOf(at)
    if (tag) text += startTag(tag.name, tag.attributes)
    const endTag = tag && !(at.namespace === markup.NS.HTML && VOID.has(tag.name)) ? `</${tag.name}>` : ''
    if (endTag !== '' && !tag?.isEmpty && at.first) {
      // The parser leaves out a line break that comes first (HTML §13.2.6.4.7)
      if (/^<\/(pre|textarea)>$/.test(endTag) && at.first.text.startsWith('\n')) text += '\n'
      open.push({ node: at, endTag })
      at = at.first
      continue
    }
    text += endTag
    while (at && !at.next) {
      const closed = open.pop()
      text += closed?.endTag ?? ''
      at = closed?.node ?? null
    }
    at = at?.next ?? null
  }
  return text
}

const startTag = (name: string, attributes: CleanTag['attributes']): string =>
  `<${name}${attributes.map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`).join('')}>`

const textOf = ({ parent, text }: HtmlNode): string =>
  parent?.name === 'style' && parent.namespace === markup.NS.HTML ? text : escapeText(text)

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')
