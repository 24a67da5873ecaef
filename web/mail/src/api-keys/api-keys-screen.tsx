import type { ApiKey, CreatedApiKey } from '@stoa/mail-model/api-keys.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery } from '@tanstack/react-query'
import { Ban, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { domainChoicesQuery } from '../emails/queries.ts'
import { pagerOf, sortOf } from '../list-url.ts'
import { CreatedApiKeyDialog, NewApiKeyDialog, RevokeApiKey } from './api-key-dialogs.tsx'
import { describePermission } from './permissions.ts'
import { apiKeysQuery } from './queries.ts'

const columnsFor = (domainNames: ReadonlyMap<string, string>): readonly [Column<ApiKey>, ...Column<ApiKey>[]] => [
  { id: 'name', header: 'Name', sortable: true, cell: (key) => key.name },
  { id: 'key', header: 'Key', cell: (key) => <code className="font-mono text-xs">{key.token_prefix}…</code> },
  {
    id: 'permission',
    header: 'Permission',
    cell: (key) => (
      <Badge tone={key.permission === 'full_access' ? 'accent' : 'neutral'}>
        {describePermission(key.permission).label}
      </Badge>
    ),
  },
  {
    id: 'domain',
    header: 'Domain',
    cell: ({ domain_id: id }) => (
      <span className="block truncate desk:max-w-48">{id === null ? 'All' : (domainNames.get(id) ?? '…')}</span>
    ),
  },
  {
    id: 'last_used_at',
    header: 'Last used',
    sortable: true,
    cell: (key) => (key.last_used_at === null ? 'Never' : <RelativeTime at={key.last_used_at} />),
  },
  {
    id: 'created_at',
    header: 'Created',
    sortable: true,
    hideOnPhone: true,
    isSpare: true,
    cell: (key) => <RelativeTime at={key.created_at} />,
  },
]

/** The keys that programs send with. */
export const ApiKeysScreen = () => {
  const url = useUrlState()
  const search = url.get('q')
  const sort = sortOf(url, { by: 'created_at', direction: 'desc' })
  const query = useQuery(
    apiKeysQuery({ page: readPage(url.get('page')), search, sort: sort.by, direction: sort.direction }),
  )
  const { data: domains } = useQuery(domainChoicesQuery)
  const [created, setCreated] = useState<CreatedApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New API key
    </Button>
  )
  return (
    <>
      <title>API keys · Stoa Mail</title>
      <PageHeader
        title="API keys"
        description="Your apps use API keys to send email. A key only has access to the sending API."
        actions={create}
      />
      <DataTable
        label="API keys"
        columns={columnsFor(new Map(domains?.data.map(({ id, unicode_name: name }) => [id, name])))}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(key) => key.id}
        rowName={(key) => key.name}
        rowActions={() => [{ label: 'Revoke', icon: <Ban />, danger: true, onRun: setRevoking }]}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
        toolbar={<UrlSearch label="Search keys" value={search} onSearch={(q) => url.set({ q, page: '' })} />}
        onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={
          <EmptyState icon={<KeyRound />} title="No API keys yet" action={create}>
            Create a key to send email from your app.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
      {url.get('new') ? (
        <NewApiKeyDialog
          onClose={() => url.set({ new: '' })}
          onCreated={(key) => {
            url.set({ new: '' })
            setCreated(key)
          }}
        />
      ) : null}
      {created ? <CreatedApiKeyDialog created={created} onClose={() => setCreated(undefined)} /> : null}
      <RevokeApiKey apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </>
  )
}
