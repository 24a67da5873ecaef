import type { Claim } from '@stoa/kit/queue/table.ts'
import type { CmsTx, Ctx, Services } from '../../context.ts'
import { pauseAccount, pauseApp, withAccount } from '../accounts/accounts.ts'
import type {
  AccountReach,
  FailureFacts,
  Network,
  NetworkHttp,
  Outgoing,
  Posted,
  Progress,
  Publishing,
} from '../networks/networks.ts'
import { lockPost, settlePost } from '../posts/posts.ts'
import { HOUR_MS, retryAt, storedFailure, withoutSecret } from './failures.ts'
import { endAttempt, expireRenditions, saveProgress, saveStep, touchAccount } from './queries.ts'
import { type ClaimedTarget, settle } from './queue.ts'

/** One target in the hands of this process. */
export type Held = {
  services: Services
  ctx: Ctx
  claim: Claim<ClaimedTarget>
  signal: AbortSignal
  /** The step that the target is at; kept for the history. */
  step: ClaimedTarget['step']
  progress: Progress
}
export type TargetRun = Held & { network: Network }

/** Another process, or a person, has the target now: nothing more may be done. */
export class ClaimLost extends Error {
  constructor() {
    super('The target was taken by somebody else')
    this.name = 'ClaimLost'
  }
}

const PUBLIC_MS = 86_400_000

/** Writes how far the target is, before anything further is done. */
export const checkpoint = async (run: TargetRun, set: Record<string, unknown>): Promise<void> => {
  const isMine = await run.ctx.tx((tx) => saveStep(tx, run.claim, set))
  if (!isMine) throw new ClaimLost()
}

/** Calls the network in the name of the target's account; `through` sees every request on its way. */
export const callNetwork = <T>(
  run: TargetRun,
  outgoing: Outgoing,
  call: (publishing: Publishing<Progress>) => Promise<T>,
  through: (http: NetworkHttp) => NetworkHttp = (http) => http,
): Promise<T> => {
  const { services, claim, signal } = run
  return withAccount(services, claim.row.accountId, signal, async (reach) => {
    try {
      return await call(publishingOf(run, outgoing, { ...reach, http: through(reach.http) }))
    } catch (error) {
      throw withoutSecret(error, reach.accessToken.reveal())
    }
  })
}

const publishingOf = (run: TargetRun, outgoing: Outgoing, reach: AccountReach): Publishing<Progress> => ({
  ...reach,
  outgoing,
  get progress() {
    return run.progress
  },
  async save(progress) {
    if (!(await run.ctx.tx((tx) => saveProgress(tx, run.claim, progress)))) throw new ClaimLost()
    run.progress = { ...run.progress, ...progress }
  },
  signal: run.signal,
})

/** Records that the target was posted. */
export const settlePosted = async (
  run: TargetRun,
  { remoteId, url }: Posted,
  warnings: readonly string[],
): Promise<void> => {
  const { row } = run.claim
  const now = run.ctx.now()
  const postedAt = row.postedAt ?? now
  const [firstLook] = run.network.publisher.lookAgain?.afterMs ?? []
  await end(
    run,
    { outcome: 'posted', error: null, dueAt: null },
    {
      status: 'posted',
      step: null,
      remote_id: remoteId,
      url,
      posted_at: postedAt,
      error: null,
      warnings: [...row.warnings, ...warnings],
      look_again_at: firstLook === undefined ? null : new Date(postedAt.getTime() + firstLook),
      looks: 0,
      waiting_since: null,
      polls: 0,
    },
  )
}

/** Records that the target failed, and schedules a retry where one may help. */
export const settleFailed = async (
  run: Held,
  facts: FailureFacts,
  { isFinal = false }: { isFinal?: boolean } = {},
): Promise<void> => {
  const { claim, ctx } = run
  const { row } = claim
  const now = ctx.now()
  const again =
    isFinal || row.isDeleted ? null : retryAt(facts, { ...row, now, lateMs: ctx.config.socialLateHours * HOUR_MS })
  const error = storedFailure(facts, now)
  const set = {
    status: 'failed',
    step: null,
    error: JSON.stringify(error),
    waiting_since: null,
    polls: 0,
    ...(facts.code === 'OUTCOME_UNKNOWN' && { is_unsure: true }),
  }
  const outcome = again === null ? 'failed' : 'retry'
  await end(run, { outcome, error, dueAt: again }, set, (tx) => pause(run, tx, facts, again))
}

/** A limit of the account holds for its other posts, one of the app for all its accounts. */
const pause = async ({ ctx, claim }: Held, tx: CmsTx, facts: FailureFacts, again: Date | null): Promise<void> => {
  const until = facts.retryAt ?? again
  if (facts.kind !== 'rate' || until === null || until <= ctx.now()) return
  if (facts.pauses === 'app') await pauseApp(tx, claim.row.network, until)
  else await pauseAccount(tx, claim.row.accountId, until)
}

type Ending = { outcome: string; error: unknown; dueAt: Date | null }

/** The post before the target: in the order in which people's changes take them. */
const end = (
  { ctx, claim, step }: Held,
  { outcome, error, dueAt }: Ending,
  set: Record<string, unknown>,
  also: (tx: CmsTx) => Promise<void> = async () => undefined,
): Promise<void> =>
  ctx.tx(async (tx) => {
    const post = await lockPost(tx, claim.row.postId)
    const now = ctx.now()
    if (!post || !(await settle(tx, claim, { dueAt, set: { ...set, updated_at: now } }))) throw new ClaimLost()
    await endAttempt(tx, claim.id, { at: now, step, outcome, error })
    await touchAccount(tx, claim.row.accountId, now)
    if (dueAt === null) await expireRenditions(tx, claim.id, new Date(now.getTime() + PUBLIC_MS))
    await also(tx)
    await settlePost(ctx, tx, post)
  })

/** Gives the slot back until the network is asked again; the account stays with this target. */
export const askAgain = async (run: TargetRun, afterMs: number, set: Record<string, unknown> = {}): Promise<void> => {
  const at = new Date(run.ctx.now().getTime() + afterMs)
  const polls = run.claim.row.polls + 1
  const isMine = await run.ctx.tx((tx) => settle(tx, run.claim, { dueAt: at, set: { ...set, polls } }))
  if (!isMine) throw new ClaimLost()
}
