import { type ReactNode, use, useEffect, useReducer } from 'react'
import { Button } from '../button/button.tsx'
import { Crash } from '../feedback/error-boundary.tsx'
import { Notice } from '../feedback/notice.tsx'

export type LazyPart<P extends object> = Part<P> & { preload: () => Promise<void> }

type Part<P extends object> = (props: P) => ReactNode

// TypeScript cannot infer the props of a component that has none
type PropsOf<C> = C extends (props: infer P) => ReactNode ? (P extends object ? P : object) : never

/**
 * A part of a screen whose code comes when it is shown. Where it does not come, the part says so and can be tried again:
 * React's own `lazy` never asks twice, and the router's reloads the page, which loses everything when there is no line.
 */
export const lazyPart = <M extends object, N extends keyof M & string>(
  load: () => Promise<M>,
  name: N,
): LazyPart<PropsOf<M[N]>> => lazyCode(load, name, PartFailed)

/** Like `lazyPart`, for a whole screen of a router. */
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
      if (isWanted) console.error(error)
    }
  }
  const start = () => {
    coming ??= ask()
    return coming
  }
  // Somebody looks at the place where it belongs; until then it is only a guess that it will be needed
  let isWanted = false
  const forget = () => {
    isWanted = false
    coming = undefined
  }
  const preload = async () => {
    await start()
    if (!Loaded && !isWanted) forget()
  }
  const Lazy = (props: PropsOf<M[N]>) => {
    const [, drawAgain] = useReducer((count: number) => count + 1, 0)
    if (!Loaded) {
      isWanted = true
      use(start())
    }
    if (Loaded) return <Loaded {...props} />
    const retry = async () => {
      failures += 1
      // A service that answers and still has no such code is of another version than this page
      if (failures > 1 && (await isAnswering())) return location.reload()
      forget()
      drawAgain()
    }
    return (
      <Forgotten forget={forget}>
        <Failed onRetry={() => void retry()} />
      </Forgotten>
    )
  }
  return Object.assign(Lazy, { preload })
}

/** Coming back later loads it anew. */
const Forgotten = ({ forget, children }: { forget: () => void; children: ReactNode }) => {
  useEffect(() => forget, [forget])
  return children
}

const isAnswering = async (): Promise<boolean> => {
  try {
    return (await fetch(location.href, { method: 'HEAD' })).ok
  } catch {
    // No line: what is on the page is all there is
    return false
  }
}

const WORDS = 'Check your connection and try again. Anything you typed elsewhere is kept.'

const ScreenFailed = ({ onRetry }: FailedProps) => (
  <Crash isScreen title="Couldn't load this screen" onRetry={onRetry}>
    {WORDS}
  </Crash>
)

const PartFailed = ({ onRetry }: FailedProps) => (
  <Notice
    tone="danger"
    title="Couldn't load this"
    action={
      <Button size="sm" onClick={onRetry}>
        Retry
      </Button>
    }
  >
    {WORDS}
  </Notice>
)
