import type { ListRequest } from '@stoa/mail-model/list.ts'
import type { ReferenceExpression, SelectQueryBuilder } from 'kysely'

export type Page<Row> = { rows: Row[]; total: number }

/** Which SQL column each public sort name means, and the column that decides between equals. */
export type ListOrder<DB, TB extends keyof DB, S extends string> = {
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
