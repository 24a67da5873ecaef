import type { ActivityRecord } from '@stoa/cms-model/activity.ts'

/** Records of one actor that belong together: the same action on one or many targets. */
export type ActivityGroup = {
  /** The id of the newest record in the group. */
  id: string
  at: string
  actor: ActivityRecord['actor']
  via: ActivityRecord['via']
  action: string
  kind: string
  /** The newest first; each thing once, however often it was touched. */
  targets: readonly ActivityRecord['target'][]
  /** Everything that changed, of all of them. */
  changed: readonly string[]
  /** How many records it stands for. */
  times: number
}

/** After a longer pause it is another piece of work. */
const PAUSE_MS = 60 * 60_000

/**
 * Records, the newest first, as pieces of work: an upload of twelve files is one line, and so are the saves of an hour,
 * also when somebody else did something in between.
 */
export const groupActivity = (records: readonly ActivityRecord[]): readonly ActivityGroup[] => {
  const groups: ActivityRecord[][] = []
  const open = new Map<string, ActivityRecord[]>()
  for (const record of records) {
    const key = keyOf(record)
    const group = open.get(key)
    const last = group?.at(-1)
    if (group && last && Date.parse(last.at) - Date.parse(record.at) <= PAUSE_MS) group.push(record)
    else {
      const begun = [record]
      open.set(key, begun)
      groups.push(begun)
    }
  }
  return groups.flatMap(groupOf)
}

const keyOf = ({ actor, via, action, target }: ActivityRecord): string =>
  JSON.stringify([actor.kind, actor.id, actor.name, via, action, target.kind])

const groupOf = (records: readonly ActivityRecord[]): ActivityGroup[] => {
  const [newest] = records
  if (!newest) return []
  const targets = new Map<string, ActivityRecord['target']>()
  for (const { target } of records) {
    const key = target.id ?? target.label
    if (!targets.has(key)) targets.set(key, target)
  }
  const { id, at, actor, via, action, target } = newest
  return [
    {
      id,
      at,
      actor,
      via,
      action,
      kind: target.kind,
      targets: [...targets.values()],
      changed: [...new Set(records.flatMap(({ changed }) => changed))],
      times: records.length,
    },
  ]
}
