import { type CSSProperties, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { FrameDocument } from './canvas-frames.ts'
import { type CanvasLine, openCanvasLine } from './canvas-line.ts'
import type { FromCanvas, FromEditor } from './protocol.ts'

type FrameProps = {
  document: FrameDocument
  title: string
  init: Extract<FromEditor, { t: 'init' }>
  /** A page that is being prepared lies under the one that is shown, and cannot be reached. */
  isShown: boolean
  style: CSSProperties
  /** Gives what ends it. */
  onLine: (line: CanvasLine) => () => void
  onMessage: (message: FromCanvas) => void
  onLost: () => void
}

/** The sandbox lets the controller run, and nothing else: no forms, no windows, no origin, no way up. */
export const CanvasFrame = ({ document, title, init, isShown, style, onLine, onMessage, onLost }: FrameProps) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const open = useEffectEvent((element: HTMLIFrameElement, channel: string) => {
    const options = { channel, init, onMessage: received, onLost: lost }
    return onLine(openCanvasLine(element, options))
  })
  const received = useEffectEvent(onMessage)
  const lost = useEffectEvent(onLost)
  // Before the browser may go on: the controller says hello as soon as it runs
  useLayoutEffect(() => (frame.current ? open(frame.current, document.channel) : undefined), [document.channel])
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      srcDoc={document.html}
      inert={!isShown}
      aria-hidden={!isShown}
      // A frame that is not drawn at all would not lay its page out
      style={{ ...style, opacity: isShown ? 1 : 0, zIndex: isShown ? 1 : 0 }}
    />
  )
}
