import { orderSections } from '@stoa/cms-model/order-sections.ts'

type Section = { readonly id: string; readonly movable: boolean; readonly element: Element }

export type Arrange = (layout: { order: readonly string[]; hidden: readonly string[] }) => void

/**
 * Moves and hides sections at once, by the rule that the page is rendered by. Where nothing is said of a section, the
 * page as it came counts as its source; the next rendering knows the real one.
 */
export const createArrange = (): Arrange => {
  const sections = [...document.querySelectorAll('[data-cms-section]')].map((element) => ({
    id: element.getAttribute('data-cms-section') ?? '',
    movable: !element.hasAttribute('data-cms-fixed'),
    element,
  }))
  const groups = [...Map.groupBy(sections, ({ element }) => element.parentNode).values()]
  return ({ order, hidden }) => {
    const focused = document.activeElement
    for (const group of groups) putInOrder(orderSections(group, order))
    for (const { id, element } of sections) element.toggleAttribute('data-cms-hidden', hidden.includes(id))
    // An element that is put elsewhere loses the keyboard
    if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true })
  }
}

/** Nodes between the sections of a parent stay in place. */
const putInOrder = (wanted: readonly Section[]): void => {
  const now = wanted.map(({ element }) => element).sort(byPosition)
  if (now.every((element, index) => element === wanted[index]?.element)) return
  const places = now.map((element) => {
    const place = document.createComment('')
    element.replaceWith(place)
    return place
  })
  for (const [index, { element }] of wanted.entries()) places[index]?.replaceWith(element)
}

const byPosition = (a: Element, b: Element): number =>
  a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
