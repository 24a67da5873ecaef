import type { EmailEventType, EmailStatus } from '@stoa/mail-model/emails.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'

type Words = { label: string; tone: Tone }

/** Color says how it went: green arrived, amber wants attention, red did not arrive, violet waits for its time. */
const states: Record<EmailStatus, Words> = {
  queued: { label: 'Queued', tone: 'neutral' },
  scheduled: { label: 'Scheduled', tone: 'scheduled' },
  sending: { label: 'Sending', tone: 'accent' },
  sent: { label: 'Sent', tone: 'accent' },
  delivered: { label: 'Delivered', tone: 'live' },
  delayed: { label: 'Delayed', tone: 'draft' },
  bounced: { label: 'Bounced', tone: 'failed' },
  complained: { label: 'Complained', tone: 'failed' },
  failed: { label: 'Failed', tone: 'failed' },
  suppressed: { label: 'Suppressed', tone: 'draft' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
}

export const describeStatus = (status: EmailStatus): Words => states[status]

/** What came last and is no state of its own: somebody read it. */
export const describeReading = (event: EmailEventType): string | undefined =>
  event === 'opened' ? 'opened' : event === 'clicked' ? 'clicked' : undefined

export const statusOptions = [
  { value: '', label: 'All statuses' },
  ...Object.entries(states).map(([value, { label }]) => ({ value, label })),
]
