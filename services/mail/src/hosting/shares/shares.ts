import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Insertable, Selectable } from 'kysely'
import { fail, failMember } from '../../errors.ts'
import { endViewing, startViewing } from '../../store/store.ts'
import type { ShareTable } from '../../tables/shares.ts'
import type { Tables } from '../../tables.ts'
import { SHARE_TOPIC } from './access.ts'

export { accessesOf, accessTo, type MailboxAccess, ownAccess, SHARE_TOPIC } from './access.ts'

export const SHARE_ACCESS = ['read', 'write', 'full'] as const satisfies ShareTable['access'][]
export type ShareAccess = (typeof SHARE_ACCESS)[number]

/** Everyone who views a mailbox is notified of each change in it. */
const MAX_SHARES = 100

export type NewShare = {
  accountId: string
  /** Whose mailbox it is. */
  addressId: string
  /** The address that gets access. It cannot share the mailbox further. */
  withAddressId: string
  access: ShareAccess
  now: Date
}

/** Lets another address of the same customer use a mailbox. It begins with the owner's marks of what was seen. */
export const createShare = async (
  tx: Tx<Tables>,
  { accountId, addressId, withAddressId, access, now }: NewShare,
): Promise<Share> => {
  const known = await lockAddresses(tx, accountId, [addressId, withAddressId])
  if (!known.includes(addressId)) fail('not_found')
  if (withAddressId === addressId) failMember('address_id', 'must be a different address')
  if (!known.includes(withAddressId)) fail('not_found', { message: "This address doesn't exist in your account." })
  if ((await listShareRows(tx, addressId)).length >= MAX_SHARES)
    fail('quota_exceeded', { message: `A mailbox can be shared with up to ${MAX_SHARES} addresses.` })
  const id = newId()
  const row = { address_id: addressId, id, with_address_id: withAddressId, access, created_at: now }
  if (!(await insertShare(tx, row)))
    fail('conflict', { message: 'This mailbox is already shared with this address. Delete that share first.' })
  await startViewing(tx, { addressId, viewerId: withAddressId })
  tx.changes.push({ topic: SHARE_TOPIC, event: 'created', data: { shareId: id, addressId, withAddressId } })
  return mustFind(await listShareRows(tx, addressId, id))
}

/** With whom a mailbox of the account is shared, oldest first. */
export const listShares = async (
  db: Db<Tables>,
  { accountId, addressId }: { accountId: string; addressId: string },
): Promise<Share[]> => {
  if (!(await hasAddress(db, accountId, addressId))) fail('not_found')
  return listShareRows(db, addressId)
}

/** Ends it at once, and forgets what was seen. */
export const deleteShare = async (
  tx: Tx<Tables>,
  { accountId, addressId, id }: { accountId: string; addressId: string; id: string },
): Promise<void> => {
  if (!(await hasAddress(tx, accountId, addressId))) fail('not_found')
  const { with_address_id: withAddressId } = mustFind(await listShareRows(tx, addressId, id))
  await endViewing(tx, { addressId, viewerId: withAddressId })
  await deleteShareRow(tx, addressId, id)
  tx.changes.push({ topic: SHARE_TOPIC, event: 'deleted', data: { shareId: id, addressId, withAddressId } })
}

const mustFind = ([share]: readonly Share[]): Share => share ?? fail('not_found')

/** A share as the customer sees it. */
export type Share = Selectable<ShareTable> & { with_email: string }

/** The shares of a mailbox, or one of them, without those with deleted addresses. */
const listShareRows = (db: Db<Tables>, addressId: string, id: string | null = null): Promise<Share[]> => {
  const all = db
    .selectFrom('share')
    .innerJoin('address', 'address.id', 'share.with_address_id')
    .select([
      'share.address_id',
      'share.id',
      'share.with_address_id',
      'address.email as with_email',
      'share.access',
      'share.created_at',
    ])
    .where('share.address_id', '=', addressId)
    .where('address.deleted_at', 'is', null)
  return (id === null ? all : all.where('share.id', '=', id)).orderBy('share.created_at').orderBy('share.id').execute()
}

/** False: it is shared with that address already. */
const insertShare = async (tx: Tx<Tables>, row: Insertable<ShareTable>): Promise<boolean> =>
  (await tx
    .insertInto('share')
    .values(row)
    .onConflict((conflict) => conflict.constraint('share_with_key').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined

const deleteShareRow = async (tx: Tx<Tables>, addressId: string, id: string): Promise<void> => {
  await tx.deleteFrom('share').where('address_id', '=', addressId).where('id', '=', id).execute()
}

/** Which of these addresses the account has; they are held, so that none is deleted meanwhile. */
const lockAddresses = async (tx: Tx<Tables>, accountId: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx
    .selectFrom('address')
    .select('id')
    .where('id', 'in', [...ids])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether the account has the address. */
const hasAddress = async (db: Db<Tables>, accountId: string, id: string): Promise<boolean> =>
  (await db
    .selectFrom('address')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined
