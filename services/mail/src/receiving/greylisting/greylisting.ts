import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import { neighborhoodOf } from '@stoa/mail-model/networks.ts'
import type { Tables } from '../../tables.ts'

/** Mail from a server to a mailbox, as the sender of its envelope. */
export type Attempt = {
  readonly addressId: string
  readonly ip: string
  readonly sender: string
  readonly waitMinutes: number
  readonly now: Date
}

export type GreylistAnswer =
  /** The sender may retry from this moment on. */
  | { readonly kind: 'wait'; readonly until: Date; readonly isNew: boolean }
  /** The sender retried; `since` is its first attempt, unless it has passed before. */
  | { readonly kind: 'passed'; readonly since: Date | null }

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Servers try again for days, the slow ones after hours. */
const WAITING_MS = 2 * DAY_MS
/** A sender that came back need not wait again for as long as a monthly mail takes. */
const PASSED_MS = 36 * DAY_MS
/** Waiting entries per network: further mail is deferred too, but not recorded. */
export const MAX_WAITING = 200
const BATCH = 5_000
/** More than an envelope has. */
const MAX_SENDER = 320

/** RFC 6647: records that mail came, and returns whether it has come back after the wait. All processes share what was noted. */
export const noteAttempt = async (tx: Tx<Tables>, attempt: Attempt): Promise<GreylistAnswer> => {
  const { addressId, ip, waitMinutes, now } = attempt
  const network = neighborhoodOf(ip)
  if (network === null) return { kind: 'passed', since: null }
  const waited = new Date(now.getTime() - waitMinutes * MINUTE_MS)
  const [row] = await tx.query<{ first_seen_at: Date; passed_at: Date | null; is_new: boolean }>({
    name: 'greylist-note',
    text: `insert into greylist as known (address_id, network, sender, first_seen_at, expires_at)
           select $1, $2::cidr, $3, $4, $5
           where exists (select from greylist where address_id = $1 and network = $2::cidr and sender = $3)
             or (select count(*) from (select from greylist where network = $2::cidr and passed_at is null limit $8)
                 as waiting) < $8
           on conflict (address_id, network, sender) do update set
             first_seen_at = case when known.expires_at <= $4 then $4 else known.first_seen_at end,
             passed_at = case when known.expires_at <= $4 then null
               when known.passed_at is null and known.first_seen_at <= $6 then $4 else known.passed_at end,
             expires_at = case when known.expires_at <= $4 then $5
               when known.passed_at is not null or known.first_seen_at <= $6 then $7 else known.expires_at end
           returning first_seen_at, passed_at, first_seen_at = $4 as is_new`,
    values: [
      addressId,
      network,
      attempt.sender.toLowerCase().slice(0, MAX_SENDER),
      now,
      new Date(now.getTime() + WAITING_MS),
      waited,
      new Date(now.getTime() + PASSED_MS),
      MAX_WAITING,
    ],
  })
  const first = row?.first_seen_at ?? now
  const passedAt = row?.passed_at ?? null
  if (passedAt === null)
    return { kind: 'wait', until: new Date(first.getTime() + waitMinutes * MINUTE_MS), isNew: row?.is_new ?? false }
  return { kind: 'passed', since: passedAt.getTime() === now.getTime() ? first : null }
}

/** Forgets those who never came back, and those who came back long ago. */
export const forgetGreylist = (database: Database<Tables>, now: Date): Promise<unknown> =>
  inBatches(database, BATCH, (tx, limit) => deleteExpired(tx, now, limit))

const deleteExpired = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from greylist where ctid = any (array(
             select ctid from greylist where expires_at <= $1 limit $2 for update skip locked)) returning 1`,
    values: [now, limit],
  })
  return rows.length
}
