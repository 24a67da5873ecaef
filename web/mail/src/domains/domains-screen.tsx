import type { Domain } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatBytes, formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { AtSign, Globe, Plus, Settings2, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { pagerOf, sortOf } from '../list-url.ts'
import { Capabilities } from './capabilities.tsx'
import { DeleteDomain } from './delete-domain.tsx'
import { NewDomainDialog } from './new-domain-dialog.tsx'
import { domainsQuery } from './queries.ts'
import { DomainBadge } from './status-badge.tsx'

const columns: readonly [Column<Domain>, ...Column<Domain>[]] = [
  { id: 'name', header: 'Domain', sortable: true, cell: (domain) => <DomainName domain={domain} /> },
  { id: 'status', header: 'Status', sortable: true, cell: ({ status }) => <DomainBadge status={status} /> },
  { id: 'capabilities', header: 'Mail', cell: (domain) => <Capabilities domain={domain} /> },
  {
    id: 'addresses_count',
    header: 'Addresses',
    sortable: true,
    align: 'end',
    cell: (domain) => formatNumber(domain.addresses_count),
  },
  {
    id: 'storage',
    header: 'Storage',
    align: 'end',
    isSpare: true,
    cell: (domain) => formatBytes(domain.storage_used_bytes),
  },
  {
    id: 'checked_at',
    header: 'Last check',
    isSpare: true,
    cell: ({ checked_at }) => (checked_at === null ? 'Never' : <RelativeTime at={checked_at} />),
  },
  {
    id: 'created_at',
    header: 'Added',
    sortable: true,
    hideOnPhone: true,
    isSpare: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
]

/** The domains of the account. */
export const DomainsScreen = () => {
  const url = useUrlState()
  const navigateTo = useNavigateTo()
  const [deleting, setDeleting] = useState<Domain>()
  const [added, setAdded] = useState<string>()
  const search = url.get('q')
  const page = readPage(url.get('page'))
  const sort = sortOf(url, { by: 'name', direction: 'asc' })
  const query = useQuery(domainsQuery({ search, sort: sort.by, direction: sort.direction, page }))
  useGoTo(added)
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      Add domain
    </Button>
  )
  return (
    <>
      <title>Domains · Stoa Mail</title>
      <PageHeader title="Domains" description="Send and receive mail with your own domains." actions={create} />
      <DataTable
        label="Domains"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(domain) => domain.id}
        rowName={(domain) => domain.unicode_name}
        rowTo={(domain) => `/domains/${domain.id}`}
        rowActions={(domain) => [
          { label: 'Addresses', icon: <AtSign />, onRun: () => navigateTo(`/addresses?domain=${domain.id}`) },
          { label: 'Settings', icon: <Settings2 />, onRun: () => navigateTo(`/domains/${domain.id}?tab=settings`) },
          { label: 'Delete', icon: <Trash2 />, danger: true, onRun: setDeleting },
        ]}
        sort={sort}
        onSort={(next) => url.set({ sort: next.by, direction: next.direction, page: '' })}
        toolbar={<UrlSearch label="Search domains" value={search} onSearch={(q) => url.set({ q, page: '' })} />}
        onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={
          <EmptyState icon={<Globe />} title="No domains yet" action={create}>
            Add a domain you own and publish its DNS records to send and receive mail.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
      {url.get('new') && added === undefined ? (
        <NewDomainDialog onClose={() => url.set({ new: '' })} onAdded={({ id }) => setAdded(id)} />
      ) : null}
      <DeleteDomain domain={deleting} onClose={() => setDeleting(undefined)} />
    </>
  )
}

/** To a new domain, once the dialog is gone, whose form would ask whether to leave it. Back leads to the list, without it. */
const useGoTo = (domainId: string | undefined): void => {
  const router = useRouter()
  useEffect(() => {
    if (domainId === undefined) return
    const go = async () => {
      await router.navigate({ to: '/domains', replace: true })
      await router.navigate({ to: '/domains/$domainId', params: { domainId } })
    }
    void go()
  }, [domainId, router])
}

const DomainName = ({ domain }: { domain: Domain }) => (
  <span className="flex min-w-0 flex-col">
    <span className="truncate">{domain.unicode_name}</span>
    {domain.note !== null || domain.unicode_name !== domain.name ? (
      <span className="truncate font-normal text-faint text-xs">
        {domain.unicode_name === domain.name ? domain.note : domain.name}
      </span>
    ) : null}
  </span>
)
