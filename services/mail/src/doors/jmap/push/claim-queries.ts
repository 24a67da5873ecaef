import type { MailDb, MailTx } from '../../../store/store.ts'
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

export type SubscriptionKey = { addressId: string; id: string }

/** Before all others. */
export const FIRST_SUBSCRIPTION: SubscriptionKey = {
  addressId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

/**
 * Whether what was pushed to the subscription `s` differs from what its mailboxes have now: its own one, and those
 * that are shared with it as long as they may be used (`accessesOf`).
 */
const IS_BEHIND = `exists (
    select from mailbox m where m.address_id = s.address_id
      and (s.told ->> m.address_id::text)::bigint is distinct from m.modseq
  ) or exists (
    select from share join address shared on shared.id = share.address_id
      join address own on own.id = share.with_address_id and own.account_id = shared.account_id
      join mailbox m on m.address_id = share.address_id
    where share.with_address_id = s.address_id and shared.deleted_at is null and shared.enabled
      and (s.told ->> m.address_id::text)::bigint is distinct from m.modseq)`

/** Subscriptions of one page in the order of their keys that are behind; `last`: where the next page begins. */
export const findBehind = async (
  db: MailDb,
  { after, now, limit }: { after: SubscriptionKey; now: Date; limit: number },
): Promise<{ behind: SubscriptionKey[]; last: SubscriptionKey | null }> => {
  const rows = await db.query<SubscriptionKey & { isBehind: boolean }>({
    name: 'push-find-behind',
    text: `select s.address_id as "addressId", s.id,
        s.verified and s.due_at is null and s.expires_at > $3 and (${IS_BEHIND}) as "isBehind"
      from push_subscription s where (s.address_id, s.id) > ($1, $2) order by s.address_id, s.id limit $4`,
    values: [after.addressId, after.id, now, limit],
  })
  return {
    behind: rows.filter(({ isBehind }) => isBehind),
    last: rows.length === limit ? (rows.at(-1) ?? null) : null,
  }
}

/**
 * Takes subscriptions that one of these mailboxes concerns, those that are behind, and those whose time has come, for one
 * process: nobody else gets them before the lease is over.
 */
export const claimSubscriptions = (
  tx: MailTx,
  {
    changed,
    behind,
    now,
    leasedUntil,
    lease,
    limit,
  }: {
    changed: readonly string[]
    behind: readonly SubscriptionKey[]
    now: Date
    leasedUntil: Date
    lease: string
    limit: number
  },
): Promise<ClaimedRow[]> =>
  tx.query<ClaimedRow>({
    text: `with candidate as (
        select address_id, id from push_subscription where due_at <= $2
        union select address_id, id from push_subscription where address_id = any($1::uuid[])
        union select s.address_id, s.id from share join push_subscription s on s.address_id = share.with_address_id
          where share.address_id = any($1::uuid[])
        union select * from unnest($6::uuid[], $7::uuid[])
      ), wanted as (
        select s.address_id, s.id from push_subscription s join candidate using (address_id, id)
        where s.expires_at > $2 and (s.leased_until is null or s.leased_until <= $2)
          and (s.due_at <= $2 or (s.due_at is null and s.verified))
        order by s.due_at limit $5 for update of s skip locked
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
    values: [
      changed,
      now,
      leasedUntil,
      lease,
      limit,
      behind.map(({ addressId }) => addressId),
      behind.map(({ id }) => id),
    ],
  })

/** Whose subscriptions there are: for most changes nobody is notified. */
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
  positions: Record<string, number> | null
  attempts: number
  dueAt: Date | null
}

/**
 * Frees a subscription with its result, unless another process has claimed it since. Gives whether it is behind again
 * already.
 */
export const settleSubscription = async (tx: MailTx, settled: Settled): Promise<boolean> => {
  const [row] = await tx.query<{ isBehind: boolean }>({
    text: `update push_subscription s set told = coalesce($4::jsonb, told), attempts = $5, due_at = $6, leased_until = null, lease = null
      where address_id = $1 and id = $2 and lease = $3 returning due_at is null and verified and (${IS_BEHIND}) as "isBehind"`,
    values: [settled.addressId, settled.id, settled.lease, settled.positions, settled.attempts, settled.dueAt],
  })
  return row?.isBehind ?? false
}
