import type { FromEditor } from '../protocol.ts'

type Style = Extract<FromEditor, { t: 'setStyle' }>

/** Shows the design as it would be, in a sheet that comes after those of the page. */
export const showDesign = (sheet: CSSStyleSheet, { css, originals }: Style): void => {
  sheet.replaceSync('')
  const restored = originals.map(({ selector, property }) => originalRule(selector, property))
  sheet.replaceSync([css, ...restored].join('\n'))
}

/** The website's own value of a property that the page overrides. */
const originalRule = (selector: string, property: string): string => {
  const element = elementFor(selector)
  const value = element && originalOf(element, property)
  return value === null ? '' : `${selector} { ${property}: ${value === '' ? 'initial' : value}; }`
}

const elementFor = (selector: string): Element | null => {
  try {
    return document.querySelector(selector)
  } catch {
    // A selector that this browser does not know shows nothing anyway
    return null
  }
}

/**
 * Takes away one sheet after the other until the value changes: that one overrides it. Sheets of files cannot be read
 * here, and can be switched off. Null when no sheet has a say.
 */
const originalOf = (element: Element, property: string): string | null => {
  const read = () => getComputedStyle(element).getPropertyValue(property).trim()
  const shown = read()
  for (const sheet of [...document.styleSheets].reverse()) {
    const value = readWithout(sheet, { element, property, read })
    if (value !== shown) return value
  }
  return null
}

type Reading = { element: Element; property: string; read: () => string }

const readWithout = (sheet: CSSStyleSheet, { element, property, read }: Reading): string => {
  const rules = rulesOf(sheet)
  if (rules === null) {
    sheet.disabled = true
    const value = read()
    sheet.disabled = false
    return value
  }
  // A sheet in the page may hold more than the design: only what sets the property goes
  const setting = rules.filter(
    (rule) => rule instanceof CSSStyleRule && rule.style.getPropertyValue(property) !== '' && matches(element, rule),
  )
  const last = setting.at(-1)
  if (!(last instanceof CSSStyleRule)) return read()
  const before = last.style.cssText
  last.style.removeProperty(property)
  const value = read()
  last.style.cssText = before
  return value
}

/** Null for a sheet of a file, which a page without an origin may not read. */
const rulesOf = (sheet: CSSStyleSheet): CSSRule[] | null => {
  try {
    return [...sheet.cssRules]
  } catch {
    return null
  }
}

const matches = (element: Element, rule: CSSStyleRule): boolean => {
  try {
    return element.matches(rule.selectorText)
  } catch {
    return false
  }
}
