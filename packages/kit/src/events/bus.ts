import { setTimeout as sleep } from 'node:timers/promises'
import type { Change, CommitHook, Database } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { openEnvelope, sealChanges } from './envelope.ts'
import { type ChannelListener, openListenConnection } from './listen.ts'

/** Whether this process made the change, or another one did. */
export type Origin = 'own' | 'other'

/**
 * What a follower does when changes of other processes may have been missed: it reads from the database what they would
 * have told. It must not take for granted that anything changed. One that fails is tried again.
 */
export type CatchUp = () => void | Promise<void>

/** For those who lose nothing when a change is missed; whoever uses it says why. */
export const NOTHING_TO_CATCH_UP: CatchUp = () => undefined

/** Tells what transactions pushed to `tx.changes`, in every process of the service, after they have committed. */
export type Bus = {
  /**
   * Own changes arrive before `database.tx` returns, those of other processes within milliseconds. The change is the
   * same value everywhere: what JSON makes of it, and only its ids plus `oversize: true` if it exceeds 7.9 kB.
   *
   * `catchUp` is called on each (re)connect: changes of other processes before this moment may have been missed. It is
   * not called for what happened before the first one: whoever has work to do or something to keep reads the database
   * at its start, after it has subscribed.
   */
  subscribe(listener: (change: Change, origin: Origin) => void, catchUp: CatchUp): () => void
  /** While false, changes of other processes do not arrive: do not answer from what they would have invalidated. */
  readonly connected: boolean
  /** Resolves at the first connect. */
  ready(): Promise<void>
  /** Another channel on the same connection, for wake-ups that are not changes. */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  close(): Promise<void>
}

export type BusOptions = { log: Log; channel?: string; processId?: string; applicationName?: string }

const DEFAULT_CHANNEL = 'changes'
/** The database has just come back, and may not be ready for everybody at once. */
const CATCH_UP_AGAIN_MS = 1_000

type Follower = { hear(change: Change, origin: Origin): void; catchUp: CatchUp }

/** Opens the bus of a database; it takes part in each of its commits from now on. */
export const openBus = (database: Pick<Database<unknown>, 'url' | 'onCommit'>, options: BusOptions): Bus => {
  const { log, channel = DEFAULT_CHANNEL, processId = newId() } = options
  const followers = new Set<Follower>()
  const closing = new AbortController()
  let connects = 0
  const connection = openListenConnection({
    url: database.url,
    log,
    applicationName: options.applicationName ?? 'stoa-events',
  })

  const guard = (action: () => void) => {
    try {
      action()
    } catch (error) {
      log.error({ err: error }, 'a listener of the bus failed')
    }
  }
  const publish = (changes: readonly Change[], origin: Origin) => {
    for (const change of changes) for (const { hear } of [...followers]) guard(() => hear(change, origin))
  }
  const receive = (payload: string) => {
    const envelope = openEnvelope(payload)
    if (!envelope) return log.warn({ channel }, 'a notification that is not ours was ignored')
    if (envelope.from !== processId) publish(envelope.changes, 'other')
  }

  /** Until it is done, unless the follower has left or the next connect asks again. */
  const catchUp = async (follower: Follower) => {
    const asked = connects
    while (followers.has(follower) && asked === connects && !closing.signal.aborted)
      try {
        return await follower.catchUp()
      } catch (error) {
        log.error({ err: error }, 'a listener of the bus could not catch up; trying again')
        await sleep(CATCH_UP_AGAIN_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      }
  }

  database.onCommit(createHook(channel, processId, (changes) => guard(() => publish(changes, 'own'))))
  const listening = connection.listen(channel, {
    onPayload: receive,
    onConnected: () => {
      connects += 1
      for (const follower of [...followers]) void catchUp(follower)
    },
  })

  return {
    subscribe(hear, catchUp) {
      const follower = { hear, catchUp }
      followers.add(follower)
      return () => void followers.delete(follower)
    },
    get connected() {
      return connection.connected
    },
    async ready() {
      await listening
      await connection.ready()
    },
    listen: connection.listen,
    close() {
      closing.abort()
      return connection.close()
    },
  }
}

const createHook = (channel: string, processId: string, publish: (changes: Change[]) => void): CommitHook => {
  const sealed = new WeakMap<readonly Change[], string[]>()
  return {
    inside(changes) {
      const payloads = sealChanges(processId, changes)
      sealed.set(changes, payloads)
      return {
        name: 'tell-changes',
        text: 'select pg_notify($1, payload) from unnest($2::text[]) payload',
        values: [channel, payloads],
      }
    },
    after(changes) {
      publish((sealed.get(changes) ?? []).flatMap((payload) => openEnvelope(payload)?.changes ?? []))
    },
  }
}
