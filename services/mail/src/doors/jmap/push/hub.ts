import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { accessesOf, SHARE_TOPIC } from '../../../hosting/shares/shares.ts'
import type { SignIn } from '../../../principal.ts'
import { type KindsSince, kindsSince } from '../../../store/store.ts'
import type { JmapParts } from '../method.ts'
import { typeStateOf } from './types.ts'

/** RFC 8620 §7.1: per account, the new state of each type that changed. */
export type Changed = Record<string, Record<string, string>>

export type WatchOptions = {
  signIn: SignIn
  /** Null: all. */
  types: ReadonlySet<string> | null
  /** The modseq each account was reported up to; null: report only what comes. */
  since: ReadonlyMap<string, number> | null
  /** Notifies a client. The next change waits until this is done, and is sent with all that came since. */
  notify(changed: Changed, positions: ReadonlyMap<string, number>): Promise<void>
  /** The watch has failed and notifies no more. */
  failed(error: unknown): void
}

export type Watch = { close(): void }

/** Notifies open connections of this process what changes in their accounts. */
export type Hub = {
  watch(options: WatchOptions): Promise<Watch>
  close(): void
}

/** Changes of one action come within moments of each other. */
const GATHER_MS = 10

type Watcher = {
  readonly ownId: string
  accountIds: ReadonlySet<string>
  /** Looks into these accounts; null: into all, and which they are. */
  markStale(accountId: string | null): void
}

export const createHub = (parts: Pick<JmapParts, 'database' | 'bus' | 'log'>): Hub => {
  const { database, bus } = parts
  const watchers = new Set<Watcher>()
  const byAccount = new Map<string, Set<Watcher>>()
  const looking = new Map<string, Promise<KindsSince | null>>()

  /**
   * Many connections of one mailbox ask the same at the same moment, and the database once. Who asks later may have been
   * notified of a change that a query under way does not see.
   */
  const look = (accountId: string, since: number): Promise<KindsSince | null> => {
    const key = `${accountId} ${since}`
    const known = looking.get(key)
    if (known) return known
    const asked = setImmediate().then(() => {
      looking.delete(key)
      return kindsSince(database.db, accountId, since)
    })
    looking.set(key, asked)
    return asked
  }
  const enrol = (watcher: Watcher, accountIds: ReadonlySet<string>): void => {
    for (const id of watcher.accountIds) {
      const others = byAccount.get(id)
      others?.delete(watcher)
      if (others?.size === 0) byAccount.delete(id)
    }
    watcher.accountIds = accountIds
    for (const id of accountIds) byAccount.set(id, (byAccount.get(id) ?? new Set()).add(watcher))
  }
  const markAllStale = (concerns: (watcher: Watcher) => boolean): void => {
    for (const watcher of watchers) if (concerns(watcher)) watcher.markStale(null)
  }

  const leave = bus.subscribe(
    ({ topic, data }) => {
      if (topic === 'mailbox' && typeof data.addressId === 'string')
        for (const watcher of byAccount.get(data.addressId) ?? []) watcher.markStale(data.addressId)
      else if (topic === SHARE_TOPIC) markAllStale(({ ownId }) => ownId === data.withAddressId)
      else if (topic === 'address') markAllStale(({ accountIds }) => accountIds.has(String(data.addressId)))
    },
    () => markAllStale(() => true),
  )

  return {
    async watch(options) {
      const watcher: Watcher = { ownId: options.signIn.address.id, accountIds: new Set(), markStale: () => undefined }
      watchers.add(watcher)
      const close = () => {
        watchers.delete(watcher)
        enrol(watcher, new Set())
      }
      try {
        await startWatching({ database, look, enrol, isOpen: () => watchers.has(watcher) }, watcher, options)
      } catch (error) {
        close()
        throw error
      }
      return { close }
    },
    close() {
      leave()
      for (const watcher of [...watchers]) enrol(watcher, new Set())
      watchers.clear()
    },
  }
}

type Inside = {
  database: JmapParts['database']
  look(accountId: string, since: number): Promise<KindsSince | null>
  enrol(watcher: Watcher, accountIds: ReadonlySet<string>): void
  isOpen(): boolean
}

const startWatching = async (inside: Inside, watcher: Watcher, options: WatchOptions): Promise<void> => {
  const positions = new Map<string, number>()
  let dirty = new Set<string>()
  let isStale = true
  let isWorking = false

  /** Which accounts there are now; new ones are reported from here on. */
  const refresh = async (): Promise<void> => {
    isStale = false
    const accesses = await accessesOf(inside.database.db, options.signIn.address)
    const ids = new Set(accesses.map(({ addressId }) => addressId))
    if (!inside.isOpen()) return
    inside.enrol(watcher, ids)
    for (const id of positions.keys()) if (!ids.has(id)) positions.delete(id)
    for (const id of ids) {
      if (!positions.has(id)) positions.set(id, options.since?.get(id) ?? (await inside.look(id, 0))?.modseq ?? 0)
      dirty.add(id)
    }
  }
  const gather = async (): Promise<Changed> => {
    const changed: Changed = {}
    const accounts = dirty
    dirty = new Set()
    for (const id of accounts) {
      const since = positions.get(id)
      const found = since === undefined ? null : await inside.look(id, since)
      if (!found || found.modseq === since) continue
      positions.set(id, found.modseq)
      const types = typeStateOf(found, options.types)
      if (types) changed[id] = types
    }
    return changed
  }
  const work = async (): Promise<void> => {
    while (inside.isOpen() && (isStale || dirty.size > 0)) {
      if (isStale) await refresh()
      const changed = await gather()
      if (inside.isOpen() && Object.keys(changed).length > 0) await options.notify(changed, positions)
    }
  }
  const wake = async (): Promise<void> => {
    if (isWorking) return
    isWorking = true
    try {
      await sleep(GATHER_MS)
      await work()
      isWorking = false
    } catch (error) {
      // It stays as it is: nobody is notified any more.
      options.failed(error)
    }
    // Something may have come between the last look and here.
    if (!isWorking && inside.isOpen() && (isStale || dirty.size > 0)) void wake()
  }
  watcher.markStale = (accountId) => {
    if (accountId === null) isStale = true
    else dirty.add(accountId)
    void wake()
  }
  await refresh()
  // Sends the changes that the client missed; without `since` there are none since the states were read.
  void wake()
}
