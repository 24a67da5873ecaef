import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { changedMembers, dataMember, fieldKeyOf, type Member, type Values } from '../entries/session/values.ts'
import type { History } from '../undo-history.ts'
import { arranged, LAYOUT_KEY, type Layout, layoutOf, type PageSection } from './layout.ts'

type Known = {
  sections: readonly PageSection[]
  /** What a section is called. */
  labelOf: (id: string) => string
  fields: ContentType['fields']
}

/** What a change of the arrangement is said to be; `moved` is the section that somebody moved, where that is known. */
export const layoutNews = (before: Layout, after: Layout, known: Known, moved?: string | null): string | null => {
  const { sections, labelOf } = known
  const hidden = after.hidden.find((id) => !before.hidden.includes(id))
  if (hidden !== undefined) return `${labelOf(hidden)} hidden`
  const shown = before.hidden.find((id) => !after.hidden.includes(id))
  if (shown !== undefined) return `${labelOf(shown)} shown`
  const was = arranged(sections, before)
  for (const [index, group] of arranged(sections, after).entries()) {
    const id = movedIn(was[index] ?? [], group, moved)
    if (id !== undefined)
      return `Moved ${labelOf(id)} to position ${group.findIndex((one) => one.id === id) + 1} of ${group.length}`
  }
  return null
}

/** The one without which the rest is as it was; of two that changed places, whichever somebody moved. */
const movedIn = (
  was: readonly PageSection[],
  is: readonly PageSection[],
  moved: string | null | undefined,
): string | undefined => {
  const ids = (group: readonly PageSection[], without?: string) =>
    group.flatMap(({ id, movable }) => (movable && id !== without ? [id] : [])).join(' ')
  if (ids(was) === ids(is)) return undefined
  const candidates = is.map(({ id }) => id).filter((id) => ids(was, id) === ids(is, id))
  return candidates.find((id) => id === moved) ?? candidates[0]
}

/** Whether the values were gone back or forth to. */
export const stepBetween = (before: History, after: History): 'Undone' | 'Redone' | null => {
  const [back, forth] = [after.past.length - before.past.length, after.future.length - before.future.length]
  if (back === -1 && forth === 1) return 'Undone'
  return back === 1 && forth === -1 ? 'Redone' : null
}

/** What was changed between two states, by the names that people see. */
export const changeNews = (before: Values, after: Values, known: Known): string => {
  const members = changedMembers(after, before)
  // The slug follows the title
  const named = members.includes('title') ? members.filter((member) => member !== 'slug') : members
  return named
    .map((member) =>
      member === dataMember(LAYOUT_KEY)
        ? (layoutNews(layoutOf(before.data), layoutOf(after.data), known) ?? 'Order of sections')
        : labelOfMember(member, known.fields),
    )
    .join(', ')
}

const labelOfMember = (member: Member, fields: Known['fields']): string => {
  const key = fieldKeyOf(member)
  if (key === undefined) return member === 'title' ? 'Title' : 'Slug'
  return fields.find((field) => field.key === key)?.label ?? key
}
