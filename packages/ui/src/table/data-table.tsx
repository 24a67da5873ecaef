import { type ReactNode, useRef } from 'react'
import { useIsPhone } from '../browser/use-media-query.ts'
import type { ListState } from './list-state.ts'
import type { Selection } from './selection.ts'
import { TableCards } from './table-cards.tsx'
import { BulkBar, ListError, NothingMatches, Pager, type PagerProps, ToolbarOrBulk } from './table-parts.tsx'
import { TableRows } from './table-rows.tsx'
import { TableSkeleton } from './table-skeleton.tsx'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  sortable?: boolean
  align?: 'start' | 'end'
  /** Left out of the cards on a phone. */
  hideOnPhone?: boolean
  /** On a phone it stands with others of its kind on one line below the head, without its name. */
  lineOnPhone?: boolean
  /** Leaves its room to the first column where the table is narrow. */
  isSpare?: boolean
}

export type Sort = { by: string; direction: 'asc' | 'desc' }

export type TableAction<Row> = { label: string; icon?: ReactNode; danger?: boolean; onRun: (row: Row) => void }
export type BulkAction = {
  label: string
  icon?: ReactNode
  danger?: boolean
  onRun: (keys: ReadonlySet<string>) => void
}

export type DataTableProps<Row> = {
  /** What the rows are, in the plural: "Entries". */
  label: string
  /** The first column names the row: it becomes the link and the head of the card. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  state: ListState<Row>
  rowKey: (row: Row) => string
  /** The row's name in words, for screen readers. */
  rowName: (row: Row) => string
  /** The path that a row links to. */
  rowTo?: (row: Row) => string
  rowActions?: (row: Row) => readonly TableAction<Row>[]
  sort?: Sort
  onSort?: (sort: Sort) => void
  selection?: Selection
  bulkActions?: readonly BulkAction[]
  /** Search and filters. They stay in every state, so that nothing typed is lost. */
  toolbar?: ReactNode
  /** Given while a search or filter narrows the list. */
  onClearFilters?: (() => void) | undefined
  empty: ReactNode
  pager?: PagerProps
}

/** A list of records with all its states; a table on a desk, cards on a phone. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, state, selection, bulkActions = [], toolbar, pager } = props
  const region = useRef<HTMLElement>(null)
  const chosen = selection && selection.keys.size > 0
  const clear = () => {
    selection?.clear()
    // The button that was pressed is gone
    region.current?.focus()
  }
  return (
    <section ref={region} tabIndex={-1} aria-label={label} className="flex min-w-0 flex-col gap-3">
      <ToolbarOrBulk bulk={chosen ? <BulkBar selection={selection} actions={bulkActions} onClear={clear} /> : null}>
        {toolbar ? <Toolbar>{toolbar}</Toolbar> : null}
      </ToolbarOrBulk>
      <div
        aria-busy={state.status === 'loading'}
        className="min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-sm"
      >
        <Body {...props} />
      </div>
      <p role="status" className="sr-only">
        {announcement(props)}
      </p>
      {pager && state.status === 'ready' && state.rows.length > 0 ? <Pager {...pager} /> : null}
    </section>
  )
}

const Body = <Row,>(props: DataTableProps<Row>) => {
  const { state, columns, empty, onClearFilters, selection } = props
  const phone = useIsPhone()
  if (state.status === 'error') return <ListError message={state.message} onRetry={state.onRetry} />
  if (state.status === 'loading')
    return <TableSkeleton columns={columns} selectable={Boolean(selection)} phone={phone} />
  if (state.rows.length === 0) return onClearFilters ? <NothingMatches onClear={onClearFilters} /> : empty
  return phone ? <TableCards {...props} rows={state.rows} /> : <TableRows {...props} rows={state.rows} />
}

const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm">{children}</div>
)

const announcement = <Row,>({ label, state }: DataTableProps<Row>): string => {
  if (state.status === 'loading') return `${label}: loading`
  if (state.status === 'error') return ''
  return `${label}: ${state.rows.length} shown`
}
