import { Skeleton } from './skeleton.tsx'

type ScreenSkeletonProps = {
  /** For screen readers: "Loading the address". */
  label?: string
  /** The head stands already. */
  headless?: boolean
  /** With a row of tabs. */
  tabs?: boolean
  /** Small panels beside each other, above the large one. */
  tiles?: 0 | 2 | 4
}

const columns = { 2: 'grid-cols-2 phone:grid-cols-1', 4: 'grid-cols-4 phone:grid-cols-2' }

/** A screen that is on its way, in its shape: the head, the tabs, the panels. */
export const ScreenSkeleton = ({ label = 'Loading', headless, tabs, tiles = 2 }: ScreenSkeletonProps) => (
  <div role="status" className="flex flex-col gap-5">
    <span className="sr-only">{label}</span>
    {headless ? null : <Skeleton className="h-6 w-56" />}
    {tabs ? <Skeleton className="h-9" /> : null}
    {tiles === 0 ? null : (
      <div className={`grid gap-3 ${columns[tiles]}`}>
        {Array.from({ length: tiles }, (_, tile) => tile).map((tile) => (
          <Skeleton key={tile} className="h-20 rounded-xl" />
        ))}
      </div>
    )}
    <Skeleton className="h-72 rounded-xl" />
  </div>
)
