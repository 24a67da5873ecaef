import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import { junkDigest, type SystemMailParts, sendSystemMail } from '../../hosting/system-mail/system-mail.ts'
import type { Tables } from '../../tables.ts'

export type DigestParts = SystemMailParts & { database: Database<Tables>; log: Log }

const ROWS_AT_ONCE = 200
/** More than anybody reads in a mail. */
const MOST_LISTED = 50
/** Mail that is being stored while a digest is written is in the next one. */
const STORING_MS = 60_000

/**
 * Mails what was put in Junk to the mailboxes that want to know. The process that claims a mailbox sends its mail in
 * the same transaction, so that several processes send one, and none that finds nothing new.
 */
export const sendDigests = async (parts: DigestParts): Promise<void> => {
  const { database, clock, log } = parts
  const now = clock.now()
  await eachOnItsOwn(
    inPages<string>(ROWS_AT_ONCE, (after, limit) => listDue(database.db, { now, after, limit })),
    (addressId) => sendDigest(parts, addressId, now),
    (err, addressId) => log.error({ err, addressId }, 'a junk digest could not be sent'),
  )
}

const sendDigest = ({ database, ...parts }: DigestParts, addressId: string, now: Date): Promise<void> =>
  database.tx(async (tx) => {
    const due = await takeDigest(tx, addressId, now)
    if (!due) return
    const [since, until] = [settled(due.since), settled(now)]
    const { messages, total } = await listNewJunk(tx, { addressId, since, until, limit: MOST_LISTED })
    if (total === 0) return
    const junkUrl = `${parts.config.publicUrl}/webmail/junk`
    const listed = messages.map(({ id, author, subject, receivedAt }) => ({
      author,
      subject,
      receivedAt,
      url: `${junkUrl}/${id}`,
    }))
    const content = junkDigest({ period: due.period, total, messages: listed, junkUrl })
    await sendSystemMail(parts, tx, { to: due.email, content })
  })

const settled = (moment: Date): Date => new Date(moment.getTime() - STORING_MS)

/** Statement text: mailboxes whose next digest is due at `$1`. Those that nobody can sign in to get none. */
const DUE = `address.digest <> 'off' and address.deleted_at is null and address.enabled
  and address.digest_at <= $1::timestamptz - case address.digest when 'daily' then interval '1 day' else interval '7 days' end
  and exists (select from account where account.id = address.account_id and account.suspended_at is null)`

const listDue = async (
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

type DueDigest = { email: string; period: 'daily' | 'weekly'; since: Date }

/** Takes the turn of a mailbox; null when another process has it, or it is not due any more. */
const takeDigest = async (tx: Tx<Tables>, addressId: string, now: Date): Promise<DueDigest | null> => {
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

type JunkMessage = { id: string; author: string | null; subject: string | null; receivedAt: Date }

/** A mailbox that gets more than this in a period reads of the newest. */
const MOST_READ = 1_000

/** Unread messages that were put in Junk in this time, newest first. */
const listNewJunk = async (
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
