import type { Suppression, SuppressionOrigin } from '@stoa/mail-model/suppressions.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge, type Tone } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { TextLink, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useSelection } from '@stoa/ui/table/selection.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery } from '@tanstack/react-query'
import { Download, Mail, MailX, Pencil, Plus, Trash2, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { pagerOf, selectionAmong, sortOf } from '../list-url.ts'
import { ExportDialog } from './export-dialog.tsx'
import { type SuppressionsFilter, suppressionsQuery } from './queries.ts'
import { EditSuppressionDialog, NewSuppressionDialog, RemoveSuppressions } from './suppression-dialogs.tsx'

const columns: readonly [Column<Suppression>, ...Column<Suppression>[]] = [
  { id: 'email', header: 'Address', sortable: true, cell: (suppression) => suppression.email },
  {
    id: 'origin',
    header: 'Origin',
    sortable: true,
    cell: ({ origin }) => <Badge tone={describeOrigin(origin).tone}>{describeOrigin(origin).label}</Badge>,
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ reason }) =>
      reason === null ? (
        '–'
      ) : (
        <span title={reason} className="block truncate desk:max-w-48 phone:whitespace-normal">
          {reason}
        </span>
      ),
  },
  {
    id: 'source',
    header: 'Source',
    hideOnPhone: true,
    cell: ({ source_id: id }) => (id === null ? '–' : <TextLink to={`/emails/${id}`}>View email</TextLink>),
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expires_at: at }) => (at === null ? 'Never' : <RelativeTime at={at} />),
  },
  { id: 'created_at', header: 'Added', sortable: true, cell: (one) => <RelativeTime at={one.created_at} /> },
]

// The import parses addresses like the service, which takes more code than the whole list
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

const NO_FILTERS = { q: '', origin: '', page: '' }

/** The addresses that programs do not reach. */
export const SuppressionsScreen = () => {
  const url = useUrlState()
  const navigateTo = useNavigateTo()
  const selection = useSelection()
  const sort = sortOf(url, { by: 'created_at', direction: 'desc' })
  const filter: SuppressionsFilter = {
    search: url.get('q'),
    origin: url.get('origin'),
    sort: sort.by,
    direction: sort.direction,
  }
  const query = useQuery(suppressionsQuery(filter, readPage(url.get('page'))))
  const rows = query.data?.data
  const [removing, setRemoving] = useState<readonly Suppression[]>([])
  const [exporting, setExporting] = useState(false)
  const editing = rows?.find(({ id }) => id === url.get('edit'))
  const isNarrowed = filter.search !== '' || filter.origin !== ''
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      Suppress address
    </Button>
  )
  const bring = (
    <Button icon={<Upload />} onClick={() => url.set({ import: '1' })}>
      Import
    </Button>
  )
  return (
    <>
      <title>Suppressions · Stoa Mail</title>
      <PageHeader
        title="Suppressions"
        description="Your apps can't send email to these addresses."
        actions={
          <>
            {query.data && query.data.total > 0 ? (
              <Button icon={<Download />} onClick={() => setExporting(true)}>
                Export
              </Button>
            ) : null}
            {bring}
            {create}
          </>
        }
      />
      <DataTable
        label="Suppressions"
        columns={columns}
        state={listState({ data: rows, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ email }) => email}
        rowActions={({ source_id: source }) => [
          { label: 'Edit', icon: <Pencil />, onRun: ({ id }) => url.set({ edit: id }) },
          ...(source === null
            ? []
            : [{ label: 'View email', icon: <Mail />, onRun: () => navigateTo(`/emails/${source}`) }]),
          { label: 'Remove', icon: <Trash2 />, danger: true, onRun: (one) => setRemoving([one]) },
        ]}
        selection={selectionAmong(selection, rows)}
        bulkActions={[
          {
            label: 'Remove',
            icon: <Trash2 />,
            danger: true,
            onRun: (keys) => setRemoving(rows?.filter(({ id }) => keys.has(id)) ?? []),
          },
        ]}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
        toolbar={
          <>
            <UrlSearch label="Search addresses" value={filter.search} onSearch={(q) => url.set({ q, page: '' })} />
            <Select
              aria-label="Origin"
              className="max-w-40 phone:max-w-none"
              value={filter.origin}
              options={originOptions}
              onValue={(origin) => url.set({ origin, page: '' })}
            />
          </>
        }
        onClearFilters={isNarrowed ? () => url.set(NO_FILTERS) : undefined}
        empty={
          <EmptyState
            icon={<MailX />}
            title="No suppressions"
            action={
              <>
                {bring}
                {create}
              </>
            }
          >
            Addresses that bounce or complain are added automatically. You can also import the list from your previous
            provider.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
      {url.get('new') ? <NewSuppressionDialog onClose={() => url.set({ new: '' })} /> : null}
      {url.get('import') ? (
        <Suspense>
          <ImportDialog onClose={() => url.set({ import: '' })} />
        </Suspense>
      ) : null}
      {editing ? (
        <EditSuppressionDialog key={editing.id} suppression={editing} onClose={() => url.set({ edit: '' })} />
      ) : null}
      {removing.length > 0 ? (
        <RemoveSuppressions suppressions={removing} onRemoved={selection.clear} onClose={() => setRemoving([])} />
      ) : null}
      {exporting && query.data ? (
        <ExportDialog filter={filter} total={query.data.total} onClose={() => setExporting(false)} />
      ) : null}
    </>
  )
}

const origins: Record<SuppressionOrigin, { label: string; tone: Tone }> = {
  bounce: { label: 'Bounce', tone: 'failed' },
  complaint: { label: 'Complaint', tone: 'draft' },
  manual: { label: 'Manual', tone: 'neutral' },
}

const describeOrigin = (origin: SuppressionOrigin): { label: string; tone: Tone } => origins[origin]

const originOptions = [
  { value: '', label: 'All origins' },
  ...Object.entries(origins).map(([value, { label }]) => ({ value, label })),
]
