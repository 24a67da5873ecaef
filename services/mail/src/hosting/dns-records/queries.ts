import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { DomainStatus } from '@stoa/mail-model/dns.ts'
import type { Selectable } from 'kysely'
import type { DnsCheckTable } from '../../tables/dns.ts'
import type { Tables } from '../../tables.ts'
import type { RecordStates } from './statuses.ts'

export type DnsCheck = Selectable<DnsCheckTable>

/** A new domain is looked at by the job a little later. */
export const insertCheck = async (
  tx: Tx<Tables>,
  { domainId, status, nextCheckAt }: { domainId: string; status: DomainStatus; nextCheckAt: Date },
): Promise<void> => {
  await tx.insertInto('dns_check').values({ domain_id: domainId, status, next_check_at: nextCheckAt }).execute()
}

export const findCheck = (db: Db<Tables>, domainId: string): Promise<DnsCheck | undefined> =>
  db.selectFrom('dns_check').selectAll().where('domain_id', '=', domainId).executeTakeFirst()

export const updateCheck = async (
  tx: Tx<Tables>,
  domainId: string,
  change: {
    status: DomainStatus
    checkedAt: Date
    nextCheckAt: Date
    records: RecordStates
    /** Undefined: as it was. */
    provider: string | null | undefined
  },
): Promise<DnsCheck> =>
  tx
    .updateTable('dns_check')
    .set({
      status: change.status,
      checked_at: change.checkedAt,
      next_check_at: change.nextCheckAt,
      records: JSON.stringify(change.records),
      ...(change.provider !== undefined && { provider: change.provider }),
    })
    .where('domain_id', '=', domainId)
    .returningAll()
    .executeTakeFirstOrThrow()

export const setStatus = async (tx: Tx<Tables>, domainId: string, status: DomainStatus): Promise<void> => {
  await tx.updateTable('dns_check').set({ status }).where('domain_id', '=', domainId).execute()
}

/** Has the job look at it by then, if it would not anyhow. */
export const scheduleCheckSoon = async (tx: Tx<Tables>, domainId: string, by: Date): Promise<void> => {
  await tx
    .updateTable('dns_check')
    .set({ next_check_at: by })
    .where('domain_id', '=', domainId)
    .where('next_check_at', '>', by)
    .execute()
}

/** Whether somebody may ask for a check now; if so, the next one must wait. */
export const takeCheckTurn = async (
  tx: Tx<Tables>,
  domainId: string,
  { now, notSince }: { now: Date; notSince: Date },
): Promise<boolean> => {
  const row = await tx
    .updateTable('dns_check')
    .set({ asked_at: now })
    .where('domain_id', '=', domainId)
    .where((eb) => eb.or([eb('asked_at', 'is', null), eb('asked_at', '<=', notSince)]))
    .returning('domain_id')
    .executeTakeFirst()
  return row !== undefined
}

export type DueDomain = { id: string; accountId: string }

/** Takes domains whose time has come. Others leave them alone until `until`, also when this process ends meanwhile. */
export const claimDue = async (
  tx: Tx<Tables>,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<DueDomain[]> => {
  const due = await tx
    .selectFrom('dns_check')
    .innerJoin('domain', 'domain.id', 'dns_check.domain_id')
    .select(['domain.id', 'domain.account_id as accountId'])
    .where('dns_check.next_check_at', '<=', now)
    .where('domain.deleted_at', 'is', null)
    .orderBy('dns_check.next_check_at')
    .limit(limit)
    .forUpdate('dns_check')
    .skipLocked()
    .execute()
  const ids = due.map(({ id }) => id)
  if (ids.length > 0)
    await tx.updateTable('dns_check').set({ next_check_at: until }).where('domain_id', 'in', ids).execute()
  return due
}
