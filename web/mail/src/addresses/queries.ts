import type { Activity } from '@stoa/mail-model/activity.ts'
import type { Address, AddressFolder } from '@stoa/mail-model/addresses.ts'
import type { AppPassword, AppPasswordScope, CreatedAppPassword } from '@stoa/mail-model/app-passwords.ts'
import type { ClientConfig } from '@stoa/mail-model/client-config.ts'
import type { Digest } from '@stoa/mail-model/digest.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { Entitlement } from '@stoa/mail-model/plans.ts'
import type { Share } from '@stoa/mail-model/shares.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'

/** Every query about addresses begins with this. */
export const ADDRESSES = ['addresses'] as const

/** The filter and order of a list; the service has defaults for missing members. */
export type AddressListFilter = {
  page?: number
  perPage?: number
  search?: string
  sort?: string
  direction?: 'asc' | 'desc'
}

/** One page of the addresses of a domain. */
export const addressesQuery = (domainId: string, filter: AddressListFilter = {}) =>
  queryOptions({
    queryKey: [...ADDRESSES, 'of', domainId, filter],
    queryFn: ({ signal }) =>
      sendSignedIn<List<Address>>('GET', `${domainPath(domainId)}/addresses?${paramsOf(filter)}`, { signal }),
    placeholderData: keepPreviousData,
  })

/** The domains that addresses can be at. */
export const ownDomainsQuery = queryOptions({
  queryKey: ['domains', 'with-addresses'],
  queryFn: ({ signal }) => readDomains(signal),
})

export type AllAddresses = {
  domains: readonly Domain[]
  addresses: readonly Address[]
  /** False when the customer has more than a few requests can read: then `addresses` is a part of them. */
  complete: boolean
}

/** With the list of domains that makes six requests, which is what a screen may take. */
export const MAX_DOMAINS_READ = 5
/** The largest page of a list. */
export const MAX_PER_DOMAIN = 100

/** The addresses of all domains of the customer, for pickers; AddressSelect copes with those that have very many. */
export const allAddressesQuery = queryOptions({
  queryKey: [...ADDRESSES, 'all'],
  queryFn: async ({ signal }): Promise<AllAddresses> => {
    const domains = await readDomains(signal)
    const used = domains.filter(({ addresses_count: count }) => count > 0)
    const lists = await Promise.all(
      used
        .slice(0, MAX_DOMAINS_READ)
        .map(({ id }) => sendSignedIn<List<Address>>('GET', `${domainPath(id)}/addresses?${ALL}`, { signal })),
    )
    const complete = used.length <= MAX_DOMAINS_READ && lists.every(({ data, total }) => data.length >= total)
    return { domains, addresses: lists.flatMap(({ data }) => data), complete }
  },
})

export const addressQuery = (id: string) =>
  queryOptions({
    queryKey: [...ADDRESSES, id],
    queryFn: ({ signal }) => sendSignedIn<Address>('GET', pathOf(id), { signal }),
  })

const FOLDERS_REFRESH_MS = 15_000

export const foldersQuery = (id: string) =>
  queryOptions({
    queryKey: [...ADDRESSES, id, 'folders'],
    queryFn: ({ signal }) => sendSignedIn<List<AddressFolder>>('GET', `${pathOf(id)}/folders?${ALL}`, { signal }),
    refetchInterval: FOLDERS_REFRESH_MS,
  })

export const appPasswordsQuery = (id: string) =>
  queryOptions({
    queryKey: [...ADDRESSES, id, 'app-passwords'],
    queryFn: ({ signal }) => sendSignedIn<List<AppPassword>>('GET', `${pathOf(id)}/app-passwords?${ALL}`, { signal }),
  })

export const sharesQuery = (id: string) =>
  queryOptions({
    queryKey: [...ADDRESSES, id, 'shares'],
    queryFn: ({ signal }) => sendSignedIn<List<Share>>('GET', `${pathOf(id)}/shares?${ALL}`, { signal }),
  })

/** Mail comes while one looks for it: the newest lines are asked for again. */
const TRACE_REFRESH_MS = 3000

/** Events of an address, newest first; further pages are older. */
export const activityQuery = (id: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [...ADDRESSES, id, 'activity', search],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({ per_page: '50', page: String(pageParam) })
      if (search !== '') query.set('search', search)
      return sendSignedIn<List<Activity>>('GET', `${pathOf(id)}/activity?${query}`, { signal })
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    // Not while older pages are open: to request all of them again would only cost
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : TRACE_REFRESH_MS),
  })

export const clientConfigQuery = queryOptions({
  queryKey: [...ADDRESSES, 'client-config'],
  queryFn: ({ signal }) => sendSignedIn<ClientConfig>('GET', '/api/client-config', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The limits of the plan, and how much of them is used. */
export const addressLimitsQuery = queryOptions({
  queryKey: [...ADDRESSES, 'entitlement'],
  queryFn: ({ signal }) => sendSignedIn<Entitlement>('GET', '/api/entitlement', { signal }),
})

export type NewAddress = {
  local_part: string
  password: string
  name: string | null
  quota_bytes: number | null
  recovery_email: string | null
  aliases: readonly string[]
  forward_to: readonly string[]
  keep_copy: boolean
}

export type AddressChanges = {
  name?: string | null
  quota_bytes?: number | null
  aliases?: readonly string[]
  forward_to?: readonly string[]
  keep_copy?: boolean
  enabled?: boolean
  send_enabled?: boolean
  require_app_password?: boolean
  spam_threshold?: number
  digest?: Digest
}

export const createAddress = (domainId: string, body: NewAddress) =>
  sendSignedIn<Address>('POST', `${domainPath(domainId)}/addresses`, { body })

export const updateAddress = (id: string, body: AddressChanges) => sendSignedIn<Address>('PATCH', pathOf(id), { body })

export const deleteAddress = (id: string) => sendSignedIn<unknown>('DELETE', pathOf(id))

export const setPassword = (id: string, password: string) =>
  sendSignedIn<Address>('POST', `${pathOf(id)}/password`, { body: { password } })

export const setRecovery = (id: string, email: string | null) =>
  sendSignedIn<Address>('POST', `${pathOf(id)}/recovery`, { body: { recovery_email: email } })

type NewAppPassword = { name: string; scopes: readonly AppPasswordScope[]; expires_at: string | null }

export const createAppPassword = (id: string, body: NewAppPassword) =>
  sendSignedIn<CreatedAppPassword>('POST', `${pathOf(id)}/app-passwords`, { body })

export const revokeAppPassword = (id: string, appPasswordId: string) =>
  sendSignedIn<unknown>('DELETE', `${pathOf(id)}/app-passwords/${encodeURIComponent(appPasswordId)}`)

export const createShare = (id: string, body: { address_id: string; access: Share['access'] }) =>
  sendSignedIn<Share>('POST', `${pathOf(id)}/shares`, { body })

export const deleteShare = (id: string, shareId: string) =>
  sendSignedIn<unknown>('DELETE', `${pathOf(id)}/shares/${encodeURIComponent(shareId)}`)

const pathOf = (id: string): string => `/api/addresses/${encodeURIComponent(id)}`
const domainPath = (id: string): string => `/api/domains/${encodeURIComponent(id)}`

const readDomains = async (signal: AbortSignal): Promise<readonly Domain[]> =>
  (await sendSignedIn<List<Domain>>('GET', `/api/domains?${ALL}`, { signal })).data

const paramsOf = ({ page = 1, perPage = 100, search = '', sort = '', direction }: AddressListFilter): URLSearchParams =>
  new URLSearchParams({
    page: String(page),
    per_page: String(perPage),
    ...(search === '' ? {} : { search }),
    ...(sort === '' ? {} : { sort }),
    ...(direction === undefined ? {} : { direction }),
  })
