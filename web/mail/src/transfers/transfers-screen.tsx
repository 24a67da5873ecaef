import type { Transfer } from '@stoa/mail-model/transfers.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FolderInput, Plus, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import { pagerOf, sortOf } from '../list-url.ts'
import { CancelTransfer } from './cancel-transfer.tsx'
import { NewTransfer } from './new-transfer.tsx'
import { isActive, statusWords } from './progress.ts'
import { transfersQuery } from './queries.ts'
import { TransferBar } from './transfer-bar.tsx'

const columns: readonly [Column<Transfer>, ...Column<Transfer>[]] = [
  {
    id: 'address',
    header: 'To',
    cell: (transfer) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{transfer.address}</span>
        <span className="truncate font-normal text-faint text-xs">
          from {transfer.username} at {transfer.host}
        </span>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    sortable: true,
    cell: ({ status }) => <Status tone={statusWords[status].tone}>{statusWords[status].label}</Status>,
  },
  { id: 'progress', header: 'Messages', cell: (transfer) => <TransferBar transfer={transfer} /> },
  {
    id: 'created_at',
    header: 'Started',
    sortable: true,
    cell: (transfer) => <RelativeTime at={transfer.created_at} />,
  },
  {
    id: 'finished_at',
    header: 'Ended',
    sortable: true,
    hideOnPhone: true,
    cell: ({ finished_at: at }) => (at === null ? '–' : <RelativeTime at={at} />),
  },
]

const PER_PAGE = 25

/** Mailboxes that are copied here from other servers. */
export const TransfersScreen = () => {
  const url = useUrlState()
  const navigate = useNavigate()
  const page = readPage(url.get('page'))
  const sort = sortOf(url, { by: 'created_at', direction: 'desc' })
  const search = url.get('q')
  const query = useQuery(transfersQuery({ page, perPage: PER_PAGE, search, sort: sort.by, direction: sort.direction }))
  const [stopping, setStopping] = useState<Transfer>()
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1', again: '' })}>
      New transfer
    </Button>
  )
  return (
    <>
      <title>Transfers · Stoa Mail</title>
      <PageHeader
        title="Transfers"
        description="Copy a mailbox from another provider, with folders, flags and dates. Nothing is changed there."
        actions={create}
      />
      <DataTable
        label="Transfers"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ address }) => address}
        rowTo={({ id }) => `/transfers/${id}`}
        rowActions={(transfer) =>
          isActive(transfer)
            ? [{ label: 'Stop transfer', icon: <Square />, danger: true, onRun: setStopping }]
            : [
                {
                  label: 'Start again',
                  icon: <RotateCw />,
                  onRun: ({ id }) => url.set({ new: '1', again: id }),
                },
              ]
        }
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
        toolbar={<UrlSearch label="Search transfers" value={search} onSearch={(q) => url.set({ q, page: '' })} />}
        onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={
          <EmptyState icon={<FolderInput />} title="No transfers yet" action={create}>
            Copy mail from Gmail, iCloud, Fastmail or any IMAP server. You can keep using the old mailbox meanwhile.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
      {url.get('new') === '' ? null : (
        <NewTransfer
          again={url.get('again')}
          addressId={url.get('address')}
          onClose={() => url.set({ new: '', again: '', address: '' })}
          onStarted={({ id }) =>
            void navigate({ to: '/transfers/$transferId', params: { transferId: id }, ignoreBlocker: true })
          }
        />
      )}
      <CancelTransfer transfer={stopping} onClose={() => setStopping(undefined)} />
    </>
  )
}
