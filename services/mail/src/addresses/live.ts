import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Tables } from '../tables.ts'
import { type CredentialScope, type SignIn, stampOf } from './credentials.ts'
import { findStanding, type StandingCredentials } from './credentials-queries.ts'

/** The connections of this process that somebody signed in on. */
export type LiveSignIns = {
  /**
   * Counts a connection in, until the function that it gives is called; null when the address has `limit` at this door
   * already. `end` is called once, when what it signed in with does not hold any more.
   */
  enter(signIn: SignIn, connection: { limit?: number; end: () => void }): (() => void) | null
  /** Waits for doubts that are being looked into. */
  settled(): Promise<void>
  close(): void
}

type Live = { signIn: SignIn; end: () => void }
type Parts = { database: Database<Tables>; bus: Bus; log: Log; clock: Clock }

/** App passwords run out while nobody changes anything. */
const SWEEP_MS = 60_000
const RETRY_MS = 1_000

/** Ends connections when their password was changed, their app password revoked, or their address switched off. */
export const createLiveSignIns = ({ database, bus, log, clock }: Parts): LiveSignIns => {
  const live = new Map<string, Set<Live>>()
  const doubted = new Set<string>()
  const closing = new AbortController()
  let looking: Promise<void> | null = null

  const doubt = (addressIds: Iterable<string>): void => {
    for (const id of addressIds) if (live.has(id)) doubted.add(id)
    if (doubted.size === 0 || looking) return
    looking = lookAtAll().finally(() => {
      looking = null
    })
  }
  /** Those of one moment together; what could not be looked at is asked again. */
  const lookAtAll = async (): Promise<void> => {
    await setImmediate()
    while (doubted.size > 0 && !closing.signal.aborted) {
      const addressIds = [...doubted]
      doubted.clear()
      await look(addressIds).catch(async (error: unknown) => {
        log.error({ err: error }, 'whether sign-ins still hold is not known')
        for (const id of addressIds) doubted.add(id)
        await sleep(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      })
    }
  }
  const look = async (addressIds: readonly string[]): Promise<void> => {
    const standing = await findStanding(database.db, addressIds, clock.now())
    const byAddress = new Map(standing.map((each) => [each.addressId, each]))
    for (const id of addressIds)
      for (const each of [...(live.get(id) ?? [])]) if (!holds(each.signIn, byAddress.get(id))) leave(each, each.end)
  }
  const leave = (each: Live, then?: () => void): void => {
    const { id } = each.signIn.address
    const all = live.get(id)
    if (!all?.delete(each)) return
    if (all.size === 0) live.delete(id)
    then?.()
  }

  const stops = [
    bus.subscribe(({ topic, data }) => {
      if (topic === 'address' && typeof data.addressId === 'string') doubt([data.addressId])
      else if (topic === 'address') doubt(live.keys())
    }),
    // Changes of other processes may have been missed.
    bus.onResync(() => doubt(live.keys())),
  ]
  const sweep = setInterval(() => doubt(withAppPasswords(live)), SWEEP_MS).unref()

  return {
    enter(signIn, { limit, end }) {
      const all = live.get(signIn.address.id) ?? new Set()
      if (limit !== undefined && countOf(all, signIn.scope) >= limit) return null
      const each = { signIn, end }
      live.set(signIn.address.id, all.add(each))
      // It may have been changed since it was checked, before there was a connection to end.
      doubt([signIn.address.id])
      return () => leave(each)
    },
    settled: () => looking ?? Promise.resolve(),
    close() {
      closing.abort()
      clearInterval(sweep)
      for (const stop of stops) stop()
    },
  }
}

const holds = ({ appPasswordId, passwordStamp, scope }: SignIn, standing: StandingCredentials | undefined): boolean => {
  if (!standing) return false
  if (appPasswordId !== null) return standing.appPasswordIds.includes(appPasswordId)
  return passwordStamp === stampOf(standing.passwordHash) && (!standing.requireAppPassword || scope === 'webmail')
}

const countOf = (all: ReadonlySet<Live>, scope: CredentialScope): number => {
  let count = 0
  for (const each of all) if (each.signIn.scope === scope) count += 1
  return count
}

const withAppPasswords = (live: ReadonlyMap<string, ReadonlySet<Live>>): string[] =>
  [...live].flatMap(([id, all]) => ([...all].some(({ signIn }) => signIn.appPasswordId !== null) ? [id] : []))
