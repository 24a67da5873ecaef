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
  /** One at a time for each folder: all its sessions hear of a message at once, and it is recent to one of them. */
  const underWay = new Map<string, Promise<unknown>>()
  const isTaken = ({ folderId, uid }: Claim): boolean => uid <= (known.get(folderId) ?? 0)

  const ask = async (claim: Claim): Promise<number | null> => {
    const { folderId, uid } = claim
    const after = await tx((tx) => claimRecent(tx, claim))
    known.set(folderId, Math.max(uid, known.get(folderId) ?? 0))
    if (known.size > MAX_REMEMBERED) for (const oldest of known.keys()) if (known.delete(oldest)) break
    return after
  }
  return {
    async claim(claim) {
      const { folderId } = claim
      for (;;) {
        if (isTaken(claim)) return null
        const other = underWay.get(folderId)
        if (!other) break
        // Whoever asked hears of the error.
        await other.catch(() => undefined)
      }
      const asking = ask(claim)
      underWay.set(folderId, asking)
      return asking.finally(() => underWay.delete(folderId))
    },
  }
}
