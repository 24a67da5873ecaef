import type { MailDb } from '../handles.ts'
import { type Search, sourceOf } from './query-queries.ts'

/** Ids as one text, as in the pages of a search. */
export const findMatchingIds = async (
  db: MailDb,
  search: Omit<Search, 'collapseThreads'>,
  limit: number,
): Promise<string[]> => {
  const source = sourceOf(search)
  const count = source.values.add(limit, 'bigint')
  const [row] = await db.query<{ ids: string }>({
    text: `select array_to_string(array(select m.id from ${source.from} order by ${source.order} limit ${count}), ',') as ids`,
    values: source.values.list,
  })
  return row?.ids ? row.ids.split(',') : []
}
