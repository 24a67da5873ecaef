import type { Database } from '@stoa/kit/db/database.ts'
import { claimRecent } from '../store/recent.ts'
import type { Tables } from '../tables.ts'

type Claim = { addressId: string; folderId: string; uid: number }

/** Gives each message to the first session that sees it: \Recent (RFC 3501 §2.3.2). */
export type Recents = {
  /** The UID after which messages up to `uid` are recent to who asks; null if none are. */
  claim(claim: Claim): Promise<number | null>
}

/** Folders whose mark is remembered, so that most who ask in vain do not ask the database. */
const MAX_REMEMBERED = 10_000

export const createRecents = ({ tx }: Pick<Database<Tables>, 'tx'>): Recents => {
  const known = new Map<string, number>()
  return {
    async claim({ addressId, folderId, uid }) {
      const mark = known.get(folderId)
      if (uid === 0 || (mark !== undefined && mark >= uid)) return null
      const after = await tx((tx) => claimRecent(tx, { addressId, folderId, uid }))
      known.set(folderId, Math.max(uid, known.get(folderId) ?? 0))
      if (known.size > MAX_REMEMBERED) for (const oldest of known.keys()) if (known.delete(oldest)) break
      return after
    },
  }
}
