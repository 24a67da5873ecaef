import type { ChangeHook } from '../../events/events.ts'
import { failWaitingTargets, lockPostsWaitingFor } from './queries.ts'
import { settlePost } from './status.ts'

/** Pending posts of an account fail when it is disconnected, and listeners are notified. */
export const failPostsOfGoneAccount: ChangeHook = async (ctx, tx, { action, target }) => {
  if (action !== 'social.account.disconnected' || target.id === null) return
  const posts = await lockPostsWaitingFor(tx, target.id)
  if (posts.length === 0) return
  await failWaitingTargets(tx, target.id, {
    kind: 'config',
    code: 'ACCOUNT_GONE',
    message: 'The account was disconnected before this post went out. Connect it again, then retry.',
    at: ctx.now().toISOString(),
  })
  for (const post of posts) await settlePost(ctx, tx, post)
}
