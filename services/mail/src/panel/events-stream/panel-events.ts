import type { Change, Db } from '@stoa/kit/db/database.ts'
import { createEventStreams, type EventStream } from '@stoa/kit/http/sse.ts'
import type { SharedParts } from '../../context.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { Tables } from '../../tables.ts'

/** What panels are notified of: something in their account changed. */
type PanelEvent = { type: (typeof TYPES)[number]; id: string }

/** The streams of this process that panels listen on. */
export type PanelEvents = {
  /** A stream for one session, until the session ends; null when the account has too many. */
  open(session: SessionPrincipal): EventStream | null
  stop(): void
}

const TYPES = ['domain', 'transfer', 'email', 'webhook'] as const
/** The limit per account and process: some people with some tabs each. */
const MAX_STREAMS = 32
/** Changes of one thing within this are one event. */
const GATHER_MS = 150
/** A client that misses more must reload everything. */
const MAX_GATHERED = 200
/** How often it is looked whether the session has ended meanwhile. */
const CHECK_MS = 25_000

type Listener = { note(event: PanelEvent | 'reset'): void }
type Parts = Pick<SharedParts, 'database' | 'bus' | 'clock' | 'log'>

/** Notifies panels of changes in their account, whichever process made them. */
export const createPanelEvents = (parts: Parts): PanelEvents => {
  const streams = createEventStreams({ perKey: MAX_STREAMS })
  const listeners = new Map<string, Set<Listener>>()
  const leave = parts.bus.subscribe(
    (change) => {
      const { accountId } = change.data
      const all = typeof accountId === 'string' ? listeners.get(accountId) : undefined
      const event = all && eventOf(change)
      if (event) for (const listener of all) listener.note(event)
    },
    () => {
      for (const all of listeners.values()) for (const listener of all) listener.note('reset')
    },
  )
  return {
    open(session) {
      const { id } = session.account
      const events = streams.open(id)
      if (events === null) return null
      const listener = listen(parts, session, events)
      const all = listeners.get(id) ?? new Set()
      listeners.set(id, all.add(listener))
      events.stream.once('close', () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(id)
      })
      return events
    },
    stop() {
      leave()
      streams.stop()
    },
  }
}

/** The event that a change causes in panels; undefined if it causes none. */
const eventOf = ({ topic, data }: Change): PanelEvent | undefined => {
  const type = TYPES.find((known) => known === topic)
  const id = type && data[`${type}Id`]
  return type && typeof id === 'string' ? { type, id } : undefined
}

const listen = (
  { database, clock, log }: Parts,
  { account, sessionId }: SessionPrincipal,
  { stream, send, end }: EventStream,
): Listener => {
  const gathered = new Map<string, PanelEvent>()
  let isReset = false
  let timer: NodeJS.Timeout | undefined

  const mayGoOn = async (): Promise<boolean> => {
    const isOpen = await isSessionOpen(database.db, { accountId: account.id, sessionId, now: clock.now() })
    if (!isOpen) end()
    return isOpen
  }
  const sendChanges = async (): Promise<void> => {
    if (!(await mayGoOn())) return
    const events = isReset ? [RESET] : [...gathered.values()].map(changeEvent)
    isReset = false
    gathered.clear()
    for (const event of events) await send(event)
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
    timer ??= setTimeout(() => guarded(sendChanges()), GATHER_MS)
  }
  const check = setInterval(() => guarded(mayGoOn()), CHECK_MS)
  stream.once('close', () => {
    clearTimeout(timer)
    clearInterval(check)
  })
  return {
    note(event) {
      if (event === 'reset' || gathered.size >= MAX_GATHERED) isReset = true
      else gathered.set(`${event.type} ${event.id}`, event)
      plan()
    },
  }
}

const RESET = { event: 'reset', data: '{}' }
const changeEvent = (event: PanelEvent) => ({ event: 'change', data: JSON.stringify(event) })

/** Whether a session of the panel is still good. */
const isSessionOpen = async (
  db: Db<Tables>,
  { accountId, sessionId, now }: { accountId: string; sessionId: string; now: Date },
): Promise<boolean> => {
  const found = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select('session.id')
    .where('session.account_id', '=', accountId)
    .where('session.id', '=', sessionId)
    .where('session.expires_at', '>', now)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}
