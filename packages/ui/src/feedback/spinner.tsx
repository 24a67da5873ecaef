import { LoaderCircle } from 'lucide-react'
import { cx } from '../theme/cx.ts'

/** A turning mark beside text that says what is going on. */
export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle aria-hidden className={cx('size-4 animate-spin', className)} />
)
