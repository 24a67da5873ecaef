import { newKey } from '@stoa/ui/browser/new-key.ts'
import { envelope, type FromCanvas, type FromEditor, readFromCanvas } from './protocol.ts'

/** The editor's side of one canvas. */
export type CanvasLine = {
  /** Messages sent before the canvas is ready are queued. */
  send(message: FromEditor): void
  close(): void
}

type Init = Extract<FromEditor, { t: 'init' }>

export type CanvasLineOptions = {
  channel: string
  init: Init
  onMessage(message: FromCanvas): void
  /** The canvas did not start, not even the second time. */
  onLost(): void
}

/** The required part of an iframe; setting its document again reloads it. */
type Frame = { readonly contentWindow: Pick<Window, 'postMessage'> | null; srcdoc: string }

/** How long a canvas may take to start. */
export const START_MS = 4000
/** Limit for each kind of message; no canvas needs as many. A page that managed to send must not keep the editor busy. */
const MAX_PER_SECOND = 240
const MAX_WAITING = 500

/** The random word by which a canvas and its editor know each other. */
export const newChannel = newKey

export const openCanvasLine = (
  frame: Frame,
  { channel, init, onMessage, onLost }: CanvasLineOptions,
  host: Pick<Window, 'addEventListener' | 'removeEventListener'> = window,
): CanvasLine => {
  let isReady = false
  let hasRetried = false
  let waiting: FromEditor[] = []
  const isWithinRate = rateLimit(MAX_PER_SECOND)

  // The canvas has an opaque origin, which cannot be named; nothing secret is said.
  const post = (message: FromEditor) => frame.contentWindow?.postMessage(envelope(message, channel), '*')

  const giveUpOrRetry = () => {
    if (hasRetried) return onLost()
    hasRetried = true
    timer = setTimeout(giveUpOrRetry, START_MS)
    const { srcdoc } = frame
    frame.srcdoc = srcdoc
  }
  let timer = setTimeout(giveUpOrRetry, START_MS)

  const onEvent = (event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.contentWindow || event.origin !== 'null') return
    const message = readFromCanvas(event.data, channel)
    if (!message || !isWithinRate(message.t)) return
    if (message.t === 'hello') post(init)
    else if (message.t === 'ready') start(message)
    else if (isReady) onMessage(message)
  }
  const start = (message: FromCanvas) => {
    clearTimeout(timer)
    isReady = true
    for (const one of waiting) post(one)
    waiting = []
    onMessage(message)
  }
  host.addEventListener('message', onEvent)

  return {
    send: (message) => {
      if (isReady) post(message)
      else waiting = [...waiting, message].slice(-MAX_WAITING)
    },
    close: () => {
      clearTimeout(timer)
      host.removeEventListener('message', onEvent)
    },
  }
}

const rateLimit = (perSecond: number): ((kind: string) => boolean) => {
  let second = 0
  const counts = new Map<string, number>()
  return (kind) => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) counts.clear()
    second = now
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= perSecond
  }
}
