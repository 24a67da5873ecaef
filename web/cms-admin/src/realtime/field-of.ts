/** The member of the entry in which something is, by the path of what is around it: `:title`, `rows.2.name`. */
export const fieldOf = (path: string | null | undefined, known: readonly string[]): string | null => {
  const [name = ''] = (path ?? '').replace(/^:/, '').split('.')
  return known.includes(name) ? name : null
}
