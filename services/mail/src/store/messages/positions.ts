import { refuse } from '../refusal.ts'
import { checkFilter, needsWords } from '../search/filter.ts'
import { type MessageQuery, searchOf } from '../search/query.ts'
import { indexMailbox, type StoreParts } from '../search/search.ts'
import { findPositions, type Positions } from './positions-queries.ts'

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
  if (needsWords(query.filter)) await indexMailbox(parts, query.addressId)
  const found = await findPositions(parts.database.db, searchOf(query), [...new Set(ids)])
  return found ?? refuse('no_such_folder', 'there is no such mailbox')
}
