import { orderSections } from '@stoa/cms-model/order-sections.ts'
import type { Targets } from './definition.ts'
import { findTargets, type Shown } from './find.ts'
import { groupSections, type Placed } from './group-sections.ts'
import { type Slot, splice } from './splice.ts'

/** A page and what was found in it. */
export type Page = {
  readonly html: string
  readonly groups: readonly (readonly Placed[])[]
  readonly fields: ReadonlyMap<number, Shown>
  readonly isTidy: boolean
}

export const readPage = (html: string, targets: Targets): Page => {
  const { sections, fields, isTidy } = findTargets(html, targets)
  return { html, groups: groupSections(html, sections), fields, isTidy }
}

/**
 * The page with the order in which its sections are to be written. On a page with malformed markup a section may mean
 * something else in another place. There the sections are moved at once, and only if the page is then read as it was
 * before; otherwise all of them keep their places.
 */
export const arrange = (
  page: Page,
  targets: Targets,
  order: readonly string[],
): Page & { order: readonly string[] } => {
  const slots = page.isTidy ? [] : page.groups.flatMap((group) => slotsOf(group, order))
  if (slots.length === 0) return { ...page, order }
  const moved = readPage(splice(page.html, [], slots), targets)
  const wanted = page.groups.map((group) => orderSections(group, order))
  if (outline(moved.groups) === outline(wanted)) return { ...moved, order: [] }
  const groups = page.groups.map((group) => group.map((section) => ({ ...section, movable: false })))
  return { ...page, groups, order: [] }
}

/** Which sections stand together in which order, and which of them may move. */
const outline = (groups: readonly (readonly Placed[])[]): string =>
  JSON.stringify(groups.map((group) => group.map(({ id, movable }) => [id, movable])).toSorted())

/** The places of a group that do not show what is written there. */
export const slotsOf = (group: readonly Placed[], order: readonly string[], leftOut?: ReadonlySet<string>): Slot[] => {
  const ordered = orderSections(group, order)
  return group.flatMap(({ start, end }, index): Slot[] => {
    const shown = ordered[index]
    if (!shown) return []
    if (leftOut?.has(shown.id)) return [{ start, end, shows: null }]
    return shown.start === start ? [] : [{ start, end, shows: shown }]
  })
}
