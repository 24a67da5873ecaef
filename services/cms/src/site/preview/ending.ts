import type { Services } from '../../context.ts'
import type { ChangeHook } from '../../events/events.ts'
import { deletePreviewsOf, deleteSnapshotsOf } from './queries.ts'

/** The links to an entry that is being deleted end for good, also when the entry comes back from the trash. */
export const endPreviews: ChangeHook = async (_ctx, tx, { action, target }) => {
  if (action === 'entry.deleted' && target.id !== null) await deletePreviewsOf(tx, target.id)
}

/** Previews of unsaved changes end with the start that made them. One that is killed is found out by its connection. */
export const endSnapshots = async ({ database, bootId, log }: Services): Promise<void> => {
  await database
    .tx((tx) => deleteSnapshotsOf(tx, bootId))
    .catch((error: unknown) => log.warn({ err: error }, 'previews of this start are left to expire'))
}
