import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { recordEntryChange } from './changes.ts'
import { publishProblems } from './content.ts'
import { type StoredEntry, workingCopy } from './record.ts'
import { type Opened, storeEntry } from './write.ts'

export type Scheduling = { action: 'publish' | 'unpublish'; at: Date | null }

/** Sets the time at which the entry is published or unpublished; null takes it back. */
export const scheduleEntry = async (
  ctx: Ctx,
  tx: CmsTx,
  opened: Opened,
  { action, at }: Scheduling,
): Promise<StoredEntry> => {
  const { entry } = opened
  const member = action === 'publish' ? 'publishAt' : 'unpublishAt'
  if (entry[member]?.getTime() === at?.getTime()) return entry
  if (at !== null) refuseSchedule(ctx, opened, { action, at })
  const after = await storeEntry(ctx, tx, opened, {
    next: member === 'publishAt' ? { publishAt: at } : { unpublishAt: at },
    revision: null,
  })
  await recordEntryChange(ctx, tx, opened, {
    before: entry,
    after,
    names: [at === null ? 'entry.updated' : 'entry.scheduled'],
    changed: [member],
  })
  return after
}

/** A change that could not happen at that time is refused now, while someone is there to fix it. */
const refuseSchedule = (ctx: Ctx, { entry, type }: Opened, { action, at }: { action: string; at: Date }): void => {
  if (at <= ctx.now())
    fail('SCHEDULE_IN_PAST', { details: { fields: [{ key: 'at', message: 'must be in the future' }] } })
  if (action === 'publish') {
    const problems = publishProblems(type, workingCopy(entry))
    if (problems.length > 0) failFields(problems)
    return
  }
  const isLiveThen = entry.status === 'published' || (entry.publishAt !== null && entry.publishAt < at)
  if (!isLiveThen)
    fail('INVALID_STATE', {
      message: "This entry isn't published and won't be at that time. Publish or schedule it first.",
    })
}
