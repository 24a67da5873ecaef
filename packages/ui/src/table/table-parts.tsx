import { ChevronLeft, ChevronRight, Ellipsis, RotateCw, SearchX, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../button/button.tsx'
import { EmptyState } from '../feedback/empty-state.tsx'
import { Select } from '../form/select.tsx'
import { Menu, MenuItem } from '../layer/menu.tsx'
import { formatNumber } from '../text/format.ts'
import type { BulkAction, TableAction } from './data-table.tsx'
import type { Selection } from './selection.ts'

type RowMenuProps<Row> = { row: Row; name: string; actions: readonly TableAction<Row>[] }

/** The three dots at the end of a row. */
export const RowMenu = <Row,>({ row, name, actions }: RowMenuProps<Row>) =>
  actions.length === 0 ? null : (
    <Menu trigger={<IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis />} />}>
      {actions.map((action) => (
        <MenuItem
          key={action.label}
          icon={action.icon}
          danger={action.danger ?? false}
          onSelect={() => action.onRun(row)}
        >
          {action.label}
        </MenuItem>
      ))}
    </Menu>
  )

/** The actions for chosen rows lie over the toolbar, which keeps its room: the rows below do not jump. */
export const ToolbarOrBulk = ({ bulk, children }: { bulk: ReactNode; children: ReactNode }) =>
  bulk || children ? (
    <div className="grid *:[grid-area:1/1]">
      {children ? (
        <div inert={Boolean(bulk)} className={bulk ? 'invisible' : undefined}>
          {children}
        </div>
      ) : null}
      {bulk}
    </div>
  ) : null

type BulkBarProps = { selection: Selection; actions: readonly BulkAction[]; onClear: () => void }

/** The actions on the chosen rows. */
export const BulkBar = ({ selection, actions, onClear }: BulkBarProps) => (
  <div role="toolbar" aria-label="Selected rows" className="flex min-h-8 flex-wrap items-center gap-2">
    <IconButton label="Clear selection" icon={<X />} onClick={onClear} className="-ml-1.5" />
    <span role="status" className="mr-1 font-medium text-ink text-sm tabular-nums">
      {formatNumber(selection.keys.size)} selected
    </span>
    {actions.map((action) => (
      <Button
        key={action.label}
        variant={action.danger ? 'danger-quiet' : 'secondary'}
        icon={action.icon}
        onClick={() => action.onRun(selection.keys)}
      >
        {action.label}
      </Button>
    ))}
  </div>
)

export type PagerProps = {
  /** The numbers of the first and last row shown, from 1. */
  from: number
  to: number
  /** Left out where counting would cost too much. */
  total?: number
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  /** How many rows a page has, where that can be chosen. */
  size?: { value: number; options: readonly number[]; onSize: (size: number) => void }
}

export const Pager = ({ from, to, total, onPrevious, onNext, size }: PagerProps) => (
  <nav
    aria-label="Pages"
    className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 text-muted text-sm tabular-nums"
  >
    <span>
      {formatNumber(from)}–{formatNumber(to)}
      {total === undefined ? '' : ` of ${formatNumber(total)}`}
    </span>
    <span className="flex items-center gap-1">
      {size === undefined ? null : (
        <Select
          aria-label="Rows per page"
          className="mr-2 w-32!"
          value={String(size.value)}
          options={size.options.map((option) => ({ value: String(option), label: `${option} per page` }))}
          onValue={(value) => size.onSize(Number(value))}
        />
      )}
      {onPrevious || onNext ? (
        <>
          <IconButton
            variant="secondary"
            size="sm"
            label="Previous page"
            icon={<ChevronLeft />}
            disabled={!onPrevious}
            onClick={onPrevious}
          />
          <IconButton
            variant="secondary"
            size="sm"
            label="Next page"
            icon={<ChevronRight />}
            disabled={!onNext}
            onClick={onNext}
          />
        </>
      ) : null}
    </span>
  </nav>
)

export const ListError = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <div role="alert">
    <EmptyState
      icon={<TriangleAlert className="text-failed-mark" />}
      title="Couldn't load this list"
      action={
        <Button icon={<RotateCw />} onClick={onRetry}>
          Retry
        </Button>
      }
    >
      {message}
    </EmptyState>
  </div>
)

export const NothingMatches = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    icon={<SearchX />}
    title="No results"
    action={<Button onClick={onClear}>Clear search and filters</Button>}
  >
    Try a different search, or remove a filter.
  </EmptyState>
)
