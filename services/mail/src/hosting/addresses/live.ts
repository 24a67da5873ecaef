import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import { chain } from '@stoa/kit/http/maybe-promise.ts'
import type { MaybePromise } from '@stoa/kit/http/route.ts'
import type { Log } from '@stoa/kit/log.ts'
import { openSlots } from '@stoa/kit/workers/slots.ts'
import type { SignIn } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { stampOf } from './credentials.ts'
import { findStanding, type StandingCredentials } from './credentials-queries.ts'

/** The connections of this process that somebody signed in on. */
export type LiveSignIns = {
  /**
   * Counts a connection until the returned function is called; null if the address has `limit` of them at this door, in all
   * workers of the machine. `end` is called once its credentials or the browser session become invalid.
   */
  enter(
    signIn: SignIn,
    connection: { limit?: number; sessionId?: string | null; end: () => void },
  ): MaybePromise<(() => void) | null>
  /** Waits for sign-ins that are being checked. */
  settled(): Promise<void>
  close(): void
}

declare module '../../context.ts' {
  interface Ports {
    readonly live: LiveSignIns
  }
}

type Live = { signIn: SignIn; sessionId: string | null; end: () => void; free: () => void }
type Parts = { database: Database<Tables>; bus: Bus; log: Log; clock: Clock }

/** App passwords run out while nobody changes anything. */
const SWEEP_MS = 60_000
const RETRY_MS = 1_000

/**
 * Ends connections when their password was changed, their app password revoked, their session signed out, or their
 * address switched off. One listener serves all connections of the process.
 */
export const createLiveSignIns = ({ database, bus, log, clock }: Parts): LiveSignIns => {
  const live = new Map<string, Set<Live>>()
  const stale = new Set<string>()
  const slots = openSlots('mailbox connections')
  const closing = new AbortController()
  let checking: Promise<void> | null = null

  const markStale = (addressIds: Iterable<string>): void => {
    for (const id of addressIds) if (live.has(id)) stale.add(id)
    if (stale.size > 0 && !closing.signal.aborted) checking ??= checkAll()
  }
  /** Checks all that became stale at the same moment in one batch; checks that fail are repeated. */
  const checkAll = async (): Promise<void> => {
    await setImmediate()
    while (stale.size > 0 && !closing.signal.aborted) {
      const addressIds = [...stale]
      stale.clear()
      await check(addressIds).catch(async (error: unknown) => {
        log.error({ err: error }, 'sign-ins could not be checked; trying again')
        for (const id of addressIds) stale.add(id)
        await sleep(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      })
    }
    // In the same step as the last look at `stale`: what is marked from here on starts another check.
    checking = null
  }
  const check = async (addressIds: readonly string[]): Promise<void> => {
    const sessionIds = addressIds.flatMap((id) => sessionsOf(live.get(id)))
    const standing = await findStanding(database.db, { addressIds, sessionIds, now: clock.now() })
    const byAddress = new Map(standing.map((each) => [each.addressId, each]))
    const asked = new Set(sessionIds)
    for (const id of addressIds)
      for (const each of [...(live.get(id) ?? [])]) {
        // The sign-in is newer than the check, and marked for the next one.
        if (each.sessionId !== null && !asked.has(each.sessionId)) continue
        if (!isStillValid(each, byAddress.get(id))) leave(each, each.end)
      }
  }
  const leave = (each: Live, then?: () => void): void => {
    const { id } = each.signIn.address
    const all = live.get(id)
    if (!all?.delete(each)) return
    if (all.size === 0) live.delete(id)
    each.free()
    then?.()
  }

  const unsubscribe = bus.subscribe(
    ({ topic, data }) => {
      if (topic !== 'address' && topic !== 'webmail_session') return
      markStale(typeof data.addressId === 'string' ? [data.addressId] : live.keys())
    },
    () => markStale(live.keys()),
  )
  const sweep = setInterval(() => markStale(withAppPasswords(live)), SWEEP_MS).unref()

  return {
    enter(signIn, { limit = Number.MAX_SAFE_INTEGER, sessionId = null, end }) {
      const { id } = signIn.address
      return chain(slots.enter(`${id} ${signIn.scope}`, limit), (free) => {
        if (!free) return null
        const each = { signIn, sessionId, end, free }
        live.set(id, (live.get(id) ?? new Set()).add(each))
        // The address may have changed since it was checked, before there was a connection to end.
        markStale([id])
        return () => leave(each)
      })
    },
    settled: () => checking ?? Promise.resolve(),
    close() {
      closing.abort()
      clearInterval(sweep)
      unsubscribe()
    },
  }
}

const isStillValid = ({ signIn, sessionId }: Live, standing: StandingCredentials | undefined): boolean => {
  const { appPasswordId, passwordStamp, scope } = signIn
  if (!standing || (sessionId !== null && !standing.sessionIds.includes(sessionId))) return false
  if (appPasswordId !== null) return standing.appPasswordIds.includes(appPasswordId)
  return passwordStamp === stampOf(standing.passwordHash) && (!standing.requireAppPassword || scope === 'webmail')
}

const sessionsOf = (all: ReadonlySet<Live> | undefined): string[] =>
  [...(all ?? [])].flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]))

const withAppPasswords = (live: ReadonlyMap<string, ReadonlySet<Live>>): string[] =>
  [...live].flatMap(([id, all]) => ([...all].some(({ signIn }) => signIn.appPasswordId !== null) ? [id] : []))
