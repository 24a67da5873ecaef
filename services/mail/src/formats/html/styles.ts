/** Properties for colors, spacing and alignment. None of them loads anything, floats over other content or runs. */
const PROPERTIES: ReadonlySet<string> = new Set(
  (
    'color background background-color font font-family font-size font-style font-weight font-variant line-height ' +
    'letter-spacing word-spacing text-align text-decoration text-decoration-line text-decoration-color ' +
    'text-decoration-style text-indent text-transform text-overflow vertical-align white-space word-break word-wrap ' +
    'overflow-wrap direction unicode-bidi width height max-width max-height min-width min-height margin margin-top ' +
    'margin-right margin-bottom margin-left padding padding-top padding-right padding-bottom padding-left border ' +
    'border-top border-right border-bottom border-left border-color border-style border-width border-top-color ' +
    'border-top-style border-top-width border-right-color border-right-style border-right-width border-bottom-color ' +
    'border-bottom-style border-bottom-width border-left-color border-left-style border-left-width border-radius ' +
    'border-collapse border-spacing border-top-left-radius border-top-right-radius border-bottom-left-radius ' +
    'border-bottom-right-radius box-sizing caption-side clear display empty-cells float list-style-type ' +
    'list-style-position opacity table-layout text-shadow box-shadow overflow visibility mso-line-height-rule ' +
    'flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap align-content align-items align-self ' +
    'justify-content gap column-gap row-gap object-fit aspect-ratio text-underline-offset hyphens tab-size'
  ).split(' '),
)

const FUNCTIONS: ReadonlySet<string> = new Set(['rgb', 'rgba', 'hsl', 'hsla', 'calc', 'min', 'max', 'clamp'])
const DISPLAYS: ReadonlySet<string> = new Set(
  (
    'none block inline inline-block table inline-table table-row table-cell table-row-group table-header-group ' +
    'table-footer-group table-column table-column-group table-caption list-item flex inline-flex'
  ).split(' '),
)
/** The limits of a style attribute and of its declarations. */
const MAX_LENGTH = 8192
const MAX_DECLARATIONS = 100
const MAX_VALUE = 300
/** With the pictures that are taken out of it. */
const MAX_GIVEN = 4096

/**
 * The declarations of a style attribute that may stay, or an empty text. Values with a backslash, a comment, a quote
 * that does not close or an unknown function are left out: nothing in them is what it looks like.
 */
export const cleanStyle = (style: string): string =>
  cleanDeclarations(style.slice(0, MAX_LENGTH), { keepsImportant: false }).join('; ')

/** Cleans a block of a stylesheet, where `!important` may stay: rules for small windows need it. */
export const cleanDeclarations = (text: string, { keepsImportant }: { keepsImportant: boolean }): string[] => {
  const kept: string[] = []
  for (const declaration of text.split(';', MAX_DECLARATIONS)) {
    const colon = declaration.indexOf(':')
    if (colon === -1) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    if (!PROPERTIES.has(property)) continue
    const given = declaration.slice(colon + 1)
    const plain = given.replace(/!\s*important\s*$/i, '')
    const value = cleanValue(property, plain)
    const mark = keepsImportant && plain !== given ? ' !important' : ''
    if (value !== null) kept.push(`${property}: ${value}${mark}`)
  }
  return kept
}

/** Background images are removed, but a background color stays. */
const PICTURE = /url\((?:"[^"]*"|'[^']*'|[^'"()]*)\)/gi

const cleanValue = (property: string, given: string): string | null => {
  if (given.length > MAX_GIVEN) return null
  const shown = property === 'background' ? given.replace(PICTURE, ' ') : given
  const value = shown.replace(/\s+/g, ' ').trim()
  if (value === '' || value.length > MAX_VALUE || !ALLOWED_TEXT.test(value)) return null
  if (value.includes('/*') || !areQuotesClosed(value)) return null
  if (value.includes('(') && !hasKnownFunctions(value)) return null
  if (property === 'display') return DISPLAYS.has(value.toLowerCase()) ? value.toLowerCase() : null
  // Margins pull content over what is not the message's; only the frame would stop it.
  if (property.startsWith('margin') && /(?:^|[\s(,*/+])-/.test(value)) return null
  return value
}

const ALLOWED_TEXT = /^[\p{L}\p{N} #%.,()'"+*/_-]+$/u

const hasKnownFunctions = (value: string): boolean =>
  [...value.matchAll(/([^\s(),+*/]*)\(/g)].every((match) => FUNCTIONS.has((match[1] ?? '').toLowerCase()))

const areQuotesClosed = (value: string): boolean =>
  !/['"]/.test(value.replace(/"[^"'()]*"|'[^"'()]*'/g, '')) && isBalanced(value)

const isBalanced = (value: string): boolean => {
  let depth = 0
  for (const character of value) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

/** True when the style hides its element. */
export const isHidden = (cleaned: string): boolean =>
  /(?:^|; )(?:display: none|visibility: hidden|(?:max-)?(?:height|width): 0|opacity: 0(?:$|;))/i.test(cleaned)
