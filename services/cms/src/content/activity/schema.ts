import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import { listQuery } from '@stoa/cms-model/lists.ts'
import { givenMoment } from '@stoa/cms-model/moments.ts'
import { z } from 'zod'
import type { ActivityItem } from './queries.ts'

const MAX_WORD_LENGTH = 200
const word = z.string().min(1, 'must not be empty').max(MAX_WORD_LENGTH)

export const activityQuery = listQuery({
  actor: z.uuid().optional(),
  action: word.optional(),
  targetKind: word.optional(),
  targetId: word.optional(),
  since: givenMoment.optional(),
  until: givenMoment.optional(),
})

export const activityJson = ({ id, at, actor, via, action, target, changed }: ActivityItem): ActivityRecord => ({
  id,
  at: at.toISOString(),
  actor: { kind: actor.kind, id: actor.id, name: actor.name },
  via,
  action,
  target: { kind: target.kind, id: target.id, label: target.label },
  changed,
})
