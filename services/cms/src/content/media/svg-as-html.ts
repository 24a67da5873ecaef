import { SvgError } from './svg-error.ts'
import type { SvgElement } from './svg-parser.ts'

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'

/** Tags that end SVG in a page (HTML standard, "The rules for parsing tokens in foreign content"). */
const BREAKOUTS = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p
  pre ruby s small span strong strike sub sup table tt u ul var`.split(/\s+/),
)
const FONT_ATTRIBUTES = new Set(['color', 'face', 'size'])
/** What is inside of them is HTML again in a page, so that they may hold text only. */
const INTEGRATION_POINTS = new Set(['title', 'desc', 'foreignobject'])

/**
 * Refuses an element that an HTML parser would take for another one. HTML knows no namespaces: every name without a prefix
 * is one of SVG to it, every name with one is not, and letter case makes no difference.
 */
export const refuseOtherInHtml = (element: SvgElement, parent: SvgElement | null): void => {
  const { prefix, namespace, attributes } = element
  if ((prefix === '') !== (namespace === SVG_NAMESPACE))
    throw new SvgError(prefix === '' ? "contains elements that aren't SVG" : 'uses a namespace prefix for SVG elements')
  const names = attributes.map((each) => `${each.prefix}:${each.name}`.toLowerCase())
  if (new Set(names).size !== names.length) throw new SvgError('has the same attribute twice')
  if (parent && isIntegrationPoint(parent)) throw new SvgError(`contains elements inside <${parent.name}>`)
  const name = prefix === '' ? element.name.toLowerCase() : ''
  const isFont =
    name === 'font' && attributes.some((each) => each.prefix === '' && FONT_ATTRIBUTES.has(each.name.toLowerCase()))
  if (BREAKOUTS.has(name) || isFont) throw new SvgError(`contains <${element.name}>`)
}

/** HTML knows CDATA sections inside of SVG only, and parsers differ about where that ends. */
export const refuseSectionIn = (parent: SvgElement | null): void => {
  if (!parent) throw new SvgError('has text outside its root element')
  if (isIntegrationPoint(parent)) throw new SvgError(`has a CDATA section inside <${parent.name}>`)
}

const isIntegrationPoint = ({ prefix, name }: SvgElement): boolean =>
  prefix === '' && INTEGRATION_POINTS.has(name.toLowerCase())
