import type { Bus } from '@stoa/kit/events/bus.ts'

import { SHARE_TOPIC } from '../../hosting/shares/shares.ts'

/** A possible change in a mailbox. */
export type Wakeup = {
  /** The modseq of the change; null when notifications may have been missed. */
  readonly modseq: number | null
  /** The kinds of objects that changed: folders, counts, messages; null when unknown. */
  readonly kinds: readonly string[] | null
}

/** Notifies connections of changes to the mailboxes that they have open: one listener of the bus for all of them. */
export type Wakeups = {
  watch(addressId: string, listener: (wakeup: Wakeup) => void): () => void
  /** Watches, and other workers answer none of their changes to the mailbox before it has arrived here. */
  follow(addressId: string, listener: (wakeup: Wakeup) => void): Promise<() => void>
  /** While false, changes of other processes may be missed. */
  readonly isReliable: boolean
  close(): void
}

const UNKNOWN: Wakeup = { modseq: null, kinds: null }

export const createWakeups = (bus: Bus): Wakeups => {
  const watched = new Map<string, Set<(wakeup: Wakeup) => void>>()
  const wake = (addressId: string, wakeup: Wakeup): void => {
    for (const listener of [...(watched.get(addressId) ?? [])]) listener(wakeup)
  }
  const wakeAll = (): void => {
    for (const id of [...watched.keys()]) wake(id, UNKNOWN)
  }
  const leave = bus.subscribe(({ topic, data }) => {
    // A share that ended is noticed by those who look at what was shared.
    if (topic !== 'mailbox' && topic !== SHARE_TOPIC) return
    const { addressId, modseq, kinds } = data
    if (typeof addressId !== 'string') wakeAll()
    else wake(addressId, { modseq: typeof modseq === 'number' ? modseq : null, kinds: isTexts(kinds) ? kinds : null })
  }, wakeAll)
  const watch: Wakeups['watch'] = (addressId, listener) => {
    const all = watched.get(addressId) ?? new Set()
    watched.set(addressId, all.add(listener))
    return () => {
      all.delete(listener)
      if (all.size === 0 && watched.get(addressId) === all) watched.delete(addressId)
    }
  }
  return {
    watch,
    async follow(addressId, listener) {
      const stop = watch(addressId, listener)
      const leave = await bus.follow(addressId)
      return () => {
        stop()
        leave()
      }
    },
    get isReliable() {
      return bus.connected
    },
    close: leave,
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
