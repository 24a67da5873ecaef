import type { Change, CommitHook, Database } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { openEnvelope, sealChanges } from './envelope.ts'
import { type ChannelListener, openListenConnection } from './listen.ts'

/** Whether this process made the change, or another one did. */
export type Origin = 'own' | 'other'

/** Tells what transactions pushed to `tx.changes`, in every process of the service, after they have committed. */
export type Bus = {
  /**
   * Own changes arrive before `database.tx` returns, those of other processes within milliseconds. The change is the
   * same value everywhere: what JSON makes of it, and only its ids plus `oversize: true` if it exceeds 7.9 kB.
   */
  subscribe(listener: (change: Change, origin: Origin) => void): () => void
  /** Called on each (re)connect: changes of other processes before this moment may have been missed. */
  onResync(listener: () => void): () => void
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

/** Opens the bus of a database; it takes part in each of its commits from now on. */
export const openBus = (database: Pick<Database<unknown>, 'url' | 'onCommit'>, options: BusOptions): Bus => {
  const { log, channel = DEFAULT_CHANNEL, processId = newId() } = options
  const listeners = new Set<(change: Change, origin: Origin) => void>()
  const resyncs = new Set<() => void>()
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
    for (const change of changes) for (const listener of [...listeners]) guard(() => listener(change, origin))
  }
  const receive = (payload: string) => {
    const envelope = openEnvelope(payload)
    if (!envelope) return log.warn({ channel }, 'a notification that is not ours was ignored')
    if (envelope.from !== processId) publish(envelope.changes, 'other')
  }

  database.onCommit(createHook(channel, processId, (changes) => guard(() => publish(changes, 'own'))))
  const listening = connection.listen(channel, {
    onPayload: receive,
    onConnected: () => {
      for (const listener of [...resyncs]) guard(listener)
    },
  })

  return {
    subscribe: (listener) => addTo(listeners, listener),
    onResync: (listener) => addTo(resyncs, listener),
    get connected() {
      return connection.connected
    },
    async ready() {
      await listening
      await connection.ready()
    },
    listen: connection.listen,
    close: connection.close,
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

const addTo = <L>(set: Set<L>, listener: L): (() => void) => {
  set.add(listener)
  return () => void set.delete(listener)
}
