/** Where the entries of a type are. */
export const contentPath = (type: string): string => `/content/${encodeURIComponent(type)}`

/** Where one entry is. */
export const entryPath = ({ type, id }: { type: string; id: string }): string => `${contentPath(type)}/${id}`
