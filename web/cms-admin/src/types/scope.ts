/** In place of type names: every type, also those that are made later. */
export const ALL_TYPES = '*'

export const isAllTypes = (types: readonly string[]): boolean => types.includes(ALL_TYPES)

const SHOWN = 3

/** Type names in a cell: "All types", "article, page", "article, page, author and 2 more". */
export const describeTypes = (types: readonly string[]): string => {
  if (isAllTypes(types)) return 'All types'
  if (types.length === 0) return 'No types'
  const rest = types.length - SHOWN
  return rest > 0 ? `${types.slice(0, SHOWN).join(', ')} and ${rest} more` : types.join(', ')
}
