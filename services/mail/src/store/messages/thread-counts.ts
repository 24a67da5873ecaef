import type { MailDb } from '../handles.ts'
import { refuse } from '../refusal.ts'
import { unreadSql } from './keyword-rules.ts'

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

export type ThreadCounts = { id: string; total: number; unread: number }

/** How many visible messages threads have, and how many of them are unread. */
const countThreads = (db: MailDb, addressId: string, threadIds: readonly string[]): Promise<ThreadCounts[]> =>
  db.query<ThreadCounts>({
    name: 'store-count-threads',
    text: `select m.thread_id as id, count(*)::int as total,
        (count(*) filter (where ${unreadSql('m.keywords')}))::int as unread
      from message m where m.address_id = $1 and m.thread_id = any($2::uuid[]) and exists (
        select from message_folder p where p.address_id = $1 and p.message_id = m.id and not p.deleted)
      group by m.thread_id`,
    values: [addressId, threadIds],
  })
