import type { ReactNode } from 'react'

/** The buttons at the end of a step, the main act last. */
export const StepFooter = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-end gap-2 pt-2">{children}</div>
)
