import {
  closeCodes,
  HEARTBEAT_SECONDS,
  MAX_TOPICS,
  type PresentPerson,
  parseTopic,
  type Resumed,
  SILENCE_SECONDS,
  type SocketErrorCode,
  type Topic,
} from '@stoa/cms-model/realtime.ts'
import { runSteps } from '@stoa/kit/db/batches.ts'
import type { Change } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { WebSocket } from 'ws'
import type { Services } from '../../context.ts'
import { emissionsOf } from './audience.ts'
import { Connection, type ConnectionHost, type Frame, type Subscription } from './connection.ts'
import { type Holder, mayListen } from './holders.ts'
import { createOutbox } from './outbox.ts'
import { createPresence, FIELD_CHANGED, PRESENCE, presenceEmission } from './presence.ts'
import { hasType, listEntryRefs, readHolders } from './queries.ts'
import type { Seat } from './queries-presence.ts'
import { createRegistry } from './registry.ts'
import { changesSince } from './replay.ts'
import { expireTickets } from './tickets.ts'

/** Revoked permissions are noticed within this time, even without a notification. */
const SWEEP_SECONDS = 2
const EXTEND_SECONDS = 20
const EXPIRE_SECONDS = 5
const POSITION_SECONDS = 5
/** The time for closing handshakes; sockets that are still open by then are cut. */
const STOP_MS = 1_000

/** The open sockets of this process. */
export type Hub = {
  /** How many sockets there are, of all kinds and of this holder. */
  count(holderId?: string): { all: number; delivery: number; ofHolder: number }
  /** Takes in a socket whose ticket was good. */
  admit(socket: WebSocket, holder: Holder): void
  stop(): Promise<void>
}

export type HubOptions = {
  /** The length of a second, which tests shorten. */
  secondMs?: number
}

export const createHub = (services: Services, { secondMs = 1_000 }: HubOptions = {}): Hub => {
  const { database, bus, clock, log } = services
  const connections = new Set<Connection>()
  const wheel = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<Connection>())
  const presence = createPresence(services)
  let second = 0
  let deliveries = 0
  /** No notification of another process was missed before this time. */
  let receivedUntil = clock.now()
  /** Notifications since then must still be caught up with. */
  let missedSince: Date | null = null
  let sentPosition: string | undefined
  /** The last of the states of presence that are being read, and of what waits for them. */
  let reading: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const forget = (connection: Connection): void => {
    if (!connections.delete(connection)) return
    if (connection.held.holder.kind === 'delivery') deliveries -= 1
    for (const slot of wheel) if (slot.delete(connection)) break
    registry.release(connection)
    for (const topic of connection.topics.keys()) outbox.leave(topic, connection)
    const seats = seatsOf(connection)
    connection.topics.clear()
    if (seats.length > 0) quietly(presence.leave(seats), 'could not notify others that someone left an entry')
    if (connections.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
  const drop = (connection: Connection, code: number, reason: string): void => {
    forget(connection)
    connection.close(code, reason)
  }
  const quietly = (work: Promise<unknown>, what: string): void =>
    void work.catch((error: unknown) => log.warn({ err: error }, what))

  const registry = createRegistry({
    read: (ids) => readHolders(database.db, ids),
    now: () => clock.now(),
    drop,
    log,
  })
  const outbox = createOutbox(registry)
  const host = createHost({ services, presence, outbox, forget, secondMs })

  const beat = (): void => {
    second += 1
    if (bus.connected) receivedUntil = clock.now()
    for (const connection of [...(wheel[second % HEARTBEAT_SECONDS] ?? [])]) {
      if (second - connection.receivedAt >= SILENCE_SECONDS) drop(connection, closeCodes.silent, 'silent')
      else connection.ping()
    }
    if (second % SWEEP_SECONDS === 0) void sweepOnce()
    if (second % EXTEND_SECONDS === 0) quietly(extend(), 'presence was not extended')
    if (second % EXPIRE_SECONDS === 0) quietly(expire(), 'expired presence or tickets were not removed')
    if (second % POSITION_SECONDS === 0) sendPosition()
  }
  /** So that after an interruption no event is sent twice. */
  const sendPosition = (): void => {
    const position = bus.position()
    if (position === undefined || position === sentPosition || !outbox.isIdle()) return
    sentPosition = position
    for (const connection of connections)
      if (connection.isResumable && connection.held.staleSince === 0)
        connection.send({ event: 'position', data: { position } })
  }
  const sweepOnce = singly(() => registry.sweep())
  const extend = (): Promise<void> =>
    presence.extend(
      [...connections]
        .filter((connection) => seatsOf(connection).length > 0)
        .map(({ id, receivedAt }) => ({ connectionId: id, secondsAgo: second - receivedAt })),
    )
  const expire = (): Promise<void> => runSteps([presence.expire, () => expireTickets(services)])

  const onChange = ({ topic, event, data }: Change): void => {
    if (connections.size === 0) return
    const id = typeof data.id === 'string' ? data.id : ''
    if (topic === PRESENCE) sendPresence(event, data)
    else if (topic === 'session' || event === 'deliveryKey.revoked') registry.end(id)
    else if (topic === 'user') registry.markStale((holder) => holder.kind === 'session' && holder.accountId === id)
    else if (topic === 'deliveryKey') registry.markStale((holder) => holder.id === id)
    else for (const emission of emissionsOf({ topic, event, data })) outbox.emit(emission)
  }
  /** While a state is being read, joins and leaves are sent after it: it replaces everything sent before. */
  const sendPresence = (event: string, data: Change['data']): void => {
    const emission = event === FIELD_CHANGED ? null : presenceEmission(event, data)
    if (emission && reading === null) {
      outbox.emit(emission)
      return
    }
    const sendInOrder = async (): Promise<void> => {
      for (const one of emission ? [emission] : await statesOf(data.id)) outbox.emit(one)
    }
    const turn = (reading ?? Promise.resolve())
      .then(sendInOrder)
      .catch((error: unknown) => log.warn({ err: error }, 'could not notify the people at an entry'))
      .then(() => {
        if (reading === turn) reading = null
      })
    reading = turn
  }
  const statesOf = async (id: unknown) =>
    typeof id === 'string' && outbox.hasListeners(`entry:${id}`) ? presence.states([id]) : []
  /** Notifications of other processes may have been missed. */
  const catchUp = async (): Promise<void> => {
    missedSince ??= receivedUntil
    if (connections.size > 0) await replaySince(missedSince)
    missedSince = null
  }
  const replaySince = async (since: Date): Promise<void> => {
    registry.markStale(() => true)
    const missed = await changesSince(database.db, since)
    if (missed === null) for (const connection of [...connections]) drop(connection, closeCodes.missed, 'missed events')
    else for (const change of missed) onChange(change)
    for (const emission of await presence.states(outbox.entryIds())) outbox.emit(emission)
  }
  const leave = bus.subscribe(onChange, catchUp)

  return {
    count: (holderId = '') => ({
      all: connections.size,
      delivery: deliveries,
      ofHolder: registry.find(holderId)?.connections.size ?? 0,
    }),
    admit(socket, holder) {
      const held = registry.hold(holder)
      const connection = new Connection({ id: newId(), held, socket, host, tick: () => second })
      held.connections.add(connection)
      connections.add(connection)
      wheel[second % HEARTBEAT_SECONDS]?.add(connection)
      if (holder.kind === 'delivery') deliveries += 1
      timer ??= setInterval(beat, secondMs).unref()
      connection.send({
        event: 'ready',
        data: { connectionId: connection.id, kind: holder.kind, heartbeat: HEARTBEAT_SECONDS },
      })
    },
    async stop() {
      leave()
      const open = [...connections]
      const seats = open.flatMap(seatsOf)
      for (const connection of open) drop(connection, closeCodes.shutdown, 'shutdown')
      await Promise.all([
        // After the ones that `drop` has begun.
        presence.leave(seats).catch((error: unknown) => log.warn({ err: error }, 'presence was not given up')),
        // They do not wait for the database: a server is not closed before they are.
        untilClosed(open),
      ])
    },
  }
}

type HostParts = {
  services: Services
  presence: ReturnType<typeof createPresence>
  outbox: ReturnType<typeof createOutbox>
  forget(connection: Connection): void
  secondMs: number
}

/** What sockets ask for. */
const createHost = ({ services, presence, outbox, forget, secondMs }: HostParts): ConnectionHost => {
  const { database, bus, clock, log } = services

  /**
   * In one turn, so that no event falls between the replay and the subscription. A socket whose permissions are being
   * checked gets the events later, and no position: it may end before that.
   */
  const join = (connection: Connection, { topic, since }: Frame<'subscribe'>): Resumed | null => {
    const position = connection.held.staleSince === 0 ? bus.position() : undefined
    outbox.join(topic, connection)
    if (since === undefined) return null
    connection.isResumable = true
    const missed = bus.since(since)
    const emissions = missed?.flatMap(emissionsOf).filter((emission) => emission.topic === topic)
    outbox.replay(connection, emissions ?? [])
    return { ...(position !== undefined && { position }), isReplayed: missed !== null }
  }

  const take = async (connection: Connection, frame: Frame<'subscribe'>, topic: Topic): Promise<void> => {
    const name = frame.topic
    const subscription: Subscription = { topic, early: null }
    connection.topics.set(name, subscription)
    const resumed = join(connection, frame)
    subscription.early = []
    try {
      const users = await seated(connection, topic)
      if (connection.topics.get(name) !== subscription) return
      connection.send({ event: 'subscribed', topic: name, data: { ...(users && { users }), ...resumed } })
      const early = subscription.early ?? []
      subscription.early = null
      for (const bytes of early) connection.sendTo(subscription, bytes)
    } catch (error) {
      connection.topics.delete(name)
      outbox.leave(name, connection)
      throw error
    }
  }
  /** On an entry's topic the person takes a seat. */
  const seated = async (connection: Connection, topic: Topic): Promise<PresentPerson[] | null> => {
    const seat = seatOf(connection, topic)
    return seat && presence.join(seat)
  }

  const refusalOf = async (connection: Connection, name: string): Promise<SocketErrorCode | Topic> => {
    const topic = parseTopic(name)
    if (!topic) return 'UNKNOWN_TOPIC'
    if (!mayListen(connection.held.holder, topic)) return 'FORBIDDEN_TOPIC'
    if (!connection.topics.has(name) && connection.topics.size >= MAX_TOPICS) return 'TOO_MANY_TOPICS'
    if (topic.kind === 'content' && !(await hasType(database.db, topic.type))) return 'UNKNOWN_TOPIC'
    if (topic.kind === 'entry' && (await listEntryRefs(database.db, [topic.id])).length === 0) return 'UNKNOWN_TOPIC'
    return topic
  }

  return {
    async subscribe(connection, frame) {
      try {
        const topic = await refusalOf(connection, frame.topic)
        if (!connection.isOpen) return
        if (typeof topic === 'string') return connection.sendError(topic, frame.topic)
        await take(connection, frame, topic)
      } catch (error) {
        log.warn({ err: error }, 'a topic could not be looked up')
        connection.sendError('UNAVAILABLE', frame.topic)
      }
    },
    async unsubscribe(connection, { topic: name }) {
      if (parseTopic(name) === null) return connection.sendError('UNKNOWN_TOPIC', name)
      const subscription = connection.topics.get(name)
      connection.topics.delete(name)
      outbox.leave(name, connection)
      const seat = subscription && seatOf(connection, subscription.topic)
      if (seat)
        await presence.leave([seat]).catch((error: unknown) => log.warn({ err: error }, 'presence was not given up'))
      connection.send({ event: 'unsubscribed', topic: name })
    },
    closed: forget,
    secondMs,
    pong: () => ({ event: 'pong', data: { at: clock.now().toISOString() } }),
  }
}

const seatOf = ({ id, held: { holder } }: Connection, topic: Topic): Seat | null =>
  topic.kind === 'entry' && holder.kind === 'session'
    ? { entryId: topic.id, connectionId: id, accountId: holder.accountId }
    : null

const seatsOf = (connection: Connection): Seat[] =>
  [...connection.topics.values()].flatMap(({ topic }) => seatOf(connection, topic) ?? [])

/** A new one is not begun while one is under way. */
const singly = (work: () => Promise<void>): (() => Promise<void>) => {
  let isRunning = false
  return async () => {
    if (isRunning) return
    isRunning = true
    await work()
    isRunning = false
  }
}

const untilClosed = async (open: readonly Connection[]): Promise<void> => {
  const deadline = performance.now() + STOP_MS
  while (open.some(({ isClosed }) => !isClosed) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10))
  for (const connection of open) connection.cut()
}
