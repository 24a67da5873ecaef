import type { MailDb } from '../handles.ts'
import { refuse } from '../refusal.ts'
import { checkFilter } from '../search/filter.ts'
import { type MessageQuery, searchOf } from '../search/query.ts'
import { rowsSql, type Search, sourceOf } from '../search/query-queries.ts'
import type { StoreParts } from '../search/search.ts'

/**
 * Where some messages stand among the results of a query, in order, with the state that this is of; those that are not
 * among them are left out.
 */
export const positionsOf = async (
  parts: StoreParts,
  query: Pick<MessageQuery, 'addressId' | 'viewerId' | 'filter' | 'sort' | 'collapseThreads'>,
  ids: readonly string[],
): Promise<Positions> => {
  checkFilter(query.filter)
  const found = await findPositions(parts.database.db, searchOf(query), [...new Set(ids)])
  return found ?? refuse('no_such_folder', 'the mailbox does not exist')
}

export type Positions = { modseq: number; total: number; places: { id: string; position: number }[] }

type Row = { modseq: number; total: number; id: string | null; position: number | null }

/** Positions of messages among the results, and the modseq at that moment. Undefined: there is no mailbox. */
const findPositions = async (db: MailDb, search: Search, ids: readonly string[]): Promise<Positions | undefined> => {
  const source = sourceOf(search)
  const wanted = source.values.add(ids, 'uuid[]')
  const rows = await db.query<Row>({
    text: `with results as materialized (
        select id, row_number() over (order by ${source.keys}) - 1 as position
        from (${rowsSql(source, search.collapseThreads)}) r
      )
      select b.modseq, (select count(*) from results) as total, w.id, w.position
      from mailbox b left join (
        select r.id, r.position from results r join unnest(${wanted}) u (id) on u.id = r.id
      ) w on true
      where b.address_id = $1 order by w.position`,
    values: source.values.list,
  })
  const [first] = rows
  return (
    first && {
      modseq: first.modseq,
      total: first.total,
      places: rows.flatMap(({ id, position }) => (id === null || position === null ? [] : [{ id, position }])),
    }
  )
}
