import { orderSections } from './order-sections.ts'

/** What is saved in `data.__layout` of an entry. */
export type Layout = { readonly order?: readonly string[] | undefined; readonly hidden?: readonly string[] | undefined }

type Section = {
  readonly id: string
  readonly label: string
  readonly movable: boolean
  readonly fields: readonly string[]
  readonly collection?: { readonly type: string; readonly label: string } | undefined
}

export type PageLayout = {
  sections: {
    id: string
    label: string
    movable: boolean
    hidden: boolean
    fields: readonly string[]
    collection?: { readonly type: string; readonly label: string }
  }[]
  order: string[]
  hidden: string[]
  version: number
}

/**
 * What is known of a page's layout without the page. Sections stand in the order that the layout gives to the declared
 * order: on the page itself they also keep to their parents, and what is malformed or missing there does not move.
 */
export const pageLayout = (
  { sections }: { readonly sections: readonly Section[] },
  layout: Layout | null | undefined,
  version: number,
): PageLayout => {
  const ids = new Set(sections.map(({ id }) => id))
  const { order, hidden } = readLayout(layout, (id) => ids.has(id))
  const ordered = orderSections(sections, order)
  return {
    sections: ordered.map(({ id, label, movable, fields, collection }) => ({
      id,
      label,
      movable,
      hidden: hidden.includes(id),
      fields,
      ...(collection && { collection }),
    })),
    order: ordered.map(({ id }) => id),
    hidden,
    version,
  }
}

/** What a saved layout says about these sections. Whatever is wrong in it is as if it were not there. */
export const readLayout = (
  layout: unknown,
  isKnown: (id: string) => boolean,
): { order: string[]; hidden: string[] } => {
  const { order = null, hidden = null } = typeof layout === 'object' && layout !== null ? (layout as Layout) : {}
  return { order: idsIn(order, isKnown), hidden: idsIn(hidden, isKnown) }
}

const idsIn = (list: unknown, isKnown: (id: string) => boolean): string[] =>
  Array.isArray(list) ? [...new Set(list.filter((id): id is string => typeof id === 'string' && isKnown(id)))] : []
