import { eachOnItsOwn, inBatches, inPages } from '@stoa/kit/db/batches.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Suppression, SuppressionOrigin } from '@stoa/mail-model/suppressions.ts'
import { recordEvents } from '../../hosting/webhook-events/webhook-events.ts'
import type { Tables } from '../../tables.ts'
import {
  deleteExpiredRows,
  findSuppressed,
  insertSuppressions,
  listExpiredAccounts,
  type SuppressionRow,
} from './queries.ts'
import { suppressionSpelling } from './spelling.ts'

export type NewSuppression = {
  accountId: string
  email: string
  reason: string | null
  /** The sent email that it comes from. */
  sourceId: string | null
  /** Automatic suppressions expire as the account has chosen (bounces) or never (complaints). */
} & ({ origin: 'manual'; expiresAt: Date | null } | { origin: 'bounce' | 'complaint' })

/** Reasons are replies of strangers. */
const MAX_REASON = 500
const EXPIRED_AT_ONCE = 1_000

/**
 * Suppresses addresses, records webhook events and returns the new ones. Of those that are suppressed already, another
 * bounce prolongs a bounce, and a complaint replaces what would expire.
 */
export const suppress = async (
  tx: Tx<Tables>,
  suppressions: readonly NewSuppression[],
  now: Date,
): Promise<SuppressionRow[]> => {
  const rows = suppressions.map((given) => toRow(given, now))
  const distinct = new Map(rows.map((row) => [`${row.account_id} ${row.email}`, row]))
  if (distinct.size === 0) return []
  const added = await insertSuppressions(tx, [...distinct.values()])
  await notifyWebhooks(tx, 'suppression.added', added, now)
  return added
}

/** The reasons of those addresses that are suppressed; addresses may be spelled in any way. */
export const suppressedAmong = async (
  db: Db<Tables>,
  accountId: string,
  addresses: readonly string[],
  now: Date,
): Promise<Map<string, { origin: SuppressionOrigin; reason: string | null }>> => {
  const emails = [...new Set(addresses.map(suppressionSpelling))]
  const found = await findSuppressed(db, { accountId, emails, now })
  const byEmail = new Map(found.map(({ email, origin, reason }) => [email, { origin, reason }]))
  return new Map(
    addresses.flatMap((address) => {
      const why = byEmail.get(suppressionSpelling(address))
      return why ? [[address, why] as const] : []
    }),
  )
}

/** Removes those whose time has passed. Mail goes through without it; lists and webhooks learn of it here. */
export const removeExpired = async (
  { database, log }: { database: Database<Tables>; log: Log },
  now: Date,
): Promise<void> => {
  const removeSome = async (tx: Tx<Tables>, accountId: string, limit: number): Promise<number> => {
    const gone = await deleteExpiredRows(tx, { accountId, now, limit })
    await notifyWebhooks(tx, 'suppression.removed', gone, now)
    return gone.length
  }
  await eachOnItsOwn(
    inPages<string>(EXPIRED_AT_ONCE, (after, limit) => listExpiredAccounts(database.db, { now, after, limit })),
    (accountId) => inBatches(database, EXPIRED_AT_ONCE, (tx, limit) => removeSome(tx, accountId, limit)),
    (err, accountId) => log.error({ err, accountId }, 'suppressions that ended could not be removed'),
  )
}

export const notifyWebhooks = async (
  tx: Tx<Tables>,
  type: 'suppression.added' | 'suppression.removed',
  rows: readonly SuppressionRow[],
  now: Date,
): Promise<void> => {
  for (const [accountId, own] of Map.groupBy(rows, (row) => row.account_id)) {
    const events = own.map((row) => ({ type, data: suppressionJson(row) }))
    await recordEvents(tx, accountId, events, now)
  }
}

export const suppressionJson = (row: SuppressionRow): Suppression => ({
  object: 'suppression',
  id: row.id,
  email: row.email,
  origin: row.origin,
  reason: row.reason,
  source_id: row.source_id,
  expires_at: row.expires_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

const toRow = (given: NewSuppression, now: Date): SuppressionRow => ({
  account_id: given.accountId,
  id: newId(),
  email: suppressionSpelling(given.email),
  origin: given.origin,
  reason: given.reason === null ? null : storable(given.reason),
  source_id: given.sourceId,
  expires_at: given.origin === 'manual' ? given.expiresAt : null,
  created_at: now,
})

/** PostgreSQL's text has no NUL and no half characters. */
const storable = (text: string): string => text.replaceAll('\u0000', '').slice(0, MAX_REASON).toWellFormed()
