import type { Transfer, TransferSecurity, TransferStatus } from '@stoa/mail-model/transfers.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'
import { formatBytes, formatCount, formatNumber } from '@stoa/ui/text/format.ts'

export const isActive = ({ status }: Pick<Transfer, 'status'>): boolean => status === 'queued' || status === 'running'

export const statusWords: Record<TransferStatus, { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'scheduled' },
  running: { label: 'Copying', tone: 'accent' },
  completed: { label: 'Done', tone: 'live' },
  failed: { label: 'Failed', tone: 'failed' },
  cancelled: { label: 'Stopped', tone: 'neutral' },
}

export const securityWords: Record<TransferSecurity, string> = {
  tls: 'TLS',
  starttls: 'STARTTLS',
  none: 'no encryption',
}

/** Messages that were dealt with, one way or another. */
export const handledBy = (transfer: Transfer): number =>
  transfer.messages_copied + transfer.messages_skipped + transfer.messages_failed

export type Sample = { at: number; messages: number; bytes: number }

/** Long enough to be calm, short enough to notice that a source has slowed down. */
const WINDOW_MS = 30_000

/** The samples of the last moments with a new one. */
export const withSample = (samples: readonly Sample[], sample: Sample): readonly Sample[] => {
  const last = samples.at(-1)
  // Another try counts again from what is stored
  if (last && sample.messages < last.messages) return [sample]
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS && at < sample.at), sample]
}

export type Speed = { messages: number; bytes: number }

/** Per second, or null while too little is known. */
export const speedOf = (samples: readonly Sample[]): Speed | null => {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.at - first.at < 1000) return null
  const seconds = (last.at - first.at) / 1000
  const messages = (last.messages - first.messages) / seconds
  return messages > 0 ? { messages, bytes: (last.bytes - first.bytes) / seconds } : null
}

/** "12 messages a second, 1.4 MB a second · about 3 minutes left" */
export const describeSpeed = (speed: Speed | null, left: number | null): string => {
  if (!speed) return ''
  const pace = `${formatNumber(Math.max(speed.messages, 0.1))} messages and ${formatBytes(speed.bytes)} per second`
  return left === null || left <= 0 ? pace : `${pace} · ${describeSeconds(left / speed.messages)} left`
}

export const describeSeconds = (seconds: number): string => {
  if (seconds < 60) return 'less than a minute'
  if (seconds < 5400) return `about ${formatCount(Math.round(seconds / 60), 'minute', 'minutes')}`
  if (seconds < 129_600) return `about ${formatCount(Math.round(seconds / 3600), 'hour', 'hours')}`
  return `about ${formatCount(Math.round(seconds / 86_400), 'day', 'days')}`
}

/** How long it took from its start to its end. */
export const describeDuration = ({ started_at: from, finished_at: to }: Transfer): string | null => {
  if (from === null || to === null) return null
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000)
  return seconds < 60 ? formatCount(Math.max(1, Math.round(seconds)), 'second', 'seconds') : describeSeconds(seconds)
}

/** The result of a transfer in one sentence. */
export const describeResult = (transfer: Transfer): string => {
  const { messages_copied: copied, messages_skipped: skipped, messages_failed: failed } = transfer
  if (copied + skipped + failed === 0) return 'Nothing was copied.'
  const parts = [
    `${formatCount(copied, 'message', 'messages')} copied`,
    ...(skipped > 0 ? [`${formatNumber(skipped)} already here`] : []),
    ...(failed > 0 ? [`${formatNumber(failed)} couldn't be copied`] : []),
  ]
  return `${parts.join(', ')}.`
}
