import type { CanvasLine } from './canvas-line.ts'
import type { FromCanvas, FromEditor, Target } from './protocol.ts'

/** One copy of the page, with the word that only it and the editor know. */
export type FrameDocument = { readonly channel: string; readonly html: string }

/** The page that is shown, and the next one, which is prepared out of sight. */
export type Frames = { readonly shown: FrameDocument | null; readonly next: FrameDocument | null }

type FramesOptions = {
  onFrames(frames: Frames): void
  /** Messages of the page that is shown; its `ready` arrives when it is shown. */
  onMessage(message: FromCanvas): void
  onLost(): void
}

/** How long the page before stays while the next one finds its place. */
const SETTLE_MS = 250
/** Pictures without a size make a page longer as they come, so that the place is there only later. */
const RESTORE_MS = 3000

/** Takes pages one after the other: each is shown once it is ready, at the place and with the selection of the last. */
export const createFrames = ({ onFrames, onMessage, onLost }: FramesOptions) => {
  let frames: Frames = { shown: null, next: null }
  let prepared: FromCanvas | null = null
  let isTyping = false
  let selected: Target | null = null
  let y = 0
  let wanted: { y: number; until: number } | null = null
  let settling: ReturnType<typeof setTimeout> | undefined
  /** Messages that hold for every page, by name: each new page gets them. */
  const lasting = new Map<FromEditor['t'], FromEditor>()
  const lines = new Map<string, CanvasLine>()
  const lineOf = (document: FrameDocument | null) => (document ? lines.get(document.channel) : undefined)

  const change = (next: Frames) => {
    frames = next
    onFrames(frames)
  }
  const forgetNext = () => {
    clearTimeout(settling)
    prepared = null
  }

  const prepare = (document: FrameDocument, ready: FromCanvas) => {
    prepared = ready
    const line = lineOf(document)
    for (const message of lasting.values()) line?.send(message)
    if (selected) line?.send({ t: 'highlight', target: selected, scroll: false })
    if (y === 0) return swap()
    line?.send({ t: 'scrollTo', y })
    settling = setTimeout(swap, SETTLE_MS)
  }

  /** Not under the hands of somebody who types: they would lose the caret. */
  const swap = () => {
    if (!prepared || isTyping) return
    const ready = prepared
    forgetNext()
    wanted = y > 0 ? { y, until: performance.now() + RESTORE_MS } : null
    change({ shown: frames.next, next: null })
    onMessage(ready)
  }

  const restore = (now: { y: number; height: number }) => {
    if (!wanted) return
    if (Math.abs(now.y - wanted.y) < 2 || performance.now() > wanted.until) wanted = null
    else if (now.y < wanted.y) lineOf(frames.shown)?.send({ t: 'scrollTo', y: wanted.y })
  }

  const receiveShown = (message: FromCanvas) => {
    if (message.t === 'select') selected = message.target
    if (message.t === 'scroll' || message.t === 'rects') {
      if (message.t === 'rects') restore(message)
      // Until it is there, where it was counts
      y = wanted ? wanted.y : message.y
    }
    if (message.t === 'commit' || message.t === 'cancel' || message.t === 'refused') isTyping = false
    onMessage(message)
    if (!isTyping && prepared) swap()
  }

  return {
    /** A page that is not ready yet when another one comes is not shown at all. */
    load: (document: FrameDocument) => {
      forgetNext()
      change({ ...frames, next: document })
    },
    connect: (document: FrameDocument, line: CanvasLine) => {
      lines.set(document.channel, line)
      return () => {
        line.close()
        lines.delete(document.channel)
      }
    },
    receive: (document: FrameDocument, message: FromCanvas) => {
      if (document === frames.shown) receiveShown(message)
      else if (document !== frames.next) return
      else if (message.t === 'ready') prepare(document, message)
      else if (message.t === 'scroll') swap()
    },
    lose: (document: FrameDocument) => {
      if (document !== frames.next && document !== frames.shown) return
      if (document === frames.next) {
        forgetNext()
        change({ ...frames, next: null })
      }
      onLost()
    },
    send: (message: FromEditor) => {
      if (message.t === 'highlight') selected = message.target
      if (message.t === 'clear') selected = null
      if (message.t === 'startInline') isTyping = true
      if (isLasting(message)) lasting.set(message.t, message)
      lineOf(frames.shown)?.send(message)
      // The next page was asked for before this change
      if (isPatch(message) || !frames.shown) lineOf(frames.next)?.send(message)
    },
    /** Gives the keyboard to what is selected: keyboard users go on where they were. */
    focusSelected: () => {
      if (selected) lineOf(frames.shown)?.send({ t: 'highlight', target: selected, scroll: false, focus: true })
    },
    close: () => clearTimeout(settling),
  }
}

const isLasting = ({ t }: FromEditor): boolean => t === 'setStyle' || t === 'setParts' || t === 'setEditable'

const isPatch = (message: FromEditor): boolean =>
  isLasting(message) || ['setText', 'setImage', 'setAlt', 'layout'].includes(message.t)
