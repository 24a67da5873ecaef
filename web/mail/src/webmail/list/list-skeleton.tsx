import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { type Density, type RowLayout, useRowHeight } from './row-size.ts'

/** Enough to fill a screen while the first page is on its way. */
const ROWS = 14

type ListSkeletonProps = { layout: RowLayout; density?: Density; rows?: number }

/** A list that is on its way. */
export const ListSkeleton = ({ layout, density = 'comfortable', rows = ROWS }: ListSkeletonProps) => {
  const { row: rowHeight } = useRowHeight(layout, density)
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, index) => index).map((index) => (
        <div key={index} style={{ height: rowHeight }}>
          <RowSkeleton layout={layout} />
        </div>
      ))}
    </div>
  )
}

/** A row that is on its way. */
export const RowSkeleton = ({ layout }: { layout: RowLayout }) =>
  layout === 'line' ? (
    <div className="flex h-full items-center gap-4 border-line border-b px-3">
      <Skeleton className="size-4" />
      <Skeleton className="w-36" />
      <Skeleton className="flex-1" />
    </div>
  ) : (
    <div className="flex h-full gap-3 border-line border-b px-3 pt-3">
      <Skeleton className="size-4 shrink-0" />
      <div className="flex flex-1 flex-col gap-2">
        <Skeleton className="w-2/5" />
        <Skeleton className="w-4/5" />
        <Skeleton className="h-3 w-full" />
      </div>
    </div>
  )
