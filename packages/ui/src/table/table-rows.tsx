import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Checkbox } from '../form/checkbox.tsx'
import { AppLink, useNavigateTo } from '../navigation/link.tsx'
import { cx } from '../theme/cx.ts'
import type { Column, DataTableProps, Sort } from './data-table.tsx'
import { RowMenu } from './table-parts.tsx'

type TableRowsProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

/** The list as a table. */
export const TableRows = <Row,>(props: TableRowsProps<Row>) => {
  const { label, columns, rows, rowKey, sort, onSort, selection, rowActions } = props
  const order = rows.map(rowKey)
  return (
    <div className="@container relative overflow-x-auto">
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-line border-b">
            {selection ? (
              <th scope="col" className="w-10 py-2 pr-0 pl-4">
                <Checkbox
                  aria-label="Select all on this page"
                  checked={order.every((key) => selection.keys.has(key))}
                  indeterminate={
                    order.some((key) => selection.keys.has(key)) && !order.every((key) => selection.keys.has(key))
                  }
                  onChecked={(checked) => selection.setAll(order, checked)}
                  className="align-middle"
                />
              </th>
            ) : null}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
            {rowActions ? (
              <th scope="col" className="w-12">
                <span className="sr-only">Actions</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <BodyRow key={rowKey(row)} row={row} order={order} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Narrower tables have no room beside the first column, the state and the time. */
export const SPARE = '@max-[54rem]:hidden'

/** Repeats the text of a hidden column as the second line of another cell. */
export const INSTEAD_OF_SPARE = 'hidden @max-[54rem]:block'

type HeaderCellProps<Row> = { column: Column<Row>; sort: Sort | undefined; onSort: ((sort: Sort) => void) | undefined }

export const HeaderCell = <Row,>({ column, sort, onSort }: HeaderCellProps<Row>) => {
  const end = column.align === 'end'
  const className = cx(
    'whitespace-nowrap px-3 py-2 font-medium text-faint text-xs first:pl-4',
    end && 'text-right',
    column.isSpare && SPARE,
  )
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" className={className}>
        {column.header}
      </th>
    )
  }
  const direction = sort?.by === column.id ? sort.direction : undefined
  const Icon = direction === 'asc' ? ArrowUp : direction === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <th
      scope="col"
      aria-sort={direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
      className={className}
    >
      <button
        type="button"
        onClick={() => onSort({ by: column.id, direction: direction === 'asc' ? 'desc' : 'asc' })}
        className={cx(
          'group -mx-1.5 -my-1 inline-flex items-center align-middle gap-1 rounded-sm px-1.5 py-1 hover:bg-hover hover:text-ink',
          direction && 'text-ink',
          end && 'flex-row-reverse',
        )}
      >
        {column.header}
        <Icon
          aria-hidden
          className={cx(
            'size-3',
            direction === undefined && 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
          )}
        />
      </button>
    </th>
  )
}

type BodyRowProps<Row> = TableRowsProps<Row> & { row: Row; order: readonly string[] }

const BodyRow = <Row,>({ row, order, columns, rowKey, rowName, rowTo, rowActions, selection }: BodyRowProps<Row>) => {
  const navigateTo = useNavigateTo()
  const key = rowKey(row)
  const to = rowTo?.(row)
  const chosen = selection?.keys.has(key) ?? false
  // The click is a larger target for the mouse; the keyboard uses the link in the first cell
  return (
    <tr
      onClick={to === undefined ? undefined : (event) => isPlainPress(event) && navigateTo(to)}
      className={cx(
        'group/row h-10 transition-colors',
        to && 'cursor-pointer',
        chosen ? 'bg-accent-soft' : to && 'hover:bg-hover',
      )}
    >
      {selection ? (
        <td className="w-10 py-2 pr-0 pl-4">
          <Checkbox
            aria-label={`Select ${rowName(row)}`}
            checked={chosen}
            // The click carries the Shift key, the change event does not
            onClick={(event) => selection.toggle(key, order, event.shiftKey)}
            onChecked={nothing}
            className="align-middle"
          />
        </td>
      ) : null}
      {columns.map((column, index) => (
        <td
          key={column.id}
          className={cx(
            'px-3 py-2 first:pl-4',
            column.isSpare && SPARE,
            index === 0 ? 'w-full min-w-60 max-w-0 font-medium text-ink' : 'whitespace-nowrap text-muted',
            column.align === 'end' && 'text-right tabular-nums',
          )}
        >
          {index === 0 ? <FirstCell to={to}>{column.cell(row)}</FirstCell> : column.cell(row)}
        </td>
      ))}
      {rowActions ? (
        <td className="w-12 py-1 pr-2 text-right">
          <RowMenu row={row} name={rowName(row)} actions={rowActions(row)} />
        </td>
      ) : null}
    </tr>
  )
}

const FirstCell = ({ to, children }: { to: string | undefined; children: ReactNode }) => {
  if (to === undefined) return <div className="truncate">{children}</div>
  return (
    <AppLink to={to} className="-my-0.5 block truncate rounded-xs py-0.5 hover:underline">
      {children}
    </AppLink>
  )
}

const nothing = (): void => undefined

// Not when a button, link or box inside was meant, nor at the end of selecting text
export const isPlainPress = (event: MouseEvent): boolean => {
  if (event.defaultPrevented || !(event.target instanceof Element)) return false
  if (event.target.closest('a, button, input, label, [role="menu"], [role="menuitem"]')) return false
  return event.currentTarget.contains(event.target) && !document.getSelection()?.toString()
}
