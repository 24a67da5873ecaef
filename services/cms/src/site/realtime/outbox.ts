import type { Emission } from './audience.ts'
import type { Connection } from './connection.ts'
import type { Registry } from './registry.ts'

/** The sockets written to per turn of the event loop. */
const SOCKETS_AT_ONCE = 250

/**
 * The subscriptions, and the events sent to them: in order, and without blocking the process for thousands of sockets.
 */
export type Outbox = {
  join(topic: string, connection: Connection): void
  leave(topic: string, connection: Connection): void
  emit(emission: Emission): void
  /** Sends one listener alone what happened on a topic before it joined. */
  replay(connection: Connection, emissions: readonly Emission[]): void
  /** Whether every event was sent. */
  isIdle(): boolean
  hasListeners(topic: string): boolean
  /** Entries that somebody listens to. */
  entryIds(): string[]
}

type Round = { emission: Emission; bytes: Buffer; listeners: Iterator<Connection> }

export const createOutbox = (registry: Pick<Registry, 'deliver'>): Outbox => {
  const topics = new Map<string, Set<Connection>>()
  const rounds: Round[] = []
  let isRunning = false

  const sendTo = (connection: Connection, { emission, bytes }: Pick<Round, 'emission' | 'bytes'>) => {
    const subscription = connection.topics.get(emission.topic)
    if (subscription) registry.deliver({ connection, subscription, emission, bytes })
  }

  const work = () => {
    for (let left = SOCKETS_AT_ONCE; left > 0; left -= 1) {
      const round = rounds[0]
      if (!round) {
        isRunning = false
        return
      }
      const next = round.listeners.next()
      if (next.done) rounds.shift()
      else sendTo(next.value, round)
    }
    setImmediate(work)
  }

  return {
    join(topic, connection) {
      const listeners = topics.get(topic) ?? new Set()
      topics.set(topic, listeners.add(connection))
    },
    leave(topic, connection) {
      const listeners = topics.get(topic)
      listeners?.delete(connection)
      if (listeners?.size === 0) topics.delete(topic)
    },
    emit(emission) {
      const listeners = topics.get(emission.topic)
      if (!listeners) return
      // Serialized once for all listeners.
      rounds.push({ emission, bytes: bytesOf(emission), listeners: listeners.values() })
      if (isRunning) return
      isRunning = true
      work()
    },
    replay(connection, emissions) {
      for (const emission of emissions) sendTo(connection, { emission, bytes: bytesOf(emission) })
    },
    hasListeners: (topic) => topics.has(topic),
    isIdle: () => rounds.length === 0,
    entryIds: () =>
      [...topics.keys()].filter((topic) => topic.startsWith(ENTRY)).map((topic) => topic.slice(ENTRY.length)),
  }
}

const bytesOf = ({ topic, event, data }: Emission): Buffer => Buffer.from(JSON.stringify({ topic, event, data }))

const ENTRY = 'entry:'
