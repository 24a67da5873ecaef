import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { TrashedEntry } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Select } from '@stoa/ui/form/select.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable, type TableAction } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useSelection } from '@stoa/ui/table/selection.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { may } from '../../allowed.tsx'
import { meQuery } from '../../queries.ts'
import { settingsQuery } from '../../settings/queries.ts'
import { typesQuery } from '../../types/queries.ts'
import { titleOf } from '../list/values.ts'
import { emptyTrash, entriesKey, purgeEntry } from '../queries.ts'
import { useRestore } from './restore.tsx'
import { daysLeft } from './trash-words.ts'
import { type Trash, useTrash } from './use-trash.ts'
import { useTrashBulk } from './use-trash-bulk.tsx'

/** Deleted entries of all types. */
export const TrashScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: settings } = useQuery(settingsQuery)
  const trash = useTrash()
  const purges = may(me, 'types.manage')
  const trashDays = settings?.trashDays ?? null
  return (
    <>
      <title>Trash · Stoa CMS</title>
      <PageHeader
        title="Trash"
        description={describeTrash(trashDays)}
        {...(purges && (trash.total > 0 || trash.narrowed) ? { actions: <EmptyTrash /> } : {})}
      />
      <TrashList trash={trash} purges={purges} trashDays={trashDays} />
    </>
  )
}

type TrashListProps = { trash: Trash; purges: boolean; trashDays: number | null }

const TrashList = ({ trash, purges, trashDays }: TrashListProps) => {
  const url = useUrlState()
  const { data: types } = useQuery(typesQuery)
  const selection = useSelection()
  const { restore, dialog } = useRestore()
  const [purging, setPurging] = useState<TrashedEntry>()
  const bulk = useTrashBulk({ rows: trash.rows ?? [], selection, purges })
  const labels = new Map(types?.items.map((type) => [type.name, type.label]))
  return (
    <>
      {bulk.notice}
      <DataTable
        label="Trash"
        columns={columnsOf(labels, trashDays)}
        state={listState({ data: trash.rows, error: trash.error, refetch: trash.refetch }, messageOf)}
        rowKey={(entry) => entry.id}
        rowName={titleOf}
        rowActions={() => rowActions(restore, purges ? setPurging : undefined)}
        selection={selection}
        bulkActions={bulk.actions}
        toolbar={<TrashFilters trash={trash} types={types?.items ?? []} />}
        onClearFilters={trash.narrowed ? () => url.set({ q: '', type: '', page: '' }) : undefined}
        empty={
          <EmptyState drawing="done" title="The trash is empty">
            Deleted entries wait here, so you can restore them.
          </EmptyState>
        }
        {...(trash.pager ? { pager: trash.pager } : {})}
      />
      {dialog}
      {bulk.layers}
      <PurgeDialog entry={purging} onClose={() => setPurging(undefined)} />
    </>
  )
}

const TrashFilters = ({ trash, types }: { trash: Trash; types: readonly ContentType[] }) => {
  const url = useUrlState()
  return (
    <>
      <UrlSearch label="Search trash" value={trash.q} onSearch={(q) => url.set({ q, page: '' })} />
      <Select
        aria-label="All types"
        className="max-w-44 phone:max-w-none"
        value={trash.type}
        options={[
          { value: '', label: 'All types' },
          ...types.map(({ name, labelPlural }) => ({ value: name, label: labelPlural })),
        ]}
        onValue={(type) => url.set({ type, page: '' })}
      />
    </>
  )
}

const describeTrash = (days: number | null): string =>
  days === null
    ? 'Deleted entries. They are kept until someone empties the trash.'
    : `Deleted entries. They're kept for ${formatCount(days, 'day', 'days')}, then permanently deleted.`

type RowColumn = Column<TrashedEntry>

const columnsOf = (labels: ReadonlyMap<string, string>, trashDays: number | null): [RowColumn, ...RowColumn[]] => [
  { id: 'title', header: 'Title', cell: titleOf },
  { id: 'type', header: 'Type', lineOnPhone: true, cell: (entry) => labels.get(entry.type) ?? entry.type },
  {
    id: 'was',
    header: 'Previous status',
    hideOnPhone: true,
    cell: ({ previousStatus }) =>
      previousStatus === 'published' ? <Status tone="live">Live</Status> : <Status tone="draft">Draft</Status>,
  },
  { id: 'by', header: 'Deleted by', hideOnPhone: true, cell: (entry) => entry.deletedBy?.name ?? '–' },
  {
    id: 'at',
    header: 'Deleted',
    lineOnPhone: true,
    cell: (entry) => (entry.deletedAt === null ? '–' : <RelativeTime at={entry.deletedAt} />),
  },
  ...(trashDays === null
    ? []
    : [
        {
          id: 'left',
          header: 'Days left',
          align: 'end' as const,
          cell: (entry: TrashedEntry) => daysLeft(entry.deletedAt, trashDays, new Date()) ?? '–',
        },
      ]),
]

const rowActions = (
  restore: (entry: TrashedEntry) => void,
  purge: ((entry: TrashedEntry) => void) | undefined,
): readonly TableAction<TrashedEntry>[] => [
  { label: 'Restore', icon: <RotateCcw />, onRun: restore },
  ...(purge ? [{ label: 'Delete permanently', icon: <Trash2 />, danger: true, onRun: purge }] : []),
]

const PurgeDialog = ({ entry, onClose }: { entry: TrashedEntry | undefined; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const name = entry ? titleOf(entry) : ''
  return (
    <ConfirmDialog
      open={entry !== undefined}
      onOpenChange={onClose}
      title={`Permanently delete “${name}”?`}
      consequence="The entry and its history are permanently deleted. This can't be undone."
      confirmLabel="Delete permanently"
      onConfirm={async () => {
        if (!entry) return
        await purgeEntry(entry.id)
        await queryClient.invalidateQueries({ queryKey: entriesKey })
        toast({ title: `“${name}” permanently deleted` })
      }}
    />
  )
}

const EmptyTrash = () => {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="danger-quiet" icon={<Trash2 />} onClick={() => setAsking(true)}>
        Empty trash
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Empty the trash?"
        consequence="All entries in the trash, from everyone, are permanently deleted along with their history. This can't be undone."
        confirmLabel="Empty trash"
        typeName="empty"
        onConfirm={async () => {
          await emptyTrash()
          await queryClient.invalidateQueries({ queryKey: entriesKey })
          toast({ title: 'The trash is empty' })
        }}
      />
    </>
  )
}
