import type { MailDb, MailTx } from '../handles.ts'
import { findRecent, raiseRecent } from './recent-queries.ts'

/**
 * Makes the messages of a folder up to a UID recent to one session, and to no other one (RFC 3501 §2.3.2). Gives the UID
 * after which they are; null if others have been told of all of them, or the folder is not there any more.
 */
export const claimRecent = async (
  tx: MailTx,
  claim: { addressId: string; folderId: string; uid: number },
): Promise<number | null> => (await raiseRecent(tx, claim)) ?? null

/** The UID after which no session has been told of the messages of a folder. */
export const recentMark = async (db: MailDb, folder: { addressId: string; folderId: string }): Promise<number> =>
  (await findRecent(db, folder)) ?? 0
