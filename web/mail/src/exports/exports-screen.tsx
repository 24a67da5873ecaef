import type { MailExport } from '@stoa/mail-model/exports.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { Status, type Tone } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { formatBytes, formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, PackageOpen, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { pagerOf } from '../list-url.ts'
import { NewExport } from './new-export.tsx'
import { deleteExport, downloadPath, EXPORTS, exportsQuery, isActive } from './queries.ts'

const statusWords: Record<MailExport['status'], { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'scheduled' },
  running: { label: 'In progress', tone: 'accent' },
  completed: { label: 'Ready', tone: 'live' },
  failed: { label: 'Failed', tone: 'failed' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
}

const columns: readonly [Column<MailExport>, ...Column<MailExport>[]] = [
  {
    id: 'addresses',
    header: 'Export',
    cell: ({ address_ids: ids, format }) => (
      <span className="flex min-w-0 flex-col">
        <span>{ids === null ? 'All addresses' : ids.length === 1 ? '1 address' : `${ids.length} addresses`}</span>
        <span className="font-normal text-faint text-xs">{format === 'mbox' ? 'mbox' : 'Maildir'}</span>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, error }) => (
      <span className="flex min-w-0 flex-col gap-0.5">
        <Status tone={statusWords[status].tone}>{statusWords[status].label}</Status>
        {error === null ? null : <span className="break-words text-muted text-xs">{error}</span>}
      </span>
    ),
  },
  { id: 'messages', header: 'Messages', cell: (row) => <Progress row={row} /> },
  {
    id: 'size',
    header: 'Size',
    align: 'end',
    cell: ({ size_bytes: size }) => (size === null ? '–' : formatBytes(size)),
  },
  {
    id: 'expires_at',
    header: 'Expires',
    cell: ({ expires_at: at }) => (at === null ? '–' : <RelativeTime at={at} />),
  },
  { id: 'created_at', header: 'Created', isSpare: true, cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  {
    id: 'download',
    header: 'File',
    cell: ({ id, status }) =>
      status === 'completed' ? (
        <a href={downloadPath(id)} download className={buttonClass('secondary', 'sm')}>
          <Download aria-hidden />
          Download
        </a>
      ) : (
        '–'
      ),
  },
]

const Progress = ({ row }: { row: MailExport }) => {
  const { messages_total: total, messages_done: done } = row
  if (total === null) return '–'
  const text = isActive(row) ? `${formatNumber(done)} of ${formatNumber(total)}` : formatNumber(done)
  return (
    <span className="flex min-w-0 max-w-40 flex-col gap-1">
      <span className="tabular-nums">{text}</span>
      {isActive(row) && total > 0 ? <Meter label="Messages" value={done} max={total} text={text} /> : null}
    </span>
  )
}

/** Files with all mail, to keep or to take elsewhere. */
export const ExportsScreen = () => {
  const url = useUrlState()
  const query = useQuery(exportsQuery(readPage(url.get('page'))))
  const [deleting, setDeleting] = useState<MailExport>()
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New export
    </Button>
  )
  return (
    <>
      <title>Exports · Stoa Mail</title>
      <PageHeader
        title="Exports"
        description="Download all your mail as a zip file, to keep or to move to another provider. Files are deleted after 7 days."
        actions={create}
      />
      <DataTable
        label="Exports"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ created_at: at }) => `export of ${at.slice(0, 10)}`}
        rowActions={() => [{ label: 'Delete', icon: <Trash2 />, danger: true, onRun: setDeleting }]}
        empty={
          <EmptyState icon={<PackageOpen />} title="No exports yet" action={create}>
            An export contains every message and folder of the addresses you choose.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
      {url.get('new') ? <NewExport onClose={() => url.set({ new: '' })} /> : null}
      {deleting ? <DeleteExport row={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

const DeleteExport = ({ row, onClose }: { row: MailExport; onClose: () => void }) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Delete this export?"
      consequence={
        isActive(row) ? 'It stops, and nothing is kept. Your mail stays.' : 'Its file is deleted. Your mail stays.'
      }
      confirmLabel="Delete export"
      onConfirm={async () => {
        await deleteExport(row.id)
        await queryClient.invalidateQueries({ queryKey: EXPORTS })
        toast({ tone: 'success', title: 'Export deleted' })
      }}
    />
  )
}
