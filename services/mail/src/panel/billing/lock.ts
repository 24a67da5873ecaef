import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@stoa/kit/ids.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { beginChange, type Intent, prolongChange, releaseChange, settleChange, takeChange } from './lock-queries.ts'

/** A lock ends by itself so long after its process has died; one that lives prolongs it. */
const HELD_MS = 60_000
const PROLONG_MS = 20_000
/** A few seconds in all. Later ones look less often, so that many who wait cost little. */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000]

/** So long the provider may still be at something that it did not answer in time. */
export const SETTLE_MS = 120_000

/** The turn of one request to change what its account pays for. */
export type Turn = {
  /** Whether this was tried last, and nobody has seen yet what came of it. */
  isUnsettled: (intent: string) => boolean
  /**
   * To be called before the provider is asked to do it. Gives a key, which is that of the try before as long as that may
   * still be under way; afterwards reading tells what came of it, and a refusal that the provider keeps for the key
   * does not last.
   */
  begin: (intent: string) => Promise<string>
  /** What came of it is known. */
  settle: () => Promise<void>
  /** Refuses as long as something else that was tried may still happen. */
  requireSettled: () => void
}

/**
 * Lets one request at a time change what an account pays for, also across processes. No transaction is open meanwhile,
 * since the provider may be slow.
 */
export const inTurn = async <R>(ctx: Ctx, run: (turn: Turn) => Promise<R>): Promise<R> => {
  const lock = { accountId: sessionOf(ctx).account.id, holder: newId() }
  let unsettled = await waitForTurn(ctx, lock)
  const warn = (err: unknown) => ctx.log.warn({ err, accountId: lock.accountId }, 'a billing lock was not written')
  const prolong = () => void ctx.tx((tx) => prolongChange(tx, lock, heldUntil(ctx))).catch(warn)
  const prolonging = setInterval(prolong, PROLONG_MS)
  try {
    return await run({
      isUnsettled: (intent) => unsettled?.intent === intent,
      begin: async (intent) => {
        unsettled = await begin(ctx, { ...lock, unsettled, intent })
        return unsettled.key
      },
      settle: async () => {
        await ctx.tx((tx) => settleChange(tx, lock))
        unsettled = null
      },
      requireSettled: () => {
        if (underWay(ctx, unsettled)) failBusy()
      },
    })
  } finally {
    clearInterval(prolonging)
    await ctx.tx((tx) => releaseChange(tx, lock)).catch(warn)
  }
}

type Lock = { accountId: string; holder: string }

const waitForTurn = async (ctx: Ctx, lock: Lock): Promise<Intent | null> => {
  for (const pause of [0, ...PAUSES_MS]) {
    if (pause > 0) await sleep(pause)
    const taken = await ctx.tx((tx) => takeChange(tx, { ...lock, now: ctx.now(), until: heldUntil(ctx) }))
    if (taken) return taken.intent
  }
  return failBusy()
}

const begin = async (
  ctx: Ctx,
  { unsettled, intent, ...lock }: Lock & { unsettled: Intent | null; intent: string },
): Promise<Intent> => {
  const before = underWay(ctx, unsettled)
  // What was tried before may still happen: two subscriptions would be paid for.
  if (before && before.intent !== intent) return failBusy()
  const attempt = { intent, key: before?.key ?? newId(), triedAt: ctx.now() }
  const isHeld = await ctx.tx((tx) => beginChange(tx, { ...lock, attempt, until: heldUntil(ctx) }))
  return isHeld ? attempt : failBusy()
}

const underWay = (ctx: Ctx, unsettled: Intent | null): Intent | null =>
  unsettled && ctx.now().getTime() < unsettled.triedAt.getTime() + SETTLE_MS ? unsettled : null

const heldUntil = (ctx: Ctx): Date => new Date(ctx.now().getTime() + HELD_MS)

const failBusy = (): never =>
  fail('service_unavailable', {
    message: 'Another change to your billing is still being processed. Try again in a minute.',
    headers: { 'retry-after': '30' },
  })
