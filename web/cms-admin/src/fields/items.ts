/** The items with one in another place. */
export const moveItem = <I>(items: readonly I[], from: number, to: number): I[] => {
  const moved = items.slice(from, from + 1)
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(Math.max(0, to), 0, ...moved)
}

/** Whether an item can go there: into a place that there is, and is not its own. */
export const mayMove = (count: number, from: number, to: number): boolean => to >= 0 && to < count && to !== from

export const insertItem = <I>(items: readonly I[], at: number, ...added: readonly I[]): I[] =>
  items.toSpliced(Math.min(Math.max(0, at), items.length), 0, ...added)

export const removeItem = <I>(items: readonly I[], at: number): I[] => items.toSpliced(at, 1)

export const replaceItem = <I>(items: readonly I[], at: number, item: I): I[] =>
  items.map((other, index) => (index === at ? item : other))
