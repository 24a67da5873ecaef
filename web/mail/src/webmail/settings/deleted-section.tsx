import type { DeletedMessage } from '@stoa/mail-model/deleted.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MessageUpdate } from '@stoa/mail-model/message-actions.ts'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useSelection } from '@stoa/ui/table/selection.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatBytes } from '@stoa/ui/text/format.ts'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { pagerOf, selectionAmong, sortOf } from '../../list-url.ts'
import { sendMailbox } from '../api.ts'
import { nameOf } from '../people.ts'

type Filter = { search: string; sort: string; direction: string }

const deletedQuery = (filter: Filter, page: number) =>
  queryOptions({
    queryKey: ['webmail-deleted', filter, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...filter, page: String(page), per_page: '25' })
      return sendMailbox<List<DeletedMessage>>('GET', `/api/mail/deleted?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

const columns: readonly [Column<DeletedMessage>, ...Column<DeletedMessage>[]] = [
  {
    id: 'subject',
    header: 'Message',
    sortable: true,
    cell: ({ subject, from }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{subject || '(no subject)'}</span>
        <span className="truncate font-normal text-muted text-xs">{from ? nameOf(from) : 'Unknown sender'}</span>
      </span>
    ),
  },
  {
    id: 'size_bytes',
    header: 'Size',
    sortable: true,
    align: 'end',
    hideOnPhone: true,
    cell: ({ size_bytes: size }) => formatBytes(size),
  },
  { id: 'deleted_at', header: 'Deleted', sortable: true, cell: ({ deleted_at: at }) => <RelativeTime at={at} /> },
  { id: 'purge_at', header: 'Permanently deleted', cell: ({ purge_at: at }) => <RelativeTime at={at} /> },
]

/** Messages that are in no folder any more and can still be brought back. */
export const DeletedSection = () => {
  const url = useUrlState()
  const search = url.get('contact')
  const sort = sortOf(url, { by: 'deleted_at', direction: 'desc' })
  const query = useQuery(deletedQuery({ search, sort: sort.by, direction: sort.direction }, readPage(url.get('page'))))
  const selection = useSelection()
  const restore = useRestore(selection.clear)
  return (
    <ListSection
      title="Deleted messages"
      description="You can restore messages for 30 days after they were deleted from the trash. They don't use storage."
    >
      <DataTable
        label="Deleted messages"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ subject }) => subject || 'Message without subject'}
        rowActions={() => [{ label: 'Restore', icon: <ArchiveRestore />, onRun: ({ id }) => restore([id]) }]}
        selection={selectionAmong(selection, query.data?.data)}
        bulkActions={[{ label: 'Restore', icon: <ArchiveRestore />, onRun: (keys) => restore([...keys]) }]}
        sort={sort}
        onSort={(next) => url.set({ sort: next.by, direction: next.direction, page: '' })}
        toolbar={
          <UrlSearch
            shortcut={false}
            label="Search deleted messages"
            value={search}
            onSearch={(contact) => url.set({ contact, page: '' })}
          />
        }
        onClearFilters={search ? () => url.set({ contact: '', page: '' }) : undefined}
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
        empty={
          <EmptyState icon={<Trash2 />} title="No deleted messages">
            Messages that you delete from the trash stay here for 30 days.
          </EmptyState>
        }
      />
    </ListSection>
  )
}

const useRestore = (onDone: () => void) => {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (ids: readonly string[]) =>
      sendMailbox<MessageUpdate>('POST', '/api/mail/deleted/restore', { body: { message_ids: ids } }),
    onSuccess: ({ updated }) => {
      onDone()
      toast({ tone: 'success', title: updated === 1 ? 'Message restored' : `${updated} messages restored` })
    },
    onError: (error) => toast({ tone: 'danger', title: "Couldn't restore", description: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  return mutate
}
