import {
  type Ask,
  type BridgeError,
  type FrameContext,
  type FromFrame,
  type Hello,
  type Method,
  type NavigateTo,
  type PickedEntry,
  type PickedMedia,
  PROTOCOL,
  type ToFrame,
  type Welcome,
} from './bridge-protocol.ts'

/** What a screen or panel can ask of the admin around it. */
export type Bridge = {
  /** Theme, language, the person who looks and, in a panel, the entry: as they are at this moment. */
  readonly context: FrameContext
  /** Called on every change of `context`; returns a function that unsubscribes. */
  onContext(listener: (context: FrameContext) => void): () => void
  /** Calls a route of this plugin, such as `request('GET', '/plans')`, as the person who looks. */
  request<T = unknown>(method: Method, path: string, body?: unknown): Promise<T>
  toast(text: string, kind?: 'info' | 'success' | 'error'): Promise<void>
  navigate(to: NavigateTo): Promise<void>
  /** Null when nothing was chosen. */
  pickMedia(kind?: 'image' | 'video' | 'any'): Promise<PickedMedia | null>
  pickEntry(types?: readonly string[]): Promise<PickedEntry | null>
  confirm(question: { title: string; text?: string; button?: string; isDangerous?: boolean }): Promise<boolean>
}

/** A request that was refused: `status` and `code` say how, the message is for people. */
export class RequestError extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown

  constructor({ status, code, message, details }: BridgeError) {
    super(message)
    this.name = 'RequestError'
    this.status = status
    this.code = code
    this.details = details
  }
}

/** The admin stops a frame that sends too much: a height that keeps changing is sent at most ten times a second. */
const HEIGHT_INTERVAL_MS = 100

/** Greets the admin and waits for its answer. Once per document; the frame's theme, language and height follow by themselves. */
export const connect = (): Promise<Bridge> => {
  if (window.parent === window) return Promise.reject(new Error('This screen only works inside the admin'))
  return new Promise((resolve) => {
    const onMessage = ({ source, data, ports: [port] }: MessageEvent<Welcome | undefined>): void => {
      if (source !== window.parent || data?.stoa !== 'welcome' || !port) return
      window.removeEventListener('message', onMessage)
      const bridge = openBridge(port, data.context)
      applyContext(bridge.context)
      bridge.onContext(applyContext)
      followHeight(port)
      resolve(bridge)
    }
    window.addEventListener('message', onMessage)
    const hello: Hello = { stoa: 'hello', protocol: PROTOCOL }
    // The admin's origin is not known here, and a greeting holds no secret.
    window.parent.postMessage(hello, '*')
  })
}

type Waiting = { resolve: (value: unknown) => void; reject: (error: RequestError) => void }

/** The bridge at the frame's end of the channel. */
export const openBridge = (port: MessagePort, first: FrameContext): Bridge => {
  let context = first
  let lastId = 0
  const waiting = new Map<number, Waiting>()
  const listeners = new Set<(context: FrameContext) => void>()

  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if ('tell' in data) {
      context = data.context
      for (const listener of listeners) listener(context)
      return
    }
    const asked = waiting.get(data.answer)
    waiting.delete(data.answer)
    if ('error' in data) asked?.reject(new RequestError(data.error))
    else asked?.resolve(data.value)
  }

  const ask = <T>(question: Ask): Promise<T> =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId
      // First the message: one that cannot be copied throws, and nobody would ever answer it.
      port.postMessage({ ...question, id } satisfies FromFrame)
      waiting.set(id, { resolve, reject })
    }) as Promise<T>

  return {
    get context() {
      return context
    },
    onContext: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    request: (method, path, body) => ask({ ask: 'request', method, path, ...(body !== undefined && { body }) }),
    toast: (text, kind) => ask({ ask: 'toast', text, ...(kind && { kind }) }),
    navigate: (to) => ask({ ask: 'navigate', to }),
    pickMedia: (kind) => ask({ ask: 'pickMedia', ...(kind && { kind }) }),
    pickEntry: (types) => ask({ ask: 'pickEntry', ...(types && { types }) }),
    confirm: (question) => ask({ ask: 'confirm', ...question }),
  }
}

const applyContext = ({ theme, locale, entry }: FrameContext): void => {
  const root = document.documentElement
  root.dataset.theme = theme
  root.dataset.place = entry === null ? 'screen' : 'panel'
  root.lang = locale
}

/** Sends the height that the body needs, now and whenever it changes. */
const followHeight = (port: MessagePort): void => {
  let sent = 0
  let isDue = false
  const send = (): void => {
    isDue = false
    const { marginTop, marginBottom } = getComputedStyle(document.body)
    const margins = (Number.parseFloat(marginTop) || 0) + (Number.parseFloat(marginBottom) || 0)
    const height = Math.ceil(document.body.getBoundingClientRect().height + margins)
    if (height === sent) return
    sent = height
    port.postMessage({ tell: 'height', height } satisfies FromFrame)
  }
  const later = (): void => {
    if (isDue) return
    isDue = true
    setTimeout(send, HEIGHT_INTERVAL_MS)
  }
  send()
  new ResizeObserver(later).observe(document.body)
}
