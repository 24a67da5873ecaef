import {
  changeElements,
  elementsBelow,
  isBlank,
  isElement,
  newElement,
  type PasteElement,
  type PasteNode,
} from './tree.ts'

/** Google wraps every link of a document into one of its own. */
export const unwrapRedirects = (root: PasteElement): void => {
  for (const element of elementsBelow(root)) {
    if (element.tag !== 'a') continue
    const href = element.attributes.get('href') ?? ''
    if (!URL.canParse(href)) continue
    const url = new URL(href)
    const target = url.searchParams.get('q') ?? url.searchParams.get('url')
    if (/^(?:www\.)?google\.[a-z.]{2,6}$/.test(url.hostname) && url.pathname === '/url' && target)
      element.attributes.set('href', target)
  }
}

/** A page has its own title above the text: with a first-level heading in it, all headings move down by one. */
export const lowerHeadings = (root: PasteElement): void => {
  const headings = [...elementsBelow(root)].filter(({ tag }) => /^h[1-6]$/.test(tag))
  if (!headings.some(({ tag }) => tag === 'h1')) return
  for (const heading of headings) heading.tag = `h${Math.min(Number(heading.tag.slice(1)) + 1, 6)}`
}

/** Left-to-right is what a text is anyway. */
export const dropNeedlessDirection = (root: PasteElement): void => {
  for (const { attributes } of elementsBelow(root)) if (attributes.get('dir') === 'ltr') attributes.delete('dir')
}

/** Space that was made with empty lines is the website's to make. */
export const dropEmptyBlocks = (root: PasteElement): void =>
  changeElements(root, (element) => {
    if (/^(?:p|h[1-6])$/.test(element.tag) && isBlank(element)) return []
    return element.attributes.get('class') === 'Apple-interchange-newline' ? [] : [element]
  })

/** Line breaks between blocks say nothing. */
export const dropLooseBreaks = (root: PasteElement): void => {
  const hasBlocks = root.children.some((child) => isElement(child) && BLOCKS.has(child.tag))
  if (hasBlocks) root.children = root.children.filter((child) => !isElement(child) || child.tag !== 'br')
}

/** Two line breaks are meant as the end of a paragraph. */
export const splitAtDoubleBreaks = (root: PasteElement): void =>
  changeElements(root, (element) => {
    if (element.tag !== 'p' && element.tag !== 'div') return [element]
    const parts = partsBetweenBreaks(element.children)
    return parts.length < 2 ? [element] : parts.map((children) => ({ ...newElement('p', children) }))
  })

const partsBetweenBreaks = (children: readonly PasteNode[]): PasteNode[][] => {
  const parts: PasteNode[][] = [[]]
  let breaks: PasteNode[] = []
  for (const child of children) {
    if (isElement(child) && child.tag === 'br') {
      breaks.push(child)
      continue
    }
    if (!isElement(child) && child.trim() === '' && breaks.length > 0) continue
    if (breaks.length > 1) parts.push([])
    else parts.at(-1)?.push(...breaks)
    breaks = []
    parts.at(-1)?.push(child)
  }
  return parts.filter((part) => !part.every(isBlank))
}

/** An item or cell of one paragraph needs none, and every cell of a head is a heading. */
export const tidyLists = (root: PasteElement): void =>
  changeElements(root, (element) => {
    if (element.tag === 'thead') for (const cell of elementsBelow(element)) if (cell.tag === 'td') cell.tag = 'th'
    if (['li', 'td', 'th'].includes(element.tag)) unwrapOnly(element)
    return [element]
  })

const unwrapOnly = (box: PasteElement): void => {
  const solid = box.children.filter((child) => !isBlank(child) || (isElement(child) && child.tag === 'p'))
  const [first, ...rest] = solid
  if (!isElement(first) || (first.tag !== 'p' && first.tag !== 'div')) return
  if (!rest.every((child) => isElement(child) && (child.tag === 'ul' || child.tag === 'ol'))) return
  box.children = [...first.children, ...rest]
}

/** A paragraph with nothing but a picture is a picture. */
export const liftPictures = (root: PasteElement): void =>
  changeElements(root, (element) => {
    if (element.tag !== 'p' && element.tag !== 'div') return [element]
    const solid = element.children.filter((child) => isElement(child) || child.trim() !== '')
    const only = solid.map(pictureIn)
    if (solid.length === 0 || only.some((picture) => picture === null)) return [element]
    return solid.map((child) => newElement('figure', [child]))
  })

const pictureIn = (node: PasteNode): PasteElement | null => {
  if (!isElement(node)) return null
  if (node.tag === 'img') return node
  const [only, ...rest] = node.children
  return ['a', 'span'].includes(node.tag) && only !== undefined && rest.length === 0 ? pictureIn(only) : null
}

const BLOCKS = new Set([
  ...['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'table', 'blockquote', 'pre', 'figure', 'hr'],
  ...['section', 'article', 'details'],
])
