/** What the steps of an entry's editor are about. A part of the site that shows the same entry is another thing. */
export const pageKey = (entryId: string): string => `${PAGE}${entryId}`

/** The entry that steps are about; undefined for those of other things. */
export const pageOf = (source: string): string | undefined =>
  source.startsWith(PAGE) ? source.slice(PAGE.length) : undefined

const PAGE = 'page:'
