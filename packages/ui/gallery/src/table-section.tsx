import { Copy, FileText, Filter, Pencil, Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../src/button/button.tsx'
import { Status } from '../../src/display/badge.tsx'
import { RelativeTime } from '../../src/display/relative-time.tsx'
import { EmptyState } from '../../src/feedback/empty-state.tsx'
import { toast } from '../../src/feedback/toast-store.ts'
import { SearchInput } from '../../src/form/search-input.tsx'
import { Menu, MenuCheck, MenuLabel } from '../../src/layer/menu.tsx'
import { type Column, DataTable, type DataTableProps, type Sort } from '../../src/table/data-table.tsx'
import { useSelection } from '../../src/table/selection.ts'
import { formatNumber } from '../../src/text/format.ts'
import { type Entry, entries, statusTones } from './entries.ts'
import { Specimen } from './specimen.tsx'

const columns: readonly [Column<Entry>, ...Column<Entry>[]] = [
  { id: 'title', header: 'Title', sortable: true, cell: (entry) => entry.title },
  {
    id: 'status',
    header: 'Status',
    cell: (entry) => <Status tone={statusTones[entry.status].tone}>{statusTones[entry.status].label}</Status>,
  },
  { id: 'type', header: 'Type', cell: (entry) => entry.type },
  { id: 'author', header: 'Author', cell: (entry) => entry.author, hideOnPhone: true },
  {
    id: 'words',
    header: 'Words',
    sortable: true,
    align: 'end',
    cell: (entry) => formatNumber(entry.words),
    hideOnPhone: true,
  },
  { id: 'updatedAt', header: 'Updated', sortable: true, cell: (entry) => <RelativeTime at={entry.updatedAt} /> },
]

const base = {
  columns,
  rowKey: (entry: Entry) => entry.id,
  rowName: (entry: Entry) => entry.title,
  rowTo: (entry: Entry) => `entries/${entry.id}`,
  empty: (
    <EmptyState
      icon={<FileText />}
      title="No entries yet"
      action={
        <Button variant="primary" icon={<Plus />}>
          New entry
        </Button>
      }
    >
      An entry is one piece of content: a page, a post, a person.
    </EmptyState>
  ),
} satisfies Partial<DataTableProps<Entry>>

export const TableSection = () => (
  <div className="flex flex-col gap-8">
    <Specimen title="Full of data" stack>
      <EntryTable />
    </Specimen>
    <Specimen title="Loading" stack>
      <DataTable {...base} label="Loading entries" state={{ status: 'loading' }} />
    </Specimen>
    <Specimen title="Empty" stack>
      <DataTable {...base} label="Empty entries" state={{ status: 'ready', rows: [] }} />
    </Specimen>
    <Specimen title="Error" stack>
      <FailingTable />
    </Specimen>
  </div>
)

/** The whole behavior of a list, also used by the shell view. */
export const EntryTable = () => {
  const [words, setWords] = useState('')
  const [drafts, setDrafts] = useState(true)
  const [sort, setSort] = useState<Sort>({ by: 'updatedAt', direction: 'desc' })
  const [page, setPage] = useState(1)
  const selection = useSelection()
  const rows = entries
    .filter((entry) => entry.title.toLowerCase().includes(words.toLowerCase()) && (drafts || entry.status !== 'draft'))
    .toSorted((a, b) => compare(a, b, sort))
  const filtered = words !== '' || !drafts
  return (
    <DataTable
      {...base}
      label="Entries"
      state={{ status: 'ready', rows }}
      sort={sort}
      onSort={setSort}
      selection={selection}
      rowActions={() => [
        { label: 'Edit', icon: <Pencil />, onRun: (entry) => toast({ title: `Edit ${entry.id}` }) },
        { label: 'Duplicate', icon: <Copy />, onRun: (entry) => toast({ title: `Duplicate ${entry.id}` }) },
        { label: 'Delete', icon: <Trash2 />, danger: true, onRun: (entry) => toast({ title: `Delete ${entry.id}` }) },
      ]}
      bulkActions={[
        { label: 'Publish', icon: <Send />, onRun: (keys) => toast({ title: `${keys.size} published` }) },
        { label: 'Delete', icon: <Trash2 />, danger: true, onRun: (keys) => toast({ title: `${keys.size} deleted` }) },
      ]}
      onClearFilters={
        filtered
          ? () => {
              setWords('')
              setDrafts(true)
            }
          : undefined
      }
      toolbar={
        <>
          <SearchInput label="Search entries" value={words} onSearch={setWords} className="desk:max-w-64" />
          <Menu align="start" trigger={<Button icon={<Filter />}>Filter</Button>}>
            <MenuLabel>Show</MenuLabel>
            <MenuCheck checked={drafts} onChecked={setDrafts}>
              Drafts
            </MenuCheck>
          </Menu>
        </>
      }
      pager={{
        from: page === 1 ? 1 : 26,
        to: page === 1 ? 25 : 50,
        total: 1204,
        onPrevious: page === 1 ? undefined : () => setPage(1),
        onNext: page === 1 ? () => setPage(2) : undefined,
      }}
    />
  )
}

const FailingTable = () => {
  const [tries, setTries] = useState(0)
  const [words, setWords] = useState('typed before')
  return (
    <DataTable
      {...base}
      label="Failing entries"
      state={
        tries < 2
          ? {
              status: 'error',
              message: `The service did not answer (try ${tries + 1}).`,
              onRetry: () => setTries(tries + 1),
            }
          : { status: 'ready', rows: entries.slice(0, 2) }
      }
      toolbar={
        <SearchInput label="Search failing entries" value={words} onSearch={setWords} className="desk:max-w-64" />
      }
    />
  )
}

const compare = (a: Entry, b: Entry, sort: Sort): number => {
  const sign = sort.direction === 'asc' ? 1 : -1
  if (sort.by === 'words') return sign * (a.words - b.words)
  if (sort.by === 'title') return sign * a.title.localeCompare(b.title)
  return sign * a.updatedAt.localeCompare(b.updatedAt)
}
