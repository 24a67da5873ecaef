import type { SuppressionOrigin } from '@stoa/mail-model/suppressions.ts'
import type { Tone } from '@stoa/ui/badge.tsx'

const origins: Record<SuppressionOrigin, { label: string; tone: Tone }> = {
  bounce: { label: 'Bounce', tone: 'failed' },
  complaint: { label: 'Complaint', tone: 'draft' },
  manual: { label: 'Manual', tone: 'neutral' },
}

export const describeOrigin = (origin: SuppressionOrigin): { label: string; tone: Tone } => origins[origin]

export const originOptions = [
  { value: '', label: 'All origins' },
  ...Object.entries(origins).map(([value, { label }]) => ({ value, label })),
]
