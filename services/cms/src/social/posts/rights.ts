import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { requirePermission } from '../../people/access/access.ts'
import { personOf } from '../../principal.ts'
import type { StoredPost, StoredTarget } from './queries.ts'

/** Goes out without anybody looking again. */
export const isPending = ({ status, nextAttemptAt }: Pick<StoredTarget, 'status' | 'nextAttemptAt'>): boolean =>
  status === 'scheduled' || status === 'publishing' || nextAttemptAt !== null

/** Refuses whoever may not change this post: an author reaches own ones that nobody has scheduled or sent. */
export const requirePost = (
  ctx: Ctx,
  { authorId }: Pick<StoredPost, 'authorId'>,
  targets: readonly StoredTarget[],
): void => {
  const details = { permission: 'social.write' }
  if (requirePermission(ctx.principal, 'social.write') === 'any') return
  if (authorId === null || authorId !== personOf(ctx)?.id)
    fail('FORBIDDEN', { message: 'You can change posts of your own only', details })
  if (targets.some(isPending))
    fail('FORBIDDEN', { message: 'This post is scheduled or being sent: an editor has to change it', details })
}
