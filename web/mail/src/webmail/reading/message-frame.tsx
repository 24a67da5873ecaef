import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { RotateCw } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { fitFrame, isMessagePage } from '../../fit-frame.ts'
import { compose } from '../compose/compose.ts'
import { type AppLook, dressPage, type FrameLook, passEvents } from './frame-document.ts'
import { isLightPage } from './page-tone.ts'
import { foldQuote } from './quotes.ts'

type MessageFrameProps = {
  messageId: string
  /** Names it for screen readers. */
  title: string
  withImages: boolean
  /** The page of a plain text has no colors of its own. */
  isText: boolean
  /** Takes the colors of the app. */
  isColourless: boolean
  isDark: boolean
  /** Turns the colors of a mail around where it is dark. */
  isInverted: boolean
  /** The quote at the end is folded: it stands above. */
  foldsQuote?: boolean
  onReady?: (() => void) | undefined
  /** Says whether the mail is made for light paper, once it is there. */
  onTone?: (isLight: boolean) => void
  className?: string
}

// The service says the same in its header: whatever is in a mail, no script of it runs
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

/** Shows a message in a frame that runs no scripts and is as high as its content. */
export const MessageFrame = ({
  messageId,
  title,
  withImages,
  isText,
  isColourless,
  isDark,
  isInverted,
  ...rest
}: MessageFrameProps) => {
  const [attempt, setAttempt] = useState(0)
  const src = `/api/mail/messages/${messageId}/view?images=${withImages ? 1 : 0}`
  const look = { isText, isColourless, isDark, isInverted: !isColourless && isDark && isInverted }
  return (
    <LoadedFrame
      key={`${src} ${attempt}`}
      src={src}
      title={title}
      look={look}
      onRetry={() => setAttempt((before) => before + 1)}
      {...rest}
    />
  )
}

type LoadedFrameProps = {
  foldsQuote?: boolean
  src: string
  title: string
  look: FrameLook
  onRetry: () => void
  onReady?: (() => void) | undefined
  onTone?: (isLight: boolean) => void
  className?: string
}

const LoadedFrame = (props: LoadedFrameProps) => {
  const { src, title, look, foldsQuote = false, onRetry, onReady, onTone, className } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [page, setPage] = useState<Document>()
  const { isText, isColourless, isDark, isInverted } = look
  const begin = useEffectEvent((inner: Document) => {
    if (foldsQuote) foldQuote(inner, isText)
  })
  const ready = useEffectEvent((inner: Document) => {
    if (!isColourless) onTone?.(isLightPage(inner))
    onReady?.()
  })
  useEffect(() => {
    if (!page || !frame.current) return
    dressPage(page, { isText, isColourless, isDark, isInverted }, appLook(frame.current))
  }, [page, isText, isColourless, isDark, isInverted])
  useEffect(() => {
    const element = frame.current
    if (!page || !element) return
    begin(page)
    const stops = [fitFrame(element, page), passEvents(element, page, write)]
    setState('ready')
    ready(page)
    return () => {
      for (const stop of stops) stop()
    }
  }, [page])
  const loaded = () => {
    const inner = frame.current?.contentDocument ?? null
    if (isMessagePage(inner)) setPage(inner)
    else setState('failed')
  }
  if (state === 'failed') return <FrameProblem onRetry={onRetry} />
  return (
    <div className={cx('relative min-w-0', state === 'loading' ? 'min-h-32' : 'min-h-16', className)}>
      {state === 'loading' ? (
        <div className="absolute inset-0 p-4">
          <SkeletonText lines={4} label="Loading message" />
        </div>
      ) : null}
      <iframe
        ref={frame}
        src={src}
        title={title}
        sandbox={SANDBOX}
        referrerPolicy="no-referrer"
        onLoad={loaded}
        data-state={state}
        className={cx(
          'block h-16 w-full border-0',
          state === 'loading' && 'invisible',
          isColourless && isDark && 'scheme-dark',
          isInverted && 'invert-90 hue-rotate-180',
        )}
      />
    </div>
  )
}

const FrameProblem = ({ onRetry }: { onRetry: () => void }) => (
  <Notice
    tone="danger"
    title="Couldn't display this message"
    action={
      <Button size="sm" icon={<RotateCw />} onClick={onRetry}>
        Retry
      </Button>
    }
  >
    It may have been deleted, or the connection was lost.
  </Notice>
)

/** The page inside knows none of our tokens. `light-dark(…)` holds there as well: it is passed which of the two it is. */
const appLook = (element: HTMLElement): AppLook => {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return { ink: token('--color-ink'), link: token('--color-accent-ink'), font: token('--font-sans') }
}

const write = (href: string): void => compose({ kind: 'mailto', href })
