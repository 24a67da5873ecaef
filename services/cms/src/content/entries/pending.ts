import type { Entry } from '@stoa/cms-model/entries.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { WantedVersion } from '../../version-conflict.ts'
import { changedMembers, recordEntryChange } from './changes.ts'
import { requireEdit } from './rights.ts'
import { showEntry } from './show.ts'
import { openEntry, storeEntry } from './write.ts'

/** Throws the unpublished changes away: what is live is what is edited. The history keeps them. */
export const discardPending = (ctx: Ctx, id: string, wanted: WantedVersion): Promise<Entry> =>
  ctx.tx(async (tx) => {
    const opened = await openEntry(ctx, tx, id, { wanted, may: requireEdit })
    const { entry } = opened
    if (entry.pending === null) return fail('INVALID_STATE', { message: 'This entry has no unpublished changes' })
    const changed = changedMembers(entry.pending, entry)
    const after = await storeEntry(ctx, tx, opened, {
      next: { pending: null },
      revision: { reason: 'restore', changed },
    })
    await recordEntryChange(ctx, tx, opened, { before: entry, after, names: ['entry.updated'], changed })
    return showEntry(ctx, tx, after)
  })
