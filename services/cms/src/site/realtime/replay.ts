import type { Change } from '@stoa/kit/db/database.ts'
import type { CmsDb } from '../../context.ts'
import { type ActivityRow, listActivitySince } from './queries.ts'

/** More than this is not sent one by one: a client that missed it has to read everything again. */
const MAX_REPLAYED = 1_000
/** Clocks of processes differ, and a lost connection is noticed late. What is sent twice is read twice, no more. */
const MARGIN_MS = 5_000

/** The changes since then as Activity has them, for those who may have missed them; null when they are too many. */
export const changesSince = async (db: CmsDb, since: Date): Promise<Change[] | null> => {
  const from = new Date(since.getTime() - MARGIN_MS)
  const activity = await listActivitySince(db, { since: from, limit: MAX_REPLAYED + 1 })
  return activity.length > MAX_REPLAYED ? null : activity.flatMap(toChanges)
}

const toChanges = ({ action, targetId, slug, type, wasPublished, isShownAnew }: ActivityRow): Change[] => {
  const [kind = ''] = action.split('.')
  const topic = kind === 'term' ? 'taxonomy' : kind
  const change = (event: string, isPublic: boolean): Change => ({
    topic,
    event,
    data: { id: targetId, slug, type, isPublic },
  })
  if (action === 'entry.updated' && isShownAnew) return [change(action, false), change('entry.published', true)]
  const isPublic =
    action === 'entry.published' || action === 'entry.unpublished' || (action === 'entry.deleted' && wasPublished)
  return [change(action, isPublic)]
}
