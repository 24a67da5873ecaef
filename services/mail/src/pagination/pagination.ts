import type { ListRequest } from '@stoa/mail-model/list.ts'
import { type Expression, type ReferenceExpression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

export type Page<Row> = { rows: Row[]; total: number }

/** Which SQL column each public sort name means, and the column that decides between equals. */
type ListOrder<DB, TB extends keyof DB, S extends string> = {
  columns: Readonly<Record<S, ReferenceExpression<DB, TB>>>
  id: ReferenceExpression<DB, TB>
}

/** Reads one page of a query that is filtered and not yet ordered. A page past the end is empty. */
export const readPage = async <DB, TB extends keyof DB, Row, S extends string>(
  query: SelectQueryBuilder<DB, TB, Row>,
  list: ListRequest<S>,
  order: ListOrder<DB, TB, S>,
): Promise<Page<Row>> => {
  const [counted] = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .execute()
  const total = counted?.total ?? 0
  const offset = (list.page - 1) * list.per_page
  if (offset >= total) return { rows: [], total }
  const rows = await query
    .orderBy(order.columns[list.sort], list.direction)
    .orderBy(order.id, list.direction)
    .limit(list.per_page)
    .offset(offset)
    .execute()
  return { rows, total }
}

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

/** Whether a text holds a part, whatever the case; signs mean themselves. */
export const contains = (text: Expression<unknown>, part: string): Expression<SqlBool> =>
  sql<boolean>`strpos(lower(${text}), lower(${part})) > 0`
