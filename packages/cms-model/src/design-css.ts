import { type DesignProperty, type DesignSurface, type DesignValue, designValueProblem } from './design.ts'

/** The values of a surface that differ from the host's own, by key; of a picture, its address. */
export type Overrides = ReadonlyMap<string, DesignValue>

/** A style sheet with the custom properties that were set, and nothing else; empty when there are none. */
export const designCss = (surfaces: readonly { surface: DesignSurface; overrides: Overrides }[]): string =>
  surfaces
    .flatMap(({ surface: { selector, properties }, overrides }) => {
      const lines = properties.flatMap((property) => {
        const text = cssValue(property, overrides.get(property.key) ?? null)
        return text === null ? [] : [`  ${property.css}: ${text};`]
      })
      return lines.length === 0 ? [] : [`${inStyleElement(selector)} {\n${lines.join('\n')}\n}\n`]
    })
    .join('')

/**
 * What stands between `:` and `;`; null for what is no value of this property. Everything but an address is one of the
 * forms that `designValueProblem` lets pass, none of which can end a declaration.
 */
export const cssValue = (property: DesignProperty, value: DesignValue): string | null => {
  if (value === null) return null
  if (property.type === 'media') return typeof value === 'string' ? `url("${inQuotes(value)}")` : null
  return designValueProblem(property, value) === null ? String(value) : null
}

/** CSS Syntax 3 §4.3.7: any character may be written as its number. Letters are enough for an address. */
const inQuotes = (address: string): string =>
  address.replace(/[^A-Za-z0-9\-._~:/?#@!$&+,=%]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)

/** A string in a selector may hold `</style`: the host puts the sheet into its pages. */
const inStyleElement = (selector: string): string => selector.replaceAll('<', '\\3c ')
