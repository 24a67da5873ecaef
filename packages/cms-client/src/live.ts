import { pauseAfter } from './backoff.ts'
import { CmsError } from './errors.ts'
import { createPacer } from './pacer.ts'

/** Something has changed: read it again. Events never carry content. */
export type LiveEvent = {
  topic: string
  /** `entry.published`, `entry.unpublished` or `entry.deleted`; ignore what you do not know. */
  event: string
  /** `presence.*` also have `users`. */
  data: { id: string | null; slug: string | null; type: string | null; [member: string]: unknown }
}

export type LiveStatus = 'connecting' | 'open' | 'waiting' | 'closed'

export type LiveOptions = {
  /** `site`, or `content:<type>` for one type. */
  topics: readonly string[]
  onEvent(event: LiveEvent): void
  /** Events arrive from now on. After a reconnection some may have been missed: read again what you keep. */
  /** `connectionId` is what the service calls this socket. */
  onReady?(state: { isReconnection: boolean; connectionId: string }): void
  /** The server has taken a topic. Of `entry:<id>`, which is for sessions, `data.users` are the people there. */
  onSubscribed?(state: { topic: string; data: Readonly<Record<string, unknown>> }): void
  /** A refused topic, or a lost connection, which is opened again by itself unless `isFinal`. */
  onError?(error: CmsError, state: { isFinal: boolean }): void
  onStatus?(status: LiveStatus): void
  /** Where tickets come from, if not from the CMS with the key of the client: a page asks its own server. */
  ticket?(): Promise<string>
  /** Ends it, like `close`. */
  signal?: AbortSignal
}

/** A socket that stays open until it is closed. */
export type Live = {
  readonly status: LiveStatus
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** The network may be back: tries at once in place of waiting, and asks an open connection for a sign of life. */
  wake(): void
  close(): void
}

/** The `WebSocket` of browsers and of Node. */
export type SocketClass = new (address: string) => WebSocket

type Parts = {
  /** The socket's address, without its query. */
  address: string
  /** A new one for each connection: it opens one socket, within 30 seconds. */
  ticket(): Promise<string>
  socketClass: SocketClass
  /** The position from which a topic's events are requested; undefined for those from now on. */
  since?(topic: string): string | undefined
  /** Everything up to this position has been received, on the topics that the server has accepted. */
  onPosition?(position: string): void
  pauses?: { firstMs: number; longestMs: number }
}

const PAUSES = { firstMs: 500, longestMs: 30_000 }
/** Until a connection must be ready. */
const OPEN_PATIENCE_MS = 15_000
/** The time that a connection has to answer after the machine was asleep. */
const WAKE_PATIENCE_MS = 5_000
/** Without a word from the server for so many heartbeats the connection is dead, whatever the network says. */
const SILENT_HEARTBEATS = 2.5
const DEFAULT_HEARTBEAT_SECONDS = 30
const STEADY_MS = 10_000
/** The credential is not good enough, and will not become so by asking again. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 404, 405])
/** Said by the CMS itself: a proxy in front of one that restarts says many things. */
const isFinal = ({ status, code }: CmsError): boolean => FINAL.has(status) && code !== 'UNEXPECTED_ANSWER'

export const openLive = (options: LiveOptions, parts: Parts): Live => {
  const topics = new Set(options.topics)
  const { pauses = PAUSES } = parts
  let status: LiveStatus = 'connecting'
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let readyAt: number | undefined

  const isClosed = (): boolean => status === 'closed'
  const become = (next: LiveStatus): void => {
    if (status === next) return
    status = next
    options.onStatus?.(next)
  }
  const send = (frame: object): void => {
    if (socket?.readyState === OPEN) socket.send(JSON.stringify(frame))
  }
  const pacer = createPacer(send)
  const ask = (topic: string): void => {
    const since = parts.since?.(topic)
    pacer.send({ action: 'subscribe', topic, ...(since !== undefined && { since }) })
  }
  const drop = (): void => {
    clearTimeout(timer)
    pacer.clear()
    const old = socket
    socket = undefined
    if (!old) return
    old.onopen = old.onmessage = old.onclose = null
    // A socket that is given up before it is open reports that as an error.
    old.onerror = () => undefined
    old.close()
  }

  const end = (error?: CmsError): void => {
    if (isClosed()) return
    drop()
    become('closed')
    options.signal?.removeEventListener('abort', onAbort)
    if (error) options.onError?.(error, { isFinal: true })
  }
  const onAbort = (): void => end()

  /** The next try, after a pause that grows with every failure. */
  const again = (error: CmsError, leastMs = 0): void => {
    if (isClosed()) return
    drop()
    // A connection that closes right after it opened counts as a failure.
    if (status === 'open' && Date.now() - (readyAt ?? 0) > STEADY_MS) failures = 0
    failures += 1
    become('waiting')
    timer = setTimeout(connect, Math.max(leastMs, pauseAfter(failures, pauses)))
    options.onError?.(error, { isFinal: false })
  }

  const watch = (patienceMs: number, message: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => again(lost(message)), patienceMs)
  }

  const connect = async (): Promise<void> => {
    become('connecting')
    let ticket: string
    try {
      ticket = await parts.ticket()
    } catch (raised) {
      const error = raised instanceof CmsError ? raised : lost("Couldn't get a ticket", raised)
      return isFinal(error) ? end(error) : again(error)
    }
    if (isClosed()) return
    socket = new parts.socketClass(`${parts.address}?ticket=${encodeURIComponent(ticket)}`)
    watch(OPEN_PATIENCE_MS, "The connection didn't open in time")
    socket.onmessage = (message) => receive(String(message.data))
    socket.onclose = ({ code, reason }) =>
      again(lost(`The connection was closed (${code}${reason ? ` ${reason}` : ''})`))
    // A close follows, which says as much.
    socket.onerror = () => undefined
  }

  let heartbeatMs = DEFAULT_HEARTBEAT_SECONDS * 1000
  /** Silence for one heartbeat is answered with a ping, a longer one with a new connection. */
  const listen = (beats = 0): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (beats + 1 >= SILENT_HEARTBEATS) return again(lost('The connection timed out'))
      send({ action: 'ping' })
      listen(beats + 1)
    }, heartbeatMs)
  }

  const receive = (text: string): void => {
    const frame = parseFrame(text)
    if (!frame) return
    if (status === 'open') listen()
    if (frame.event === 'ready') ready(frame)
    else if (frame.event === 'error') options.onError?.(refusalOf(frame), { isFinal: false })
    else if (frame.event === 'position') parts.onPosition?.(String(frame.data.position))
    else if (frame.topic === undefined) return
    else if (frame.event === 'subscribed') options.onSubscribed?.({ topic: frame.topic, data: frame.data })
    else if (frame.event !== 'unsubscribed')
      options.onEvent({ topic: frame.topic, event: frame.event, data: { ...NOTHING, ...frame.data } })
  }

  const ready = ({ data }: Frame): void => {
    const { heartbeat } = data
    heartbeatMs = (typeof heartbeat === 'number' && heartbeat > 0 ? heartbeat : DEFAULT_HEARTBEAT_SECONDS) * 1000
    for (const topic of topics) ask(topic)
    become('open')
    listen()
    const isReconnection = readyAt !== undefined
    readyAt = Date.now()
    options.onReady?.({ isReconnection, connectionId: String(data.connectionId ?? '') })
  }

  options.signal?.addEventListener('abort', onAbort, { once: true })
  if (options.signal?.aborted) end()
  else void connect()

  return {
    get status() {
      return status
    },
    subscribe(topic) {
      topics.add(topic)
      if (status === 'open') ask(topic)
    },
    unsubscribe(topic) {
      topics.delete(topic)
      if (status === 'open') pacer.send({ action: 'unsubscribe', topic })
    },
    wake() {
      if (status === 'open') {
        send({ action: 'ping' })
        watch(WAKE_PATIENCE_MS, 'The connection timed out')
      } else if (status === 'waiting') {
        clearTimeout(timer)
        void connect()
      }
    },
    close: () => end(),
  }
}

/** The `readyState` of a socket on which frames can be sent. */
const OPEN = 1
const NOTHING = { id: null, slug: null, type: null }

type Frame = { event: string; topic?: string; data: Record<string, unknown> }

const parseFrame = (text: string): Frame | null => {
  try {
    const frame: unknown = JSON.parse(text)
    if (typeof frame !== 'object' || frame === null || !('event' in frame) || typeof frame.event !== 'string')
      return null
    const data = 'data' in frame && typeof frame.data === 'object' && frame.data !== null ? { ...frame.data } : {}
    return { event: frame.event, data, ...('topic' in frame && { topic: String(frame.topic) }) }
  } catch {
    return null
  }
}

const refusalOf = ({ topic, data }: Frame): CmsError =>
  new CmsError(String(data.error ?? 'The server rejected a message'), {
    status: 0,
    code: String(data.code ?? 'UNEXPECTED_ANSWER'),
    details: topic === undefined ? {} : { topic },
  })

const lost = (message: string, cause?: unknown): CmsError =>
  new CmsError(message, { status: 0, code: 'NETWORK', cause })
