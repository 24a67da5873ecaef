import type { Readable } from 'node:stream'
import type { Change } from '@stoa/kit/db/database.ts'
import type { SessionPrincipal } from '../access/access.ts'
import type { SharedParts } from '../context.ts'
import { openEventStream } from '../jmap/event-stream.ts'
import { isSessionOpen } from './queries.ts'

/** What panels hear of: something of their account is different. */
export type PanelEvent = { type: (typeof TYPES)[number]; id: string }

/** The streams of this process that panels listen on. */
export type PanelEvents = {
  /** A stream for one session, until the session ends; null when the account has too many. */
  open(session: SessionPrincipal): Readable | null
  stop(): void
}

const TYPES = ['domain', 'transfer', 'email', 'webhook'] as const
/** Of one account and process: some people with some tabs each. */
const MAX_STREAMS = 32
/** Changes of one thing within this are one event. */
const GATHER_MS = 150
/** Who misses more is told to look at everything. */
const MAX_GATHERED = 200
/** Proxies and our own server cut what is silent for a minute. */
const KEEP_ALIVE_MS = 25_000

type Listener = { note(event: PanelEvent | 'reset'): void; end(): void }
type Parts = Pick<SharedParts, 'database' | 'bus' | 'clock' | 'log'>

/** Tells panels what changes in their account, whichever process changed it. */
export const createPanelEvents = (parts: Parts): PanelEvents => {
  const listeners = new Map<string, Set<Listener>>()
  const stops = [
    parts.bus.subscribe((change) => {
      const { accountId } = change.data
      const all = typeof accountId === 'string' ? listeners.get(accountId) : undefined
      const event = all && eventOf(change)
      if (event) for (const listener of all) listener.note(event)
    }),
    // Changes of other processes may have been missed.
    parts.bus.onResync(() => {
      for (const all of listeners.values()) for (const listener of all) listener.note('reset')
    }),
  ]
  return {
    open(session) {
      const { id } = session.account
      const all = listeners.get(id) ?? new Set()
      if (all.size >= MAX_STREAMS) return null
      const { stream, listener } = listen(parts, session)
      listeners.set(id, all.add(listener))
      stream.once('close', () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(id)
      })
      return stream
    },
    stop() {
      for (const stop of stops) stop()
      for (const all of listeners.values()) for (const listener of all) listener.end()
    },
  }
}

/** What a change means to a panel; undefined when it is none of its business. */
const eventOf = ({ topic, data }: Change): PanelEvent | undefined => {
  const type = TYPES.find((known) => known === topic)
  const id = type && data[`${type}Id`]
  return type && typeof id === 'string' ? { type, id } : undefined
}

const listen = (
  { database, clock, log }: Parts,
  { account, sessionId }: SessionPrincipal,
): { stream: Readable; listener: Listener } => {
  const { stream, write, writeIfTaken, end } = openEventStream()
  const gathered = new Map<string, PanelEvent>()
  let isReset = false
  let timer: NodeJS.Timeout | undefined

  const mayGoOn = async (): Promise<boolean> => {
    const isOpen = await isSessionOpen(database.db, { accountId: account.id, sessionId, now: clock.now() })
    if (!isOpen) end()
    return isOpen
  }
  const tell = async (): Promise<void> => {
    if (!(await mayGoOn())) return
    const texts = isReset ? ['event: reset\ndata: {}\n\n'] : [...gathered.values()].map(changeText)
    isReset = false
    gathered.clear()
    await write(texts.join(''))
    timer = undefined
    if (gathered.size > 0 || isReset) plan()
  }
  const guarded = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      log.warn({ err: error }, 'an event stream was ended')
      end()
    })
  }
  const plan = (): void => {
    timer ??= setTimeout(() => guarded(tell()), GATHER_MS)
  }
  const keepAlive = setInterval(() => {
    writeIfTaken(':\n\n')
    guarded(mayGoOn())
  }, KEEP_ALIVE_MS)
  stream.once('close', () => {
    clearTimeout(timer)
    clearInterval(keepAlive)
  })
  return {
    stream,
    listener: {
      note(event) {
        if (event === 'reset' || gathered.size >= MAX_GATHERED) isReset = true
        else gathered.set(`${event.type} ${event.id}`, event)
        plan()
      },
      end,
    },
  }
}

const changeText = (event: PanelEvent): string => `event: change\ndata: ${JSON.stringify(event)}\n\n`
