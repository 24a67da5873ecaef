import { closeCodes } from '@stoa/cms-model/realtime.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Emission } from './audience.ts'
import type { Connection, Subscription } from './connection.ts'
import { type Holder, hasEnded, mayListen, mayReceive } from './holders.ts'

/** The limit of events that wait until a holder is read again; more within those milliseconds are dropped. */
const MAX_PARCELS = 1_000

type PendingEvent = { connection: Connection; subscription: Subscription; emission: Emission; bytes: Buffer }

/** A holder with their open sockets. */
export type Held = {
  holder: Holder
  readonly connections: Set<Connection>
  /** Since which change the holder may be another one than we know; 0 while they are as we know them. */
  staleSince: number
  /** Handed over once its rights were read again. */
  pendingEvents: PendingEvent[]
}

export type RegistryParts = {
  read(ids: { sessions: string[]; keys: string[] }): Promise<Holder[]>
  now(): Date
  /** Ends a socket and forgets it. */
  drop(connection: Connection, code: number, reason: string): void
  log: Log
}

/** Whose sockets are open, held in memory and read again whenever something about them may have changed. */
export type Registry = {
  find(id: string): Held | undefined
  /** The holder of a new socket, as just read. */
  hold(holder: Holder): Held
  release(connection: Connection): void
  /** Hands over what a socket may receive; for a stale holder, once it was read again. */
  deliver(pendingEvent: PendingEvent): void
  /** Reads these holders again; until that is done, nothing is sent to them. */
  markStale(isMeant: (holder: Holder) => boolean): void
  /** Ends all sockets of this session or key at once. */
  end(id: string): void
  /** Reads all holders again, in one statement. */
  sweep(): Promise<void>
}

export const createRegistry = ({ read, now, drop, log }: RegistryParts): Registry => {
  const all = new Map<string, Held>()
  let changeCount = 0
  let isReading = false
  let isAgain = false

  const endAll = (held: Held) => {
    held.pendingEvents = []
    for (const connection of [...held.connections]) drop(connection, closeCodes.credentialEnded, 'credential ended')
  }

  const handOver = ({ connection, subscription, emission, bytes }: PendingEvent) => {
    if (mayReceive(connection.held.holder, emission, now())) connection.sendTo(subscription, bytes)
  }

  const settle = (held: Held, holder: Holder | undefined, upTo: number) => {
    if (!holder || hasEnded(holder, now())) return endAll(held)
    held.holder = holder
    for (const connection of [...held.connections])
      if ([...connection.topics.values()].some(({ topic }) => !mayListen(holder, topic)))
        drop(connection, closeCodes.outOfReach, 'out of reach')
    if (held.staleSince > upTo) return
    held.staleSince = 0
    for (const pendingEvent of held.pendingEvents.splice(0))
      if (pendingEvent.connection.topics.has(pendingEvent.emission.topic)) handOver(pendingEvent)
  }

  const readAll = async (asked: Held[]) => {
    const upTo = changeCount
    const found = new Map(
      (
        await read({
          sessions: asked.flatMap(({ holder }) => (holder.kind === 'session' ? [holder.id] : [])),
          keys: asked.flatMap(({ holder }) => (holder.kind === 'delivery' ? [holder.id] : [])),
        })
      ).map((holder) => [holder.id, holder]),
    )
    for (const held of asked) settle(held, found.get(held.holder.id), upTo)
  }

  const run = async (isMeant: (held: Held) => boolean) => {
    const asked = [...all.values()].filter(isMeant)
    if (asked.length === 0) return
    // While nobody can be read, nothing is committed either; the next sweep makes up for it.
    await readAll(asked).catch((error: unknown) => log.warn({ err: error }, 'the holders of sockets were not read'))
  }

  /** One at a time; what comes meanwhile is read together afterwards. */
  const readSoon = async (): Promise<void> => {
    isAgain = true
    if (isReading) return
    isReading = true
    while (isAgain) {
      isAgain = false
      await run(({ staleSince }) => staleSince > 0)
    }
    isReading = false
  }

  return {
    find: (id) => all.get(id),
    hold(holder) {
      const held = all.get(holder.id) ?? { holder, connections: new Set(), staleSince: 0, pendingEvents: [] }
      all.set(holder.id, held)
      return held
    },
    release(connection) {
      const { held } = connection
      held.connections.delete(connection)
      if (held.connections.size === 0 && all.get(held.holder.id) === held) all.delete(held.holder.id)
    },
    deliver(pendingEvent) {
      const { held } = pendingEvent.connection
      if (held.staleSince === 0) return handOver(pendingEvent)
      if (held.pendingEvents.length < MAX_PARCELS) held.pendingEvents.push(pendingEvent)
      else endAll(held)
    },
    markStale(isMeant) {
      changeCount += 1
      let isAny = false
      for (const held of all.values()) {
        if (!isMeant(held.holder)) continue
        held.staleSince = changeCount
        isAny = true
      }
      if (isAny) void readSoon()
    },
    end(id) {
      const held = all.get(id)
      if (held) endAll(held)
    },
    sweep: () => run(() => true),
  }
}
