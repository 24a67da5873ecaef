import type { Filter } from '@stoa/mail-model/filters.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Switch } from '@stoa/ui/form/switch.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { SortableRows } from '@stoa/ui/sortable/sortable-rows.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Filter as FilterIcon, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { deleteFilter, mailboxFilterApi, mailboxFiltersQuery } from './queries.ts'

const FilterEditor = lazyPart(() => import('./filter-editor.tsx'), 'FilterEditor')

/** The rules that new mail of this mailbox goes through; one that is open takes the place of the list. */
export const FiltersSection = () => {
  const query = useQuery(mailboxFiltersQuery)
  const url = useUrlState()
  const opened = url.get('filter')
  const isNew = url.get('new') !== ''
  if (!isNew && opened === '') return <FiltersPanel query={query} />
  return (
    <QueryBoundary query={query} name="Your filters">
      {({ data }) => {
        const filter = data.find(({ id }) => id === opened)
        // Deleted in the meantime, or an old address
        if (!isNew && !filter) return <FiltersPanel query={query} />
        return (
          <Suspense fallback={<SkeletonText lines={8} />}>
            <FilterEditor key={filter?.id ?? 'new'} filter={isNew ? undefined : filter} />
          </Suspense>
        )
      }}
    </QueryBoundary>
  )
}

type FiltersQuery = { data: List<Filter> | undefined; error: unknown; refetch: () => unknown }

const FiltersPanel = ({ query }: { query: FiltersQuery }) => {
  const url = useUrlState()
  const queryClient = useQueryClient()
  const [deleting, setDeleting] = useState<Filter>()
  const create = (
    <Button icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New filter
    </Button>
  )
  return (
    <Panel
      title="Filters"
      description="Filters run on new mail from top to bottom. Filters your administrator set for all addresses run first and aren't shown here."
      actions={query.data?.data.length === 0 ? undefined : create}
      flush
    >
      <QueryBoundary query={query} name="Your filters" lines={4} padded>
        {({ data }) => (
          <FilterList
            filters={data}
            create={create}
            onEdit={({ id }) => url.set({ filter: id })}
            onDelete={setDeleting}
          />
        )}
      </QueryBoundary>
      {deleting ? (
        <ConfirmDialog
          open
          onOpenChange={() => setDeleting(undefined)}
          title={`Delete the filter “${deleting.name}”?`}
          consequence="New mail won't be filtered by it. Mail it has already moved stays where it is."
          confirmLabel="Delete filter"
          onConfirm={async () => {
            await deleteFilter(deleting.id)
            await queryClient.invalidateQueries(mailboxFiltersQuery)
            toast({ tone: 'success', title: `${deleting.name} deleted` })
          }}
        />
      ) : null}
    </Panel>
  )
}

type FilterListProps = {
  filters: readonly Filter[]
  create: ReactNode
  onEdit: (filter: Filter) => void
  onDelete: (filter: Filter) => void
}

const FilterList = ({ filters, create, onEdit, onDelete }: FilterListProps) => {
  const change = useFilterChange()
  if (filters.length === 0)
    return (
      <EmptyState icon={<FilterIcon />} title="No filters yet" action={create}>
        Move, label, forward or discard mail as it arrives.
      </EmptyState>
    )
  return (
    <SortableRows
      label="Filters"
      items={filters}
      nameOf={({ name }) => name}
      onMove={(from, to) => {
        const filter = filters[from]
        if (filter) void change(filter, { position: to })
      }}
      className="flex flex-col divide-y divide-line"
      row={(filter, _index, handle) => (
        <div className="flex min-w-0 items-center gap-3 px-4 py-3">
          {handle}
          <Switch
            aria-label={`Enable ${filter.name}`}
            checked={filter.enabled}
            onChecked={(enabled) => void change(filter, { enabled })}
          />
          <div className="flex min-w-0 flex-1 flex-col">
            <span className="truncate font-medium text-ink text-sm">{filter.name}</span>
            <span className="text-faint text-xs">
              {filter.enabled ? 'Updated ' : 'Off, updated '}
              <RelativeTime at={filter.updated_at} />
            </span>
          </div>
          <IconButton size="sm" label={`Edit ${filter.name}`} icon={<Pencil />} onClick={() => onEdit(filter)} />
          <IconButton size="sm" label={`Delete ${filter.name}`} icon={<Trash2 />} onClick={() => onDelete(filter)} />
        </div>
      )}
    />
  )
}

type Change = { enabled?: boolean; position?: number }

/** Shown at once; what the service refuses goes back. */
const useFilterChange = () => {
  const queryClient = useQueryClient()
  const { queryKey } = mailboxFiltersQuery
  return async (filter: Filter, change: Change) => {
    await queryClient.cancelQueries({ queryKey })
    const before = queryClient.getQueryData(queryKey)
    if (before) queryClient.setQueryData(queryKey, changed(before, filter, change))
    try {
      await mailboxFilterApi.update(filter.id, change)
    } catch (error) {
      queryClient.setQueryData(queryKey, before)
      toast({ tone: 'danger', title: `Couldn't update ${filter.name}`, description: messageOf(error) })
    }
    await queryClient.invalidateQueries({ queryKey })
  }
}

const changed = (list: List<Filter>, filter: Filter, change: Change): List<Filter> => {
  const { enabled = filter.enabled, position = list.data.findIndex(({ id }) => id === filter.id) } = change
  return {
    ...list,
    data: list.data.filter(({ id }) => id !== filter.id).toSpliced(position, 0, { ...filter, enabled }),
  }
}
