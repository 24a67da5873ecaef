import type { Db } from '@stoa/kit/db/database.ts'
import type { DomainStatus } from '@stoa/mail-model/dns.ts'
import type { ListRequest } from '@stoa/mail-model/list.ts'
import { sql } from 'kysely'
import { type Page, readPage } from '../../pagination/pagination.ts'
import type { RecordState } from '../../tables/dns.ts'
import type { Tables } from '../../tables.ts'
import type { Domain } from './queries.ts'

/** A domain with everything that its owner is shown, from one statement. */
export type DomainView = Domain & {
  status: DomainStatus | null
  provider: string | null
  checked_at: Date | null
  next_check_at: Date | null
  records: Record<string, RecordState> | null
  addresses_count: number | null
  storage_used_bytes: number | null
  active_selector: string | null
}

const views = (db: Db<Tables>, accountId: string) => allViews(db, accountId).where('domain.deleted_at', 'is', null)

/** Includes domains that are deleted but not yet purged. */
const allViews = (db: Db<Tables>, accountId: string) =>
  db
    .selectFrom('domain')
    .leftJoin('dns_check', 'dns_check.domain_id', 'domain.id')
    .leftJoin('dkim_key as signing', (join) =>
      join.onRef('signing.domain_id', '=', 'domain.id').on('signing.active', '=', true),
    )
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('address')
          .leftJoin('mailbox', 'mailbox.address_id', 'address.id')
          .select(({ fn }) => [
            'address.domain_id',
            fn.countAll<number>().as('addresses'),
            sql<number>`coalesce(sum(mailbox.used_bytes), 0)::bigint`.as('bytes'),
          ])
          .where('address.account_id', '=', accountId)
          .where('address.deleted_at', 'is', null)
          .groupBy('address.domain_id')
          .as('held'),
      (join) => join.onRef('held.domain_id', '=', 'domain.id'),
    )
    .where('domain.account_id', '=', accountId)
    .selectAll('domain')
    .select([
      'dns_check.status',
      'dns_check.provider',
      'dns_check.checked_at',
      'dns_check.next_check_at',
      'dns_check.records',
      'held.addresses as addresses_count',
      'held.bytes as storage_used_bytes',
      'signing.selector as active_selector',
    ])

export const findDomainView = (db: Db<Tables>, accountId: string, id: string): Promise<DomainView | undefined> =>
  views(db, accountId).where('domain.id', '=', id).executeTakeFirst()

/** Finds the domain even when it is deleted. */
export const findAnyDomainView = (db: Db<Tables>, accountId: string, id: string): Promise<DomainView | undefined> =>
  allViews(db, accountId).where('domain.id', '=', id).executeTakeFirst()

export const listDomainViews = (
  db: Db<Tables>,
  accountId: string,
  list: ListRequest<'name' | 'created_at' | 'status' | 'addresses_count'>,
): Promise<Page<DomainView>> => {
  const { search } = list
  const query = views(db, accountId)
  const wanted = search ? query.where(sql<boolean>`position(lower(${search}) in domain.name) > 0`) : query
  return readPage(wanted, list, {
    columns: {
      name: 'domain.name',
      created_at: 'domain.created_at',
      status: 'dns_check.status',
      addresses_count: sql<number>`coalesce(held.addresses, 0)`,
    },
    id: 'domain.id',
  })
}
