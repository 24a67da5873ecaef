import { expunge } from '../../store/store.ts'
import type { ImapSession } from './session.ts'
import type { FolderView } from './view.ts'

/** Removes what is marked \Deleted, of these UIDs or of all, some hundred at a time so that others get their turn. */
export const expungeDeleted = async (
  { parts, door }: ImapSession,
  { access, folder }: FolderView,
  uids: readonly number[] | null,
): Promise<{ modseq: number | null }> => {
  let modseq: number | null = null
  for (let more = uids === null || uids.length > 0; more; ) {
    const input = { addressId: access.addressId, folderId: folder.id, uids, now: parts.clock.now() }
    const done = await door.write(access.addressId, (tx) => expunge(tx, input))
    if (done.uids.length > 0) modseq = done.modseq
    more = done.more
  }
  return { modseq }
}
