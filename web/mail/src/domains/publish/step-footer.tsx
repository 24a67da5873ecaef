import type { ReactNode } from 'react'

/** The buttons at the end of a step, the main action last. */
export const StepFooter = ({ children }: { children: ReactNode }) => (
  <div className="-mx-5 -mb-3 sticky -bottom-3 flex flex-wrap items-center justify-end gap-2 border-transparent border-t bg-raised px-5 py-3">
    {children}
  </div>
)
