import type { MailDb } from '../handles.ts'
import { refuse } from '../refusal.ts'
import { unreadSql } from './keyword-rules.ts'
import { findThreadCounts } from './thread-queries.ts'

const MAX_THREADS = 1_000

/** Messages of threads over all folders, by thread; unread ones only of one folder, if that is given. */
export const threadCounts = async (
  db: MailDb,
  addressId: string,
  threadIds: readonly string[],
  folderId: string | null = null,
): Promise<Map<string, ThreadCounts>> => {
  if (threadIds.length > MAX_THREADS) return refuse('too_many', `at most ${MAX_THREADS} threads at once`)
  const rows = threadIds.length === 0 ? [] : await countThreads(db, { addressId, threadIds, folderId })
  return new Map(rows.map((row) => [row.id, row]))
}

export type ThreadCounts = { id: string; total: number; unread: number }

/** Unread messages of threads by folder; folders without any are left out. */
export const unreadByFolder = async (
  db: MailDb,
  addressId: string,
  threadIds: readonly string[],
): Promise<Map<string, Record<string, number>>> => {
  const rows = threadIds.length === 0 ? [] : await findThreadCounts(db, addressId, threadIds)
  const threads = new Map<string, Record<string, number>>()
  for (const { threadId, folderId, unread } of rows)
    if (unread > 0) threads.set(threadId, { ...threads.get(threadId), [folderId]: unread })
  return threads
}

/** How many visible messages threads have, and how many of them are unread. */
const countThreads = (
  db: MailDb,
  { addressId, threadIds, folderId }: { addressId: string; threadIds: readonly string[]; folderId: string | null },
): Promise<ThreadCounts[]> =>
  db.query<ThreadCounts>({
    name: 'store-count-threads',
    text: `select m.thread_id as id, count(*)::int as total, (count(*) filter (where ${unreadSql('m.keywords')}
          and ($3::uuid is null or exists (select from message_folder f where f.address_id = $1
            and f.message_id = m.id and f.folder_id = $3 and not f.deleted))))::int as unread
      from message m where m.address_id = $1 and m.thread_id = any($2::uuid[]) and exists (
        select from message_folder p where p.address_id = $1 and p.message_id = m.id and not p.deleted)
      group by m.thread_id`,
    values: [addressId, threadIds, folderId],
  })
