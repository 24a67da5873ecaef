import { accessTo } from '../../hosting/shares/shares.ts'
import { FolderGone } from './open-view.ts'
import type { ImapSession } from './session.ts'

/** A share may have ended since the folder was selected. */
export const confirmAccess = async (session: ImapSession): Promise<void> => {
  const { view, signIn, parts } = session
  if (!view || !signIn || view.access.viewerId === null) return
  const access = await accessTo(parts.database.db, signIn.address, view.access.addressId)
  if (!access || (view.access.mayWrite && !access.mayWrite))
    throw new FolderGone('This folder is no longer shared with you')
}
