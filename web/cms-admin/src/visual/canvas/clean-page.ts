import type { HtmlNode } from '@stoa/html/tree.ts'
import { html, type Token } from 'parse5'

/** The names declared to the editor: attributes with other names did not come from `renderVisual`. */
export type KnownNames = { sections: readonly string[]; fields: readonly string[]; parts: readonly string[] }

export type CleanTag = {
  name: string
  attributes: readonly (readonly [name: string, value: string])[]
  isEmpty: boolean
}

/** The state of one cleaning. */
export type Cleaning = { readonly known: KnownNames | undefined; readonly sections: Set<string>; marks: number }

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** They go with everything in them: active, inert, or for browsers without scripts. */
const DROPPED = words('script noscript template base noembed noframes')
/** Other documents inside of the page. A box of the same size stands in their place. */
const FRAMES = words('iframe object embed portal frame frameset fencedframe applet')
/** Old names of `pre` whose text is not escaped. */
const PLAIN = words('xmp listing plaintext')
const CANVAS_STYLE = 'data-cms-canvas'

/** The tag that stands in the canvas for an element, or null when it goes with its content. */
export const cleanTag = (node: HtmlNode, cleaning: Cleaning): CleanTag | null => {
  const { name } = node
  const isHtml = node.namespace === html.NS.HTML
  if (DROPPED.has(name.toLowerCase()) || !/^[a-z][^\s<>/"'=`\0]*$/i.test(name)) return null
  if (FRAMES.has(name.toLowerCase())) return isHtml && name !== 'frameset' ? placeholder(node, cleaning) : null
  if (isHtml && isUnwanted(node)) return null
  if (!isHtml && animatesAddress(node)) return null
  const renamed = isHtml && PLAIN.has(name) ? 'pre' : name
  const attributes = cleanAttributes(node, cleaning)
  return { name: renamed, attributes: name === 'link' ? styleNow(node, attributes) : attributes, isEmpty: false }
}

const attributeOf = (node: HtmlNode, name: string): string =>
  node.attributes.find((attribute) => attribute.name === name)?.value ?? ''

const has = (node: HtmlNode, name: string): boolean => node.attributes.some((attribute) => attribute.name === name)

const isUnwanted = (node: HtmlNode): boolean => {
  if (node.name === 'meta')
    return has(node, 'http-equiv') || /^\s*referrer\s*$/i.test(attributeOf(node, 'name')) || has(node, 'charset')
  if (node.name === 'link') return !isStyle(node)
  return node.name === 'style' && (has(node, CANVAS_STYLE) || /<\/style/i.test(node.first?.text ?? ''))
}

/** Only style sheets are kept of the links; other links would be fetched for nothing. */
const isStyle = (node: HtmlNode): boolean => {
  const rel = attributeOf(node, 'rel').toLowerCase().split(/\s+/).filter(Boolean)
  if (rel.includes('stylesheet')) return rel.every((word) => word === 'stylesheet' || word === 'alternate')
  return isLateStyle(node)
}

/** `<link rel=preload as=style onload="this.rel='stylesheet'">`: what its script would make of it is a style. */
const isLateStyle = (node: HtmlNode): boolean =>
  /^\s*preload\s*$/i.test(attributeOf(node, 'rel')) &&
  /^\s*style\s*$/i.test(attributeOf(node, 'as')) &&
  /stylesheet/i.test(attributeOf(node, 'onload'))

const styleNow = (node: HtmlNode, attributes: CleanTag['attributes']): CleanTag['attributes'] => {
  const isPrintFirst = /\bmedia\b/.test(attributeOf(node, 'onload'))
  return attributes
    .filter(([name]) => name !== 'as' && !(name === 'media' && isPrintFirst))
    .map(([name, value]) => (name === 'rel' && isLateStyle(node) ? [name, 'stylesheet'] : [name, value]))
}

const animatesAddress = (node: HtmlNode): boolean => {
  const animated = node.attributes.find(({ name }) => name.toLowerCase() === 'attributename')?.value ?? ''
  return /(^|:)\s*(href|on\w*)\s*$/i.test(animated.trim())
}

/** A box with the name, the classes and the size of what would have been there. */
const placeholder = (node: HtmlNode, cleaning: Cleaning): CleanTag => {
  const kept = cleanAttributes(node, cleaning).filter(([name]) => /^(id|data-cms-\w+)$/.test(name))
  const size = `width:${sizeOf(node, 'width', '300px')};height:${sizeOf(node, 'height', '150px')};`
  return {
    name: 'span',
    attributes: [
      ...kept,
      ['class', `${attributeOf(node, 'class')} cms-canvas-frame`.trim()],
      ['style', size + attributeOf(node, 'style')],
    ],
    isEmpty: true,
  }
}

const sizeOf = (node: HtmlNode, name: string, usual: string): string => {
  const [, number, percent] = /^\s*(\d{1,5}(?:\.\d{1,3})?)(%?)/.exec(attributeOf(node, name)) ?? []
  return number === undefined ? usual : `${number}${percent === '%' ? '%' : 'px'}`
}

/** They act, or send something to somebody, or need an origin that the canvas does not have. */
const UNWANTED_ATTRIBUTES = words(
  'srcdoc nonce autofocus autoplay action formaction formtarget ping attributionsrc referrerpolicy integrity ' +
    'crossorigin contenteditable accesskey shadowrootmode http-equiv blocking fetchpriority manifest',
)
const ADDRESSES = words('href src poster background cite longdesc data codebase lowsrc dynsrc icon to from by values')
const SHOWN_DATA = /^data:(image|video|audio|font)\//
/** A name from CLOBBERING on one of these elements would hide DOM members from the controller. */
const NAMED = words('form img button fieldset input output select textarea')
const CLOBBERING = new RegExp(
  '^(closest|matches|contains|attributes|child\\w+|first\\w+|last\\w+|parent\\w+|next\\w+|previous\\w+|get\\w+|set\\w+|' +
    'has\\w+|remove\\w*|replace\\w*|append\\w*|query\\w+|node\\w+|tagName|namespaceURI|textContent|is[A-Z]\\w+|style|' +
    'dataset|focus|blur|scroll\\w*|classList|toggleAttribute|compareDocumentPosition|addEventListener)$',
)

const cleanAttributes = (node: HtmlNode, cleaning: Cleaning): CleanTag['attributes'] => {
  const marks = marksOf(node, cleaning)
  const others = node.attributes.flatMap((attribute): [string, string][] => {
    const name = attribute.prefix ? `${attribute.prefix}:${attribute.name}` : attribute.name
    if (!/^[^\s"'<>/=`\0]+$/.test(name) || name.toLowerCase().startsWith('data-cms-')) return []
    return isKept(node, attribute) ? [[name, attribute.value]] : []
  })
  return [...marks, ...others]
}

const isKept = (node: HtmlNode, { name: written, value }: Token.Attribute): boolean => {
  const name = written.toLowerCase()
  if (name.startsWith('on') || UNWANTED_ATTRIBUTES.has(name)) return false
  if (ADDRESSES.has(name)) return isHarmless(value, name !== 'href' || node.namespace !== html.NS.HTML)
  if (name === 'srcset' || name === 'imagesrcset') return !/(java|vb)script:/i.test(squeeze(value))
  if (name === 'name') return !NAMED.has(node.name)
  return name !== 'id' || !NAMED.has(node.name) || !CLOBBERING.test(value)
}

/** Browsers skip these in an address (URL §4.4), so that they hide what it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
const squeeze = (value: string): string => value.replace(/[\u0000-\u0020\u007f-\u00a0]/g, '').toLowerCase()

const isHarmless = (value: string, mayShowData: boolean): boolean => {
  const address = squeeze(value)
  if (/(?:java|vb|live)script:/.test(address)) return false
  return !address.startsWith('data:') || (mayShowData && SHOWN_DATA.test(address))
}

/**
 * The editor's own attributes. `renderVisual` writes them first in a tag, or over those of the same name, so that their
 * place says nothing; their names do: only declared ones stay, and a section only once.
 */
const marksOf = (node: HtmlNode, cleaning: Cleaning): [string, string][] => {
  const { known } = cleaning
  const marks: [string, string][] = []
  const [section] = namesIn(node, 'data-cms-section', known?.sections)
  if (section !== undefined && !cleaning.sections.has(section)) {
    cleaning.sections.add(section)
    marks.push(['data-cms-section', section])
  }
  const isSection = marks.length > 0
  const fields = namesIn(node, 'data-cms-field', known?.fields)
  const parts = namesIn(node, 'data-cms-part', known?.parts)
  if (fields.length > 0) marks.push(['data-cms-field', fields.join(' ')])
  if (parts.length > 0) marks.push(['data-cms-part', parts.join(' ')])
  cleaning.marks += marks.length
  for (const flag of isSection ? ['data-cms-hidden', 'data-cms-fixed'] : []) if (has(node, flag)) marks.push([flag, ''])
  return marks
}

const MAX_NAME = 200
const MAX_NAMES = 50

const namesIn = (node: HtmlNode, attribute: string, known: readonly string[] | undefined): string[] => {
  const value = attributeOf(node, attribute)
  if (value === '') return []
  const names = new Set(value.split(/[\t\n\f\r ]+/).filter((name) => name !== '' && name.length <= MAX_NAME))
  return [...names].filter((name) => known === undefined || known.includes(name)).slice(0, MAX_NAMES)
}
