import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { TransferSecurity } from '@stoa/mail-model/transfers.ts'
import type { Tables } from '../../tables.ts'

/** A transfer that this process may work on until its lease ends. */
export type ClaimedTransfer = {
  id: string
  accountId: string
  addressId: string
  host: string
  port: number
  security: TransferSecurity
  username: string
  sealedPassword: string
  folders: string[] | null
  excludeFolders: string[]
  since: Date | null
  /** In a row without getting anywhere, with this one. */
  attempts: number
  /** Null until its folders are planned. */
  firstModseq: number | null
  /** The fencing token: with another one in the row, nothing is written. */
  leaseToken: string
}

/**
 * Takes transfers that are due, first those of accounts that have the fewest under way. Rows that another process is
 * taking are passed over; one whose worker died is taken again when its lease is over.
 */
export const claimTransfers = (
  tx: Tx<Tables>,
  input: { now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedTransfer[]> =>
  tx.query<ClaimedTransfer>({
    name: 'transfer-claim',
    text: `with candidate as materialized (
        select t.id from transfer t join address a on a.id = t.address_id and a.deleted_at is null
        where t.status in ('queued', 'running') and t.next_at <= $1
        order by (
          select count(*) from transfer o
          where o.account_id = t.account_id and o.status = 'running' and o.lease_token is not null and o.next_at > $1
        ), t.next_at, t.id
        limit $3 for update of t skip locked
      )
      update transfer t set status = 'running', started_at = coalesce(t.started_at, $1), attempts = t.attempts + 1,
        next_at = $2, lease_token = gen_random_uuid()
      from candidate c where t.id = c.id
      returning t.id, t.account_id as "accountId", t.address_id as "addressId", t.host, t.port, t.security, t.username,
        t.sealed_password as "sealedPassword", t.folders, t.exclude_folders as "excludeFolders", t.since, t.attempts,
        t.first_modseq as "firstModseq", t.lease_token as "leaseToken"`,
    values: [input.now, input.leaseUntil, input.limit],
  })

/** Extends leases, and gives the tokens that are still held. */
export const renewTransfers = async (tx: Tx<Tables>, tokens: readonly string[], until: Date): Promise<Set<string>> => {
  const rows = await tx.query<{ lease_token: string }>({
    text: `with held as materialized (
        select id from transfer where lease_token = any($1::uuid[]) and status = 'running' order by id for update
      )
      update transfer t set next_at = $2 from held where t.id = held.id returning t.lease_token`,
    values: [tokens, until],
  })
  return new Set(rows.map(({ lease_token }) => lease_token))
}

/** Locks a transfer that is still ours for the rest of the transaction; false when it is not. */
export const lockTransfer = async (tx: Tx<Tables>, claim: ClaimedTransfer, until: Date): Promise<boolean> => {
  const rows = await tx.query<{ id: string }>({
    name: 'transfer-hold',
    text: `update transfer t set next_at = $3 from address a
      where t.id = $1 and t.lease_token = $2 and t.status = 'running' and a.id = t.address_id and a.deleted_at is null
      returning t.id`,
    values: [claim.id, claim.leaseToken, until],
  })
  return rows.length > 0
}

/** Postpones a transfer; any process may continue it then. `isUntried`: this time does not count. */
export const releaseTransfer = async (
  tx: Tx<Tables>,
  claim: ClaimedTransfer,
  { nextAt, error, isUntried = false }: { nextAt: Date; error?: string; isUntried?: boolean },
): Promise<boolean> => {
  const rows = await tx.query<{ id: string }>({
    text: `update transfer set next_at = $3, lease_token = null, error = coalesce($4, error),
        attempts = greatest(0, attempts - $5)
      where id = $1 and lease_token = $2 and status = 'running' returning id`,
    values: [claim.id, claim.leaseToken, nextAt, error ?? null, isUntried ? 1 : 0],
  })
  return rows.length > 0
}

/** How often in a row it was tried without getting anywhere; undefined when it is not ours. */
export const findAttempts = async (
  db: Db<Tables>,
  claim: ClaimedTransfer,
): Promise<{ attempts: number; isPlanned: boolean } | undefined> => {
  const [row] = await db.query<{ attempts: number; isPlanned: boolean }>({
    text: `select attempts, first_modseq is not null as "isPlanned" from transfer where id = $1 and lease_token = $2`,
    values: [claim.id, claim.leaseToken],
  })
  return row
}

/** Ends a transfer that is still ours, and forgets its password. */
export const endTransferRow = async (
  tx: Tx<Tables>,
  claim: ClaimedTransfer,
  { status, error, now }: { status: 'completed' | 'failed'; error: string | null; now: Date },
): Promise<boolean> => {
  const rows = await tx.query<{ id: string }>({
    text: `update transfer set status = $3, error = $4, finished_at = $5, sealed_password = null, lease_token = null,
        current_folder = null
      where id = $1 and lease_token = $2 and status = 'running' returning id`,
    values: [claim.id, claim.leaseToken, status, error, now],
  })
  return rows.length > 0
}

/** Ends transfers whose address was deleted, and forgets their passwords. */
export const cancelOrphans = async (tx: Tx<Tables>, now: Date): Promise<void> => {
  await tx.query({
    name: 'transfer-cancel-orphans',
    text: `update transfer t set status = 'cancelled', finished_at = $1, sealed_password = null, lease_token = null,
        current_folder = null
      from address a where a.id = t.address_id and a.deleted_at is not null and t.status in ('queued', 'running')`,
    values: [now],
  })
}

export const hasOrphans = async (db: Db<Tables>): Promise<boolean> =>
  (
    await db.query({
      name: 'transfer-has-orphans',
      text: `select 1 from transfer t join address a on a.id = t.address_id
        where a.deleted_at is not null and t.status in ('queued', 'running') limit 1`,
    })
  ).length > 0
