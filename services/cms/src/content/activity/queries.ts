import type { Page } from '@stoa/cms-model/lists.ts'
import { sql } from 'kysely'
import type { CmsDb } from '../../context.ts'
import type { Actor, Via } from '../../events/events.ts'

export type ActivityItem = {
  id: string
  at: Date
  actor: Actor
  via: Via
  action: string
  target: { kind: string; id: string | null; label: string }
  changed: string[]
}

export type ActivityRows = Page & {
  /** The prefixes that actions are limited to; null for all. */
  areas: readonly string[] | null
  actorIds: readonly string[] | null
  /** One action, or with its first word alone all of an area. */
  action: string | undefined
  targetKind: string | undefined
  targetId: string | undefined
  /** From this moment on, up to but not including that one. */
  since: Date | undefined
  until: Date | undefined
}

/** The newest first. */
export const listRows = async (db: CmsDb, rows: ActivityRows): Promise<{ items: ActivityItem[]; total: number }> => {
  const { count } = await matching(db, rows)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const found = await matching(db, rows)
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(rows.limit)
    .offset((rows.page - 1) * rows.limit)
    .execute()
  const items = found.map((row) => ({
    id: row.id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    via: row.via,
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id, label: row.target_label },
    changed: row.changed,
  }))
  return { items, total: count }
}

const area = sql<string>`split_part(action, '.', 1)`

const matching = (db: CmsDb, rows: ActivityRows) => {
  let query = db.selectFrom('activity')
  if (rows.areas) query = query.where(area, 'in', [...rows.areas])
  if (rows.actorIds) query = query.where('actor_id', 'in', [...rows.actorIds])
  if (rows.action?.includes('.')) query = query.where('action', '=', rows.action)
  else if (rows.action !== undefined) query = query.where(area, '=', rows.action)
  if (rows.targetKind !== undefined) query = query.where('target_kind', '=', rows.targetKind)
  if (rows.targetId !== undefined) query = query.where('target_id', '=', rows.targetId)
  if (rows.since) query = query.where('at', '>=', rows.since)
  return rows.until ? query.where('at', '<', rows.until) : query
}
