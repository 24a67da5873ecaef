import { Crash } from '@stoa/ui/error-boundary.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { SkeletonText } from '@stoa/ui/skeleton.tsx'
import type { ReactNode } from 'react'

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
