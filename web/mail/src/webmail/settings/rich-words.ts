/** Elements that the small editor can hold; others are lost when the text is changed. */
const HELD = new Set('html head body p br strong b em i u s a ul ol li div span hr'.split(' '))

/** A document that neither runs nor loads anything. */
const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html')

/** Content of formatted text that the small editor cannot hold, by element. */
export const lostIn = (html: string): readonly string[] => {
  const names = [...parse(html).querySelectorAll('*')].map(({ localName }) => localName)
  return [...new Set(names.filter((name) => !HELD.has(name)))]
}

/** Whether there is anything to read in it. */
export const isEmptyHtml = (html: string): boolean => textOfHtml(html).trim() === ''

const BLOCKS = new Set(['p', 'div', 'li', 'ul', 'ol', 'hr'])

/** HTML as plain text: a line for each paragraph and item, links with their target. */
export const textOfHtml = (html: string): string => linesOf(parse(html).body).join('\n').trimEnd()

const linesOf = (parent: Node): string[] => {
  const lines: string[] = []
  let open = false
  const addText = (text: string) => {
    if (open) lines[lines.length - 1] += text
    else lines.push(text)
    open = true
  }
  for (const node of parent.childNodes) {
    if (node instanceof Text) {
      const text = node.data.replace(/[ \t\r\n]+/g, ' ')
      if (open || text.trim() !== '') addText(text)
    } else if (node instanceof Element) {
      const name = node.localName
      if (name === 'br') {
        addText('')
        open = false
      } else if (BLOCKS.has(name)) {
        lines.push(...blockLines(node, name))
        open = false
      } else {
        const [first, ...rest] = inlineLines(node, name)
        if (first !== undefined) addText(first)
        lines.push(...rest)
      }
    }
  }
  return lines
}

const blockLines = (element: Element, name: string): string[] => {
  if (name === 'hr') return ['--']
  const inner = linesOf(element)
  if (name === 'li') return inner.map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`))
  return inner.length === 0 && name === 'p' ? [''] : inner
}

const inlineLines = (element: Element, name: string): string[] => {
  const inner = linesOf(element)
  const href = name === 'a' ? element.getAttribute('href') : null
  const words = inner.join(' ').trim()
  if (href === null || inner.length !== 1 || bare(href) === bare(words)) return inner
  return [`${words} <${href.replace(/^mailto:/, '')}>`]
}

const bare = (address: string): string => address.replace(/^(?:mailto:|https?:\/\/)/, '').replace(/\/$/, '')
