import type { Tx } from '@stoa/kit/db/database.ts'
import { daysAfter, limitsLoweredAt, sendingStopsAt } from '../../../hosting/plans/plans.ts'
import {
  limitsLowered,
  limitsLoweredSoon,
  type MailContent,
  notifyAccount,
  paymentFailed,
  paymentReceived,
  sendingStopped,
  sendingStopsSoon,
  trialEnds,
} from '../../../hosting/system-mail/system-mail.ts'
import type { Tables } from '../../../tables.ts'
import { findSubscription } from '../queries.ts'
import { type BilledAccount, hasSteps, recordSteps, TRIAL_NOTICE_DAYS } from './entitlement-queries.ts'
import type { SyncParts } from './sync.ts'

type Facts = { pastDueAt: Date; stopsAt: Date; loweredAt: Date; now: Date; url: string }
type Step = {
  name: string
  dueAt: (facts: Facts) => Date
  content: (facts: Facts) => MailContent
  /** Everybody is notified of what the service changes by itself; people who turned billing mails off miss the rest. */
  isAlwaysSent?: boolean
}

/** The notices for an unpaid account, in the order of time. */
const STEPS: readonly Step[] = [
  { name: 'payment_failed', dueAt: ({ pastDueAt }) => pastDueAt, content: paymentFailed },
  { name: 'sending_stops_in_a_week', dueAt: ({ stopsAt }) => daysAfter(stopsAt, -7), content: sendingStopsSoon },
  { name: 'sending_stops_tomorrow', dueAt: ({ stopsAt }) => daysAfter(stopsAt, -1), content: sendingStopsSoon },
  { name: 'sending_stopped', dueAt: ({ stopsAt }) => stopsAt, content: sendingStopped, isAlwaysSent: true },
  { name: 'limits_lowered_in_a_week', dueAt: ({ loweredAt }) => daysAfter(loweredAt, -7), content: limitsLoweredSoon },
  { name: 'limits_lowered', dueAt: ({ loweredAt }) => loweredAt, content: limitsLowered, isAlwaysSent: true },
]

/** Mails the newest step that is due and was not sent before. Those that were missed meanwhile are not sent any more. */
export const notifyDue = async (
  parts: SyncParts,
  tx: Tx<Tables>,
  { account, pastDueAt }: { account: BilledAccount; pastDueAt: Date },
): Promise<void> => {
  const now = parts.clock.now()
  const [stopsAt, loweredAt] = [sendingStopsAt(pastDueAt), limitsLoweredAt(pastDueAt)]
  const facts: Facts = { pastDueAt, stopsAt, loweredAt, now, url: billingUrl(parts) }
  const due = STEPS.filter(({ dueAt }) => dueAt(facts) <= now)
  const steps = due.map(({ name }) => name)
  const isNew = await recordSteps(tx, { accountId: account.id, clockAt: pastDueAt, steps, now })
  const step = due.at(-1)
  if (!step || !isNew.includes(step.name)) return
  const content = step.content(facts)
  await notifyAccount(parts, tx, { accountId: account.id, about: step.isAlwaysSent ? 'always' : 'billing', content })
}

/** Only to those who were notified of an unpaid invoice, and whose subscription continues. */
export const notifyPaid = async (
  parts: SyncParts,
  tx: Tx<Tables>,
  { account, pastDueAt }: { account: BilledAccount; pastDueAt: Date },
): Promise<void> => {
  const subscription = await findSubscription(tx, account.id)
  if (!subscription?.reference || !(await hasSteps(tx, account.id, pastDueAt))) return
  const now = parts.clock.now()
  const isNew = await recordSteps(tx, { accountId: account.id, clockAt: pastDueAt, steps: ['paid'], now })
  if (isNew.length === 0) return
  const content = paymentReceived({ url: billingUrl(parts), wasStopped: sendingStopsAt(pastDueAt) <= now })
  await notifyAccount(parts, tx, { accountId: account.id, about: 'billing', content })
}

/** A trial that was canceled ends without a charge, and nobody needs to be reminded. */
export const notifyTrialEnds = async (parts: SyncParts, tx: Tx<Tables>, account: BilledAccount): Promise<void> => {
  const now = parts.clock.now()
  const row = await findSubscription(tx, account.id)
  if (row?.status !== 'trialing' || row.trial_end === null || row.cancel_at_period_end) return
  if (row.trial_end <= now || daysAfter(row.trial_end, -TRIAL_NOTICE_DAYS) > now) return
  const isNew = await recordSteps(tx, {
    accountId: account.id,
    clockAt: row.trial_end,
    steps: ['trial_ends'],
    now,
  })
  if (isNew.length === 0) return
  const { trial_end: endsAt, price_cents: priceCents, currency } = row
  const content = trialEnds({ endsAt, priceCents, currency, url: billingUrl(parts) })
  await notifyAccount(parts, tx, { accountId: account.id, about: 'billing', content })
}

const billingUrl = ({ config }: SyncParts): string => `${config.publicUrl}/billing`
