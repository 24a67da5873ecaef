/** Text that is HTML already, and safe to put into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

/** HTML with every value escaped, unless it is HTML itself. Null, undefined and false leave nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((text, string, index) => text + render(parts[index - 1]) + string))

/** Only for what is safe as it is: rich text, which the CMS has cleaned, and text of our own. */
export const cleanedHtml = (text: string): Html => new Html(text)

/** A formatted field: text in which only italics, line breaks and these few entities are HTML. */
export const formattedHtml = (text: string): Html =>
  new Html(
    escaped(text)
      .replace(/&amp;(amp|lt|gt|nbsp);/g, '&$1;')
      .replace(/&lt;br ?\/?&gt;/g, '<br>')
      .replace(/&lt;i&gt;((?:(?!&lt;i&gt;).)*?)&lt;\/i&gt;/gs, '<i>$1</i>'),
  )

/** The text without its markup, for titles and descriptions. */
export const plainOf = (formatted: string): string => formatted.replace(/<br ?\/?>/g, ' ').replace(/<\/?i>/g, '')

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return escaped(String(part))
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
