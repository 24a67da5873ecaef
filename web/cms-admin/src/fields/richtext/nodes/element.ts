/** What parse rules ask of an element. */

/** The elements in it, in order. */
export const elementsIn = (element: Element): Element[] =>
  Array.from(element.childNodes).filter((node): node is Element => node.nodeType === ELEMENT)

/** True when it holds text of its own, besides space. */
export const hasOwnText = (element: Element): boolean =>
  Array.from(element.childNodes).some((node) => node.nodeType === TEXT && /\S/.test(node.nodeValue ?? ''))

export const isTag = (element: Element | undefined, ...tags: string[]): element is Element =>
  element !== undefined && tags.includes(element.nodeName.toLowerCase())

/** A whole number of an attribute, or null. */
export const numberOf = (element: Element, name: string): number | null => {
  const text = element.getAttribute(name) ?? ''
  return /^-?\d{1,7}$/.test(text) ? Number(text) : null
}

/** The attributes with a value, as they are rendered. */
export const written = (attributes: Readonly<Record<string, string | number | null>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  )

/** A text that a node's attribute holds; the schema says that it is one. */
export const textAttribute = (attributes: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = attributes[name]
  return typeof value === 'string' ? value : null
}

const ELEMENT = 1
const TEXT = 3
