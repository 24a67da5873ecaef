import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import { junkDigest, type SystemMailParts, sendSystemMail } from '../../hosting/system-mail/system-mail.ts'
import type { Tables } from '../../tables.ts'
import { listDue, listNewJunk, takeDigest } from './queries.ts'

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
