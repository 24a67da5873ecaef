import type { Rect, SectionState, Target } from '../protocol.ts'

/** What `renderVisual` has marked on the page. */
export const MARKED = '[data-cms-field],[data-cms-section],[data-cms-part]'

/** A target and the element that it is. */
export type Level = { element: Element; target: Target }

const attributeOf = { field: 'data-cms-field', section: 'data-cms-section', part: 'data-cms-part' } as const

/** Every element of a field, section or part, in the order of the page. */
export const elementsOf = (kind: Target['kind'], id: string): Element[] => [
  ...document.querySelectorAll(`[${attributeOf[kind]}~="${CSS.escape(id)}"]`),
]

const elementOf = ({ kind, id, index }: Target): Element | null => elementsOf(kind, id)[index] ?? null

/** The targets of an element from the inside out: a field of a part of a section. */
const targetsOf = (element: Element): Target[] =>
  (['field', 'part', 'section'] as const).flatMap((kind) => {
    const [id, ...more] = (element.getAttribute(attributeOf[kind]) ?? '').split(' ').filter((word) => word !== '')
    if (id === undefined) return []
    const index = Math.max(0, elementsOf(kind, id).indexOf(element))
    return [more.length > 0 ? { kind, id, index, keys: [id, ...more] } : { kind, id, index }]
  })

/** The targets at a place of the page, the nearest first. */
export const levelsAt = (place: Element | null): Level[] => {
  const levels: Level[] = []
  for (let element = place?.closest(MARKED); element; element = element.parentElement?.closest(MARKED))
    for (const target of targetsOf(element)) levels.push({ element, target })
  return levels
}

export const isSame = (a: Target | null, b: Target | null): boolean =>
  a === b || (a !== null && b !== null && a.kind === b.kind && a.id === b.id && a.index === b.index)

/** The level of a target, whatever else its element may be. */
export const levelOf = (target: Target): Level | null =>
  levelsAt(elementOf(target)).find((level) => isSame(level.target, target)) ?? null

/** From the outermost to the target itself, as a breadcrumb shows it. */
export const pathOf = ({ element, target }: Level): Target[] => {
  const targets = levelsAt(element).map((level) => level.target)
  return targets.slice(targets.findIndex((one) => isSame(one, target))).reverse()
}

/** The element's rectangle in the window. An element without a box takes the rectangle of its content. */
export const rectOf = (element: Element): Rect => {
  let box = element.getBoundingClientRect()
  if (box.width === 0 && box.height === 0) {
    const range = document.createRange()
    range.selectNodeContents(element)
    box = range.getBoundingClientRect()
  }
  return { x: box.x, y: box.y, width: box.width, height: box.height }
}

export const allMarked = (): Element[] => [...document.querySelectorAll(MARKED)]

/** Words of an attribute over the whole page, each once. */
export const namesOf = (kind: Target['kind']): string[] => [
  ...new Set(
    [...document.querySelectorAll(`[${attributeOf[kind]}]`)].flatMap((element) =>
      (element.getAttribute(attributeOf[kind]) ?? '').split(' ').filter((word) => word !== ''),
    ),
  ),
]

/** The sections as they stand; those with the same parent are of the same group. */
export const sectionStates = (): SectionState[] => {
  const parents: (Element | null)[] = []
  return [...document.querySelectorAll('[data-cms-section]')].map((element) => {
    const parent = element.parentElement
    if (!parents.includes(parent)) parents.push(parent)
    return {
      id: element.getAttribute('data-cms-section') ?? '',
      hidden: element.hasAttribute('data-cms-hidden'),
      fixed: element.hasAttribute('data-cms-fixed'),
      group: parents.indexOf(parent),
      within: parent?.closest('[data-cms-section]')?.getAttribute('data-cms-section') ?? null,
      rect: rectOf(element),
    }
  })
}

/** The picture that an element is, or the only one in it. */
export const imageIn = (element: Element): HTMLImageElement | null => {
  if (element instanceof HTMLImageElement) return element
  const images = element.querySelectorAll('img')
  return images.length === 1 && element.textContent?.trim() === '' ? (images[0] ?? null) : null
}

export const pageHeight = (): number => document.documentElement.scrollHeight
