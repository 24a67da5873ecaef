import { type FrameContext, type Hello, PROTOCOL, type Welcome } from '@stoa/cms-plugin/bridge-protocol.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useIsDark } from '@stoa/ui/theme/theme.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { sendSignedIn } from '../../api.ts'
import { meQuery } from '../../queries.ts'
import { pluginScreenPath } from '../paths.ts'
import { type Bridge, openBridge } from './bridge.ts'
import { type Ask, routeAddress } from './messages.ts'
import { useQuestions } from './questions.tsx'

/** How long a frame may take to say hello. */
const HELLO_MS = 5_000
const MOST_HEIGHT = 20_000

type PluginFrameProps = {
  plugin: string
  label: string
  /** The title of the frame for screen readers. */
  title: string
  src: string
  /** In a panel: the entry beside it. */
  entry: FrameContext['entry']
  /** The least it takes, until it says how high it is. */
  className?: string
}

/** A screen or panel of a plugin, in a frame without origin: it reaches nothing but what the bridge gives. */
export const PluginFrame = (props: PluginFrameProps) => {
  const [turn, setTurn] = useState(0)
  return <FrameOnce key={`${props.src} ${turn}`} {...props} onReload={() => setTurn(turn + 1)} />
}

/** `late`: it has not said hello in time; it still may. */
type State = { kind: 'waiting' | 'late' | 'ready' } | { kind: 'broken'; reason: string }

const FrameOnce = ({
  plugin,
  label,
  title,
  src,
  entry,
  className,
  onReload,
}: PluginFrameProps & { onReload: () => void }) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const bridge = useRef<Bridge>(undefined)
  const loads = useRef(0)
  const [state, setState] = useState<State>({ kind: 'waiting' })
  const [height, setHeight] = useState<number>()
  const questions = useQuestions(label)
  const navigateTo = useNavigateTo()
  const { data: me } = useSuspenseQuery(meQuery)
  const theme = useIsDark() ? 'dark' : 'light'
  const context = useMemo<FrameContext>(
    () => ({
      plugin,
      theme,
      locale: navigator.language,
      person: { id: me.id, name: me.name, role: me.role },
      entry,
    }),
    [plugin, theme, me.id, me.name, me.role, entry],
  )

  const stop = (reason: string) => {
    bridge.current?.close()
    bridge.current = undefined
    setState({ kind: 'broken', reason })
  }
  const answer = async (ask: Ask): Promise<unknown> => {
    switch (ask.ask) {
      case 'request': {
        const address = routeAddress(plugin, ask.path, location.origin)
        if (address === undefined)
          throw new RequestError({ message: 'Not a route of this plugin', fields: [] }, 404, 'NOT_FOUND')
        return sendSignedIn(ask.method, address, { body: ask.body })
      }
      case 'toast':
        toast({ title: ask.text, description: label, tone: toneOf[ask.kind ?? 'info'] })
        return null
      case 'navigate':
        navigateTo(pathOf(plugin, ask.to))
        return null
      default:
        return questions.ask(ask)
    }
  }
  const welcome = useEffectEvent((target: Window) => {
    const { port1, port2 } = new MessageChannel()
    bridge.current = openBridge(port1, {
      answer,
      explain,
      onHeight: (next) => setHeight(Math.min(Math.ceil(next), MOST_HEIGHT)),
      onBroken: stop,
      now: () => performance.now(),
    })
    setState({ kind: 'ready' })
    const message: Welcome = { stoa: 'welcome', context }
    // The frame has an opaque origin, so none can be named; only our own pages can be in it
    target.postMessage(message, '*', [port2])
  })
  const giveUp = useEffectEvent(() => {
    if (state.kind === 'waiting') setState({ kind: 'late' })
  })

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      const target = frame.current?.contentWindow
      if (!target || source !== target || bridge.current || !isHello(data)) return
      welcome(target)
    }
    window.addEventListener('message', onMessage)
    const timer = setTimeout(giveUp, HELLO_MS)
    return () => {
      window.removeEventListener('message', onMessage)
      clearTimeout(timer)
      bridge.current?.close()
      bridge.current = undefined
    }
  }, [])
  useEffect(() => bridge.current?.sendContext(context), [context])

  const reload = (
    <Button size="sm" onClick={onReload}>
      Reload
    </Button>
  )
  return (
    <div className="relative min-w-0">
      {state.kind === 'late' ? (
        <Notice tone="warning" title={`“${label}” isn't responding`} action={reload}>
          It will show up here as soon as it responds.
        </Notice>
      ) : null}
      {state.kind === 'broken' ? (
        <Notice tone="danger" title={`“${label}” stopped working`} action={reload}>
          {state.reason}
        </Notice>
      ) : null}
      {state.kind === 'broken' ? null : (
        <iframe
          ref={frame}
          title={title}
          src={src}
          sandbox="allow-scripts allow-forms"
          referrerPolicy="no-referrer"
          onLoad={() => {
            loads.current += 1
            // A page that went elsewhere gets nothing that was meant for the one before
            if (loads.current > 1) stop('It navigated away from its page.')
          }}
          className={cx('block w-full border-0 bg-transparent', state.kind === 'late' && 'invisible', className)}
          style={height === undefined ? {} : { height }}
        />
      )}
      {state.kind === 'waiting' ? <Skeleton className="pointer-events-none absolute inset-x-0 top-0 h-24" /> : null}
      {questions.dialog}
    </div>
  )
}

const toneOf = { info: 'neutral', success: 'success', error: 'danger' } as const

const isHello = (data: unknown): data is Hello =>
  typeof data === 'object' &&
  data !== null &&
  'stoa' in data &&
  data.stoa === 'hello' &&
  'protocol' in data &&
  data.protocol === PROTOCOL

const pathOf = (plugin: string, to: Extract<Ask, { ask: 'navigate' }>['to']): string => {
  if ('screen' in to) return pluginScreenPath(plugin, to.screen)
  return 'entry' in to ? `/entries/${encodeURIComponent(to.entry)}` : `/social/posts/${encodeURIComponent(to.social)}`
}

const explain = (error: unknown) => {
  if (!(error instanceof RequestError)) return { status: 0, code: 'unknown', message: messageOf(error) }
  const { body } = error
  const details = typeof body === 'object' && body !== null && 'details' in body ? { details: body.details } : {}
  return { status: error.status, code: error.code, message: error.message, ...details }
}
