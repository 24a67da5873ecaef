import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { noticeOurEnd } from '../db/session.ts'
import type { Log } from '../log.ts'
import { inRounds } from '../workers/channel.ts'

export type ChannelListener = {
  onPayload(payload: string): void
  /** LISTEN is in force since this moment; what was sent before may have been missed. Required: nobody may forget to catch up. */
  onConnected(start: ListenStart): void
  /** Run as soon as LISTEN is in force, before `onConnected`. */
  greeting?: pg.QueryConfig
}

/** When LISTEN came into force: a snapshot of transactions, and which server, in which of its lives, numbers them. */
export type ListenStart = { origin: string; snapshot: string }

/** The one connection of a process that waits for notifications, on any number of channels. */
export type ListenConnection = {
  /** False from the moment on that notifications may be missed. */
  readonly connected: boolean
  /** Resolves as soon as notifications arrive. */
  ready(): Promise<void>
  /** Adds a channel; gives back how to leave it. While the connection is down, it joins on reconnect. */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  /** Comes back when every notification of what was committed before has arrived, or the connection is lost. */
  settle(): Promise<void>
  close(): Promise<void>
}

export type ListenOptions = { url: string; log: Log; applicationName: string }

/** A peer that is gone without a goodbye is noticed after an interval and a timeout. */
const HEARTBEAT_MS = 1_000
const HEARTBEAT_TIMEOUT_MS = 1_000
/** Without an answer for this long `connected` is false, also when this process itself stood still. */
const PROOF_LIFETIME_MS = HEARTBEAT_MS + HEARTBEAT_TIMEOUT_MS + 500
const CONNECT_TIMEOUT_MS = 3_000
/** A service must recover within five seconds after its database is back. */
const LONGEST_PAUSE_MS = 2_000
const SHORTEST_PAUSE_MS = 50

type Session = { ask(statement: string | pg.QueryConfig): Promise<pg.QueryResult>; end(reason: unknown): void }

/** Opens the connection and keeps it: a loss is logged, and it connects again until closed. */
export const openListenConnection = (options: ListenOptions): ListenConnection => {
  const { log } = options
  const channels = new Map<string, Set<ChannelListener>>()
  const firstConnect = Promise.withResolvers<void>()
  let session: Session | undefined
  let lastProof = 0
  let failures = 0
  let closed = false
  let endPause: (() => void) | undefined

  const notify = (action: () => void) => {
    try {
      action()
    } catch (error) {
      log.error({ err: error }, 'a listener for notifications failed')
    }
  }

  const onNotification = ({ channel, payload = '' }: pg.Notification) => {
    for (const listener of [...(channels.get(channel) ?? [])]) notify(() => listener.onPayload(payload))
  }

  const serve = async (current: Session, over: AbortSignal) => {
    await noticeOurEnd(current.ask)
    for (const channel of channels.keys()) await current.ask(listenTo(channel))
    const start = readStart(await current.ask(START))
    for (const { greeting } of [...channels.values()].flatMap((listeners) => [...listeners]))
      if (greeting) await current.ask(greeting)
    // Closed while it was connecting: `close` had no session to end, and waits for this one.
    if (closed) return
    session = current
    lastProof = performance.now()
    if (failures > 0) log.info({ failures }, 'the connection for notifications is back')
    failures = 0
    firstConnect.resolve()
    for (const listeners of channels.values())
      for (const listener of [...listeners]) notify(() => listener.onConnected(start))
    for (;;) {
      await sleep(HEARTBEAT_MS, undefined, { signal: over })
      await current.ask('select 1')
      lastProof = performance.now()
    }
  }

  const connectOnce = async () => {
    const socket = new Socket()
    const client = new pg.Client({
      connectionString: options.url,
      application_name: options.applicationName,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: HEARTBEAT_TIMEOUT_MS,
      stream: () => socket,
    })
    const over = new AbortController()
    const current: Session = {
      ask: inTurn((statement) => client.query(statement)),
      end: (reason) => over.abort(reason),
    }
    client.on('error', current.end)
    client.on('end', () => current.end(new Error('the server ended the connection')))
    client.on('notification', onNotification)
    try {
      await client.connect()
      await serve(current, over.signal)
    } catch (error) {
      throw over.signal.aborted ? over.signal.reason : error
    } finally {
      session = undefined
      // Without the courtesy of a goodbye, which a dead peer would never let us finish.
      socket.destroy()
      await client.end()
    }
  }

  const keepConnected = async () => {
    while (!closed) {
      try {
        await connectOnce()
      } catch (error) {
        if (closed) return
        if (failures === 0) log.warn({ err: error }, 'the connection for notifications was lost; connecting again')
        failures += 1
        await pauseAfter(failures)
      }
    }
  }

  const pauseAfter = (tries: number) => {
    const longest = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** tries)
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, longest * (0.5 + Math.random() / 2))
    endPause = () => {
      clearTimeout(timer)
      resolve()
    }
    return promise
  }

  const askIfConnected = async (text: string) => {
    const current = session
    // A failure here is a lost connection: the loop connects again, with the channels as they are then.
    await current?.ask(text).catch(current.end)
  }

  // The server sends what it has for a connection before it is ready for its next statement.
  const settle = inRounds(() => askIfConnected('select 1'))
  const running = keepConnected()

  return {
    get connected() {
      return session !== undefined && performance.now() - lastProof < PROOF_LIFETIME_MS
    },
    ready: () => firstConnect.promise,
    async listen(channel, listener) {
      const listeners = channels.get(channel) ?? new Set()
      const isNew = listeners.size === 0
      channels.set(channel, listeners.add(listener))
      if (isNew) await askIfConnected(listenTo(channel))
      return async () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        channels.delete(channel)
        await askIfConnected(`un${listenTo(channel)}`)
      }
    },
    settle,
    async close() {
      closed = true
      session?.end(new Error('closed'))
      endPause?.()
      firstConnect.resolve()
      await running
    },
  }
}

/**
 * A server that was restored, or took over from another one, gives numbers of transactions a second time. When it was
 * started distinguishes them at once; its timeline is known only after its next checkpoint.
 */
const START = `select pg_current_snapshot()::text as snapshot,
  format('%s-%s', system_identifier, extract(epoch from pg_postmaster_start_time())) as origin from pg_control_system()`

const readStart = ({ rows: [row] }: pg.QueryResult<ListenStart>): ListenStart => ({
  origin: row?.origin ?? '',
  snapshot: row?.snapshot ?? '',
})

const listenTo = (channel: string): string => `listen ${pg.escapeIdentifier(channel)}`

/** One statement at a time: the driver takes a second one only into a queue that it is about to give up. */
const inTurn = <S, R>(ask: (statement: S) => Promise<R>): ((statement: S) => Promise<R>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (statement) => {
    const answer = last.then(() => ask(statement))
    last = answer.catch(() => undefined)
    return answer
  }
}
