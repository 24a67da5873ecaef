import type { Db } from '@stoa/kit/db/database.ts'
import type { ActivityListRequest } from '@stoa/mail-model/activity.ts'
import type { AddressListRequest } from '@stoa/mail-model/addresses.ts'
import { sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { Tables } from '../../tables.ts'
import type { ActivityRow } from '../trace/trace.ts'
import type { Address } from './queries.ts'

/** An address with what is counted and listed about it. */
export type AddressView = Address & { used_bytes: number; message_count: number; aliases: string[] }

export const findAddressView = (db: Db<Tables>, accountId: string, id: string): Promise<AddressView | undefined> =>
  views(db, accountId).where('address.id', '=', id).executeTakeFirst()

export const listAllAddressViews = (db: Db<Tables>, accountId: string, domainId: string): Promise<AddressView[]> =>
  views(db, accountId).where('address.domain_id', '=', domainId).orderBy('address.id').execute()

export const listAddressViews = (
  db: Db<Tables>,
  { accountId, domainId }: { accountId: string; domainId: string },
  list: AddressListRequest,
): Promise<Page<AddressView>> => {
  const all = views(db, accountId).where('address.domain_id', '=', domainId)
  const found = list.search ? all.where(contains(sql`concat_ws(' ', address.email, address.name)`, list.search)) : all
  return readPage(found, list, {
    columns: {
      email: 'address.email',
      created_at: 'address.created_at',
      used_bytes: 'mailbox.used_bytes',
      last_login_at: 'address.last_login_at',
    },
    id: 'address.id',
  })
}

export const listActivity = (
  db: Db<Tables>,
  { accountId, addressId }: { accountId: string; addressId: string },
  list: ActivityListRequest,
): Promise<Page<ActivityRow>> => {
  const all = db
    .selectFrom('activity')
    .innerJoin('address', 'address.id', 'activity.address_id')
    .select([
      'activity.id',
      'type',
      'direction',
      'sender',
      'recipient',
      'subject',
      'message_id',
      'size_bytes',
      'remote_ip',
      'result',
      'activity.created_at',
    ])
    .where('activity.address_id', '=', addressId)
    .where('address.account_id', '=', accountId)
    .where('address.deleted_at', 'is', null)
  const text = sql`concat_ws(' ', type, sender, recipient, subject, message_id, host(remote_ip), result)`
  return readPage(list.search ? all.where(contains(text, list.search)) : all, list, {
    columns: { created_at: 'activity.created_at', type: 'activity.type' },
    id: 'activity.id',
  })
}

const views = (db: Db<Tables>, accountId: string) =>
  db
    .selectFrom('address')
    .innerJoin('mailbox', 'mailbox.address_id', 'address.id')
    .select([
      'address.id',
      'address.account_id',
      'address.domain_id',
      'address.local_part',
      'address.email',
      'address.name',
      'address.enabled',
      'address.send_enabled',
      'address.quota_bytes',
      'address.forward_to',
      'address.keep_copy',
      'address.recovery_email',
      'address.spam_threshold',
      'address.digest',
      'address.require_app_password',
      'address.last_login_at',
      'address.created_at',
      'address.updated_at',
      'mailbox.used_bytes',
      'mailbox.message_count',
    ])
    .select(
      sql<string[]>`array(
        select name.local_part || '@' || domain.name from address_name name join domain on domain.id = name.domain_id
        where name.address_id = address.id and name.kind <> 'address' and domain.deleted_at is null
        order by domain.name, name.local_part)`.as('aliases'),
    )
    .where('address.account_id', '=', accountId)
    .where('address.deleted_at', 'is', null)
