import { SVG_NAMESPACE } from './svg-as-html.ts'
import { SvgError } from './svg-error.ts'
import { parseSvg, type SvgElement } from './svg-parser.ts'

/** A drawing of this size takes a browser seconds already. */
export const MAX_SVG_BYTES = 4 * 1024 * 1024

/** What browsers give life to besides SVG; elements of all others are only data. */
const LIVELY = /^https?:\/\/www\.w3\.org\/(?:1999\/xhtml|1998\/math\/mathml|2001\/xml-events)|mozilla\.org/i

/** Drawing, text, filters and animation. No script, no foreign content, nothing that plays or links by itself. */
const ELEMENTS = new Set(
  `svg g defs symbol use title desc metadata style a switch view path rect circle ellipse line polyline polygon text tspan
  textPath tref image marker pattern mask clipPath linearGradient radialGradient meshgradient meshpatch meshrow stop filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence animate animateMotion
  animateTransform animateColor set mpath font font-face font-face-name font-face-src glyph missing-glyph hkern vkern
  altGlyph altGlyphDef altGlyphItem glyphRef color-profile cursor solidcolor hatch hatchpath discard`.split(/\s+/),
)
const ANIMATIONS = new Set(['animate', 'animateMotion', 'animateTransform', 'animateColor', 'set'])
const EMBEDDED_PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z0-9+/=\s]*$/i

export type SvgPicture = { width: number | null; height: number | null }

/** The size of a drawing; refuses one that does more than draw, or that could be read in another way. */
export const readSvg = (bytes: Buffer): SvgPicture => {
  let picture: SvgPicture = { width: null, height: null }
  parseSvg(bytes, (element, depth) => {
    refuseActive(element)
    if (depth > 0) return
    if (element.namespace !== SVG_NAMESPACE || element.name !== 'svg') throw new SvgError("isn't an SVG image")
    picture = sizeOf(element)
  })
  return picture
}

const refuseActive = (element: SvgElement): void => {
  if (LIVELY.test(element.namespace)) throw new SvgError(`contains <${element.name}>, which isn't SVG`)
  if (element.namespace === SVG_NAMESPACE && !ELEMENTS.has(element.name))
    throw new SvgError(`contains <${element.name}>`)
  for (const attribute of element.attributes) refuseActiveAttribute(element, attribute)
  if (element.name === 'style') refuseStyle(element.text)
}

const refuseActiveAttribute = (
  element: SvgElement,
  { name: written, prefix, value }: SvgElement['attributes'][number],
): void => {
  // Letter case makes a difference in XML only.
  const name = written.toLowerCase()
  if (name.startsWith('on')) throw new SvgError(`contains the event handler ${name}`)
  if (name === 'base' || name === 'src' || name === 'handler') throw new SvgError(`contains the attribute ${name}`)
  if (prefix === 'xmlns' || name === 'xmlns') {
    if (LIVELY.test(value)) throw new SvgError("contains elements that aren't SVG")
    return
  }
  const plain = value.replace(/[\s\p{Cc}\p{Cf}]+/gu, '').toLowerCase()
  if (/(?:java|vb|live)script:|data:(?:text|application\/xhtml|image\/svg)/.test(plain))
    throw new SvgError(`contains a script in ${name}`)
  if (name === 'href') refuseLink(element.name, plain)
  else if (name === 'attributename' && ANIMATIONS.has(element.name) && /(?:^|:)(?:href|src|on.*|style)$/.test(plain))
    throw new SvgError(`animates ${value}`)
  else if (name === 'style' || /url\(|\\/i.test(value)) refuseStyle(value)
}

const refuseLink = (element: string, target: string): void => {
  if (target.startsWith('#')) return
  if (element === 'a' && /^(?:https?:\/\/|mailto:)/.test(target)) return
  if ((element === 'image' || element === 'feImage') && EMBEDDED_PICTURE.test(target)) return
  throw new SvgError(`loads an external resource in <${element}>`)
}

/** Style may point at parts of the drawing, and hold pictures and fonts; nothing else is loaded. */
const refuseStyle = (css: string): void => {
  if (css.includes('\\')) throw new SvgError('has escape sequences in its style')
  if (/@import|expression\s*\(|-moz-binding|behavior\s*:|image-set\s*\(|src\s*\(/i.test(css))
    throw new SvgError('loads an external resource in its style')
  for (const [, target = ''] of css.matchAll(/url\s*\(\s*["']?([^"')]{0,200})/gi))
    if (!/^\s*(?:#|data:(?:image\/(?:png|jpe?g|gif|webp|avif)|font\/|application\/(?:x-)?font)[^,]*,)/i.test(target))
      throw new SvgError('loads an external resource in its style')
}

const MAX_SIDE = 1_000_000

const sizeOf = ({ attributes }: SvgElement): SvgPicture => {
  const attributeOf = (name: string) =>
    attributes.find((attribute) => attribute.prefix === '' && attribute.name === name)?.value
  const [, , boxWidth, boxHeight] = (attributeOf('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const width = pixelsOf(attributeOf('width'))
  const height = pixelsOf(attributeOf('height'))
  const ratio = boxWidth && boxHeight ? boxWidth / boxHeight : null
  return {
    width: toSide(width ?? (height !== null && ratio !== null ? height * ratio : (boxWidth ?? null))),
    height: toSide(height ?? (width !== null && ratio !== null ? width / ratio : (boxHeight ?? null))),
  }
}

/** CSS pixels in one of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
}

const pixelsOf = (text: string | undefined): number | null => {
  const [, number, unit = ''] =
    /^\s*(\d{1,9}(?:\.\d{1,20})?|\.\d{1,20})\s*(px|pt|pc|in|cm|mm)?\s*$/i.exec(text ?? '') ?? []
  return number === undefined ? null : Number(number) * (UNITS[unit.toLowerCase()] ?? 1)
}

const toSide = (value: number | null): number | null => {
  const side = Math.round(value ?? Number.NaN)
  return side >= 1 && side <= MAX_SIDE ? side : null
}
