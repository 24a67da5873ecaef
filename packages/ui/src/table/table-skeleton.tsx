import { Skeleton } from '../feedback/skeleton.tsx'
import { cx } from '../theme/cx.ts'
import type { Column } from './data-table.tsx'
import { HeaderCell, SPARE } from './table-rows.tsx'

// About a screen of rows: enough that the page does not jump when they come
const LINES = Array.from({ length: 6 }, (_, line) => line)
const widths = ['w-2/5', 'w-3/5', 'w-1/3', 'w-1/2'] as const
const widthOf = (line: number): string => widths[line % widths.length] ?? 'w-full'

type TableSkeletonProps<Row> = { columns: readonly Column<Row>[]; selectable: boolean; phone: boolean }

/** A list that is on its way: the heads are there, the rows are gray. */
export const TableSkeleton = <Row,>({ columns, selectable, phone }: TableSkeletonProps<Row>) =>
  phone ? <CardSkeleton /> : <RowSkeleton columns={columns} selectable={selectable} />

const CardSkeleton = () => (
  <div aria-hidden className="divide-y divide-line">
    {LINES.map((line) => (
      <div key={line} className="flex h-24 flex-col justify-center gap-2.5 px-4">
        <Skeleton className={widthOf(line + 1)} />
        <Skeleton className="w-1/3" />
      </div>
    ))}
  </div>
)

const RowSkeleton = <Row,>({ columns, selectable }: Omit<TableSkeletonProps<Row>, 'phone'>) => (
  <div className="@container">
    <table className="w-full border-collapse text-left text-sm">
      <thead>
        <tr className="border-line border-b">
          {selectable ? <td className="w-10" /> : null}
          {columns.map((column) => (
            <HeaderCell key={column.id} column={column} sort={undefined} onSort={undefined} />
          ))}
        </tr>
      </thead>
      <tbody aria-hidden className="divide-y divide-line">
        {LINES.map((line) => (
          <tr key={line} className="h-10">
            {selectable ? <td className="w-10" /> : null}
            {columns.map((column, index) => (
              <td
                key={column.id}
                className={cx(index === 0 ? 'w-full px-3 first:pl-4' : 'px-3', column.isSpare && SPARE)}
              >
                <Skeleton className={index === 0 ? widthOf(line) : 'w-16'} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
