import type { MailDb, MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'

export type ThreadMember = { id: string; threadId: string; isVisible: boolean }

/** A message is visible when it is somewhere without \Deleted (RFC 8621 §4.1.1). */
const IS_VISIBLE = `exists (select from message_folder p
  where p.address_id = m.address_id and p.message_id = m.id and not p.deleted)`

/** Messages of these threads, at most so many, thread by thread. */
export const findThreadMembers = (
  db: MailDb,
  addressId: string,
  threadIds: readonly string[],
  limit: number,
): Promise<ThreadMember[]> =>
  db.query<ThreadMember>({
    name: 'store-thread-members',
    text: `select m.id, m.thread_id as "threadId", ${IS_VISIBLE} as "isVisible" from message m
      where m.address_id = $1 and m.thread_id = any($2::uuid[])
      order by m.thread_id, m.received_at, m.id limit $3`,
    values: [addressId, threadIds, limit],
  })

export type ThreadCount = { folderId: string; threadId: string; total: number; unread: number }

export const findThreadCounts = (db: MailDb, addressId: string, threadIds: readonly string[]): Promise<ThreadCount[]> =>
  db.query<ThreadCount>({
    name: 'store-thread-counts',
    text: `select t.folder_id as "folderId", t.thread_id as "threadId", t.total, t.unread
      from folder f join folder_thread t on t.address_id = f.address_id and t.folder_id = f.id
      where f.address_id = $1 and t.thread_id = any($2::uuid[])`,
    values: [addressId, threadIds],
  })

/** How many visible messages these threads have; those without any are left out. */
export const countVisible = async (
  db: MailDb,
  addressId: string,
  threadIds: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await db.query<{ threadId: string; visible: number }>({
    name: 'store-count-visible',
    text: `select m.thread_id as "threadId", count(*)::int as visible from message m
      where m.address_id = $1 and m.thread_id = any($2::uuid[]) and ${IS_VISIBLE} group by m.thread_id`,
    values: [addressId, threadIds],
  })
  return new Map(rows.map(({ threadId, visible }) => [threadId, visible]))
}

/** Gives messages other ids and a thread; what refers to them follows. */
export const renameMessages = async (
  tx: MailTx,
  box: MailboxWrite,
  { into, renamed }: { into: string; renamed: readonly { from: string; to: string }[] },
): Promise<void> => {
  const from = renamed.map((each) => each.from)
  const to = renamed.map((each) => each.to)
  await tx.query({
    text: `with names as (select * from unnest($4::uuid[], $5::uuid[]) n (old_id, new_id)), link as (
        update blob_link l set ref_id = n.new_id from names n
        where l.owner_id = $1 and l.kind = 'message' and l.ref_id = n.old_id
      ), marks as (
        update viewed v set message_id = n.new_id from share s, names n
        where s.address_id = $1 and v.address_id = $1 and v.viewer_id = s.with_address_id and v.message_id = n.old_id
      )
      update message m set id = n.new_id, thread_id = $3, created_modseq = $2, modseq = $2 from names n
      where m.address_id = $1 and m.id = n.old_id`,
    values: [box.addressId, box.modseq, into, from, to],
  })
  await tx.query({
    text: `with links as (
        update thread_link set thread_id = $3 where address_id = $1 and message_id = any($4::uuid[])
      )
      update message_folder set modseq = $2 where address_id = $1 and message_id = any($4::uuid[])`,
    values: [box.addressId, box.modseq, into, to],
  })
}
