import type { Database } from '@stoa/kit/db/database.ts'
import { PLANS } from '../plans/plans.ts'
import { deleteExpiredRecovery } from '../recovery/recovery.ts'
import { notifyAccount, type SystemMailParts } from '../system-mail/system-mail.ts'
import { quotaWarning } from '../system-mail/templates/quota-warning.ts'
import { weeklySummary } from '../system-mail/templates/weekly-summary.ts'
import type { Tables } from '../tables.ts'
import { deleteExpiredTokens } from './token-queries.ts'
import {
  countWeek,
  deleteOldQuotaWarnings,
  deletePurgedAccounts,
  type FullSubject,
  listNewlyFull,
  listSummaryReaders,
  putQuotaWarning,
  takeSummary,
} from './upkeep-queries.ts'

export type NoticeParts = SystemMailParts & { database: Database<Tables> }

const ROWS_AT_ONCE = 200
/** Per cent of a quota at which its owner is told. */
const LEVELS = [80, 95, 100]
/** Lower than the first level: mail that comes and goes around it is not told each time. */
const ROOM_AGAIN = 75
const WEEK_MS = 7 * 86_400_000
/** The job may run a little earlier or later than a week ago. */
const SUMMARY_EVERY_MS = 6 * 86_400_000

/** Removes what deleted accounts left, once `purgeDeleted` has removed their addresses; gives how many are gone. */
export const purgeAccounts = async ({ tx }: Database<Tables>): Promise<number> => {
  let gone = 0
  for (;;) {
    const some = await tx((tx) => deletePurgedAccounts(tx, ROWS_AT_ONCE))
    gone += some
    if (some < ROWS_AT_ONCE) return gone
  }
}

/** Forgets links that nobody can use any more. */
export const forgetTokens = ({ tx }: Database<Tables>, now: Date): Promise<void> =>
  tx(async (tx) => {
    await deleteExpiredTokens(tx, now)
    await deleteExpiredRecovery(tx, now)
  })

/** Tells the owners of mailboxes and accounts that are nearly full, once for each level. */
export const warnOfQuotas = async (parts: NoticeParts): Promise<void> => {
  const { database, clock } = parts
  await database.tx((tx) => deleteOldQuotaWarnings(tx, { below: ROOM_AGAIN, plans: LIMITED_PLANS }))
  for (;;) {
    const full = await listNewlyFull(database.db, { levels: LEVELS, plans: LIMITED_PLANS, limit: ROWS_AT_ONCE })
    for (const subject of full)
      await database.tx(async (tx) => {
        if (!(await putQuotaWarning(tx, subject, clock.now()))) return
        const letter = warningOf(subject, parts.config.publicUrl)
        await notifyAccount(parts, tx, { accountId: subject.accountId, about: 'quota_warnings', letter })
      })
    if (full.length < ROWS_AT_ONCE) return
  }
}

/** Sends last week's figures to those who want them. */
export const sendWeeklySummaries = async (parts: NoticeParts): Promise<void> => {
  const { database, clock } = parts
  const now = clock.now()
  const before = new Date(now.getTime() - SUMMARY_EVERY_MS)
  const since = new Date(now.getTime() - WEEK_MS)
  for (;;) {
    const ids = await listSummaryReaders(database.db, before, ROWS_AT_ONCE)
    for (const accountId of ids)
      await database.tx(async (tx) => {
        if (!(await takeSummary(tx, accountId, { now, before }))) return
        const week = await countWeek(tx, accountId, since)
        const letter = weeklySummary({ ...week, url: parts.config.publicUrl })
        await notifyAccount(parts, tx, { accountId, about: 'weekly_summary', letter })
      })
    if (ids.length < ROWS_AT_ONCE) return
  }
}

const LIMITED_PLANS = Object.entries(PLANS).flatMap(([name, { limits }]) =>
  limits.storageBytes === null ? [] : [{ name, storageBytes: limits.storageBytes }],
)

const warningOf = ({ email, percent }: FullSubject, url: string) =>
  quotaWarning({ what: email === null ? 'The storage of your account' : `The mailbox ${email}`, percent, url })
