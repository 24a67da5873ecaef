import { type ReactNode, useId } from 'react'

type ListSectionProps = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A part of a screen that is a list: what it is and its first action stand above the table. */
export const ListSection = ({ title, description, actions, children }: ListSectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5">
          <h2 id={id} className="font-semibold text-ink text-md">
            {title}
          </h2>
          {description === undefined ? null : <p className="max-w-prose text-muted text-sm">{description}</p>}
        </div>
        {actions === undefined ? null : <div className="flex shrink-0 items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
