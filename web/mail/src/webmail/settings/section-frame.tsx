import { Crash } from '@stoa/ui/error-boundary.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { SkeletonText } from '@stoa/ui/skeleton.tsx'
import { type ReactNode, useId } from 'react'

type LoadedProps<T> = {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  /** What could not be loaded: "Your settings". */
  name: string
  children: (data: T) => ReactNode
}

/** A part of the settings that needs what the service knows: waiting, the problem with Retry, or the part. */
export const Loaded = <T,>({ query, name, children }: LoadedProps<T>) => {
  if (query.data !== undefined) return children(query.data)
  if (!query.error) return <SkeletonText lines={8} />
  return (
    <Crash title={`${name} could not be loaded`} onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

type ListSectionProps = { title: string; description: string; actions?: ReactNode; children: ReactNode }

/** A part of the settings that is a list: what it is and its first act stand above the table. */
export const ListSection = ({ title, description, actions, children }: ListSectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5">
          <h2 id={id} className="font-semibold text-base text-ink">
            {title}
          </h2>
          <p className="max-w-prose text-muted text-sm">{description}</p>
        </div>
        {actions === undefined ? null : <div className="flex shrink-0 items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
