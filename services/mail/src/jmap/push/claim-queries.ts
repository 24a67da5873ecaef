import type { MailDb, MailTx } from '../../store/handles.ts'
import type { SubscriptionRow } from './subscription-queries.ts'

/** A subscription with whose it is, and what that person signs in with now. */
export type ClaimedRow = SubscriptionRow & {
  accountId: string
  domainId: string
  email: string
  name: string | null
  sendEnabled: boolean
  isUsable: boolean
  passwordHash: string
  requireAppPassword: boolean
}

/**
 * Takes subscriptions that one of these mailboxes concerns, and those whose time has come, for one process: nobody else
 * gets them before the lease is over.
 */
export const claimSubscriptions = (
  tx: MailTx,
  {
    changed,
    now,
    leasedUntil,
    lease,
    limit,
  }: { changed: readonly string[]; now: Date; leasedUntil: Date; lease: string; limit: number },
): Promise<ClaimedRow[]> =>
  tx.query<ClaimedRow>({
    text: `with wanted as (
        select s.address_id, s.id from push_subscription s
        where s.expires_at > $2 and (s.leased_until is null or s.leased_until <= $2) and (
          s.due_at <= $2 or (s.due_at is null and s.verified and (s.address_id = any($1::uuid[]) or exists (
            select from share where share.with_address_id = s.address_id and share.address_id = any($1::uuid[])))))
        order by s.due_at limit $5 for update skip locked
      ), taken as (
        update push_subscription s set leased_until = $3, lease = $4 from wanted w
        where s.address_id = w.address_id and s.id = w.id returning s.*
      )
      select t.*, a.account_id as "accountId", a.domain_id as "domainId", a.email, a.name,
        a.send_enabled as "sendEnabled", a.password_hash as "passwordHash",
        a.require_app_password as "requireAppPassword", a.enabled and a.deleted_at is null and not exists (
          select from app_password p
          where p.address_id = t.address_id and p.id = t.app_password_id and p.expires_at <= $2) as "isUsable"
      from taken t join address a on a.id = t.address_id`,
    values: [changed, now, leasedUntil, lease, limit],
  })

/** Whose subscriptions there are: for most changes nobody is told. */
export const hasSubscribers = async (db: MailDb, changed: readonly string[]): Promise<boolean> => {
  const [row] = await db.query<{ is: boolean }>({
    name: 'push-has-subscribers',
    text: `select exists (select from push_subscription where verified and address_id = any($1::uuid[])) or exists (
        select from share join push_subscription s on s.address_id = share.with_address_id and s.verified
        where share.address_id = any($1::uuid[])) as is`,
    values: [changed],
  })
  return row?.is ?? false
}

export type Settled = {
  addressId: string
  id: string
  lease: string
  /** Null: as it is. */
  told: Record<string, number> | null
  attempts: number
  dueAt: Date | null
}

/** Frees a subscription with what became of it, unless somebody else has taken it since. */
export const settleSubscription = async (tx: MailTx, settled: Settled): Promise<void> => {
  await tx.query({
    text: `update push_subscription set told = coalesce($4::jsonb, told), attempts = $5, due_at = $6, leased_until = null, lease = null
      where address_id = $1 and id = $2 and lease = $3`,
    values: [settled.addressId, settled.id, settled.lease, settled.told, settled.attempts, settled.dueAt],
  })
}
