import type { MailTx } from '../handles.ts'
import { lockMailbox } from './mailbox-queries.ts'
import { copySeen, deleteMarksOf } from './viewer-queries.ts'

/** A second or less, whatever the mailbox is. */
const COPIED_AT_ONCE = 20_000

export type Viewing = { addressId: string; viewerId: string }

/** Somebody begins to look at a mailbox that has just been shared with them: they start with what the owner has seen. */
export const startViewing = async (tx: MailTx, { addressId, viewerId }: Viewing): Promise<void> => {
  await lockMailbox(tx, addressId)
  let after: string | null = null
  do after = await copySeen(tx, { addressId, viewerId }, { after, limit: COPIED_AT_ONCE })
  while (after !== null)
}

/** Forgets what somebody has seen in a mailbox. Call it before the share ends: nobody marks anything any more then. */
export const endViewing = async (tx: MailTx, { addressId, viewerId }: Viewing): Promise<void> => {
  await lockMailbox(tx, addressId)
  await deleteMarksOf(tx, addressId, viewerId)
}
