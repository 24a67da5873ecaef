import { lazy, type ReactNode } from 'react'

type Decoration<P extends object> = (props: P) => ReactNode

/** Something that is only looked at: where its code does not come, there is nothing. */
export const lazyDecoration = <P extends object>(load: () => Promise<Decoration<P>>) =>
  lazy(async () => ({ default: await load().catch((): Decoration<P> => () => null) }))
