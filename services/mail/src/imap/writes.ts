import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@stoa/kit/db/database.ts'
import type { MailTx } from '../store/handles.ts'
import type { Tables } from '../tables.ts'

/**
 * Runs a transaction that writes to a mailbox. Those of one mailbox follow each other: they would do so in the database
 * too, but each with a connection that others need.
 */
export type WriteMailbox = <R>(addressId: string, run: (tx: MailTx) => Promise<R>) => Promise<R>

/** Nobody relies on the order: who has waited so long, because another process writes all the time, waits there too. */
const PATIENCE_MS = 2_000

export const createWriteMailbox = ({ tx }: Pick<Database<Tables>, 'tx'>): WriteMailbox => {
  const last = new Map<string, Promise<unknown>>()
  return async (addressId, run) => {
    const before = last.get(addressId)
    const writing = inTurn(before, () => tx(run))
    const ended = writing.catch(() => undefined)
    last.set(addressId, ended)
    try {
      return await writing
    } finally {
      if (last.get(addressId) === ended) last.delete(addressId)
    }
  }
}

const inTurn = async <R>(before: Promise<unknown> | undefined, work: () => Promise<R>): Promise<R> => {
  if (before) {
    const stop = new AbortController()
    await Promise.race([before, sleep(PATIENCE_MS, undefined, { signal: stop.signal }).catch(() => undefined)])
    stop.abort()
  }
  return work()
}
