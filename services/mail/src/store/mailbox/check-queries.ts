import type { MailDb, MailTx } from '../handles.ts'
import { unreadSql } from '../messages/keyword-rules.ts'

/** Invariants of a mailbox; each query returns a row per violation. */
const CHECKS = {
  'mailbox totals are correct': `
    select format('used %s bytes and %s messages instead of %s and %s', b.used_bytes, b.message_count, s.size, s.count) as detail
    from mailbox b, (select coalesce(sum(size), 0) as size, count(*) as count from message where address_id = $1) s
    where b.address_id = $1 and (b.used_bytes <> s.size or b.message_count <> s.count)`,
  'folder counts are correct': `
    select format('folder %s has %s/%s/%s instead of %s/%s/%s', f.id, f.total, f.unread, f.size_bytes, s.total, s.unread, s.size)
      as detail
    from folder f cross join lateral (
      select count(*) as total, count(*) filter (where ${unreadSql('m.keywords')}) as unread, coalesce(sum(m.size), 0) as size
      from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
      where p.address_id = $1 and p.folder_id = f.id and not p.deleted
    ) s
    where f.address_id = $1 and (f.total <> s.total or f.unread <> s.unread or f.size_bytes <> s.size)`,
  'thread counts in folders are correct': `
    select format('thread %s in folder %s has %s/%s instead of %s/%s', coalesce(t.thread_id, s.thread_id),
      coalesce(t.folder_id, s.folder_id), t.total, t.unread, s.total, s.unread) as detail
    from (select * from folder_thread where address_id = $1) t full join (
      select p.folder_id, m.thread_id, count(*) as total, count(*) filter (where ${unreadSql('m.keywords')}) as unread
      from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
      where p.address_id = $1 and not p.deleted group by p.folder_id, m.thread_id
    ) s on t.folder_id = s.folder_id and t.thread_id = s.thread_id
    where t.total is distinct from s.total or t.unread is distinct from s.unread`,
  'folder thread totals are correct': `
    select format('folder %s has %s/%s threads instead of %s/%s', f.id, f.threads, f.unread_threads, s.total, s.unread) as detail
    from folder f cross join lateral (
      select count(*) as total, count(*) filter (where t.unread > 0) as unread
      from folder_thread t where t.address_id = $1 and t.folder_id = f.id
    ) s where f.address_id = $1 and (f.threads <> s.total or f.unread_threads <> s.unread)`,
  'UIDs are below UIDNEXT': `
    select format('folder %s gives %s next and has %s', f.id, f.uid_next, s.uid) as detail
    from folder f cross join lateral (
      select max(uid) as uid from (
        select max(p.uid) as uid from message_folder p where p.address_id = $1 and p.folder_id = f.id
        union all select max(e.uid) from expunged e where e.address_id = $1 and e.folder_id = f.id
      ) u
    ) s where f.address_id = $1 and f.uid_next <= s.uid`,
  'expunged UIDs are gone': `
    select format('UID %s of folder %s is expunged but still exists', p.uid, p.folder_id) as detail
    from expunged e join message_folder p on p.address_id = e.address_id and p.folder_id = e.folder_id and p.uid = e.uid
    where e.address_id = $1`,
  'no change is newer than the mailbox': `
    select format('%s %s has modseq %s of %s', s.what, s.id, s.modseq, b.modseq) as detail
    from mailbox b join (
      select address_id, 'folder' as what, id, greatest(modseq, counts_modseq, created_modseq) as modseq
        from folder where address_id = $1
      union all select address_id, 'message', id, greatest(modseq, created_modseq) from message where address_id = $1
      union all select address_id, 'row of', message_id, modseq from message_folder where address_id = $1
      union all select address_id, 'change of', object_id, modseq from change where address_id = $1
      union all select address_id, 'UID expunged of', folder_id, modseq from expunged where address_id = $1
      union all select address_id, 'floor of', address_id, floor from mailbox where address_id = $1
    ) s on s.address_id = b.address_id where b.address_id = $1 and s.modseq > b.modseq`,
  'every message is in a folder': `
    select format('message %s is in no folder', m.id) as detail from message m
    where m.address_id = $1 and not exists (
      select from message_folder p where p.address_id = m.address_id and p.message_id = m.id)`,
  'dates in folders match the messages': `
    select format('message %s in folder %s', p.message_id, p.folder_id) as detail
    from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
    where p.address_id = $1 and p.received_at <> m.received_at`,
  'every message has its blob link': `
    select format('message %s has no link to %s', m.id, m.blob_key) as detail from message m
    where m.address_id = $1 and not exists (select from blob_link l where l.owner_id = m.address_id
      and l.blob_key = m.blob_key and l.kind = 'message' and l.ref_id = m.id)`,
  'every blob link has a message': `
    select format('blob %s is kept for %s', l.blob_key, l.ref_id) as detail from blob_link l
    where l.owner_id = $1 and l.kind = 'message' and not exists (select from message m
      where m.address_id = l.owner_id and m.id = l.ref_id and m.blob_key = l.blob_key)`,
  'message IDs point to the right thread': `
    select format('ids of message %s lead to thread %s instead of %s', m.id, l.thread_id, m.thread_id) as detail
    from thread_link l join message m on m.address_id = l.address_id and m.id = l.message_id
    where l.address_id = $1 and l.thread_id <> m.thread_id`,
  'every change is logged': `
    select format('message %s of modseq %s', m.id, m.modseq) as detail
    from message m join mailbox b using (address_id)
    where m.address_id = $1 and m.modseq > b.floor
      and exists (select from message_folder p where p.address_id = $1 and p.message_id = m.id and not p.deleted)
      and not exists (select from change c
        where c.address_id = $1 and c.kind = 'message' and c.object_id = m.id and c.modseq = m.modseq and c.op <> 'destroyed')`,
  'every message is searchable': `
    select format('message %s', m.id) as detail from message m where m.address_id = $1 and m.indexed
      and not exists (select from message_search s where s.address_id = $1 and s.message_id = m.id)
      and not exists (select from message_unindexed s where s.address_id = $1 and s.message_id = m.id)`,
  'read states belong to existing messages': `
    select format('viewer %s has seen message %s', v.viewer_id, v.message_id) as detail from viewed v
    where v.address_id = $1 and not exists (
      select from message m where m.address_id = v.address_id and m.id = v.message_id)`,
  'there is one inbox': `
    select format('%s folders are the inbox', count(*)) as detail from folder where address_id = $1 and role = 'inbox'
    having count(*) <> 1`,
} as const

export type CheckName = keyof typeof CHECKS
export type CheckProblem = { check: CheckName; detail: string }

/** Lines of one check that are shown; a broken rule may break for every message. */
const MAX_LINES = 20

export const runChecks = async (db: MailDb, addressId: string): Promise<CheckProblem[]> => {
  const problems: CheckProblem[] = []
  for (const check of checkNames) {
    const rows = await db.query<{ detail: string }>({
      text: `${CHECKS[check]} limit ${MAX_LINES}`,
      values: [addressId],
    })
    problems.push(...rows.map(({ detail }) => ({ check, detail })))
  }
  return problems
}

const checkNames: readonly CheckName[] = Object.keys(CHECKS).filter((name): name is CheckName => name in CHECKS)

/** Repairs in this order: what is derived is made again from what it derives from. */
const REPAIRS: readonly string[] = [
  // A message without a folder would be invisible: it is put where it can be seen.
  `with lost as (
      select m.id, m.received_at, row_number() over (order by m.received_at, m.id) as nth from message m
      where m.address_id = $1 and not exists (
        select from message_folder p where p.address_id = m.address_id and p.message_id = m.id)
    ), numbered as (
      update folder f set uid_next = greatest(f.uid_next, coalesce((select max(p.uid) + 1 from message_folder p
        where p.address_id = $1 and p.folder_id = f.id), 1)) + (select count(*) from lost)
      where f.address_id = $1 and f.role = 'inbox' returning f.id, f.uid_next - (select count(*) from lost) as base
    )
    insert into message_folder (address_id, folder_id, uid, message_id, modseq, received_at, added_at)
    select $1, n.id, n.base + l.nth - 1, l.id, $2, l.received_at, l.received_at from lost l, numbered n`,
  `update message_folder p set received_at = m.received_at from message m
    where p.address_id = $1 and m.address_id = p.address_id and m.id = p.message_id and p.received_at <> m.received_at`,
  `update folder f set uid_next = s.uid + 1 from (
      select folder_id, max(uid) as uid from (
        select folder_id, uid from message_folder where address_id = $1
        union all select folder_id, uid from expunged where address_id = $1
      ) u group by folder_id
    ) s where f.address_id = $1 and f.id = s.folder_id and f.uid_next <= s.uid`,
  `delete from expunged e using message_folder p where e.address_id = $1
    and p.address_id = e.address_id and p.folder_id = e.folder_id and p.uid = e.uid`,
  `insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
    select m.address_id, m.blob_key, 'message', m.id, m.size - length(m.prefix), m.received_at from message m
    where m.address_id = $1 on conflict do nothing`,
  `delete from blob_link l where l.owner_id = $1 and l.kind = 'message' and not exists (select from message m
    where m.address_id = l.owner_id and m.id = l.ref_id and m.blob_key = l.blob_key)`,
  `update thread_link l set thread_id = m.thread_id from message m
    where l.address_id = $1 and m.address_id = l.address_id and m.id = l.message_id and l.thread_id <> m.thread_id`,
  `insert into message_unindexed (address_id, message_id)
    select $1, m.id from message m where m.address_id = $1 and m.indexed
      and not exists (select from message_search s where s.address_id = $1 and s.message_id = m.id)
    on conflict do nothing`,
  `delete from viewed v where v.address_id = $1 and not exists (
    select from message m where m.address_id = v.address_id and m.id = v.message_id)`,
  'delete from folder_thread where address_id = $1',
  `insert into folder_thread (address_id, folder_id, thread_id, total, unread)
    select $1, p.folder_id, m.thread_id, count(*), count(*) filter (where ${unreadSql('m.keywords')})
    from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
    where p.address_id = $1 and not p.deleted group by p.folder_id, m.thread_id`,
  `update folder f set total = s.total, unread = s.unread, size_bytes = s.size, threads = s.threads,
      unread_threads = s.unread_threads, modseq = least(f.modseq, $2), created_modseq = least(f.created_modseq, $2),
      counts_modseq = $2
    from (
      select f.id, count(m.id) as total, count(m.id) filter (where ${unreadSql('m.keywords')}) as unread,
        coalesce(sum(m.size), 0) as size, count(distinct m.thread_id) as threads,
        count(distinct m.thread_id) filter (where ${unreadSql('m.keywords')}) as unread_threads
      from folder f
        left join message_folder p on p.address_id = f.address_id and p.folder_id = f.id and not p.deleted
        left join message m on m.address_id = p.address_id and m.id = p.message_id
      where f.address_id = $1 group by f.id
    ) s where f.address_id = $1 and f.id = s.id`,
  `update mailbox b set used_bytes = s.size, message_count = s.count
    from (select coalesce(sum(size), 0) as size, count(*) as count from message where address_id = $1) s
    where b.address_id = $1`,
  // Clients that ask for changes since before the repair have to read everything again.
  'delete from change where address_id = $1',
  'delete from expunged where address_id = $1',
  `update mailbox set floor = $2 where address_id = $1`,
]

/** The modseq that is above everything of a mailbox. */
export const raiseModseq = async (tx: MailTx, addressId: string): Promise<number> => {
  const [row] = await tx.query<{ modseq: number }>({
    text: `update mailbox b set modseq = 1 + greatest(b.modseq,
        (select max(greatest(modseq, counts_modseq, created_modseq)) from folder where address_id = $1),
        (select max(greatest(modseq, created_modseq)) from message where address_id = $1),
        (select max(modseq) from message_folder where address_id = $1),
        (select max(modseq) from change where address_id = $1),
        (select max(modseq) from expunged where address_id = $1))
      where address_id = $1 returning modseq`,
    values: [addressId],
  })
  return row?.modseq ?? 0
}

export const runRepairs = async (tx: MailTx, addressId: string, modseq: number): Promise<void> => {
  for (const text of REPAIRS) await tx.query({ text, values: text.includes('$2') ? [addressId, modseq] : [addressId] })
}

/** Addresses that have a mailbox, page by page. */
export const findMailboxes = async (db: MailDb, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select address_id as id from mailbox where $1::uuid is null or address_id > $1 order by address_id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Messages of a mailbox and the blobs they need, page by page. */
export const findBlobsOf = (
  db: MailDb,
  addressId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ id: string; blobKey: string; size: number }[]> =>
  db.query({
    text: `select id, blob_key as "blobKey", size - length(prefix) as size from message
      where address_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    values: [addressId, after, limit],
  })

export const findEmail = async (db: MailDb, addressId: string): Promise<string | null> => {
  const [row] = await db.query<{ email: string }>({
    text: 'select email from address where id = $1',
    values: [addressId],
  })
  return row?.email ?? null
}
