import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import type { WantedVersion } from '../../version-conflict.ts'
import { changeOf, getPost, lockForChange, type WholePost, warnOfDuplicates } from './posts.ts'
import { queueTargets, type StoredTarget, touchPost, unqueueTargets } from './queries.ts'
import { recordPost, rollUpPost } from './status.ts'

/** Everything that is not out yet goes out then. */
export const schedulePost = async (ctx: Ctx, id: string, at: Date, wanted: WantedVersion): Promise<WholePost> => {
  await ctx.tx(async (tx) => {
    const { post, targets } = await lockForChange(tx, id, wanted)
    if (at <= ctx.now())
      fail('SCHEDULE_IN_PAST', { details: { fields: [{ key: 'at', message: 'must be in the future' }] } })
    if (post.status === 'publishing') fail('INVALID_STATE', { message: 'The post is being sent right now' })
    if (post.status === 'posted') fail('INVALID_STATE', { message: 'The post has already been published' })
    const open = idsOf(targets.filter(({ status }) => status !== 'posted'))
    await queueTargets(tx, open, { dueAt: at, isUrgent: false, at: ctx.now() })
    await touchPost(tx, id, { scheduledAt: at }, changeOf(ctx))
    await rollUpPost(tx, id)
    await warnOfDuplicates(ctx, tx, id)
    await recordPost(ctx, tx, 'scheduled', post, ['scheduledAt'])
  })
  return getPost(ctx, id)
}

/** Calls back what is scheduled, or waits to be tried again. */
export const cancelPost = async (ctx: Ctx, id: string, wanted: WantedVersion): Promise<WholePost> => {
  await ctx.tx(async (tx) => {
    const { post, targets } = await lockForChange(tx, id, wanted)
    if (post.status === 'publishing') fail('INVALID_STATE', { message: "The post is being sent and can't be canceled" })
    const waiting = targets.filter(
      ({ status, nextAttemptAt }) => status === 'scheduled' || (status === 'failed' && nextAttemptAt !== null),
    )
    if (waiting.length === 0) fail('INVALID_STATE', { message: "The post isn't scheduled" })
    await unqueueTargets(tx, idsOf(waiting), ctx.now())
    await touchPost(tx, id, { scheduledAt: null }, changeOf(ctx))
    await rollUpPost(tx, id)
    await recordPost(ctx, tx, 'cancelled', post, ['scheduledAt'])
  })
  return getPost(ctx, id)
}

type Publish = { targetIds?: readonly string[] | undefined; wanted: WantedVersion }

/** Sends now what is not out yet, whatever it waits for; answers when it is out, or after a while. */
export const publishPost = async (ctx: Ctx, id: string, { targetIds, wanted }: Publish): Promise<WholePost> => {
  const sent = await ctx.tx(async (tx) => {
    const { post, targets } = await lockForChange(tx, id, wanted)
    const unknown = (targetIds ?? []).filter((one) => targets.every((target) => target.id !== one))
    if (unknown.length > 0)
      failFields(unknown.map((one) => ({ key: 'targetIds', message: `${one} isn't a target of this post` })))
    const open = targets.filter(
      (target) =>
        target.status !== 'posted' &&
        target.status !== 'publishing' &&
        (targetIds === undefined || targetIds.includes(target.id)),
    )
    if (open.length === 0) return []
    const now = ctx.now()
    await queueTargets(tx, idsOf(open), { dueAt: now, isUrgent: true, at: now })
    await touchPost(tx, id, { scheduledAt: post.scheduledAt ?? now }, changeOf(ctx))
    await rollUpPost(tx, id)
    await warnOfDuplicates(ctx, tx, id)
    await recordPost(ctx, tx, 'published', post)
    return idsOf(open)
  })
  return untilSettled(ctx, id, new Set(sent))
}

const LOOK_EVERY_MS = 250

/** Whichever process sends it: what it does is read from the database. */
const untilSettled = async (ctx: Ctx, id: string, sent: ReadonlySet<string>): Promise<WholePost> => {
  const until = performance.now() + ctx.socialWaitMs
  for (;;) {
    const whole = await getPost(ctx, id)
    if (!whole.targets.some((target) => sent.has(target.id) && isQuick(target))) return whole
    if (performance.now() + LOOK_EVERY_MS > until) return whole
    await sleep(LOOK_EVERY_MS)
  }
}

/** Under way, and not held up by a network that works on a video. */
const isQuick = ({ status, step }: StoredTarget): boolean =>
  status === 'scheduled' || (status === 'publishing' && step !== 'wait')

const idsOf = (targets: readonly StoredTarget[]): string[] => targets.map(({ id }) => id)
