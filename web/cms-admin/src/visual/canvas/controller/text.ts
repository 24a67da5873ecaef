import { inlineHtml } from './inline-content.ts'

/** How a field is edited: one line of text, several lines, or text with italics and line breaks. */
export type TextKind = { readonly formatted: boolean; readonly multiline: boolean }
export type TextValue = { readonly value?: string | undefined; readonly html?: string | undefined }

/** Elements that a field's own value may make. */
const ownTags = ({ formatted, multiline }: TextKind): string => (formatted ? 'i,em,br' : multiline ? 'br' : '')

/** Whether an element shows text and nothing that the value did not make. */
export const showsOnlyText = (element: Element, kind: TextKind): boolean => {
  const own = ownTags(kind)
  return [...element.querySelectorAll('*')].every((inner) => own !== '' && inner.matches(own))
}

/** The lines that an element shows; a browser that edits them may have put each into a box. */
export const linesOf = (element: Element): string => {
  let text = ''
  const walk = (node: Node): void => {
    for (const child of node.childNodes) {
      if (child instanceof Text) text += child.data
      else if (child instanceof HTMLBRElement) text += '\n'
      else if (child instanceof Element) {
        if (/^(div|p)$/i.test(child.tagName) && text !== '' && !text.endsWith('\n')) text += '\n'
        walk(child)
      }
    }
  }
  walk(element)
  return text.replace(/\r\n?/g, '\n')
}

/** Written in the source with any space; shown with one. */
export const collapse = (text: string): string => text.replace(/[ \t\n\r\f]+/g, ' ').trim()

/** Text as the page shows it, line by line. */
export const shownText = (element: Element, { multiline }: TextKind): string => {
  if (!multiline || keepsLines(element))
    return multiline ? linesOf(element).trim() : collapse(element.textContent ?? '')
  const parts = [...element.childNodes].map((node) => (node instanceof HTMLBRElement ? '\n' : collapsed(node)))
  return parts
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
}

const collapsed = (node: Node): string => (node.textContent ?? '').replace(/[ \t\n\r\f]+/g, ' ')

const keepsLines = (element: Element): boolean => /^(pre|break-spaces)/.test(getComputedStyle(element).whiteSpace)

/** Shows text; lines become what the page makes lines of. */
export const writeText = (element: Element, text: string): void => {
  if (!text.includes('\n') || keepsLines(element)) {
    element.textContent = text
    return
  }
  element.replaceChildren(
    ...text.split('\n').flatMap((line, index) => (index === 0 ? [line] : [document.createElement('br'), line])),
  )
}

/** Shows formatted text: whatever the markup is, only its text, italics and line breaks come to the page. */
export const writeHtml = (element: Element, html: string): void =>
  element.replaceChildren(...parsed(inlineHtml(parsed(html))).childNodes)

/** In a tree of its own, which loads and runs nothing. Attributes are not kept, and not even looked at. */
const parsed = (html: string): DocumentFragment => {
  const template = document.createElement('template')
  template.innerHTML = html.replace(/<([a-z][^\s/>]*)[^>]*>/gi, '<$1>')
  return template.content
}
