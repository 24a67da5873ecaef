import { cx } from '../theme/cx.ts'

/** A gray stand-in of the size of what is coming. The region around it says that it is loading. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden className={cx('block h-3.5 animate-pulse rounded-sm bg-pressed', className)} />
)

// Different lengths read as text
const lineWidths = ['w-full', 'w-11/12', 'w-4/5', 'w-2/3'] as const

/** Several lines of text that are on their way. */
export const SkeletonText = ({ lines = 3, label = 'Loading' }: { lines?: number; label?: string }) => (
  <div role="status" className="flex flex-col gap-2.5">
    <span className="sr-only">{label}</span>
    {Array.from({ length: lines }, (_, line) => line).map((line) => (
      <Skeleton key={line} className={lineWidths[line % lineWidths.length] ?? 'w-full'} />
    ))}
  </div>
)
