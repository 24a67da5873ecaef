import { type ReactNode, useId } from 'react'

type SideSectionProps = { title: string; action?: ReactNode; children: ReactNode }

/** A part of the details beside the form. */
export const SideSection = ({ title, action, children }: SideSectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2.5">
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h2 id={id} className="font-semibold text-ink text-sm">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
