import type { ReactNode } from 'react'
import { cx } from '../../src/theme/cx.ts'

type SpecimenProps = { title: string; stack?: boolean; className?: string; children: ReactNode }

/** One named example. */
export const Specimen = ({ title, stack = false, className, children }: SpecimenProps) => (
  <div className={cx('flex min-w-0 flex-col gap-2', className)}>
    <h3 className="font-medium text-faint text-xs">{title}</h3>
    <div className={cx('flex min-w-0 gap-3', stack ? 'flex-col' : 'flex-wrap items-center')}>{children}</div>
  </div>
)

/** Examples side by side. */
export const Specimens = ({ children }: { children: ReactNode }) => (
  <div className="grid min-w-0 gap-x-10 gap-y-8 desk:grid-cols-2">{children}</div>
)
