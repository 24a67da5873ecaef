import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../theme/cx.ts'

type DisclosureProps = {
  summary: ReactNode
  /** Open from the start, and whenever this becomes true. */
  open?: boolean | undefined
  className?: string
  children: ReactNode
}

/** Something more that is folded away until it is wanted. */
export const Disclosure = ({ summary, open, className, children }: DisclosureProps) => (
  <details open={open} className={cx('group text-sm', className)}>
    <summary className="-mx-1 flex cursor-pointer list-none items-center gap-1.5 rounded-sm px-1 py-0.5 touch:py-2 [&::-webkit-details-marker]:hidden">
      <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint group-open:rotate-90" />
      {summary}
    </summary>
    {children}
  </details>
)
