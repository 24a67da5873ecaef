import { checkFilter, type Filter, needsWords } from './filter.ts'
import { findMatchingIds } from './matching-queries.ts'
import { searchOf } from './query.ts'
import { indexMailbox, type StoreParts } from './search.ts'

/** All messages that fit at one moment, newest first, at most so many: for what is done to all of them. */
export const matchingIds = async (
  parts: StoreParts,
  { addressId, filter, limit }: { addressId: string; filter: Filter; limit: number },
): Promise<string[]> => {
  checkFilter(filter)
  if (needsWords(filter)) await indexMailbox(parts, addressId)
  return findMatchingIds(parts.database.db, searchOf({ addressId, filter }), limit)
}
