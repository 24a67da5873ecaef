import { Readable } from 'node:stream'
import { type Reply, reply } from './route.ts'

/** One event as a browser's EventSource reads it (WHATWG HTML §9.2.6). Text may have several lines. */
export type ServerSentEvent = { event?: string; id?: string; data?: string }

export type EventStreamOptions = {
  /** How often a comment is sent: proxies and our own server cut what is silent for a minute. */
  heartbeatMs?: number
  /** What the comment says; nothing if absent. */
  heartbeat?: string
  /** How long a browser waits before it connects again. */
  retryMs?: number
  /** A reader for whom more than this waits is cut off. */
  maxWaitingBytes?: number
  /** A reader who took nothing of what waits for this long is cut off. */
  stallMs?: number
}

export type EventStream = {
  readonly stream: Readable
  /** Ends with the stream, whichever side ended it: for whatever produces the events. */
  readonly signal: AbortSignal
  /** Resolves when there is room for more, or nobody reads any more. */
  send(event: ServerSentEvent): Promise<void>
  /** Drops the event if the reader is slow. */
  sendIfTaken(event: ServerSentEvent): void
  /** Ends the stream after everything sent so far. */
  end(): void
}

/** Events for one reader, who may be slow. */
export const openEventStream = (options: EventStreamOptions = {}): EventStream => {
  const { heartbeatMs = HEARTBEAT_MS, maxWaitingBytes = MAX_WAITING_BYTES, stallMs = STALL_MS } = options
  const comment = `:${options.heartbeat === undefined ? '' : ` ${options.heartbeat}`}\n\n`
  const waiting = new Set<() => void>()
  const closing = new AbortController()
  let stalled: NodeJS.Timeout | undefined
  const resume = (): void => {
    clearTimeout(stalled)
    stalled = undefined
    for (const each of waiting) each()
    waiting.clear()
  }
  const stream = new Readable({ read: resume, highWaterMark: HIGH_WATER_BYTES }).once('close', () => {
    clearInterval(heartbeat)
    resume()
    closing.abort(new Error('the event stream was closed'))
  })
  let isEnded = false
  const write = async (text: string): Promise<void> => {
    if (isEnded || stream.destroyed || stream.push(text)) return
    if (stream.readableLength > maxWaitingBytes) return void stream.destroy()
    stalled ??= setTimeout(() => stream.destroy(), stallMs)
    await new Promise<void>((resolve) => waiting.add(resolve))
  }
  const writeIfTaken = (text: string): void => {
    if (waiting.size === 0) void write(text)
  }
  const heartbeat = setInterval(() => writeIfTaken(comment), heartbeatMs).unref()
  // Without anything to send, the client would not even learn that it is connected.
  stream.push(options.retryMs === undefined ? comment : `retry: ${options.retryMs}\n\n`)
  return {
    stream,
    signal: closing.signal,
    send: (event) => write(formatEvent(event)),
    sendIfTaken: (event) => writeIfTaken(formatEvent(event)),
    end() {
      if (isEnded) return
      isEnded = true
      stream.push(null)
      // A client that does not read on is not waited for.
      setTimeout(() => stream.destroy(), END_MS).unref()
    },
  }
}

/** The answer that carries a stream of events. */
export const eventStreamReply = ({ stream }: EventStream): Reply<Readable> =>
  reply(stream, {
    contentType: 'text/event-stream; charset=utf-8',
    // Some proxies gather answers.
    headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })

/** The open streams of a process. */
export type EventStreams = {
  /** Null when this key (an account, a person, an address) has too many already. */
  open(key: string, options?: EventStreamOptions): EventStream | null
  /** How many streams a key has, for metrics. */
  count(key: string): number
  /** Ends all of them, because the server stops, and opens no more. */
  stop(): void
}

export const createEventStreams = (limits: { perKey: number }): EventStreams => {
  const byKey = new Map<string, Set<EventStream>>()
  let isStopped = false
  return {
    open(key, options) {
      const all = byKey.get(key) ?? new Set()
      if (isStopped || all.size >= limits.perKey) return null
      const events = openEventStream(options)
      byKey.set(key, all.add(events))
      events.stream.once('close', () => {
        all.delete(events)
        if (all.size === 0) byKey.delete(key)
      })
      return events
    },
    count: (key) => byKey.get(key)?.size ?? 0,
    stop() {
      isStopped = true
      for (const all of byKey.values()) for (const events of all) events.end()
    },
  }
}

/** Line breaks inside `event` and `id` would begin other fields, and are dropped; NUL in an id makes browsers ignore it. */
export const formatEvent = ({ event, id, data }: ServerSentEvent): string => {
  const lines: string[] = []
  if (event !== undefined) lines.push(`event: ${event.replace(/[\r\n]/g, '')}`)
  if (id !== undefined) lines.push(`id: ${id.replace(/[\r\n\0]/g, '')}`)
  if (data !== undefined) for (const line of data.split(/\r\n|\r|\n/)) lines.push(`data: ${line}`)
  return `${lines.join('\n')}\n\n`
}

const HEARTBEAT_MS = 25_000
const HIGH_WATER_BYTES = 16_384
/** More than any state that is sent at once; writers who wait for their turn never come here. */
const MAX_WAITING_BYTES = 1_048_576
const STALL_MS = 60_000
const END_MS = 1_000
