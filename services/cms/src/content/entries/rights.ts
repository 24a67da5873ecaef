import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { requirePermission } from '../../people/access/access.ts'
import { personOf, scopeFor } from '../../principal.ts'
import type { Person, StoredEntry } from './record.ts'

/** Refuses callers that may not move this entry: an author reaches own drafts only. */
export const requireWrite = (ctx: Ctx, { author, status }: Pick<StoredEntry, 'author' | 'status'>): void => {
  if (requirePermission(ctx.principal, 'content.write') === 'any') return
  if (author !== null && author.id === personOf(ctx)?.id && status === 'draft') return
  fail('FORBIDDEN', {
    message: 'You can only change your own drafts',
    details: { permission: 'content.write' },
  })
}

/**
 * Refuses callers that may not edit this entry. What is scheduled goes live without anybody looking again, so that
 * changing it takes the right to publish.
 */
export const requireEdit = (ctx: Ctx, entry: Pick<StoredEntry, 'author' | 'status' | 'publishAt'>): void => {
  requireWrite(ctx, entry)
  if (entry.publishAt === null || canPublish(ctx)) return
  fail('FORBIDDEN', {
    message: 'This entry is scheduled to be published. Ask someone who can publish to cancel the schedule first.',
    details: { permission: 'content.publish' },
  })
}

export const canPublish = (ctx: Ctx): boolean => scopeFor(ctx.principal, 'content.publish') !== null

/** The person recorded as the editor, also behind an agent key or a plugin; null for the scheduler. */
export const editorOf = (ctx: Ctx): Person | null => {
  const account = personOf(ctx)
  return account && { id: account.id, name: account.name }
}
