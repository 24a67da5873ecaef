import { MERGED_CHANGE } from '../changes/change-queries.ts'
import type { MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'

/** What a folder gains or loses of a thread; only messages that are not marked \Deleted there count. */
export type CountDelta = { folderId: string; threadId: string; total: number; unread: number; size: number }

// `limit 1` in a lateral query is a look-up by key, whatever PostgreSQL knows of the table: a mailbox that has just been
// filled must not be read whole for each message.
const APPLY_COUNTS = `with delta as (
    select * from unnest($3::uuid[], $4::uuid[], $5::int[], $6::int[], $7::bigint[])
      d (folder_id, thread_id, total, unread, size)
  ), step as materialized (
    select d.folder_id, d.thread_id, d.size, d.total, d.unread,
      coalesce(t.total, 0) as old_total, coalesce(t.unread, 0) as old_unread
    from delta d left join lateral (
      select total, unread from folder_thread
      where address_id = $1 and folder_id = d.folder_id and thread_id = d.thread_id limit 1
    ) t on true
  ), thread_gone as (
    delete from folder_thread t using step s
    where t.address_id = $1 and t.folder_id = s.folder_id and t.thread_id = s.thread_id and s.old_total + s.total = 0
  ), thread_counted as (
    insert into folder_thread (address_id, folder_id, thread_id, total, unread)
    select $1, folder_id, thread_id, old_total + total, old_unread + unread from step where old_total + total > 0
    on conflict (address_id, folder_id, thread_id) do update set total = excluded.total, unread = excluded.unread
  ), folder_counted as (
    update folder f set total = f.total + s.total, unread = f.unread + s.unread, size_bytes = f.size_bytes + s.size,
      threads = f.threads + s.threads, unread_threads = f.unread_threads + s.unread_threads, counts_modseq = $2
    from (
      select folder_id, sum(total)::int as total, sum(unread)::int as unread, sum(size)::bigint as size,
        sum((old_total + total > 0)::int - (old_total > 0)::int)::int as threads,
        sum((old_unread + unread > 0)::int - (old_unread > 0)::int)::int as unread_threads
      from step group by folder_id
    ) s where f.address_id = $1 and f.id = s.folder_id
    returning f.id
  ), count_changes as (
    insert into change (address_id, kind, modseq, object_id, op)
    select $1, 'folder_counts', $2, id, 'updated' from folder_counted ${MERGED_CHANGE}
  ) select from folder_counted`

/** Brings the counts to their new values. */
export const applyCounts = async (tx: MailTx, box: MailboxWrite, deltas: readonly CountDelta[]): Promise<void> => {
  const sums = sumDeltas(deltas)
  if (sums.length === 0) return
  await tx.query({
    name: 'store-apply-counts',
    text: APPLY_COUNTS,
    values: [
      box.addressId,
      box.modseq,
      sums.map(({ folderId }) => folderId),
      sums.map(({ threadId }) => threadId),
      sums.map(({ total }) => total),
      sums.map(({ unread }) => unread),
      sums.map(({ size }) => size),
    ],
  })
  box.notify('folder_counts')
}

const sumDeltas = (deltas: readonly CountDelta[]): CountDelta[] => {
  const sums = new Map<string, CountDelta>()
  for (const delta of deltas) {
    const key = `${delta.folderId} ${delta.threadId}`
    const sum = sums.get(key) ?? { ...delta, total: 0, unread: 0, size: 0 }
    sum.total += delta.total
    sum.unread += delta.unread
    sum.size += delta.size
    sums.set(key, sum)
  }
  return [...sums.values()].filter(({ total, unread, size }) => total !== 0 || unread !== 0 || size !== 0)
}
