/** Rows with a key each, by which the page knows them while they move, change and come back from the service. */
export type KeyedRows<R extends object> = { readonly rows: readonly R[]; readonly keys: readonly string[] }

export const keyRows = <R extends object>(rows: readonly R[]): KeyedRows<R> => ({ rows, keys: rows.map(nextKey) })

/**
 * New rows with the keys of the old ones: of the same object, then of one with the same content, then of the one that
 * was in its place. The rest is new.
 */
export const rekeyRows = <R extends object>(before: KeyedRows<R>, rows: readonly R[]): KeyedRows<R> => {
  const open = new Map(before.rows.map((row, index) => [index, row]))
  const keys: (string | undefined)[] = rows.map(() => undefined)
  const take = (find: (row: R, index: number) => number | undefined): void => {
    for (const [index, row] of rows.entries()) {
      const old = keys[index] === undefined ? find(row, index) : undefined
      if (old === undefined || !open.delete(old)) continue
      keys[index] = before.keys[old]
    }
  }
  take(bySame(open))
  take(byContent(open))
  take((_, index) => (open.has(index) ? index : undefined))
  return { rows, keys: keys.map((key) => key ?? nextKey()) }
}

let lastKey = 0

const nextKey = (): string => {
  lastKey += 1
  return `row-${lastKey}`
}

type Find<R> = (row: R) => number | undefined

const bySame = <R extends object>(open: ReadonlyMap<number, R>): Find<R> => {
  const places = new Map([...open].map(([index, row]) => [row, index]))
  return (row) => places.get(row)
}

const byContent = <R extends object>(open: ReadonlyMap<number, R>): Find<R> => {
  const places = new Map<string, number[]>()
  for (const [index, row] of open) {
    const content = JSON.stringify(row)
    places.set(content, [...(places.get(content) ?? []), index])
  }
  return (row) => (places.size === 0 ? undefined : places.get(JSON.stringify(row))?.find((index) => open.has(index)))
}
