import { setTimeout as sleep } from 'node:timers/promises'
import type { Change, CommitHook, Database } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { openFollowing } from '../workers/following.ts'
import { link } from '../workers/link.ts'
import { type Envelope, encodeChanges, encodeNothing, NOTIFY_CHANGES, openEnvelope } from './envelope.ts'
import { createHistory, type HistoryOptions, type Position } from './history.ts'
import { type ChannelListener, openListenConnection } from './listen.ts'

/** Whether this process made the change, or another one did. */
export type Origin = 'own' | 'other'

/**
 * What a follower does when it may have missed changes, or could not take one in: it reads their effect from the database.
 * It must not assume that anything changed. A failure is retried.
 */
export type CatchUp = () => void | Promise<void>

export type Listener = (change: Change, origin: Origin) => void | Promise<void>

/** Publishes what transactions pushed to `tx.changes` to every process of the service, after they have committed. */
export type Bus = {
  /**
   * Own changes arrive before `database.tx` returns, in the other workers of this machine too (250 ms at most are waited
   * for them) unless they have a key that nobody follows there; those of other processes within milliseconds. The change is the
   * same value everywhere: what JSON makes of it, and only its ids plus `oversize: true` if it exceeds 7.4 kB.
   *
   * A listener that needs time to take a change in gives a promise: it has arrived when that is kept, within the same 250 ms.
   *
   * `catchUp` is called on each (re)connect: changes of other processes before this moment may have been missed. It is
   * also called when the listener throws or its promise is rejected: it has missed that change. It is
   * not called for what happened before the first connect: a listener with work to do or state to keep reads the database
   * at its start, after it has subscribed.
   */
  subscribe(listener: Listener, catchUp: CatchUp): () => void
  /** Changes with this key arrive as promised above, until the function that it gives is called. */
  follow(key: string): Promise<() => void>
  /** While false, changes of other processes do not arrive: do not answer from what they would have invalidated. */
  readonly connected: boolean
  /** Resolves at the first connect. */
  ready(): Promise<void>
  /** This process's position: a read that starts now sees all earlier changes. Undefined while it is unknown. */
  position(): Position | undefined
  /** The kept changes that came after a position, of whichever process; null when some of them may be missing. */
  since(position: Position): Change[] | null
  /** Everything that was committed before has been received here, and applied. */
  settled(): Promise<void>
  /** Another channel on the same connection, for wake-ups that are not changes. */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  close(): Promise<void>
}

export type BusOptions = {
  log: Log
  channel?: string
  processId?: string
  applicationName?: string
  /**
   * The key that a change belongs to. The transaction waits only for followers of that key; all others are just notified.
   * Null (the default): the transaction waits for everybody.
   */
  keyOf?: (change: Change) => string | null
  /** The changes that `since` can return; none if absent. */
  history?: HistoryOptions
}

const DEFAULT_CHANNEL = 'changes'
/** The database has just come back, and may not be ready for everybody at once. */
const CATCH_UP_AGAIN_MS = 1_000

type Follower = {
  listener: Listener
  catchUp: CatchUp
  /** The number of catch-ups requested. */
  asked: number
}

/** Opens the bus of a database; it takes part in each of its commits from now on. */
export const openBus = (database: Pick<Database<unknown>, 'directUrl' | 'onCommit'>, options: BusOptions): Bus => {
  const { log, channel = DEFAULT_CHANNEL, processId = newId(), keyOf = () => null } = options
  const following = openFollowing()
  const history = createHistory(options.history ?? NO_HISTORY)
  const isFirst = createTwins()
  const followers = new Set<Follower>()
  const closing = new AbortController()
  const connection = openListenConnection({
    url: database.directUrl,
    log,
    applicationName: options.applicationName ?? 'stoa-events',
  })

  /** Changes that listeners are still processing. */
  const taking = new Set<Promise<void>>()
  const notify = (follower: Follower, change: Change, origin: Origin) => {
    const failed = (error: unknown) => {
      // Whatever the listener reads from may be closed already.
      if (!followers.has(follower)) return
      const { topic, event } = change
      log.error({ err: error, topic, event }, 'a listener of the bus failed; it catches up')
      void catchUp(follower)
    }
    try {
      const result = follower.listener(change, origin)
      if (!(result instanceof Promise)) return
      const taken = result.catch(failed).finally(() => taking.delete(taken))
      taking.add(taken)
    } catch (error) {
      failed(error)
    }
  }
  const publish = ({ changes, xid }: Envelope, origin: Origin) => {
    for (const change of changes) {
      if (xid !== undefined) history.add(change, xid)
      for (const follower of [...followers]) notify(follower, change, origin)
    }
  }
  /** Own changes come twice, and are published at once: after the commit, or here if its answer is slower, or lost. */
  const publishOwn = (envelope: Envelope) => {
    if (isFirst(`${envelope.xid} ${envelope.part}`)) publish(envelope, 'own')
  }
  const receive = (payload: string) => {
    const envelope = openEnvelope(payload)
    if (!envelope) return log.warn({ channel }, 'a notification that is not ours was ignored')
    if (envelope.from === processId) publishOwn(envelope)
    else publish(envelope, 'other')
    const { xid, snapshot, isLast } = envelope
    if (xid === undefined || snapshot === undefined) history.end()
    else if (isLast) history.pass({ xid, snapshot })
  }

  /** Retries until it succeeds, unless the follower has left or is asked to catch up again. */
  const catchUp = async (follower: Follower) => {
    follower.asked += 1
    const mine = follower.asked
    while (followers.has(follower) && mine === follower.asked && !closing.signal.aborted)
      try {
        return await follower.catchUp()
      } catch (error) {
        log.error({ err: error }, 'a listener of the bus could not catch up; trying again')
        await sleep(CATCH_UP_AGAIN_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      }
  }

  const isAwaitedElsewhere = (change: Change): boolean => {
    const key = keyOf(change)
    return key === null || following.isFollowedElsewhere(key)
  }
  database.onCommit(createHook(channel, processId, { publish: publishOwn, isAwaitedElsewhere }))
  const settled = async (): Promise<void> => {
    await connection.settle()
    await Promise.all(taking)
  }
  link?.answer('settle', async () => {
    await settled()
    return null
  })
  const listening = connection.listen(channel, {
    onPayload: receive,
    // Positions exist from here on; the greeting gives the other processes those that this one knows, too.
    greeting: { text: NOTIFY_CHANGES, values: [channel, [encodeNothing(processId)]] },
    onConnected: ({ origin, snapshot }) => {
      isFirst.forget()
      history.begin(origin, snapshot)
      for (const follower of [...followers]) void catchUp(follower)
    },
  })

  return {
    subscribe(listener, catchUp) {
      const follower = { listener, catchUp, asked: 0 }
      followers.add(follower)
      return () => void followers.delete(follower)
    },
    follow: following.follow,
    get connected() {
      return connection.connected
    },
    async ready() {
      await listening
      await connection.ready()
    },
    position: () => (connection.connected ? history.position() : undefined),
    since: (position) => (connection.connected ? history.since(position) : null),
    settled,
    listen: connection.listen,
    close() {
      closing.abort()
      return connection.close()
    },
  }
}

const NO_HISTORY: HistoryOptions = { limit: 0, isKept: () => false }

/** Whether the first of two equal names has come; `forget` when the second ones of those that wait may never come. */
const createTwins = () => {
  const waiting = new Set<string>()
  const isFirst = (name: string): boolean => {
    if (waiting.delete(name)) return false
    waiting.add(name)
    return true
  }
  return Object.assign(isFirst, { forget: () => waiting.clear() })
}

type HookParts = { publish(envelope: Envelope): void; isAwaitedElsewhere(change: Change): boolean }

const createHook = (channel: string, processId: string, parts: HookParts): CommitHook => {
  const sealed = new WeakMap<readonly Change[], string[]>()
  return {
    inside(changes) {
      const payloads = encodeChanges(processId, changes)
      sealed.set(changes, payloads)
      return { name: 'notify-changes', text: NOTIFY_CHANGES, values: [channel, payloads] }
    },
    after(changes, [row]) {
      for (const payload of sealed.get(changes) ?? []) {
        const envelope = openEnvelope(payload)
        if (envelope) parts.publish({ ...envelope, xid: Number(row?.xid) })
      }
      if (link && changes.some(parts.isAwaitedElsewhere)) return link.settleOthers()
    },
  }
}
