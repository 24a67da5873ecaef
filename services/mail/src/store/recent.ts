import type { MailTx } from './handles.ts'
import { raiseRecent } from './recent-queries.ts'

/**
 * Makes the messages of a folder up to a UID recent to one session, and to no other one (RFC 3501 §2.3.2). Gives the UID
 * after which they are; null if others have been told of all of them.
 */
export const claimRecent = async (
  tx: MailTx,
  claim: { addressId: string; folderId: string; uid: number },
): Promise<number | null> => (await raiseRecent(tx, claim)) ?? null
