import type { MailDb } from '../handles.ts'
import { unreadSql } from './keyword-rules.ts'

export type ThreadCounts = { id: string; total: number; unread: number }

/** How many visible messages threads have, and how many of them are unread. */
export const countThreads = (db: MailDb, addressId: string, threadIds: readonly string[]): Promise<ThreadCounts[]> =>
  db.query<ThreadCounts>({
    name: 'store-count-threads',
    text: `select m.thread_id as id, count(*)::int as total,
        (count(*) filter (where ${unreadSql('m.keywords')}))::int as unread
      from message m where m.address_id = $1 and m.thread_id = any($2::uuid[]) and exists (
        select from message_folder p where p.address_id = $1 and p.message_id = m.id and not p.deleted)
      group by m.thread_id`,
    values: [addressId, threadIds],
  })
