import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

/** What workers and panels listen for. */
export const TRANSFER_TOPIC = 'transfer'

export type TransferChange = 'queued' | 'updated' | 'cancelled' | 'ended'

/** Notifies of a change of a transfer, once the transaction has committed. */
export const announceTransfer = (
  tx: Tx<Tables>,
  event: TransferChange,
  { id, accountId }: { id: string; accountId: string },
): void => {
  tx.changes.push({ topic: TRANSFER_TOPIC, event, data: { transferId: id, accountId } })
}
