import { CmsError } from '@stoa/cms-client/errors.ts'
import { type Live, type LiveEvent, type LiveStatus, openLive } from '@stoa/cms-client/live.ts'
import type { PresentPerson } from '@stoa/cms-model/realtime.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { peopleAfter, readPeople } from './presence.ts'

export type Listener = (event: LiveEvent) => void

export type LiveSocketOptions = {
  /** The socket URL, without its ticket. */
  address: string
  /** A new one for each connection. */
  ticket: () => Promise<string>
  /** Every event of every topic. */
  onEvent: Listener
  /** The position before everything that was read; undefined if it is not known. */
  since: string | undefined
  /** Something may have been missed that cannot be replayed any more. */
  onMissed: () => void
}

/** The tab's one socket, shared by everything on the screen. */
export type LiveSocket = {
  start: () => void
  stop: () => void
  /** The network may be back, or the computer awake. */
  wake: () => void
  status: () => LiveStatus
  /** Listens to a topic until the answer is called. */
  listen: (topic: string, listener: Listener) => () => void
  /** The people viewing the entry of this topic, oneself among them. */
  people: (topic: string) => readonly PresentPerson[]
  /** The service's id of this socket at the entry of this topic; null until it is subscribed. */
  seat: (topic: string) => string | null
  /** Called when the status, any people or any seat are others. */
  watch: (listener: () => void) => () => void
}

export const createLiveSocket = ({ address, ticket, onEvent, since, onMissed }: LiveSocketOptions): LiveSocket => {
  const topics = new Map<string, Set<Listener>>()
  const people = new Map<string, readonly PresentPerson[]>()
  /** The last position of each topic, for the next connection. */
  const positions = new Map<string, string>()
  /** Topics that the server has taken on this connection. */
  const taken = new Set<string>()
  /** Topics of entries at which the others see one on this connection. */
  const seated = new Set<string>()
  let connectionId: string | null = null
  const watchers = new Set<() => void>()
  let live: Live | undefined

  const notify = (): void => {
    for (const watcher of watchers) watcher()
  }
  const setPeople = (topic: string, next: readonly PresentPerson[]): void => {
    if (people.get(topic) === next) return
    people.set(topic, next)
    notify()
  }
  const receive = (event: LiveEvent): void => {
    if (event.event.startsWith('presence.'))
      setPeople(event.topic, peopleAfter(people.get(event.topic) ?? NOBODY, event.event, event.data.users))
    onEvent(event)
    for (const listener of topics.get(event.topic) ?? []) listener(event)
  }
  const resume = (topic: string, { position, isReplayed }: Readonly<Record<string, unknown>>): void => {
    taken.add(topic)
    if (typeof position === 'string') positions.set(topic, position)
    else positions.delete(topic)
    if (isReplayed !== true) onMissed()
  }
  const askAgain = (topic: string): void => {
    if (topics.has(topic)) live?.subscribe(topic)
  }
  /** A topic that was refused or is gone is not requested again at each connection. */
  const refused = ({ code, details: { topic } }: CmsError): void => {
    if (typeof topic !== 'string') return
    if (code === 'UNAVAILABLE') setTimeout(() => askAgain(topic), BUSY_PAUSE_MS)
    else if (REFUSALS.has(code)) live?.unsubscribe(topic)
    setPeople(topic, NOBODY)
  }
  const open = (): Live =>
    openLive(
      {
        topics: [...topics.keys()],
        onEvent: receive,
        onSubscribed: ({ topic, data }) => {
          if (data.users !== undefined) {
            seated.add(topic)
            setPeople(topic, readPeople(data.users))
          }
          if (hasEvents(topic)) resume(topic, data)
        },
        onReady: (ready) => {
          connectionId = ready.connectionId
          taken.clear()
          seated.clear()
        },
        onError: refused,
        onStatus: notify,
      },
      {
        address,
        ticket: () => ticket().catch(inItsWords),
        socketClass: QuietSocket,
        onPosition: (position) => {
          for (const topic of taken) positions.set(topic, position)
        },
        since: (topic) => (hasEvents(topic) ? (positions.get(topic) ?? since ?? '') : undefined),
        pauses: PAUSES,
      },
    )

  return {
    start() {
      live ??= open()
    },
    stop() {
      live?.close()
      live = undefined
      people.clear()
    },
    wake() {
      // Refused for good, as with an ended session: meanwhile the person may have signed in again in another tab
      if (live?.status === 'closed') live = open()
      else live?.wake()
    },
    status: () => live?.status ?? 'closed',
    listen(topic, listener) {
      const listeners = topics.get(topic) ?? new Set()
      const isNew = listeners.size === 0
      listeners.add(listener)
      topics.set(topic, listeners)
      if (isNew) live?.subscribe(topic)
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        topics.delete(topic)
        positions.delete(topic)
        taken.delete(topic)
        people.delete(topic)
        seated.delete(topic)
        live?.unsubscribe(topic)
      }
    },
    seat: (topic) => (live?.status === 'open' && seated.has(topic) ? connectionId : null),
    people: (topic) => people.get(topic) ?? NOBODY,
    watch(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
  }
}

/** Events of an entry come on the topic of its type as well, which is subscribed with it. */
const hasEvents = (topic: string): boolean => !topic.startsWith('entry:')

/** A refusal of the service ends the socket; anything else is tried again. */
const inItsWords = (error: unknown): never => {
  if (!(error instanceof RequestError)) throw error
  throw new CmsError(error.message, { status: error.status, code: error.code, cause: error })
}

/** Longer than it takes to leave the screen after signing out, which ends the socket as well. */
const PAUSES = { firstMs: 1_000, longestMs: 30_000 }
/** Until a topic is asked for again that could not be looked up. */
const BUSY_PAUSE_MS = 5_000
const REFUSALS: ReadonlySet<string> = new Set(['FORBIDDEN_TOPIC', 'UNKNOWN_TOPIC', 'TOO_MANY_TOPICS'])
const NOBODY: readonly PresentPerson[] = []

/** Browsers warn of a socket that is closed before it is open: such a one is closed as soon as it is. */
class QuietSocket extends WebSocket {
  override close(code?: number, reason?: string): void {
    if (this.readyState === WebSocket.CONNECTING) this.addEventListener('open', () => super.close(code, reason))
    else super.close(code, reason)
  }
}
