import type { MailDb } from '../handles.ts'
import { checkFilter, type Filter } from './filter.ts'
import { searchOf } from './query.ts'
import { type Search, sourceOf } from './query-queries.ts'
import type { StoreParts } from './search.ts'

/** All messages that fit at one moment, newest first, at most so many: for what is done to all of them. */
export const matchingIds = async (
  parts: StoreParts,
  { addressId, filter, limit }: { addressId: string; filter: Filter; limit: number },
): Promise<string[]> => {
  checkFilter(filter)
  return findMatchingIds(parts.database.db, searchOf({ addressId, filter }), limit)
}

/** Ids as one text, as in the pages of a search. */
const findMatchingIds = async (
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
