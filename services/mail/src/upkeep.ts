import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import { runSteps } from '@stoa/kit/db/batches.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { createJobs, type Jobs } from '@stoa/kit/jobs/jobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import { z } from 'zod'
import type { Config } from './config.ts'
import { forgetBulkJobs } from './doors/webmail/actions/bulk.ts'
import { purgeDeleted } from './hosting/addresses/purge.ts'
import { forgetAudit } from './hosting/audit/audit.ts'
import { checkDueDomains } from './hosting/dns-records/check.ts'
import { forgetTokens, purgeAccounts, sendWeeklySummaries, warnOfQuotas } from './panel/accounts/upkeep.ts'
import { syncPrices } from './panel/billing/prices.ts'
import type { PaymentProvider } from './panel/billing/provider.ts'
import { renewSubscriptions } from './panel/billing/subscriptions.ts'
import { creditReferrals } from './panel/billing/sync/credits.ts'
import { runDunning } from './panel/billing/sync/entitlement.ts'
import { forgetExports } from './panel/exports/exports.ts'
import { lookAtHealth } from './panel/health/health.ts'
import { forgetRecovery } from './panel/recovery/recovery.ts'
import { sendDigests } from './receiving/digest/digest.ts'
import { forgetReceived } from './receiving/receive/forget.ts'
import { forgetReports } from './receiving/reports/reports.ts'
import { learnPending } from './receiving/spam/pending.ts'
import { forgetEmails, purgeEmails } from './sending/emails/forget.ts'
import { forgetSubmissions } from './sending/submission/submissions.ts'
import { removeExpired } from './sending/suppressions/suppress.ts'
import { sweepBlobs } from './store/blobs/blobs.ts'
import { forgetChanges, purgeFolders } from './store/mailbox/upkeep.ts'
import { purgeDeletedMessages } from './store/messages/deleted.ts'
import { wakeDue } from './store/messages/snooze.ts'
import { indexPending } from './store/search/search.ts'
import type { Tables } from './tables.ts'

export type UpkeepParts = {
  config: Config
  database: Database<Tables>
  blobs: Blobs
  bus: Bus
  log: Log
  clock: Clock
  payments: PaymentProvider | null
}

type Task = { name: string; cron: string; run: (parts: UpkeepParts) => Promise<unknown> }

/** Accounts go last: nothing may hang on them. */
const purgeEverything = (parts: UpkeepParts): Promise<void> =>
  runSteps([
    () => purgeDeleted({ ...parts, now: parts.clock.now() }),
    () => purgeEmails(parts),
    () => purgeAccounts(parts),
  ])

const forgetLinks = ({ database, clock }: UpkeepParts): Promise<void> =>
  runSteps([() => forgetTokens(database, clock.now()), () => forgetRecovery(database, clock.now())])

/** Scheduled tasks; each runs in one process at a time. */
const TASKS: readonly Task[] = [
  { name: 'store.index', cron: '* * * * *', run: indexPending },
  { name: 'store.wake', cron: '* * * * *', run: (parts) => wakeDue(parts, parts.clock.now()) },
  { name: 'spam.learn', cron: '* * * * *', run: (parts) => learnPending({ ...parts, now: parts.clock.now() }) },
  { name: 'domains.check', cron: '* * * * *', run: checkDueDomains },
  { name: 'hosting.purge', cron: '*/5 * * * *', run: purgeEverything },
  { name: 'accounts.forget', cron: '41 * * * *', run: forgetLinks },
  { name: 'health.check', cron: '*/15 * * * *', run: lookAtHealth },
  { name: 'exports.forget', cron: '43 * * * *', run: ({ database, clock }) => forgetExports(database, clock.now()) },
  {
    name: 'messages.purge',
    cron: '57 * * * *',
    run: ({ database, clock }) => purgeDeletedMessages(database, clock.now()),
  },
  { name: 'audit.forget', cron: '19 4 * * *', run: ({ database, clock }) => forgetAudit(database, clock.now()) },
  { name: 'accounts.quotas', cron: '7 * * * *', run: warnOfQuotas },
  { name: 'accounts.summary', cron: '0 6 * * 1', run: sendWeeklySummaries },
  { name: 'receiving.digest', cron: '*/10 * * * *', run: sendDigests },
  { name: 'receiving.forget', cron: '17 * * * *', run: ({ database, clock }) => forgetReceived(database, clock.now()) },
  {
    name: 'submissions.forget',
    cron: '11 4 * * *',
    run: (parts) => forgetSubmissions(parts, parts.clock.now()),
  },
  {
    name: 'billing.renew',
    cron: '7 * * * *',
    run: (parts) => renewSubscriptions({ ...parts, now: parts.clock.now() }),
  },
  { name: 'billing.prices', cron: '*/10 * * * *', run: syncPrices },
  { name: 'billing.dunning', cron: '37 * * * *', run: runDunning },
  { name: 'billing.credits', cron: '*/5 * * * *', run: creditReferrals },
  { name: 'emails.forget', cron: '29 * * * *', run: ({ database, clock }) => forgetEmails(database, clock.now()) },
  {
    name: 'suppressions.expire',
    cron: '53 * * * *',
    run: (parts) => removeExpired(parts, parts.clock.now()),
  },
  { name: 'store.purge', cron: '31 3 * * *', run: (parts) => purgeFolders(parts, parts.clock.now()) },
  {
    name: 'reports.forget',
    cron: '3 4 * * *',
    run: ({ database, clock }) => forgetReports(database, clock.now()),
  },
  { name: 'webmail.forget', cron: '13 4 * * *', run: ({ database, clock }) => forgetBulkJobs(database, clock.now()) },
  { name: 'store.forget', cron: '47 3 * * *', run: (parts) => forgetChanges(parts, parts.clock.now()) },
  {
    name: 'store.sweep',
    cron: '23 * * * *',
    run: ({ database, blobs }) => sweepBlobs(database, blobs, { now: new Date() }),
  },
]

/** Takes part in the upkeep of the database and the blob store. */
export const startUpkeep = async (parts: UpkeepParts): Promise<Jobs> => {
  const { database, log, bus } = parts
  const tasks = TASKS.map((task) => ({
    ...task,
    job: defineJob({ name: task.name, data: z.object({}), retryLimit: 0, expireInSeconds: 3_600 }),
  }))
  const jobs = createJobs(database, { log, bus, jobs: tasks.map(({ job }) => job) })
  for (const { job, cron, run } of tasks) {
    jobs.work(job, async () => void (await run(parts)))
    jobs.schedule(job, cron, {})
  }
  await jobs.start()
  return jobs
}
