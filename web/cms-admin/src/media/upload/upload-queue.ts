import type { MediaRecord } from '@stoa/cms-model/media.ts'

export type UploadStatus = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'

export type UploadItem = {
  id: number
  /** Files that were given together. */
  batch: number
  name: string
  size: number
  folder: string
  status: UploadStatus
  /** How much of it is sent, from 0 to 1. */
  share: number
  /** Why it failed. */
  problem?: string
  /** A failure that a retry can fix: not one of a file that is too large. */
  retryable: boolean
  media?: MediaRecord
}

export type UploadQueue = readonly UploadItem[]

export type NewUpload = Pick<UploadItem, 'id' | 'batch' | 'name' | 'size' | 'folder'> & {
  /** Known before anything is sent. */
  problem?: string | undefined
}

export type UploadEvent =
  | { kind: 'add'; uploads: readonly NewUpload[] }
  | { kind: 'start'; id: number }
  | { kind: 'progress'; id: number; share: number }
  | { kind: 'done'; id: number; media: MediaRecord }
  | { kind: 'fail'; id: number; problem: string; retryable: boolean }
  | { kind: 'cancel'; id: number }
  | { kind: 'retry'; id: number }
  | { kind: 'clear' }

/** The queue after an event. An event that does not fit what the file is doing changes nothing. */
export const step = (queue: UploadQueue, event: UploadEvent): UploadQueue => {
  if (event.kind === 'add') return [...queue, ...event.uploads.map(opened)]
  if (event.kind === 'clear') return queue.filter(isRunning)
  const item = queue.find(({ id }) => id === event.id)
  const next = item && changed(item, event)
  if (!item || !next) return queue
  return queue.map((other) => (other === item ? next : other))
}

/** The files to be started now: in the order given, no more than `parallel` at a time. */
export const startable = (queue: UploadQueue, parallel: number): readonly number[] => {
  const free = parallel - queue.filter(({ status }) => status === 'sending').length
  const waiting = queue.filter(({ status }) => status === 'waiting')
  return waiting.slice(0, Math.max(0, free)).map(({ id }) => id)
}

export const isRunning = ({ status }: UploadItem): boolean => status === 'waiting' || status === 'sending'

export type UploadSummary = {
  total: number
  done: number
  failed: number
  cancelled: number
  running: number
  /** How much of all bytes is sent, from 0 to 1. */
  share: number
}

export const summaryOf = (queue: UploadQueue): UploadSummary => {
  const count = (status: UploadStatus) => queue.filter((item) => item.status === status).length
  // Refused and given up files have no bytes to wait for
  const counted = queue.filter((item) => isRunning(item) || item.status === 'done')
  const bytes = counted.reduce((sum, { size }) => sum + size, 0)
  const sent = counted.reduce((sum, { size, share }) => sum + size * share, 0)
  return {
    total: queue.length,
    done: count('done'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    running: count('waiting') + count('sending'),
    share: bytes === 0 ? 0 : sent / bytes,
  }
}

const opened = ({ problem, ...upload }: NewUpload): UploadItem =>
  problem === undefined
    ? { ...upload, status: 'waiting', share: 0, retryable: true }
    : { ...upload, status: 'failed', share: 0, retryable: false, problem }

type ItemEvent = Exclude<UploadEvent, { kind: 'add' | 'clear' }>

/** Undefined when the event comes too late or too early. */
const changed = ({ problem: _problem, ...item }: UploadItem, event: ItemEvent): UploadItem | undefined => {
  const { status } = item
  if (event.kind === 'start') return status === 'waiting' ? { ...item, status: 'sending', share: 0 } : undefined
  if (event.kind === 'cancel')
    return status === 'waiting' || status === 'sending' ? { ...item, status: 'cancelled', share: 0 } : undefined
  if (event.kind === 'retry') {
    const again = status === 'cancelled' || (status === 'failed' && item.retryable)
    return again ? { ...item, status: 'waiting', share: 0 } : undefined
  }
  if (status !== 'sending') return undefined
  if (event.kind === 'progress') return { ...item, share: Math.min(1, Math.max(item.share, event.share)) }
  if (event.kind === 'done') return { ...item, status: 'done', share: 1, media: event.media }
  return { ...item, status: 'failed', share: 0, problem: event.problem, retryable: event.retryable }
}
