import type { CmsTx } from '../context.ts'
import type { Actor, Via } from './events.ts'

export type NewActivity = {
  id: string
  at: Date
  actor: Actor
  via: Via
  action: string
  target: { kind: string; id: string | null; label: string }
  changed: string[]
}

export const insertActivity = async (tx: CmsTx, activity: NewActivity): Promise<void> => {
  const { id, at, actor, via, action, target, changed } = activity
  await tx
    .insertInto('activity')
    .values({
      id,
      at,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      via,
      action,
      target_kind: target.kind,
      target_id: target.id,
      target_label: target.label,
      changed,
    })
    .execute()
}
