import { pressShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import {
  type CSSProperties,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type CanvasDocument, canvasDocument } from './canvas-document.ts'
import { CanvasFrame } from './canvas-frame.tsx'
import { createFrames, type Frames } from './canvas-frames.ts'
import { newChannel } from './canvas-line.ts'
import type { FromCanvas, FromEditor, Labels } from './protocol.ts'

export type CanvasPage = { readonly html: string; readonly url: string }

/**
 * `unmarked`: the page is shown, but the website did not mark anything for editing. `lost`: the controller did not
 * start. The others are why a page cannot be made a canvas.
 */
export type CanvasState = 'loading' | 'ready' | 'unmarked' | 'lost' | Extract<CanvasDocument, { ok: false }>['reason']

export type CanvasHandle = { send(message: FromEditor): void }

export type CanvasProps = {
  /** Another object is another page: it is prepared out of sight, and shown where the one before was scrolled to. */
  page: CanvasPage
  /** The built controller, and its hash as the policy of this document names it. */
  controller: { readonly code: string; readonly hash: string }
  /** The declared sections and fields with their labels. Marks with other names are ignored. */
  names: { readonly sections: Labels; readonly fields: Labels; readonly parts: Labels }
  locale: string
  title: string
  /** In pixels of the page; null takes all the room there is. */
  width: number | null
  /** 1 is the real size; `fit` makes a page smaller that is wider than the room, and none larger. */
  zoom: number | 'fit'
  /** Except keys that the screen has a shortcut for: these are pressed. */
  onMessage: (message: FromCanvas) => void
  onState: (state: CanvasState) => void
  ref?: Ref<CanvasHandle>
}

/** A page to edit, in a sandbox of its own. */
export const Canvas = (props: CanvasProps) => {
  const { names, locale, title, width, zoom, ref } = props
  const room = useRef<HTMLDivElement>(null)
  const size = useSize(room)
  const [frames, control] = useFrames(props, room)
  useImperativeHandle(
    ref,
    () => ({
      send: (message) => {
        if (message.t === 'highlight' && message.focus) shownFrame(room.current)?.focus()
        control.send(message)
      },
    }),
    [control],
  )
  const { parts, ...definition } = names
  const init = { t: 'init', definition, parts, mode: 'edit', locale } as const
  const style = frameStyle(size, width, zoom)
  return (
    // A page that is wider than the room is pushed aside, unless it is made to fit
    <div
      ref={room}
      style={{
        position: 'relative',
        overflow: zoom === 'fit' ? 'hidden' : 'auto hidden',
        width: '100%',
        height: '100%',
      }}
    >
      {[frames.shown, frames.next].map((document) =>
        document === null ? null : (
          <CanvasFrame
            key={document.channel}
            document={document}
            title={title}
            init={init}
            isShown={document === frames.shown}
            style={style}
            onLine={(line) => control.connect(document, line)}
            onMessage={(message) => control.receive(document, message)}
            onLost={() => control.lose(document)}
          />
        ),
      )}
    </div>
  )
}

type Control = ReturnType<typeof createFrames>

const shownFrame = (room: HTMLElement | null): HTMLIFrameElement | null =>
  room?.querySelector<HTMLIFrameElement>('iframe:not([inert])') ?? null

const useFrames = (props: CanvasProps, room: RefObject<HTMLElement | null>): [Frames, Control] => {
  const { page, controller, names, locale, onMessage, onState } = props
  const [frames, setFrames] = useState<Frames>({ shown: null, next: null })
  const keepsFocus = useRef(false)
  const hasMarks = useRef(true)
  const received = useRef(onMessage)
  const changed = useRef(onState)
  useLayoutEffect(() => {
    received.current = onMessage
    changed.current = onState
  })
  const [control] = useState(() =>
    createFrames({
      onFrames: (next) => {
        const frame = shownFrame(room.current)
        keepsFocus.current = frame !== null && frame === document.activeElement
        setFrames(next)
      },
      onMessage: (message) => {
        if (message.t === 'ready') changed.current(hasMarks.current ? 'ready' : 'unmarked')
        // The keys of the screen work in the page, too
        if (message.t === 'key' && pressShortcut(message.combo.toLowerCase())) return
        received.current(message)
      },
      onLost: () => changed.current('lost'),
    }),
  )
  // The frame that had the keyboard is gone, and it must not be lost with it
  useLayoutEffect(() => {
    if (!keepsFocus.current || !frames.shown) return
    keepsFocus.current = false
    shownFrame(room.current)?.focus()
    control.focusSelected()
  }, [frames.shown, room, control])
  const show = useEffectEvent(({ html, url }: CanvasPage) => {
    changed.current('loading')
    const channel = newChannel()
    const made = canvasDocument({
      html,
      pageUrl: url,
      controller: controller.code,
      controllerHash: controller.hash,
      channel,
      locale,
      known: {
        sections: Object.keys(names.sections),
        fields: Object.keys(names.fields),
        parts: Object.keys(names.parts),
      },
    })
    if (!made.ok) return changed.current(made.reason)
    hasMarks.current = made.hasMarks
    control.load({ channel, html: made.html })
  })
  useEffect(() => show(page), [page])
  useEffect(() => control.close, [control])
  return [frames, control]
}

type Size = { width: number; height: number }

const useSize = (room: RefObject<HTMLElement | null>): Size => {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = room.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [room])
  return size
}

/** The page is as wide as the device and drawn smaller: its own rules for widths see the device. */
const frameStyle = (room: Size, width: number | null, zoom: number | 'fit'): CSSProperties => {
  const scale = zoom === 'fit' ? Math.min(1, room.width / (width ?? room.width) || 1) : zoom
  const real = width ?? room.width / scale
  return {
    position: 'absolute',
    top: 0,
    left: Math.max(0, (room.width - real * scale) / 2),
    width: real,
    height: room.height / scale,
    border: 0,
    background: '#fff',
    transform: `scale(${scale})`,
    transformOrigin: '0 0',
  }
}
