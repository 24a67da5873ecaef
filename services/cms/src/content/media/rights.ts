import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { requirePermission } from '../../people/access/access.ts'
import { personOf } from '../../principal.ts'
import type { StoredMedia } from './queries.ts'

/** Refuses whoever may not change this file: an author reaches own ones only. */
export const requireFile = (ctx: Ctx, { createdBy }: Pick<StoredMedia, 'createdBy'>): void => {
  if (requirePermission(ctx.principal, 'media.manage') === 'any') return
  if (createdBy !== null && createdBy.id === personOf(ctx)?.id) return
  fail('FORBIDDEN', {
    message: 'You can change files that you have uploaded only',
    details: { permission: 'media.manage' },
  })
}
