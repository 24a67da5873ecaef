import { LAYOUT_KEY, layout } from '@stoa/cms-model/fields/layout.ts'
import { cleanData, type Data } from '@stoa/cms-model/fields/values.ts'
import { type VisualDefinition, visualOf } from '@stoa/cms-model/visual.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { ContentType } from '../types/types.ts'

/**
 * Refuses a layout with sections that the page's definition does not declare. Those that keep their place may be named:
 * an order lists all sections, and the page leaves the fixed ones where they are.
 */
export const refuseUnknownSections = ({ sections }: Pick<VisualDefinition, 'sections'>, data: Data): void => {
  const unknown = sectionsIn(data).filter(({ id }) => !sections.some((section) => section.id === id))
  if (unknown.length === 0) return
  fail('UNKNOWN_SECTION', {
    details: {
      sections: [...new Set(unknown.map(({ id }) => id))],
      fields: unknown.map(({ key, id }) => ({ key, message: `the page has no section "${id}"` })),
    },
  })
}

/**
 * Stored data that comes back, as the page's definition wants it now: nobody sent it, so that sections which are gone are
 * left out instead of refused.
 */
export const asDeclared = ({ host }: Pick<Ctx, 'host'>, type: ContentType, data: Data): Data => {
  const definition = visualOf(host.visual, type.name)
  if (!definition) return data
  const { formatted, sections } = definition
  const known = new Set(sections.map(({ id }) => id))
  const texts = Object.fromEntries(Object.entries(data).filter(([key]) => formatted.includes(key)))
  const next: Data = { ...data, ...cleanData(type.fields, texts, { formatted }) }
  const stored = layoutOf(data)
  if (stored === null) return next
  const { [LAYOUT_KEY]: _old, ...others } = next
  const order = stored.order.filter((id) => known.has(id))
  const hidden = stored.hidden.filter((id) => known.has(id))
  return order.length + hidden.length === 0 ? others : { ...others, [LAYOUT_KEY]: { order, hidden } }
}

const layoutOf = (data: Data) =>
  Object.hasOwn(data, LAYOUT_KEY) ? (layout.safeParse(data[LAYOUT_KEY]).data ?? null) : null

const sectionsIn = (data: Data): { key: string; id: string }[] => {
  const { order = [], hidden = [] } = layoutOf(data) ?? {}
  return [
    ...order.map((id, index) => ({ key: `${LAYOUT_KEY}.order.${index}`, id })),
    ...hidden.map((id, index) => ({ key: `${LAYOUT_KEY}.hidden.${index}`, id })),
  ]
}
