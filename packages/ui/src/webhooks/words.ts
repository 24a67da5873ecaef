import type { Tone } from '../display/badge.tsx'

type Words = { tone: Tone; label: string }

/** How the delivery of an event stands. */
export type Standing = {
  status: 'pending' | 'attempting' | 'success' | 'failed'
  attempts: number
  /** The status of the last answer, if there was one. */
  answer: number | null
}

export const describeOutcome = ({ status, attempts, answer }: Standing): Words => {
  const number = answer === null ? '' : ` · ${answer}`
  if (status === 'success') return { tone: 'live', label: `Delivered${number}` }
  if (status === 'failed') return { tone: 'failed', label: `Failed${number}` }
  if (status === 'attempting') return { tone: 'accent', label: 'Sending' }
  if (attempts === 0) return { tone: 'scheduled', label: 'Waiting' }
  return { tone: 'draft', label: `Retrying${number}` }
}

/** For the filter of a log. */
export const outcomeOptions = [
  { value: '', label: 'All statuses' },
  { value: 'success', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Waiting' },
  { value: 'attempting', label: 'Sending' },
]

/** Why an endpoint is off: its owner did it, it answered 410, or nothing arrived for too long. */
export type OffReason = 'owner' | 'gone' | 'failing' | null

export type EndpointStanding = { isOn: boolean; offReason: OffReason; isFailing?: boolean }

/** How an endpoint does. */
export const describeEndpoint = ({ isOn, offReason, isFailing = false }: EndpointStanding): Words => {
  if (isOn) return isFailing ? { tone: 'draft', label: 'Failing' } : { tone: 'live', label: 'On' }
  return offReason === 'owner' || offReason === null
    ? { tone: 'neutral', label: 'Off' }
    : { tone: 'failed', label: 'Off after failures' }
}

/** Whether events are `all`, however a service says that. */
export const areAll = (events: readonly string[], all: readonly string[]): boolean =>
  all.every((event) => events.includes(event))

/** Events in a cell: "All events", the names of two, or a count. */
export const describeEvents = (events: readonly string[], all: readonly string[]): string => {
  if (areAll(events, all)) return 'All events'
  return events.length <= 2 ? events.join(', ') : `${events.length} events`
}
