import { quotaOf } from '../../../hosting/plans/plans.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { hasRoom, listFolders } from '../../../store/store.ts'
import type { JmapCall } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { NO_MAILBOX } from './filing.ts'

/**
 * Refuses a message that the mailbox will not take, before its bytes are written: what nobody links to stays on the disk
 * for a day, and one call may try with hundreds. The store decides once more when the message is added.
 */
export const checkFits = async (
  { parts }: Pick<JmapCall, 'parts'>,
  { addressId }: MailboxAccess,
  { folderIds, size }: { folderIds: readonly string[]; size: number },
): Promise<void> => {
  const { db } = parts.database
  const known = new Set((await listFolders(db, addressId)).map(({ id }) => id))
  if (!folderIds.every((id) => known.has(id))) failProperties(['mailboxIds'], NO_MAILBOX)
  const quotaBytes = await quotaOf(db, addressId)
  if (!(await hasRoom(db, { addressId, quotaBytes, size }))) failSet('overQuota', 'The mailbox is full.')
}
