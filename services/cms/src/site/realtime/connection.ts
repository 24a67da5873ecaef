import {
  type ClientFrame,
  closeCodes,
  MAX_BAD_FRAMES,
  MAX_FRAMES_PER_SECOND,
  parseClientFrame,
  type ServerFrame,
  type SocketErrorCode,
  socketErrors,
  type Topic,
} from '@stoa/cms-model/realtime.ts'
import type { RawData, WebSocket } from 'ws'
import type { Held } from './registry.ts'

/** A client that does not read gets so much kept for it, and is then cut. */
const MAX_BACKLOG_BYTES = 1_048_576
/** Far beyond what a client sends that only forgot the limit. */
const FLOOD_FRAMES_PER_SECOND = 5 * MAX_FRAMES_PER_SECOND
/** Subscriptions that wait for the database; each frame was within the rate. */
const MAX_WAITING = 50
/** The limit of events on a topic while its subscription is being confirmed. */
const MAX_EARLY = 1_000
/** Longer topics are not repeated in errors. */
const MAX_SHOWN_TOPIC = 100

/** A topic that a socket subscribes to; `early` keeps events until the subscription is confirmed. */
export type Subscription = { readonly topic: Topic; early: Buffer[] | null }

export type Frame<A extends ClientFrame['action']> = Extract<ClientFrame, { action: A }>

/** What a socket asks of the ones who hold it. */
export type ConnectionHost = {
  subscribe(connection: Connection, frame: Frame<'subscribe'>): Promise<void>
  unsubscribe(connection: Connection, frame: Frame<'unsubscribe'>): Promise<void>
  closed(connection: Connection): void
  pong(): ServerFrame
  /** How long the second lasts that frames are counted in. */
  readonly secondMs: number
}

/** One open socket: its limits, its topics, and the order of what it asked for. */
export class Connection {
  readonly id: string
  readonly held: Held
  readonly topics = new Map<string, Subscription>()
  /** Keeps positions, to take up its topics with them after the next connection. */
  isResumable = false
  /** When something last came from the client, in ticks. */
  receivedAt: number
  readonly #socket: WebSocket
  readonly #host: ConnectionHost
  #secondEndsAt = 0
  #frames = 0
  #badFrames = 0
  #waiting = 0
  #work: Promise<void> = IDLE

  constructor(parts: { id: string; held: Held; socket: WebSocket; host: ConnectionHost; tick: () => number }) {
    this.id = parts.id
    this.held = parts.held
    this.receivedAt = parts.tick()
    this.#socket = parts.socket
    this.#host = parts.host
    const received = () => {
      this.receivedAt = parts.tick()
    }
    parts.socket.on('message', (data, isBinary) => {
      received()
      this.#receive(data, isBinary)
    })
    parts.socket.on('pong', received)
    parts.socket.on('ping', () => {
      received()
      this.#isWithinRate()
    })
    // The library answers protocol errors with 1002, 1007 or 1009; the close event that follows is enough.
    parts.socket.on('error', () => undefined)
    parts.socket.on('close', () => parts.host.closed(this))
  }

  /** Sends a frame that was made for several sockets; for a topic that is only being joined, once it is. */
  sendTo(subscription: Subscription, bytes: Buffer): void {
    if (subscription.early === null) this.#write(bytes)
    else if (subscription.early.length < MAX_EARLY) subscription.early.push(bytes)
    else this.cut()
  }

  send(frame: ServerFrame): void {
    this.#write(Buffer.from(JSON.stringify(frame)))
  }

  sendError(code: SocketErrorCode, topic?: string): void {
    const named = topic !== undefined && topic.length <= MAX_SHOWN_TOPIC ? { topic } : {}
    this.send({ event: 'error', ...named, data: { code, error: socketErrors[code] } })
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping()
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** Without a goodbye, for a client that would not read it. */
  cut(): void {
    this.#socket.terminate()
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  get isClosed(): boolean {
    return this.#socket.readyState === this.#socket.CLOSED
  }

  #write(bytes: Buffer): void {
    if (!this.isOpen) return
    if (this.#socket.bufferedAmount > MAX_BACKLOG_BYTES) this.cut()
    else this.#socket.send(bytes, TEXT)
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (!this.isOpen || !this.#isWithinRate()) return
    const frame = isBinary ? null : parseClientFrame(data.toString())
    if (frame) this.#obey(frame)
    else this.#refuseBadFrame()
  }

  #obey(frame: ClientFrame): void {
    if (frame.action === 'ping') this.send(this.#host.pong())
    else if (this.#waiting >= MAX_WAITING) this.sendError('RATE_LIMITED', frame.topic)
    else this.#queue(frame)
  }

  #queue(frame: Frame<'subscribe' | 'unsubscribe'>): void {
    this.#waiting += 1
    // One after the other: an unsubscription must not overtake its subscription.
    this.#work = this.#work
      .then(() =>
        frame.action === 'subscribe' ? this.#host.subscribe(this, frame) : this.#host.unsubscribe(this, frame),
      )
      .finally(() => {
        this.#waiting -= 1
        if (this.#waiting === 0) this.#work = IDLE
      })
  }

  #refuseBadFrame(): void {
    this.#badFrames += 1
    this.sendError('BAD_FRAME')
    if (this.#badFrames >= MAX_BAD_FRAMES) this.close(closeCodes.protocol, 'BAD_FRAME')
  }

  /** Says it once a second that there are too many, so that no answer is larger than what it answers. */
  #isWithinRate(): boolean {
    const now = performance.now()
    if (now >= this.#secondEndsAt) {
      this.#secondEndsAt = now + this.#host.secondMs
      this.#frames = 0
    }
    this.#frames += 1
    if (this.#frames <= MAX_FRAMES_PER_SECOND) return true
    if (this.#frames === MAX_FRAMES_PER_SECOND + 1) this.sendError('RATE_LIMITED')
    else if (this.#frames > FLOOD_FRAMES_PER_SECOND) this.close(closeCodes.flood, 'RATE_LIMITED')
    return false
  }
}

const TEXT = { binary: false }
const IDLE = Promise.resolve()
