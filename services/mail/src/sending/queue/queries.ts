import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

/**
 * Forgets finished messages, some at a time; gives how many. Their links go too: two processes that finish
 * the last recipients at the same moment take each other's for unfinished.
 */
export const deleteFinished = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const rows = await tx.query<{ id: string }>({
    text: `with old as (
             select m.id from queue_message m
             where m.created_at < $1 and not exists (
               select from queue_recipient r
               where r.message_id = m.id and (r.finished_at is null or r.finished_at >= $1))
             order by m.created_at limit $2 for update skip locked
           ), unlinked as (
             delete from blob_link l using old where l.ref_id = old.id and l.kind = 'queue'
           )
           delete from queue_message m using old where m.id = old.id returning m.id`,
    values: [before, limit],
  })
  return rows.length
}

export const deleteOldSoftBounces = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from soft_bounce where ctid = any (array(
             select ctid from soft_bounce where created_at < $1 limit $2 for update skip locked))
           returning 1`,
    values: [before, limit],
  })
  return gone.length
}

export const deleteOldDestinations = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from queue_destination where ctid = any (array(
             select ctid from queue_destination where retry_at < $1 limit $2 for update skip locked))
           returning 1`,
    values: [before, limit],
  })
  return gone.length
}
