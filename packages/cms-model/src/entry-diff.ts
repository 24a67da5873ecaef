import type { EntryDiff } from './entries.ts'
import type { Field } from './fields/field.ts'
import { LAYOUT_KEY } from './fields/layout.ts'
import { typeOf } from './fields/types/index.ts'
import { type Data, readData } from './fields/values.ts'
import { sectionStates } from './section-states.ts'
import type { VisualSection } from './visual.ts'

export type Difference = EntryDiff['changes'][number]

type Content = { title: string; slug: string; data: Data }

/**
 * What is different, member by member, in the order of the form; values as the fields of the type read them now. A layout is
 * the order of the page's sections by their labels.
 */
export const diffContent = (
  fields: readonly Field[],
  before: Content,
  after: Content,
  sections: readonly VisualSection[] = [],
): Difference[] => {
  const old = readData(fields, before.data, 'all')
  const present = readData(fields, after.data, 'all')
  const isBlank = (value: unknown) => value === '' || value === undefined || value === null
  return [
    { path: 'title', label: 'Title', fieldType: 'text', before: before.title, after: after.title, isEmpty: isBlank },
    { path: 'slug', label: 'Slug', fieldType: 'text', before: before.slug, after: after.slug, isEmpty: isBlank },
    ...fields.map((field) => ({
      path: `data.${field.key}`,
      label: field.label,
      fieldType: field.type,
      before: old[field.key],
      after: present[field.key],
      isEmpty: (value: unknown) => typeOf(field).isEmpty(value),
    })),
    layoutMember(sections, old[LAYOUT_KEY] ?? null, present[LAYOUT_KEY] ?? null),
  ].flatMap(({ isEmpty, ...change }) => {
    if (isSameJson(change.before, change.after)) return []
    const op = isEmpty(change.before) ? 'add' : isEmpty(change.after) ? 'remove' : 'change'
    return [{ ...change, op: op satisfies Difference['op'] }]
  })
}

/** A layout that says nothing else than the page itself is no difference. */
const layoutMember = (sections: readonly VisualSection[], before: unknown, after: unknown) => ({
  path: `data.${LAYOUT_KEY}`,
  label: 'Layout',
  fieldType: null,
  before: sectionStates(sections, before),
  after: sectionStates(sections, after),
  isEmpty: (order: unknown) => Array.isArray(order) && order.length === 0,
})

/** Whether two values of JSON are the same; the order of members says nothing. */
export const isSameJson = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isSameJson(item, b[at]))
    )
  const others = new Map<string, unknown>(Object.entries(b))
  const members = Object.entries(a)
  return (
    members.length === others.size &&
    members.every(([name, value]) => others.has(name) && isSameJson(value, others.get(name)))
  )
}
