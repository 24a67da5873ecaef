import type { ReactNode } from 'react'
import { messageOf } from '../request/problem.ts'
import { Crash } from './error-boundary.tsx'
import { SkeletonText } from './skeleton.tsx'

type LoadedProps<T> = {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  /** What could not be loaded: "Your settings". */
  name: string
  /** Number of lines in the placeholder shown while loading. */
  lines?: number
  /** For a panel whose content reaches its edges. */
  padded?: boolean
  /** The stand-in, where it has the shape of what comes. */
  skeleton?: ReactNode
  children: (data: T) => ReactNode
}

/** A part of a screen that needs what the service knows: waiting, the problem with a way to try again, or the part. */
export const QueryBoundary = <T,>({ query, name, lines = 8, padded = false, skeleton, children }: LoadedProps<T>) => {
  if (query.data !== undefined) return children(query.data)
  if (!query.error && skeleton !== undefined) return skeleton
  if (!query.error)
    return (
      <div className={padded ? 'p-5' : undefined}>
        <SkeletonText lines={lines} />
      </div>
    )
  return (
    <Crash title={`Couldn't load ${name}`} onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}
