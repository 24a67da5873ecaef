import { ArrowDownUp } from 'lucide-react'
import { Button } from '../button/button.tsx'
import { Checkbox } from '../form/checkbox.tsx'
import { Menu, MenuChoice } from '../layer/menu.tsx'
import { AppLink, useNavigateTo } from '../navigation/link.tsx'
import { cx } from '../theme/cx.ts'
import type { Column, DataTableProps } from './data-table.tsx'
import { RowMenu } from './table-parts.tsx'
import { isPlainPress } from './table-rows.tsx'

type TableCardsProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

/** The list as cards: the first column is the head, the others are lines with their names. */
export const TableCards = <Row,>(props: TableCardsProps<Row>) => {
  const { label, rows, rowKey } = props
  const order = rows.map(rowKey)
  return (
    <>
      <CardSort {...props} />
      <ul aria-label={label} className="divide-y divide-line">
        {rows.map((row) => (
          <Card key={rowKey(row)} row={row} order={order} {...props} />
        ))}
      </ul>
    </>
  )
}

const Card = <Row,>(props: TableCardsProps<Row> & { row: Row; order: readonly string[] }) => {
  const { row, order, columns, rowKey, rowName, rowTo, rowActions, selection } = props
  const navigateTo = useNavigateTo()
  const [head, ...rest] = columns
  const key = rowKey(row)
  const to = rowTo?.(row)
  const chosen = selection?.keys.has(key) ?? false
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a larger target for the finger; the keyboard uses the link inside
    <li
      onClick={to === undefined ? undefined : (event) => isPlainPress(event) && navigateTo(to)}
      className={cx('flex items-start gap-3 px-4 py-3 text-sm', chosen && 'bg-accent-soft')}
    >
      {selection ? (
        <Checkbox
          aria-label={`Select ${rowName(row)}`}
          checked={chosen}
          onChecked={() => selection.toggle(key, order, false)}
          className="mt-0.5"
        />
      ) : null}
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="min-w-0 break-words font-medium text-ink">
          {to === undefined ? (
            head.cell(row)
          ) : (
            <AppLink to={to} className="block touch:-my-1 touch:py-1">
              {head.cell(row)}
            </AppLink>
          )}
        </div>
        <CardLine row={row} columns={rest.filter((column) => column.lineOnPhone)} />
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-muted empty:hidden">
          {rest
            .filter((column) => !column.hideOnPhone && !column.lineOnPhone)
            .map((column) => (
              <div key={column.id} className="contents">
                <dt className="text-faint">{column.header}</dt>
                <dd className="min-w-0 break-words">{column.cell(row)}</dd>
              </div>
            ))}
        </dl>
      </div>
      {rowActions ? <RowMenu row={row} name={rowName(row)} actions={rowActions(row)} /> : null}
    </li>
  )
}

/** Short values that need no visible label; screen readers read their labels. */
const CardLine = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) =>
  columns.length === 0 ? null : (
    <dl className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
      {columns.map((column) => (
        <div key={column.id} className="min-w-0">
          <dt className="sr-only">{column.header}</dt>
          <dd>{column.cell(row)}</dd>
        </div>
      ))}
    </dl>
  )

const CardSort = <Row,>({ columns, sort, onSort, rows, rowKey, selection }: TableCardsProps<Row>) => {
  const sortable = columns.filter((column) => column.sortable)
  const keys = rows.map(rowKey)
  const all = selection !== undefined && keys.every((key) => selection.keys.has(key))
  if (!selection && (sortable.length === 0 || !onSort)) return null
  return (
    <div className="flex items-center justify-between gap-3 border-line border-b px-4 py-1.5">
      {selection ? (
        <Checkbox
          aria-label="Select all on this page"
          checked={all}
          indeterminate={!all && keys.some((key) => selection.keys.has(key))}
          onChecked={(checked) => selection.setAll(keys, checked)}
        />
      ) : (
        <span />
      )}
      {sortable.length > 0 && onSort ? (
        <Menu
          trigger={
            <Button size="sm" variant="ghost" icon={<ArrowDownUp />}>
              Sort
            </Button>
          }
        >
          <MenuChoice
            value={sort ? `${sort.by} ${sort.direction}` : ''}
            options={sortable.flatMap((column) => [
              { value: `${column.id} asc`, label: `${column.header}, ascending` },
              { value: `${column.id} desc`, label: `${column.header}, descending` },
            ])}
            onValue={(value) => {
              const column = sortable.find((candidate) => value.startsWith(`${candidate.id} `))
              if (column) onSort({ by: column.id, direction: value.endsWith(' asc') ? 'asc' : 'desc' })
            }}
          />
        </Menu>
      ) : null}
    </div>
  )
}
