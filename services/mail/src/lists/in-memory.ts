import type { ListRequest } from '@stoa/mail-model/list.ts'
import type { Page } from './pages.ts'

/** One page of rows that are few and read already: searched in a text, ordered by a column, then by id. */
export const pageOf = <Row extends { id: string }, S extends string>(
  rows: readonly Row[],
  list: ListRequest<S>,
  rule: { text: (row: Row) => string; columns: Readonly<Record<S, (row: Row) => string | number | null>> },
): Page<Row> => {
  const part = list.search?.toLowerCase() ?? ''
  const found = rows.filter((row) => rule.text(row).toLowerCase().includes(part))
  const read = rule.columns[list.sort]
  const sign = list.direction === 'asc' ? 1 : -1
  const ordered = found.sort((a, b) => sign * (compare(read(a), read(b)) || compare(a.id, b.id)))
  const from = (list.page - 1) * list.per_page
  return { rows: ordered.slice(from, from + list.per_page), total: found.length }
}

/** Null is the last, as in PostgreSQL. */
const compare = (a: string | number | null, b: string | number | null): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}
