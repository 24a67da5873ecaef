import type { Address } from '@stoa/mail-model/addresses.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { MAX_DOMAINS_READ, MAX_PER_DOMAIN } from './queries.ts'

export type PageFilter = { page: number; perPage: number; search: string; sort: string; direction: 'asc' | 'desc' }
export type AddressPage = Omit<List<Address>, 'object' | 'data'> & { data: readonly Address[] }

/** Whether a few requests read the addresses of all domains: then they can be one list. */
export const areFew = (domains: readonly Domain[]): boolean => {
  const used = domains.filter(({ addresses_count: count }) => count > 0)
  return used.length <= MAX_DOMAINS_READ && used.every(({ addresses_count: count }) => count <= MAX_PER_DOMAIN)
}

/** One page of addresses of several domains, by the rules the service has for one. */
export const pageOfAll = (addresses: readonly Address[], filter: PageFilter): AddressPage => {
  const words = filter.search.trim().toLowerCase()
  const found = addresses.filter(({ email, name }) => `${email} ${name ?? ''}`.toLowerCase().includes(words))
  const turn = filter.direction === 'desc' ? -1 : 1
  const sorted = found.toSorted(
    (a, b) => turn * compare(sortKey(a, filter.sort), sortKey(b, filter.sort)) || compare(a.id, b.id),
  )
  const first = (filter.page - 1) * filter.perPage
  return {
    data: sorted.slice(first, first + filter.perPage),
    page: filter.page,
    per_page: filter.perPage,
    total: found.length,
    pages: Math.max(1, Math.ceil(found.length / filter.perPage)),
  }
}

/** Addresses that never signed in sort after all others, as in the service. */
const sortKey = (address: Address, sort: string): string | number => {
  if (sort === 'used_bytes') return address.used_bytes
  if (sort === 'created_at') return address.created_at
  return sort === 'last_login_at' ? (address.last_login_at ?? 'never') : address.email
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)
