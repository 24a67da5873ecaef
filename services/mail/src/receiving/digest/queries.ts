import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

/** Statement text: mailboxes whose next digest is due at `$1`. Those that nobody can sign in to get none. */
const DUE = `address.digest <> 'off' and address.deleted_at is null and address.enabled
  and address.digest_at <= $1::timestamptz - case address.digest when 'daily' then interval '1 day' else interval '7 days' end
  and exists (select from account where account.id = address.account_id and account.suspended_at is null)`

export const listDue = async (
  db: Db<Tables>,
  { now, after, limit }: { now: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'digest-list-due',
    text: `select id from address where ${DUE} and ($2::uuid is null or id > $2) order by id limit $3`,
    values: [now, after, limit],
  })
  return rows.map(({ id }) => id)
}

export type DueDigest = { email: string; period: 'daily' | 'weekly'; since: Date }

/** Takes the turn of a mailbox; null when another process has it, or it is not due any more. */
export const takeDigest = async (tx: Tx<Tables>, addressId: string, now: Date): Promise<DueDigest | null> => {
  const [row] = await tx.query<DueDigest>({
    name: 'digest-take',
    text: `with due as (
             select id, email, digest, digest_at from address where id = $2 and ${DUE} for no key update skip locked)
           update address set digest_at = $1 from due where address.id = due.id
           returning due.email, due.digest as period, due.digest_at as since`,
    values: [now, addressId],
  })
  return row ?? null
}

export type JunkMessage = { id: string; author: string | null; subject: string | null; receivedAt: Date }

/** A mailbox that gets more than this in a period reads of the newest. */
const MOST_READ = 1_000

/** What was put in Junk in a time and nobody has opened, the newest first. */
export const listNewJunk = async (
  db: Db<Tables>,
  { addressId, since, until, limit }: { addressId: string; since: Date; until: Date; limit: number },
): Promise<{ messages: JunkMessage[]; total: number }> => {
  const rows = await db.query<JunkMessage & { total: number }>({
    name: 'digest-list-junk',
    text: `select message.id, message.envelope -> 'from' -> 0 ->> 'email' as author, message.subject,
             message.received_at as "receivedAt", count(*) over () as total
           from (select message_id, added_at, uid from message_folder
                 where address_id = $1 and not deleted
                   and folder_id = (select id from folder where address_id = $1 and role = 'junk')
                 order by uid desc limit ${MOST_READ}) filed
           join message on message.address_id = $1 and message.id = filed.message_id
           where filed.added_at > $2 and filed.added_at <= $3 and not '$seen' = any (message.keywords)
           order by filed.uid desc limit $4`,
    values: [addressId, since, until, limit],
  })
  return { messages: rows.map(({ total: _, ...message }) => message), total: rows[0]?.total ?? 0 }
}
