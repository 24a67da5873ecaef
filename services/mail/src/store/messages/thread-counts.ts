import type { MailDb } from '../handles.ts'
import { refuse } from '../refusal.ts'
import { countThreads, type ThreadCounts } from './thread-counts-queries.ts'

export type { ThreadCounts } from './thread-counts-queries.ts'

const MAX_THREADS = 1_000

/** Messages of threads over all folders, by thread. */
export const threadCounts = async (
  db: MailDb,
  addressId: string,
  threadIds: readonly string[],
): Promise<Map<string, ThreadCounts>> => {
  if (threadIds.length > MAX_THREADS) return refuse('too_many', `at most ${MAX_THREADS} threads at once`)
  const rows = threadIds.length === 0 ? [] : await countThreads(db, addressId, threadIds)
  return new Map(rows.map((row) => [row.id, row]))
}
