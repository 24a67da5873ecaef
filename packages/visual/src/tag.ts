/** A change of the source: what stands from `start` to `end` becomes `text`. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

export type Tag = {
  /** The offset at which the tag name ends. */
  nameEnd: number
  attributes: { name: string; start: number; end: number }[]
  isSelfClosing: boolean
}

// HTML §13.2.5.32 to 39. The parser says not where a value ends that another attribute follows without a space.
const NAME = /<[^\t\n\f\r />]*/y
const ATTRIBUTE =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"|'[^']*'|[^\t\n\f\r >"'][^\t\n\f\r >]*|))?/y

/** Reads the start tag that is written from `start` to `end`. */
export const readTag = (html: string, start: number, end: number): Tag => {
  NAME.lastIndex = start
  NAME.exec(html)
  const nameEnd = NAME.lastIndex
  const attributes: Tag['attributes'] = []
  let at = nameEnd
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const name = ATTRIBUTE.exec(html)?.[1]
    if (name === undefined || ATTRIBUTE.lastIndex >= end) break
    attributes.push({ name: name.toLowerCase(), start: html.indexOf(name, at), end: ATTRIBUTE.lastIndex })
    at = ATTRIBUTE.lastIndex
  }
  return { nameEnd, attributes, isSelfClosing: html.slice(at, end).endsWith('/>') }
}

/**
 * Gives a start tag attributes. Of two with one name the first counts, so ours are written before all others; where one is
 * there already, its value is replaced.
 */
export const setAttributes = (html: string, tag: Tag, attributes: readonly (readonly [string, string])[]): Edit[] => {
  const present = attributes.map(([name]) => tag.attributes.find((attribute) => attribute.name === name))
  const added = attributes.filter((_, index) => !present[index])
  const text = added.map(([name, value]) => ` ${name}${valueText(value)}`).join('')
  return [
    ...(text === '' ? [] : [{ start: tag.nameEnd, end: tag.nameEnd, text }]),
    ...present.flatMap((attribute, index) => {
      if (!attribute) return []
      const start = attribute.start + attribute.name.length
      const text = valueText(attributes[index]?.[1] ?? '')
      return html.slice(start, attribute.end) === text ? [] : [{ start, end: attribute.end, text }]
    }),
  ]
}

const valueText = (value: string): string =>
  `="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`
