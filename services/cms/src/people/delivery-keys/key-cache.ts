import { hash } from 'node:crypto'
import type { Clock } from '@stoa/kit/clock.ts'
import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import { chain } from '@stoa/kit/http/maybe-promise.ts'
import { openRateLimiter, type RateLimiter } from '@stoa/kit/http/rate-limit.ts'
import type { MaybePromise } from '@stoa/kit/http/route.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import { TOUCH_INTERVAL_MS } from '../../credentials.ts'
import type { DeliveryPrincipal } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { type FoundDeliveryKey, findKeyByHash, updateLastUsed } from './queries.ts'

/** More keys than a site hands out; a process that sees more reads the rest each time. */
const MAX_HELD = 10_000
/** Use is gathered for so long, and written in one go: never while someone waits for an answer. */
const FLUSH_MS = 1_000

/** A key, with what its requests are answered for made once. */
export type HeldKey = FoundDeliveryKey & {
  readonly authenticated: { principal: DeliveryPrincipal; viaCookie: false }
  /** When its use was last written down or is about to be, in milliseconds. */
  usedAt: number
}

/** The delivery keys that this process has seen, as the database has them. */
export type KeyCache = {
  /**
   * The key behind a token: at once when it is held, null when there is none. `beforeLookup` may refuse to look for one
   * that was never right here.
   */
  find(token: string, beforeLookup: () => MaybePromise<void>): HeldKey | Promise<HeldKey | null>
  /** The key, if `find` would give it at once. */
  held(token: string): HeldKey | undefined
  /** Notes the use of a key; it is written down soon, once a minute at most. */
  touch(key: HeldKey, now: Date): void
  /** Counts what keys, and those who guess at them, ask for. */
  readonly rates: RateLimiter
  /** Writes down what was noted. */
  flush(): Promise<void>
  close(): Promise<void>
}

declare module '../../context.ts' {
  interface Ports {
    /** The delivery keys that this process has seen. */
    readonly deliveryKeys: KeyCache
  }
}

type Parts = { database: Database<Tables>; bus: Bus; log: Log; clock: Clock }

export const createKeyCache = ({ database, bus, log, clock }: Parts): KeyCache => {
  const held = new Map<string, HeldKey>()
  const used = new Map<string, Date>()
  let changes = 0
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const forget = (id: unknown) => {
    changes += 1
    for (const [digest, key] of held) if (key.id === id || typeof id !== 'string') held.delete(digest)
  }
  const leave = bus.subscribe(
    ({ topic, data }) => {
      if (topic === 'deliveryKey') forget(data.id)
    },
    () => forget(undefined),
  )

  const read = async (token: string, digest: string): Promise<HeldKey | null> => {
    const before = changes
    const found = await findDeliveryKey(database.db, token)
    if (!found) {
      held.delete(digest)
      return null
    }
    const key = toHeld(found)
    // A key that changed while it was read may be outdated, so it is not cached.
    if (before === changes && (held.size < MAX_HELD || held.has(digest))) held.set(digest, key)
    return key
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(() => writeUse(database, log, used))
    return writing
  }

  return {
    find(token, beforeLookup) {
      const digest = digestOf(token)
      const known = held.get(digest)
      if (known && bus.connected) return known
      const reading = chain(known ? undefined : beforeLookup(), () => read(token, digest))
      return Promise.resolve(reading)
    },
    held: (token) => (bus.connected ? held.get(digestOf(token)) : undefined),
    touch(key, now) {
      key.usedAt = now.getTime()
      used.set(key.id, now)
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
    },
    rates: openRateLimiter(clock, 'delivery keys'),
    flush,
    async close() {
      leave()
      await flush()
    },
  }
}

const toHeld = (found: FoundDeliveryKey): HeldKey => ({
  ...found,
  usedAt: found.lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY,
  authenticated: {
    principal: { kind: 'delivery', keyId: found.id, keyName: found.name, types: found.types },
    viaCookie: false,
  },
})

/** The key behind a token that begins with `cms_`, also a revoked one; null when there is none. One prepared statement. */
export const findDeliveryKey = (db: CmsDb, token: string): Promise<FoundDeliveryKey | null> =>
  findKeyByHash(db, hashToken(token))

/** Notes that the key was used now, once a minute at most however often it is called. */
export const touchDeliveryKey = (tx: CmsTx, id: string, now: Date): Promise<void> =>
  updateLastUsed(tx, { id, now, before: new Date(now.getTime() - TOUCH_INTERVAL_MS) })

/** Keys themselves are never kept. */
const digestOf = (token: string): string => hash('sha256', token, 'base64')

const writeUse = async (database: Database<Tables>, log: Log, used: Map<string, Date>): Promise<void> => {
  const batch = [...used]
  used.clear()
  if (batch.length === 0) return
  try {
    await database.tx(async (tx) => {
      for (const [id, at] of batch) await touchDeliveryKey(tx, id, at)
    })
  } catch (error) {
    // The next use is noted again a minute later.
    log.warn({ err: error }, 'the use of delivery keys could not be recorded')
  }
}
