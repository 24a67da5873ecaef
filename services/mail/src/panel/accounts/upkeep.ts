import { deleteSomeOf, eachOnItsOwn, inBatches, inPages, type RowsOf } from '@stoa/kit/db/batches.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import { PLANS } from '../../hosting/plans/plans.ts'
import {
  notifyAccount,
  quotaWarning,
  type SystemMailParts,
  weeklySummary,
} from '../../hosting/system-mail/system-mail.ts'
import type { Tables } from '../../tables.ts'
import { deleteExpiredTokens } from './token-queries.ts'
import {
  countWeek,
  deleteOldQuotaWarnings,
  deletePurgedAccount,
  deleteSomeSent,
  type FullSubject,
  listNewlyFull,
  listPurgedAccounts,
  listSummaryReaders,
  putQuotaWarning,
  takeSummary,
} from './upkeep-queries.ts'

export type NoticeParts = SystemMailParts & { database: Database<Tables>; log: Log }

const ROWS_AT_ONCE = 200
/** Percentage of a quota at which its owner is notified. */
const LEVELS = [80, 95, 100]
/** Lower than the first level, so that usage around it doesn't notify each time. */
const ROOM_AGAIN = 75
const WEEK_MS = 7 * 86_400_000
/** The job may run a little earlier or later than a week ago. */
const SUMMARY_EVERY_MS = 6 * 86_400_000

/** Removes what deleted accounts left, once `purgeDeleted` has removed their addresses; gives how many are gone. */
export const purgeAccounts = ({ database, log }: Pick<NoticeParts, 'database' | 'log'>): Promise<number> =>
  eachOnItsOwn(
    inPages<string>(ROWS_AT_ONCE, (after, limit) => listPurgedAccounts(database.db, after, limit)),
    (id) => purgeAccount(database, id),
    (err, accountId) => log.error({ err, accountId }, 'what a deleted account left could not be removed'),
  )

/** Tables with so many rows per account that they are deleted in batches. */
const OF_ACCOUNT: readonly RowsOf[] = ['email', 'suppression', 'soft_bounce', 'idempotency_key', 'quota_warning'].map(
  (table) => ({ table, column: 'account_id' }),
)

const purgeAccount = async (database: Database<Tables>, id: string): Promise<void> => {
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteSomeSent(tx, id, limit))
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteSomeOf(tx, OF_ACCOUNT, { id, limit }))
  await database.tx((tx) => deletePurgedAccount(tx, id))
}

/** Forgets links that nobody can use any more. */
export const forgetTokens = async (database: Database<Tables>, now: Date): Promise<void> => {
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteExpiredTokens(tx, now, limit))
}

/** Notifies the owners of mailboxes and accounts that are nearly full, once for each level. */
export const warnOfQuotas = async (parts: NoticeParts): Promise<void> => {
  const { database, clock, log } = parts
  const plans = LIMITED_PLANS
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) =>
    deleteOldQuotaWarnings(tx, { below: ROOM_AGAIN, plans, limit }),
  )
  await eachOnItsOwn(
    inPages<FullSubject>(ROWS_AT_ONCE, (after, limit) =>
      listNewlyFull(database.db, { levels: LEVELS, plans, after: after?.subjectId ?? null, limit }),
    ),
    (subject) =>
      database.tx(async (tx) => {
        if (!(await putQuotaWarning(tx, subject, clock.now()))) return
        const content = warningOf(subject, parts.config.publicUrl)
        await notifyAccount(parts, tx, { accountId: subject.accountId, about: 'quota_warnings', content })
      }),
    (err, { subjectId }) => log.error({ err, subjectId }, 'the warning of a quota could not be sent'),
  )
}

/** Sends last week's figures to those who want them. */
export const sendWeeklySummaries = async (parts: NoticeParts): Promise<void> => {
  const { database, clock, log } = parts
  const now = clock.now()
  const before = new Date(now.getTime() - SUMMARY_EVERY_MS)
  const since = new Date(now.getTime() - WEEK_MS)
  await eachOnItsOwn(
    inPages<string>(ROWS_AT_ONCE, (after, limit) => listSummaryReaders(database.db, { before, after, limit })),
    (accountId) =>
      database.tx(async (tx) => {
        if (!(await takeSummary(tx, accountId, { now, before }))) return
        const week = await countWeek(tx, accountId, since)
        const content = weeklySummary({ ...week, url: parts.config.publicUrl })
        await notifyAccount(parts, tx, { accountId, about: 'weekly_summary', content })
      }),
    (err, accountId) => log.error({ err, accountId }, 'a weekly summary could not be sent'),
  )
}

const LIMITED_PLANS = Object.entries(PLANS).flatMap(([name, { limits }]) =>
  limits.storageBytes === null ? [] : [{ name, storageBytes: limits.storageBytes }],
)

const warningOf = ({ email, percent }: FullSubject, url: string) =>
  quotaWarning({ what: email === null ? "Your account's storage" : `The mailbox ${email}`, percent, url })
