import { setTimeout as sleep } from 'node:timers/promises'
import { newPrivateKey } from '../crypto/certificate-request.ts'
import { newId } from '../ids.ts'
import { type Authority, openAuthority } from './authority.ts'
import { AuthorityError } from './errors.ts'
import { readCertificateHealth } from './health.ts'
import { createOrders, type OrderParts } from './orders.ts'
import {
  type AcmeAccount,
  countAttempts,
  type DueName,
  dropLease,
  hasAccount,
  insertNames,
  keepAccount,
  listDue,
  noteError,
  setAccountUrl,
  setWait,
  takeLease,
} from './queries.ts'
import { openAccountKey } from './signed.ts'

export type KeeperOptions = OrderParts & {
  /** Whom the authority may write to. */
  email: string | null
  egress: Parameters<typeof openAuthority>[0]['egress']
  /** How often the names are looked at, and how often the authority is asked whether it is done. */
  everyMs?: number
  pollMs?: number
}

export type Keeper = {
  start(): void
  /** Orders what is due now. */
  runDue(): Promise<void>
  stop(): Promise<void>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Longer than an order can take: a process that has not renewed by then is dead. */
const LEASE_MS = 5 * MINUTE_MS
/** Names that are looked at in one round. */
const AT_ONCE = 20
/** Below what Let's Encrypt takes from one account: 300 orders in three hours. */
const MAX_ORDERS = 200
const ORDERS_WITHIN_MS = 3 * HOUR_MS
/** After this many failures in a row the name may be at fault; until then the authority may be, and all orders wait. */
const DOUBTS = 2
/** An authority that says when is believed, but not for ever. */
const LONGEST_WAIT_MS = 7 * DAY_MS

type Asking = { authority: Authority; account: AcmeAccount; isAnswering: boolean }

/** The authority has failed for this name again and again: nobody else waits for it any more. */
const hasFailedBefore = (one: DueName, { failures }: AcmeAccount): boolean =>
  one.failures > 0 || (one.last_error !== null && failures >= DOUBTS)

/**
 * Orders certificates and renews them. Any number of processes may run one each on the same database: one of them orders
 * at a time, one name after the other, and another takes its place when it is gone.
 */
export const createKeeper = (options: KeeperOptions): Keeper => {
  const { database, log, clock, directory, names, sealer, everyMs = MINUTE_MS } = options
  const { tx, db } = database
  const leaseId = newId()
  const stopping = new AbortController()
  const orders = createOrders(options, stopping.signal)
  const warnedAt = new Map<string, number>()
  let running: Promise<void> | undefined

  const lease = (): Promise<AcmeAccount | null> => {
    const now = clock.now()
    return tx((own) => takeLease(own, { directory, id: leaseId, now, until: new Date(now.getTime() + LEASE_MS) }))
  }
  const round = async (): Promise<void> => {
    const now = clock.now()
    const wanted = [...names.own, ...(await names.missing(AT_ONCE))]
    await tx((own) => insertNames(own, { names: wanted, directory, now }))
    await warnOfEnding(now)
    const due = await listDue(db, { directory, own: names.own, now, limit: AT_ONCE })
    if (due.length === 0) return
    if (!(await hasAccount(db, directory))) {
      const sealedKey = sealer.seal(newPrivateKey(), directory)
      await tx((own) => keepAccount(own, { directory, sealedKey, now }))
    }
    const account = await lease()
    if (!account) return
    try {
      await orderAll(account)
    } catch (error) {
      if (stopping.signal.aborted) return
      if (!(error instanceof AuthorityError)) throw error
      await waitFor(error, account.failures)
    } finally {
      await tx((own) => dropLease(own, directory, leaseId))
    }
  }
  const orderAll = async (account: AcmeAccount): Promise<void> => {
    const authority = openAuthority({
      ...options,
      key: openAccountKey(sealer.open(account.sealed_key, directory).reveal()),
      accountUrl: account.url,
      now: clock.now,
    })
    if (account.url === null) {
      const url = await authority.register(stopping.signal)
      await tx((own) => setAccountUrl(own, directory, url))
    }
    let isAnswering = false
    // Read again: the previous holder of the lease may have ordered some of them.
    for (const one of await listDue(db, { directory, own: names.own, now: clock.now(), limit: AT_ONCE })) {
      if (stopping.signal.aborted || !(await lease())) return
      if ((await countAttempts(db, new Date(clock.now().getTime() - ORDERS_WITHIN_MS))) >= MAX_ORDERS) return
      isAnswering = await orderOne({ authority, account, isAnswering }, one)
    }
  }
  /** Gives whether the authority answers, as far as is known: it may fail for one name, and answer for all others. */
  const orderOne = async ({ authority, account, isAnswering }: Asking, one: DueName): Promise<boolean> => {
    try {
      if (!(await orders.place(authority, one))) return isAnswering
      if (account.failures > 0) await tx((own) => setWait(own, directory, null))
      account.failures = 0
      return true
    } catch (error) {
      if (stopping.signal.aborted || !(error instanceof AuthorityError) || error.problem !== 'unavailable') throw error
      if (!isAnswering && !hasFailedBefore(one, account)) {
        await tx((own) => noteError(own, one.name, error.message))
        throw error
      }
      // If the authority cannot be reached at all, the name is not at fault.
      await authority.reach(stopping.signal)
      await orders.putOff(one, error.message)
      return false
    }
  }
  /** Delays all orders after an error that is not known to concern a single name. */
  const waitFor = async (error: AuthorityError, failures: number): Promise<void> => {
    const now = clock.now().getTime()
    const usual = error.problem === 'busy' ? HOUR_MS : Math.min(MINUTE_MS * 2 ** Math.min(failures, 10), HOUR_MS)
    const asked = error.retryAt?.getTime() ?? now + usual
    const until = new Date(Math.min(Math.max(asked, now + MINUTE_MS), now + LONGEST_WAIT_MS))
    log.warn({ directory, reason: error.message, problem: error.problem, until }, 'certificates cannot be ordered now')
    await tx(async (own) => {
      if (error.problem === 'unknown_account') await setAccountUrl(own, directory, null)
      await setWait(own, directory, until)
    })
  }
  const warnOfEnding = async (now: Date): Promise<void> => {
    for (const { name, notAfter, lastError } of (await readCertificateHealth(db, now)).ending) {
      if (now.getTime() - (warnedAt.get(name) ?? 0) < DAY_MS) continue
      warnedAt.set(name, now.getTime())
      log.error({ name, notAfter, reason: lastError }, 'a certificate expires soon and has not been renewed')
    }
  }
  const runDue = (): Promise<void> => {
    running ??= round().finally(() => {
      running = undefined
    })
    return running
  }
  const repeat = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await runDue().catch((error: unknown) =>
        log.error({ err: error }, 'certificates could not be checked; trying again'),
      )
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  return {
    start: () => void repeat(),
    runDue,
    async stop() {
      stopping.abort()
      await running?.catch(() => undefined)
    },
  }
}
