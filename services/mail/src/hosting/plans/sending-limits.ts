import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { isSendingStopped } from './past-due.ts'
import { limitsOfAccount, PLANS } from './plan-limits.ts'
import { addRecipients, addUnlimitedRecipients, lockAccountPlan, subtractRecipients, sumRecipients } from './queries.ts'

export type VolumeAnswer = 'ok' | 'daily' | 'monthly' | 'suspended' | 'unpaid'

/** Counts recipients that an account is about to send to, or returns which limit that would exceed and counts nothing. */
export const takeSendingVolume = async (
  tx: Tx<Tables>,
  { accountId, recipients, now }: { accountId: string; recipients: number; now: Date },
): Promise<VolumeAnswer> => {
  const day = dayOf(now)
  const known = await addUnlimitedRecipients(tx, { accountId, day, recipients, plans: UNLIMITED_PLANS })
  if (!known || known.suspendedAt !== null) return 'suspended'
  const { emailsPerDay, emailsPerMonth } = limitsOfAccount(known)
  if (emailsPerDay === null && emailsPerMonth === null) return 'ok'
  if (!UNLIMITED_PLANS.includes(known.plan) && isSendingStopped(known.pastDueAt, now)) return 'unpaid'
  // The lock keeps the counts from changing until they are added to.
  await lockAccountPlan(tx, accountId)
  const sent = await sumRecipients(tx, accountId, day)
  if (emailsPerDay !== null && sent.today + recipients > emailsPerDay) return 'daily'
  if (emailsPerMonth !== null && sent.month + recipients > emailsPerMonth) return 'monthly'
  await addRecipients(tx, { accountId, day, recipients })
  return 'ok'
}

/** Gives back what was counted at that moment for recipients who got nothing. */
export const returnSendingVolume = (
  tx: Tx<Tables>,
  { accountId, recipients, countedAt }: { accountId: string; recipients: number; countedAt: Date },
): Promise<void> => subtractRecipients(tx, { accountId, recipients, day: dayOf(countedAt) })

const UNLIMITED_PLANS = Object.entries(PLANS).flatMap(([name, { limits }]) =>
  limits.emailsPerDay === null && limits.emailsPerMonth === null ? [name] : [],
)

const dayOf = (now: Date): string => now.toISOString().slice(0, 10)
