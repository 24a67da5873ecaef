import type { CancelledEmail, RescheduledEmail } from '@stoa/mail-model/emails.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { cancelQueued, postponeQueued } from '../../hosting/enqueue/enqueue.ts'
import { scheduleOf } from './drafts.ts'
import { recordEmailEvents } from './events.ts'
import { messagePrefix } from './prefix.ts'
import { setCancelled, setSchedule } from './queries.ts'
import type { WholeEmailRow } from './read-queries.ts'

/** Has a mail that waits for its time leave at another one. */
export const rescheduleEmail = async (ctx: Ctx, row: WholeEmailRow, when: string): Promise<RescheduledEmail> => {
  const { account_id: accountId, id } = row
  const now = ctx.now()
  const scheduledAt = scheduleOf(when, now)
  requireScheduled(row)
  await ctx.tx(async (tx) => {
    const sendAt = scheduledAt ?? now
    const prefix = messagePrefix(ctx.config, { id, acceptedAt: row.created_at, sendAt })
    // The queue's rows first, as who delivers does: nobody waits for each other.
    if ((await postponeQueued(tx, id, { notBefore: sendAt, prefix, now })) !== 'postponed') refuseLate()
    await setSchedule(tx, { accountId, id, scheduledAt })
    await recordEmailEvents(tx, [
      { accountId, emailId: id, type: scheduledAt ? 'scheduled' : 'queued', recipient: null, at: now },
    ])
  })
  return {
    object: 'email',
    id,
    scheduled_at: scheduledAt?.toISOString() ?? null,
    status: scheduledAt ? 'scheduled' : 'queued',
  }
}

/** Takes a mail back that waits for its time. */
export const cancelEmail = async (ctx: Ctx, row: WholeEmailRow): Promise<CancelledEmail> => {
  const { account_id: accountId, id } = row
  requireScheduled(row)
  await ctx.tx(async (tx) => {
    if ((await cancelQueued(tx, id)) !== 'cancelled') refuseLate()
    await setCancelled(tx, { accountId, id })
    await recordEmailEvents(tx, [{ accountId, emailId: id, type: 'canceled', recipient: null, at: ctx.now() }])
  })
  return { object: 'email', id, status: 'cancelled' }
}

const requireScheduled = ({ status }: WholeEmailRow): void => {
  if (status === 'cancelled') fail('conflict', { message: 'This email was canceled.' })
  if (status !== 'scheduled') fail('conflict', { message: "This email isn't scheduled." })
}

const refuseLate = (): never => fail('conflict', { message: 'This email is already being sent.' })
