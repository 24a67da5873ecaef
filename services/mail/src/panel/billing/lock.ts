import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import type { SyncParts } from './sync/sync.ts'

/** A lock ends by itself so long after its process has died; one that lives prolongs it. */
const HELD_MS = 60_000
const PROLONG_MS = 20_000
/** A few seconds in all. Later ones look less often, so that many who wait cost little. */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000]

/** How long the provider may still be processing a request that timed out. */
export const SETTLE_MS = 120_000

/** The turn of one request to change what its account pays for. */
export type BillingAttempt = {
  /** Whether this was tried last, and its outcome is not known yet. */
  isUnsettled: (intent: string) => boolean
  /**
   * Call it before the request to the provider. The idempotency key is that of the previous attempt while that may still
   * run: later, an error that the provider stored for the key would be repeated.
   */
  begin: (intent: string) => Promise<string>
  /** Call it once the outcome is known. */
  settle: () => Promise<void>
  /** Refuses as long as something else that was tried may still happen. */
  requireSettled: () => void
}

/** The turn of a request for its own account. */
export const inTurn = <R>(ctx: Ctx, run: (turn: BillingAttempt) => Promise<R>): Promise<R> =>
  inTurnOf(ctx.parts, sessionOf(ctx).account.id, run)

type LockParts = Pick<SyncParts, 'database' | 'clock' | 'log'>

/**
 * Lets one request at a time change what an account pays for, also across processes. No transaction is open meanwhile,
 * since the provider may be slow.
 */
export const inTurnOf = async <R>(
  parts: LockParts,
  accountId: string,
  run: (turn: BillingAttempt) => Promise<R>,
): Promise<R> => {
  const { database, log } = parts
  const lock = { accountId, holder: newId() }
  let unsettled = await waitForTurn(parts, lock)
  const warn = (err: unknown) => log.warn({ err, accountId }, 'a billing lock was not written')
  const prolong = () => void database.tx((tx) => prolongChange(tx, lock, heldUntil(parts))).catch(warn)
  const prolonging = setInterval(prolong, PROLONG_MS)
  try {
    return await run({
      isUnsettled: (intent) => unsettled?.intent === intent,
      begin: async (intent) => {
        unsettled = await begin(parts, { ...lock, unsettled, intent })
        return unsettled.key
      },
      settle: async () => {
        await database.tx((tx) => settleChange(tx, lock))
        unsettled = null
      },
      requireSettled: () => {
        if (underWay(parts, unsettled)) failBusy()
      },
    })
  } finally {
    clearInterval(prolonging)
    await database.tx((tx) => releaseChange(tx, lock)).catch(warn)
  }
}

const waitForTurn = async (parts: LockParts, lock: Lock): Promise<Intent | null> => {
  const { database, clock } = parts
  for (const pause of [0, ...PAUSES_MS]) {
    if (pause > 0) await sleep(pause)
    const taken = await database.tx((tx) => takeChange(tx, { ...lock, now: clock.now(), until: heldUntil(parts) }))
    if (taken) return taken.intent
  }
  return failBusy()
}

const begin = async (
  parts: LockParts,
  { unsettled, intent, ...lock }: Lock & { unsettled: Intent | null; intent: string },
): Promise<Intent> => {
  const before = underWay(parts, unsettled)
  // The earlier attempt may still succeed: a second one could create two paid subscriptions.
  if (before && before.intent !== intent) return failBusy()
  const attempt = { intent, key: before?.key ?? newId(), triedAt: parts.clock.now() }
  const isHeld = await parts.database.tx((tx) => beginChange(tx, { ...lock, attempt, until: heldUntil(parts) }))
  return isHeld ? attempt : failBusy()
}

const underWay = ({ clock }: LockParts, unsettled: Intent | null): Intent | null =>
  unsettled && clock.now().getTime() < unsettled.triedAt.getTime() + SETTLE_MS ? unsettled : null

const heldUntil = ({ clock }: LockParts): Date => new Date(clock.now().getTime() + HELD_MS)

const failBusy = (): never =>
  fail('service_unavailable', {
    message: 'Another change to your billing is still being processed. Try again in a minute.',
    headers: { 'retry-after': '30' },
  })

/** A request to the provider whose outcome is unknown. */
type Intent = { intent: string; key: string; triedAt: Date }

type Lock = { accountId: string; holder: string }

/** Undefined when another has it. */
const takeChange = async (
  tx: Tx<Tables>,
  { accountId, holder, now, until }: Lock & { now: Date; until: Date },
): Promise<{ intent: Intent | null } | undefined> => {
  const [row] = await tx.query<{ [K in keyof Intent]: Intent[K] | null }>({
    name: 'take-billing-change',
    text: `insert into billing_change as old (account_id, holder, held_until) values ($1, $2, $4)
           on conflict (account_id) do update set holder = excluded.holder, held_until = excluded.held_until
             where old.holder is null or old.held_until <= $3
           returning intent, key, tried_at as "triedAt"`,
    values: [accountId, holder, now, until],
  })
  if (!row) return undefined
  const { intent, key, triedAt } = row
  const isKnown = intent !== null && key !== null && triedAt !== null
  return { intent: isKnown ? { intent, key, triedAt } : null }
}

/** False when the lock has passed to another. */
const beginChange = async (
  tx: Tx<Tables>,
  { accountId, holder, attempt, until }: Lock & { attempt: Intent; until: Date },
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'begin-billing-change',
    text: `update billing_change set intent = $3, key = $4, tried_at = $5, held_until = $6
           where account_id = $1 and holder = $2 returning 1`,
    values: [accountId, holder, attempt.intent, attempt.key, attempt.triedAt, until],
  })
  return rows.length > 0
}

const prolongChange = async (tx: Tx<Tables>, { accountId, holder }: Lock, until: Date): Promise<void> => {
  await tx.query({
    name: 'prolong-billing-change',
    text: 'update billing_change set held_until = $3 where account_id = $1 and holder = $2',
    values: [accountId, holder, until],
  })
}

const settleChange = async (tx: Tx<Tables>, { accountId, holder }: Lock): Promise<void> => {
  await tx.query({
    name: 'settle-billing-change',
    text: `update billing_change set intent = null, key = null, tried_at = null
           where account_id = $1 and holder = $2`,
    values: [accountId, holder],
  })
}

const releaseChange = async (tx: Tx<Tables>, { accountId, holder }: Lock): Promise<void> => {
  await tx.query({
    name: 'release-billing-change',
    text: 'update billing_change set holder = null where account_id = $1 and holder = $2',
    values: [accountId, holder],
  })
}
