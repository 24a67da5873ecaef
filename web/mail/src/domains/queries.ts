import type { DnsProvider, DnsPublish, DnsRecordSet, PublishInput } from '@stoa/mail-model/dns.ts'
import type { DkimKey, Domain, DomainUpdateInput, DomainWithRecords, Report } from '@stoa/mail-model/domains.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'
import { toAsciiSearch } from './names.ts'

const DOMAINS_PER_PAGE = 25
const PROVIDER_FRESH_MS = 5 * 60_000

export type DomainFilter = { search: string; sort: string; direction: string; page: number }

const pathOf = (id: string) => `/api/domains/${encodeURIComponent(id)}`

/** Everything about domains: what changes one of them refreshes all of it. */
export const domainsKey = ['domains'] as const

export const domainsQuery = (filter: DomainFilter) =>
  queryOptions({
    queryKey: [...domainsKey, 'list', filter],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page: String(filter.page), per_page: String(DOMAINS_PER_PAGE) })
      if (filter.search !== '') query.set('search', toAsciiSearch(filter.search))
      if (filter.sort !== '') query.set('sort', filter.sort)
      if (filter.direction !== '') query.set('direction', filter.direction)
      return sendSignedIn<List<Domain>>('GET', `/api/domains?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })

/** The first hundred by name, for pickers. */
export const allDomainsQuery = queryOptions({
  queryKey: [...domainsKey, 'all'],
  queryFn: ({ signal }) => sendSignedIn<List<Domain>>('GET', `/api/domains?${ALL}&sort=name`, { signal }),
})

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: [...domainsKey, 'one', id],
    queryFn: ({ signal }) => sendSignedIn<DomainWithRecords>('GET', pathOf(id), { signal }),
  })

/** The records with what was found, and when they are looked at next. */
export const dnsQuery = (id: string) =>
  queryOptions({
    queryKey: [...domainsKey, 'dns', id],
    queryFn: ({ signal }) => sendSignedIn<DnsRecordSet>('GET', `${pathOf(id)}/dns`, { signal }),
  })

/** Asks the name servers who runs them: not anew with every change of the domain. */
export const providerQuery = (id: string) =>
  queryOptions({
    queryKey: ['dns-provider', id],
    queryFn: ({ signal }) => sendSignedIn<DnsProvider>('GET', `${pathOf(id)}/dns/provider`, { signal }),
    staleTime: PROVIDER_FRESH_MS,
  })

export const keysQuery = (id: string) =>
  queryOptions({
    queryKey: [...domainsKey, 'keys', id],
    queryFn: ({ signal }) =>
      sendSignedIn<List<DkimKey>>('GET', `${pathOf(id)}/keys?${ALL}&sort=selector&direction=asc`, { signal }),
  })

export type ReportFilter = { type: 'dmarc' | 'tls'; search: string; page: number }

export const reportsQuery = (id: string, { type, search, page }: ReportFilter) =>
  queryOptions({
    queryKey: [...domainsKey, 'reports', id, { type, search, page }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ type, page: String(page), per_page: '100' })
      if (search !== '') query.set('search', search)
      return sendSignedIn<List<Report>>('GET', `${pathOf(id)}/reports?${query}`, { signal })
    },
  })

/** The zone file is text, so the address is what the browser downloads. */
export const zonePath = (id: string): string => `${pathOf(id)}/dns/zone`

export const zoneQuery = (id: string) =>
  queryOptions({
    queryKey: [...domainsKey, 'zone', id],
    queryFn: async ({ signal }) => {
      const answer = await fetch(zonePath(id), { signal })
      if (!answer.ok) throw new Error(`the server returned ${answer.status}`)
      return answer.text()
    },
  })

export const addDomain = (name: string) => sendSignedIn<DomainWithRecords>('POST', '/api/domains', { body: { name } })
export const updateDomain = (id: string, body: DomainUpdateInput) =>
  sendSignedIn<DomainWithRecords>('PATCH', pathOf(id), { body })
export const setFallback = (id: string, fallback_domain_id: string | null) =>
  sendSignedIn<DomainWithRecords>('POST', `${pathOf(id)}/fallback`, { body: { fallback_domain_id } })
export const deleteDomain = (id: string) => sendSignedIn<unknown>('DELETE', pathOf(id))
export const checkDomain = (id: string) => sendSignedIn<DnsRecordSet>('POST', `${pathOf(id)}/check`)
export const activateKey = (id: string, keyId: string) =>
  sendSignedIn<DkimKey>('POST', `${pathOf(id)}/keys/${encodeURIComponent(keyId)}/activate`)
export const addKey = (id: string) => sendSignedIn<DkimKey>('POST', `${pathOf(id)}/keys`)
export const deleteKey = (id: string, keyId: string) =>
  sendSignedIn<unknown>('DELETE', `${pathOf(id)}/keys/${encodeURIComponent(keyId)}`)
export const publishRecords = (id: string, body: Partial<PublishInput>) =>
  sendSignedIn<DnsPublish>('POST', `${pathOf(id)}/dns/publish`, { body })
