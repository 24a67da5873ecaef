import type { Db } from '@stoa/kit/db/database.ts'
import { isUuid } from '@stoa/kit/ids.ts'
import type { SignedInAddress } from '../../principal.ts'
import type { ShareTable } from '../../tables/shares.ts'
import type { Tables } from '../../tables.ts'

/** What somebody who signed in may do with one mailbox. Doors ask for it with every request, so that a share ends at once. */
export type MailboxAccess = {
  /** Whose mailbox: the store's partition key, JMAP's accountId. */
  addressId: string
  email: string
  name: string | null
  /** The customer. */
  accountId: string
  /** Null: the owner. Otherwise the address that views it: it has its own `$seen`, so the store needs to know it. */
  viewerId: string | null
  /** Keywords (but one's own `$seen` always), add, move and delete messages. */
  mayWrite: boolean
  /** Folders: create, rename, delete. */
  mayManage: boolean
}

/** One's own mailbox, with all rights. */
export const ownAccess = ({ id, accountId, email, name }: SignedInAddress): MailboxAccess => ({
  addressId: id,
  email,
  name,
  accountId,
  viewerId: null,
  mayWrite: true,
  mayManage: true,
})

/** All mailboxes that an address may use: its own first, then shared ones by e-mail address. */
export const accessesOf = async (db: Db<Tables>, address: SignedInAddress): Promise<MailboxAccess[]> => {
  const shared = await findSharedWith(db, address, null)
  return [ownAccess(address), ...shared.map((each) => sharedAccess(address, each))]
}

/** Access to one mailbox; null if it may not be used. One's own needs no query. */
export const accessTo = async (
  db: Db<Tables>,
  address: SignedInAddress,
  addressId: string,
): Promise<MailboxAccess | null> => {
  if (addressId === address.id) return ownAccess(address)
  const [shared] = isUuid(addressId) ? await findSharedWith(db, address, addressId) : []
  return shared ? sharedAccess(address, shared) : null
}

/** The topic of changes of access, with `withAddressId`: read it again. */
export const SHARE_TOPIC = 'share'

const sharedAccess = (
  { id, accountId }: SignedInAddress,
  { addressId, email, name, access }: SharedMailbox,
): MailboxAccess => ({
  addressId,
  email,
  name,
  accountId,
  viewerId: id,
  mayWrite: access !== 'read',
  mayManage: access === 'full',
})

type SharedMailbox = { addressId: string; email: string; name: string | null; access: ShareTable['access'] }

/** Mailboxes that an address may use besides its own, or one of them: only of addresses that may be used themselves. */
const findSharedWith = (
  db: Db<Tables>,
  { id, accountId }: { id: string; accountId: string },
  addressId: string | null,
): Promise<SharedMailbox[]> =>
  db.query<SharedMailbox>({
    name: 'find-shared-with',
    text: `select a.id as "addressId", a.email, a.name, s.access
      from share s join address a on a.id = s.address_id
      where s.with_address_id = $1 and a.account_id = $2 and a.deleted_at is null and a.enabled
        and ($3::uuid is null or s.address_id = $3)
      order by a.email`,
    values: [id, accountId, addressId],
  })
