import type { Selectable } from 'kysely'
import type { SignIn } from '../../../principal.ts'
import type { MailDb, MailTx } from '../../../store/store.ts'
import type { PushSubscriptionTable } from '../../../tables/push.ts'

export type SubscriptionRow = Selectable<PushSubscriptionTable>

/** RFC 8620 §7.2.1: those that were made with the same credentials. */
export const findSubscriptions = (
  db: MailDb,
  { address, appPasswordId }: Pick<SignIn, 'address' | 'appPasswordId'>,
  now: Date,
): Promise<SubscriptionRow[]> => {
  const found = db.selectFrom('push_subscription').selectAll().where('address_id', '=', address.id)
  return found
    .where('app_password_id', appPasswordId === null ? 'is' : '=', appPasswordId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute()
}

/** Counts the devices of the address. The lock keeps others from adding one meanwhile. */
export const countSubscriptions = async (tx: MailTx, addressId: string): Promise<number> => {
  await tx.query({ text: 'select id from address where id = $1 for no key update', values: [addressId] })
  const [row] = await tx.query<{ count: number }>({
    text: 'select count(*)::int as count from push_subscription where address_id = $1',
    values: [addressId],
  })
  return row?.count ?? 0
}

export type NewSubscription = Omit<SubscriptionRow, 'verified' | 'told' | 'attempts' | 'leased_until' | 'lease'>

export const insertSubscription = async (tx: MailTx, row: NewSubscription): Promise<void> => {
  await tx.insertInto('push_subscription').values(row).execute()
}

export type SubscriptionUpdate = {
  expires_at?: Date
  types?: string[] | null
  verified?: true
  told?: Record<string, number>
}

export const updateSubscription = async (
  tx: MailTx,
  { addressId, id }: { addressId: string; id: string },
  update: SubscriptionUpdate,
): Promise<void> => {
  await tx
    .updateTable('push_subscription')
    .set({ ...update, ...(update.told && { attempts: 0, due_at: null }) })
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .execute()
}

export const deleteSubscription = async (
  tx: MailTx,
  { addressId, id }: { addressId: string; id: string },
): Promise<void> => {
  await tx.deleteFrom('push_subscription').where('address_id', '=', addressId).where('id', '=', id).execute()
}

export const deleteExpired = async (tx: MailTx, now: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from push_subscription where ctid = any (array(
             select ctid from push_subscription where expires_at <= $1 limit $2 for update skip locked))
           returning 1`,
    values: [now, limit],
  })
  return gone.length
}
