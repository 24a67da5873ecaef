import { LIMITS_LOWERED_DAYS, SENDING_STOPS_DAYS } from '@stoa/mail-model/dunning.ts'

const DAY_MS = 86_400_000

export const daysAfter = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS)

/** From then on the account sends nothing. */
export const sendingStopsAt = (pastDueAt: Date): Date => daysAfter(pastDueAt, SENDING_STOPS_DAYS)

/** From then on the account has the limits of the plan that costs nothing. */
export const limitsLoweredAt = (pastDueAt: Date): Date => daysAfter(pastDueAt, LIMITS_LOWERED_DAYS)

/** Accounts that are past due since before this have the lower limits now. */
export const loweredSince = (now: Date): Date => daysAfter(now, -LIMITS_LOWERED_DAYS)

export const isSendingStopped = (pastDueAt: Date | null, now: Date): boolean =>
  pastDueAt !== null && sendingStopsAt(pastDueAt) <= now

/** The error for sending nevertheless. */
export const UNPAID =
  "This account can't send mail because an invoice is unpaid. Pay it in the panel under Plan and usage."
