import type { Tx } from '@stoa/kit/db/database.ts'
import { notifyAccount, transferResult } from '../../hosting/system-mail/system-mail.ts'
import { recordEvent } from '../../hosting/webhook-events/webhook-events.ts'
import type { Tables } from '../../tables.ts'
import { announceTransfer } from './changes.ts'
import { type ClaimedTransfer, endTransferRow } from './claim-queries.ts'
import { transferJson } from './json.ts'
import { findTransfer } from './panel-queries.ts'
import { TransferLost } from './problems.ts'
import { deletePlan, settleTotal } from './progress-queries.ts'
import type { TransferParts } from './run.ts'

/** Everything is copied. */
export const completeTransfer = async (parts: TransferParts, tx: Tx<Tables>, claim: ClaimedTransfer): Promise<void> => {
  if (!(await endTransferRow(tx, claim, { status: 'completed', error: null, now: parts.clock.now() })))
    throw new TransferLost()
  await settleTotal(tx, claim.id)
  await notifyEnd(parts, tx, claim)
}

/** It cannot go on. What is copied stays. */
export const failTransfer = async (
  parts: TransferParts,
  tx: Tx<Tables>,
  claim: ClaimedTransfer,
  error: string,
): Promise<void> => {
  if (!(await endTransferRow(tx, claim, { status: 'failed', error, now: parts.clock.now() }))) return
  await notifyEnd(parts, tx, claim)
}

/** Notifies the owner, by mail if that is on, and all subscribers. */
const notifyEnd = async (parts: TransferParts, tx: Tx<Tables>, { id, accountId }: ClaimedTransfer): Promise<void> => {
  announceTransfer(tx, 'ended', { id, accountId })
  await deletePlan(tx, id)
  const row = await findTransfer(tx, accountId, id)
  if (!row) return
  const data = transferJson(row)
  const type = row.status === 'completed' ? 'transfer.completed' : 'transfer.failed'
  await recordEvent(tx, accountId, { type, data }, parts.clock.now())
  const content = transferResult({
    address: row.email,
    host: row.host,
    copied: row.messages_copied,
    failed: row.messages_failed,
    error: row.error,
    url: `${parts.config.publicUrl}/transfers/${id}`,
  })
  await notifyAccount(parts, tx, { accountId, about: 'transfer_results', content })
}
