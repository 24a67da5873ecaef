import type { QueueItem, QueueState } from '@stoa/mail-model/queue.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'

const states: Record<QueueState, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'neutral' },
  sending: { label: 'Sending', tone: 'accent' },
  deferred: { label: 'Deferred', tone: 'draft' },
  held: { label: 'On hold', tone: 'failed' },
}

export const describeState = (state: QueueState): { label: string; tone: Tone } => states[state]

export const stateOptions = [
  { value: '', label: 'Any status' },
  ...Object.entries(states).map(([value, { label }]) => ({ value, label })),
]

/** The last reply, or why the message waits. Before the first attempt there is no reply to show. */
export const reasonOf = ({ last_reply: reply, state, attempts }: QueueItem): string => {
  if (state === 'held') return 'Domain on hold'
  if (reply !== null) return reply
  return attempts === 0 ? 'Waiting for its first attempt' : '–'
}

/** While it is being sent, nothing can be done with it. */
export const canRetry = ({ state }: QueueItem): boolean => state === 'queued' || state === 'deferred'
export const canDrop = ({ state }: QueueItem): boolean => state !== 'sending'
