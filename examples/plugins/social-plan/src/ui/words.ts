import type { PlanSummary, Stage } from '../plan.ts'

const statusLabels: Readonly<Record<NonNullable<PlanSummary['status']>, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  publishing: 'Sending',
  posted: 'Posted',
  partial: 'Partly posted',
  failed: 'Failed',
}

export const statusLabel = (status: string): string =>
  Object.hasOwn(statusLabels, status) ? statusLabels[status as keyof typeof statusLabels] : status

/** The look of a badge that means this. */
export const statusTone = (status: string): string =>
  ({
    draft: 'draft',
    scheduled: 'scheduled',
    publishing: 'scheduled',
    posted: 'live',
    partial: 'failed',
    failed: 'failed',
  })[status] ?? 'neutral'

export const stageTone: Readonly<Record<Stage, string>> = {
  idea: 'neutral',
  writing: 'draft',
  review: 'scheduled',
  approved: 'live',
}

/** A calendar day in words; it has no time zone. */
export const dayText = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

export const momentText = (moment: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment))
