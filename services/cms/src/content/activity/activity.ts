import { contentAreas } from '@stoa/cms-model/activity.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import type { Ctx } from '../../context.ts'
import { agentKeyIdsOf } from '../../people/agent-keys/agent-keys.ts'
import { scopeFor } from '../../principal.ts'
import { type ActivityItem, listRows } from './queries.ts'

export type ActivityFilter = Page & {
  /** A person, with what their agent keys did; or one agent key. */
  actor?: string | undefined
  /** One action, or an area: `entry.published`, `entry`. */
  action?: string | undefined
  targetKind?: string | undefined
  targetId?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

/** Who did what, the newest first. Without users.manage only actions on content are listed. */
export const listActivity = async (ctx: Ctx, filter: ActivityFilter): Promise<List<ActivityItem>> => {
  const { actor, action, targetKind, targetId, since, until, page, limit } = filter
  const { items, total } = await listRows(ctx.db, {
    areas: scopeFor(ctx.principal, 'users.manage') === null ? contentAreas : null,
    actorIds: actor === undefined ? null : [actor, ...(await agentKeyIdsOf(ctx.db, actor))],
    action,
    targetKind,
    targetId,
    since,
    until,
    page,
    limit,
  })
  return toList(items, total, filter)
}
