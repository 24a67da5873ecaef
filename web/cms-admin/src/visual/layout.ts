import { orderSections } from '@stoa/cms-model/order-sections.ts'

/** Which sections of a page stand where, and which are not shown; `data.__layout` of an entry. */
export type Layout = { readonly order: readonly string[]; readonly hidden: readonly string[] }

/** A section as the page has it. Only sections of one group, which have the same parent, change places. */
export type PageSection = {
  readonly id: string
  readonly movable: boolean
  readonly group: number
  /** The section around it. */
  readonly within: string | null
}

export const LAYOUT_KEY = '__layout'

/** The layout of an entry; whatever cannot be read moves and hides nothing. */
export const layoutOf = (data: Readonly<Record<string, unknown>>): Layout => {
  const stored: unknown = data[LAYOUT_KEY]
  const members: { order?: unknown; hidden?: unknown } = typeof stored === 'object' && stored !== null ? stored : {}
  return { order: textsOf(members.order), hidden: textsOf(members.hidden) }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter((one) => typeof one === 'string'))] : []

/** The layout to store: nothing for a page in its original order. */
export const storedLayout = ({ order, hidden }: Layout): Layout | null =>
  order.length === 0 && hidden.length === 0 ? null : { order, hidden }

/** The sections as the layout arranges them, group by group. */
export const arranged = <S extends PageSection>(sections: readonly S[], layout: Layout): S[][] =>
  [...Map.groupBy(sections, ({ group }) => group).values()].map((siblings) => orderSections(siblings, layout.order))

/** The positions a section can take in its group: its own, and those of movable sections. */
const placesOf = <S extends PageSection>(
  sections: readonly S[],
  layout: Layout,
  id: string,
): { siblings: readonly S[]; at: number; places: readonly number[] } | null => {
  const siblings = arranged(sections, layout).find((group) => group.some((section) => section.id === id))
  if (!siblings) return null
  const at = siblings.findIndex((section) => section.id === id)
  return { siblings, at, places: siblings.flatMap(({ movable }, index) => (movable ? [index] : [])) }
}

/** The layout after a section went to a place of its group; the same one when it cannot. */
export const movedTo = (sections: readonly PageSection[], layout: Layout, id: string, place: number): Layout => {
  const found = placesOf(sections, layout, id)
  if (!found?.siblings[found.at]?.movable || !found.places.includes(place) || found.at === place) return layout
  const ids = found.siblings.filter(({ movable }) => movable).map((section) => section.id)
  ids.splice(ids.indexOf(id), 1)
  ids.splice(found.places.indexOf(place), 0, id)
  const own = new Set(ids)
  return { ...layout, order: [...ids, ...layout.order.filter((other) => !own.has(other))] }
}

/** One place up (-1) or down (1), over what keeps its place. */
export const movedBy = (sections: readonly PageSection[], layout: Layout, id: string, by: -1 | 1): Layout => {
  const found = placesOf(sections, layout, id)
  const place = found?.places[found.places.indexOf(found.at) + by]
  return place === undefined ? layout : movedTo(sections, layout, id, place)
}

export const withHidden = (layout: Layout, id: string, isHidden: boolean): Layout => {
  const others = layout.hidden.filter((hidden) => hidden !== id)
  return { ...layout, hidden: isHidden ? [...others, id] : others }
}

/** Where a section that is dropped on place `to` of its group lands: the place of a movable one, the nearest on the way. */
export const nearestSlot = (group: readonly PageSection[], from: number, to: number): number => {
  const step = to > from ? -1 : 1
  let place = to
  while (place !== from && !group[place]?.movable) place += step
  return place
}
