import { type ReactNode, use, useReducer } from 'react'
import { Button } from './button.tsx'
import { Crash } from './error-boundary.tsx'
import { Notice } from './notice.tsx'

export type LazyPart<P extends object> = Part<P> & { preload: () => Promise<void> }

type Part<P extends object> = (props: P) => ReactNode

// Of a component without props there is nothing to infer
type PropsOf<C> = C extends (props: infer P) => ReactNode ? (P extends object ? P : object) : never

/**
 * A part of a screen whose code comes when it is shown. Where it does not come, the part says so and can be tried again:
 * React's own `lazy` never asks twice, and the router's reloads the page, which loses everything when there is no line.
 */
export const lazyPart = <M extends object, N extends keyof M & string>(
  load: () => Promise<M>,
  name: N,
): LazyPart<PropsOf<M[N]>> => lazyCode(load, name, PartFailed)

/** The same for a whole screen of a router. */
export const lazyScreen = <M extends object, N extends keyof M & string>(
  load: () => Promise<M>,
  name: N,
): LazyPart<PropsOf<M[N]>> => lazyCode(load, name, ScreenFailed)

type FailedProps = { onRetry: () => void }

const lazyCode = <M extends object, N extends keyof M & string>(
  load: () => Promise<M>,
  name: N,
  Failed: Part<FailedProps>,
): LazyPart<PropsOf<M[N]>> => {
  let Loaded: Part<PropsOf<M[N]>> | undefined
  let coming: Promise<void> | undefined
  let failures = 0
  const ask = async () => {
    try {
      // `name` is an export of that module which is a component: PropsOf says so, which TypeScript cannot follow here
      Loaded = (await load())[name] as Part<PropsOf<M[N]>>
    } catch (error) {
      failures += 1
      console.error(error)
    }
  }
  const preload = () => {
    coming ??= ask()
    return coming
  }
  const Lazy = (props: PropsOf<M[N]>) => {
    const [, drawAgain] = useReducer((count: number) => count + 1, 0)
    if (!Loaded) use(preload())
    if (Loaded) return <Loaded {...props} />
    const retry = async () => {
      // A service that answers and still has no such code is of another version than this page
      if (failures > 1 && (await isAnswering())) return location.reload()
      coming = undefined
      drawAgain()
    }
    return <Failed onRetry={() => void retry()} />
  }
  return Object.assign(Lazy, { preload })
}

const isAnswering = async (): Promise<boolean> => {
  try {
    return (await fetch(location.href, { method: 'HEAD' })).ok
  } catch {
    // No line: what is on the page is all there is
    return false
  }
}

const WORDS = 'Its code did not come. Check the connection and try again; what you typed elsewhere is kept.'

const ScreenFailed = ({ onRetry }: FailedProps) => (
  <Crash isScreen title="This screen could not be loaded" onRetry={onRetry}>
    {WORDS}
  </Crash>
)

const PartFailed = ({ onRetry }: FailedProps) => (
  <Notice
    tone="danger"
    title="This could not be loaded"
    action={
      <Button size="sm" onClick={onRetry}>
        Retry
      </Button>
    }
  >
    {WORDS}
  </Notice>
)
