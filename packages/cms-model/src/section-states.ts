import { layout } from './fields/layout.ts'
import { orderSections } from './order-sections.ts'
import type { VisualSection } from './visual.ts'

/** A section of a page, as people know it. */
export type SectionState = { id: string; label: string; hidden: boolean }

type Declared = Pick<VisualSection, 'id' | 'label' | 'movable'>

/**
 * The sections in the order of a layout, hidden ones among them. Those that keep their place do; those that the layout does
 * not name stay behind the section that they follow on the page. Of a page that declares none, what the layout names.
 */
export const sectionStates = (declared: readonly Declared[], stored: unknown): SectionState[] => {
  const { order, hidden } = layout.safeParse(stored).data ?? { order: [], hidden: [] }
  const sections = declared.length > 0 ? orderSections(declared, order) : named([...order, ...hidden])
  return sections.map(({ id, label }) => ({ id, label, hidden: hidden.includes(id) }))
}

const named = (ids: readonly string[]) => [...new Set(ids)].map((id) => ({ id, label: id }))
