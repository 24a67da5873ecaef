/** Text that is XML already. */
export type Markup = { readonly markup: string }
export type Content = Markup | string | number

/** An element; texts and numbers in it are escaped. Names are ours, never a client's. */
export const element = (name: string, ...content: readonly Content[]): Markup => elementWith(name, {}, ...content)

export const elementWith = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly Content[]
): Markup => {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const inside = content.map((each) => (typeof each === 'object' ? each.markup : escapeXml(String(each)))).join('')
  return { markup: inside === '' ? `<${name}${given.join('')}/>` : `<${name}${given.join('')}>${inside}</${name}>` }
}

/** A document as its bytes are sent; `doctype` is ours too. */
export const xmlDocument = (root: Markup, doctype = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}${root.markup}\n`

/** Text in an element or in an attribute. What XML 1.0 §2.2 cannot hold becomes U+FFFD. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"'\t\n\r]/g, (character) => ESCAPES[character] ?? '')

/** Line ends and tabs in attributes would be read as spaces. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
