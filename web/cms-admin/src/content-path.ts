/** The path of the list of a type's entries. */
export const contentPath = (type: string): string => `/content/${encodeURIComponent(type)}`

/** The path of one entry. */
export const entryPath = ({ type, id }: { type: string; id: string }): string => `${contentPath(type)}/${id}`
