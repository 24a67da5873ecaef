import { changeElements, isElement, newElement, type PasteElement, type PasteNode } from './tree.ts'

type Source = 'word' | 'docs' | 'other'

/** Turns the styles that say something into elements: bold, italic, underlined, struck, raised, lowered, marked. */
export const readFormatting = (root: PasteElement, source: Source): void =>
  changeElements(root, (element) => {
    if (isHeavy(element.tag) && isNormalWeight(element)) return element.children
    if ((element.tag === 'i' || element.tag === 'em') && element.style.get('font-style') === 'normal')
      return element.children
    if (element.tag !== 'span' && element.tag !== 'font') return [element]
    return formatted(element, source)
  })

/** What the span is besides, such as its language, is of no use without it. */
const formatted = (element: PasteElement, source: Source): readonly PasteNode[] => {
  let { children } = element
  for (const tag of tagsFor(element, source)) children = [newElement(tag, children)]
  return children
}

const tagsFor = ({ style }: PasteElement, source: Source): string[] => {
  const decoration = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`
  const align = style.get('vertical-align')
  return [
    ...(isBoldWeight(style.get('font-weight')) ? ['strong'] : []),
    ...(style.get('font-style') === 'italic' ? ['em'] : []),
    ...(decoration.includes('underline') ? ['u'] : []),
    ...(decoration.includes('line-through') ? ['s'] : []),
    ...(align === 'super' ? ['sup'] : []),
    ...(align === 'sub' ? ['sub'] : []),
    // A browser writes the background of every page into what is copied from it
    ...(source !== 'other' && isMarker(style) ? ['mark'] : []),
  ]
}

const isHeavy = (tag: string): boolean => tag === 'b' || tag === 'strong'

const isNormalWeight = ({ style }: PasteElement): boolean => {
  const weight = style.get('font-weight') ?? ''
  return weight === 'normal' || (/^\d+$/.test(weight) && Number(weight) < 600)
}

const isBoldWeight = (weight: string | undefined): boolean =>
  weight === 'bold' || weight === 'bolder' || (weight !== undefined && /^\d+$/.test(weight) && Number(weight) >= 600)

const isMarker = (style: ReadonlyMap<string, string>): boolean => {
  if (style.has('mso-highlight')) return true
  const colour = style.get('background-color') ?? style.get('background') ?? ''
  return (
    colour !== '' && !/transparent|white|#fff(?:fff)?\b|rgb\(255, ?255, ?255\)|none|inherit|initial|auto/.test(colour)
  )
}

/** A heading is heavy by itself, and a link underlined. */
export const dropNeedless = (root: PasteElement): void =>
  changeElements(root, (element) => {
    if (/^h[1-6]$/.test(element.tag)) unwrapInside(element, 'strong', 'b')
    if (element.tag === 'a') unwrapInside(element, 'u')
    // Around a link as well
    const [only] = element.children
    const isAroundLink = element.tag === 'u' && element.children.length === 1 && isElement(only) && only.tag === 'a'
    return isAroundLink ? element.children : [element]
  })

const unwrapInside = (element: PasteElement, ...tags: string[]): void =>
  changeElements(element, (inner) => (tags.includes(inner.tag) ? inner.children : [inner]))
