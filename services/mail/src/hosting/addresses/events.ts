import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { hasListener, recordEvent, recordEvents } from '../webhook-events/webhook-events.ts'
import { addressJson } from './schema.ts'
import { findAddressView, listAllAddressViews } from './view-queries.ts'

/** Records a webhook event about an address; about one that is to be deleted while it still exists. */
export const recordAddressEvent = async (
  tx: Tx<Tables>,
  type: 'address.created' | 'address.updated' | 'address.deleted',
  { accountId, addressId, now }: { accountId: string; addressId: string; now: Date },
): Promise<void> => {
  if (!(await hasListener(tx, accountId, type))) return
  const view = await findAddressView(tx, accountId, addressId)
  if (view) await recordEvent(tx, accountId, { type, data: addressJson(view) }, now)
}

/** Records webhook events about the addresses that are deleted with their domain, before they are. */
export const recordAddressDeletions = async (
  tx: Tx<Tables>,
  { accountId, domainId, now }: { accountId: string; domainId: string; now: Date },
): Promise<void> => {
  const type = 'address.deleted'
  if (!(await hasListener(tx, accountId, type))) return
  const views = await listAllAddressViews(tx, accountId, domainId)
  const events = views.map((view) => ({ type, data: addressJson(view) }) as const)
  await recordEvents(tx, accountId, events, now)
}
