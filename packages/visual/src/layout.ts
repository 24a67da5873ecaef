/** What is saved in `data.__layout` of an entry. */
export type Layout = { readonly order?: readonly string[] | undefined; readonly hidden?: readonly string[] | undefined }

/** What a saved layout says about these sections. Whatever is wrong in it is as if it were not there. */
export const readLayout = (
  layout: unknown,
  isKnown: (id: string) => boolean,
): { order: string[]; hidden: string[] } => {
  const { order, hidden } = isObject(layout) ? layout : {}
  return { order: idsIn(order, isKnown), hidden: idsIn(hidden, isKnown) }
}

const idsIn = (list: unknown, isKnown: (id: string) => boolean): string[] =>
  Array.isArray(list) ? [...new Set(list.filter((id): id is string => typeof id === 'string' && isKnown(id)))] : []

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
