import type { DeliveryKey } from '@stoa/cms-model/keys.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useQuery } from '@tanstack/react-query'
import { Ban, KeyRound, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { typesQuery } from '../types/queries.ts'
import { describeTypes } from '../types/scope.ts'
import { EditKeyDialog, MintedKeyDialog, NewKeyDialog, RevokeKey } from './key-dialogs.tsx'
import { keysQuery, type MintedKey } from './queries.ts'
import { clientExample, curlExample, examplePath } from './snippets.ts'

const columns: readonly [Column<DeliveryKey>, ...Column<DeliveryKey>[]] = [
  { id: 'name', header: 'Name', cell: (key) => key.name },
  {
    id: 'state',
    header: 'Status',
    cell: (key) =>
      key.revokedAt === null ? <Status tone="live">Active</Status> : <Status tone="neutral">Revoked</Status>,
  },
  {
    id: 'key',
    header: 'Key',
    cell: (key) => (
      <code className="font-mono text-xs">
        {key.prefix}…{key.last4}
      </code>
    ),
  },
  { id: 'types', header: 'Content types', cell: (key) => <Badge>{describeTypes(key.types)}</Badge> },
  {
    id: 'lastUsedAt',
    header: 'Last used',
    cell: (key) => (key.lastUsedAt === null ? 'Never' : <RelativeTime at={key.lastUsedAt} />),
  },
  { id: 'createdAt', header: 'Created', cell: (key) => <RelativeTime at={key.createdAt} />, hideOnPhone: true },
]

const states = [
  { value: 'active', label: 'Active' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'all', label: 'All' },
]

/** The keys that websites read with. */
export const KeysScreen = () => {
  const query = useQuery(keysQuery)
  const url = useUrlState()
  const state = url.get('state') || 'active'
  const [minted, setMinted] = useState<MintedKey>()
  const [revoking, setRevoking] = useState<DeliveryKey>()
  const rows = query.data?.items.filter((key) => state === 'all' || (key.revokedAt !== null) === (state === 'revoked'))
  const editing = query.data?.items.find((key) => key.id === url.get('edit'))
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New key
    </Button>
  )
  return (
    <>
      <title>Delivery keys · Stoa CMS</title>
      <PageHeader
        title="Delivery keys"
        description="Websites and apps use a key to read published content. Give each its own."
        actions={create}
      />
      <div className="flex flex-col gap-6">
        <DataTable
          label="Delivery keys"
          columns={columns}
          state={listState({ data: rows, error: query.error, refetch: query.refetch }, messageOf)}
          rowKey={(key) => key.id}
          rowName={(key) => key.name}
          rowActions={(key) =>
            key.revokedAt === null
              ? [
                  { label: 'Edit', icon: <Pencil />, onRun: () => url.set({ edit: key.id }) },
                  { label: 'Revoke', icon: <Ban />, danger: true, onRun: setRevoking },
                ]
              : []
          }
          toolbar={
            <Select
              aria-label="Status"
              className="max-w-40"
              value={state}
              options={states}
              onValue={(value) => url.set({ state: value === 'active' ? '' : value })}
            />
          }
          onClearFilters={query.data && query.data.items.length > 0 ? () => url.set({ state: 'all' }) : undefined}
          empty={
            <EmptyState icon={<KeyRound />} title="No delivery keys yet" action={create}>
              Create one so your website can read published content.
            </EmptyState>
          }
        />
        <Usage />
      </div>
      {url.get('new') ? (
        <NewKeyDialog
          onClose={() => url.set({ new: '' })}
          onMinted={(key) => {
            url.set({ new: '' })
            setMinted(key)
          }}
        />
      ) : null}
      {minted ? <MintedKeyDialog minted={minted} onClose={() => setMinted(undefined)} /> : null}
      {editing ? <EditKeyDialog key={editing.id} record={editing} onClose={() => url.set({ edit: '' })} /> : null}
      <RevokeKey record={revoking} onClose={() => setRevoking(undefined)} />
    </>
  )
}

const Usage = () => {
  const { data } = useQuery(typesQuery)
  const path = examplePath(['*'], data?.items.map((type) => type.name) ?? [])
  return (
    <Panel title="How to use a key" description="Replace $CMS_API_KEY with your key.">
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
        <CodeBlock label="curl" code={curlExample(location.origin, path, '$CMS_API_KEY')} />
        <CodeBlock label="JavaScript" code={clientExample(location.origin, path)} />
      </div>
    </Panel>
  )
}
