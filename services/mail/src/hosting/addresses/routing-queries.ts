import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

export type NameKind = 'address' | 'alias' | 'pattern' | 'catch_all'

/** One way in which a local part leads to an address. `hop` 1 is by way of the fallback domain. */
export type Lead = {
  hop: number
  kind: NameKind
  addressId: string
  accountId: string
  domainId: string
  email: string
  enabled: boolean
  /** The name matches the whole local part, its detail included. */
  exact: boolean
}

export type DomainLeads = { domainId: string; accountId: string; leads: Lead[] }

type LeadRow = {
  domain_id: string
  account_id: string
  hop: number
  kind: NameKind | null
  exact: boolean | null
  address_id: string | null
  address_account_id: string | null
  address_domain_id: string | null
  email: string | null
  enabled: boolean | null
}

/**
 * The addresses that a local part at a verified domain leads to, best first: whole name, name without detail, pattern,
 * catch-all, then the same at the fallback domain. Undefined when the domain is not ours.
 */
export const findLeads = async (
  db: Db<Tables>,
  { domain, localPart, base }: { domain: string; localPart: string; base: string },
): Promise<DomainLeads | undefined> => {
  const rows = await db.query<LeadRow>({
    name: 'find-leads',
    text: `with own as (
             select id, account_id, catch_all_address_id, fallback_domain_id from domain
             where name = $1 and deleted_at is null and verified_at is not null
           ), reached as (
             select id, catch_all_address_id, 0 as hop from own
             union all
             select next.id, next.catch_all_address_id, 1 from own join domain next
               on next.id = own.fallback_domain_id and next.account_id = own.account_id
               and next.deleted_at is null and next.verified_at is not null
           )
           select own.id as domain_id, own.account_id, reached.hop, lead.kind, lead.exact,
                  address.id as address_id, address.account_id as address_account_id,
                  address.domain_id as address_domain_id, address.email, address.enabled
           from own cross join reached
           left join lateral (
             select kind, address_id, local_part = $2 as exact,
                    case when local_part = $2 then 0 else 1 end as rank, 0 as literal, local_part
             from address_name where domain_id = reached.id and local_part in ($2, $3) and kind <> 'pattern'
             union all
             select kind, address_id, false, 2, length(local_part), local_part
             from address_name
             where domain_id = reached.id and kind = 'pattern'
               and length($3) >= length(local_part) - 1
               and starts_with($3, split_part(local_part, '*', 1))
               and right($3, length(split_part(local_part, '*', 2))) = split_part(local_part, '*', 2)
             union all
             select 'catch_all', reached.catch_all_address_id, false, 3, 0, ''
             where reached.catch_all_address_id is not null
           ) lead on true
           left join address on address.id = lead.address_id and address.deleted_at is null
           order by reached.hop, lead.rank, lead.literal desc, lead.local_part`,
    values: [domain, localPart, base],
  })
  const [first] = rows
  return first && { domainId: first.domain_id, accountId: first.account_id, leads: rows.flatMap(toLead) }
}

const toLead = (row: LeadRow): Lead[] =>
  row.kind && row.address_id && row.address_account_id && row.address_domain_id && row.email
    ? [
        {
          hop: row.hop,
          kind: row.kind,
          addressId: row.address_id,
          accountId: row.address_account_id,
          domainId: row.address_domain_id,
          email: row.email,
          enabled: row.enabled === true,
          exact: row.exact === true,
        },
      ]
    : []

export type Contact = { accountId: string; email: string }

/** Whom mail to postmaster reaches: the account, or the owner of the instance when none is given. */
export const findContact = async (db: Db<Tables>, accountId: string | null): Promise<Contact | undefined> => {
  const [row] = await db.query<{ id: string; email: string }>({
    name: 'find-contact',
    text: `select id, email from account where id = $1 or ($1::uuid is null and role = 'owner')`,
    values: [accountId],
  })
  return row && { accountId: row.id, email: row.email }
}

/** The first address of an account that takes mail. */
export const findFirstAddress = async (db: Db<Tables>, accountId: string): Promise<Lead | undefined> => {
  const [row] = await db.query<{ id: string; account_id: string; domain_id: string; email: string }>({
    name: 'find-first-address',
    text: `select address.id, address.account_id, address.domain_id, address.email
           from address join domain on domain.id = address.domain_id
           where address.account_id = $1 and address.deleted_at is null and address.enabled
             and domain.deleted_at is null and domain.verified_at is not null
           order by address.created_at, address.id limit 1`,
    values: [accountId],
  })
  return (
    row && {
      hop: 0,
      kind: 'address',
      addressId: row.id,
      accountId: row.account_id,
      domainId: row.domain_id,
      email: row.email,
      enabled: true,
      exact: true,
    }
  )
}
