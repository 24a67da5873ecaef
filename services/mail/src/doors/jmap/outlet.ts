import type { WebSocket } from 'ws'
import { collectText } from './api.ts'

/** Sends messages on a socket, one after the other. */
export type Outlet = {
  /** Resolves when it is sent, or at once as long as little waits to be sent. */
  send(text: string): Promise<void>
  /** A message that is made piece by piece. */
  open(): LongMessage
  /** Ends the connection. */
  cut(): void
}

export type LongMessage = {
  /** Resolves when it is this message's turn; it is asked before anything large is made for it. */
  begin(): Promise<void>
  /** Each piece is asked for when those before it are sent. */
  send(pieces: AsyncIterator<string, void>): Promise<void>
  /** Lets the next message begin. */
  end(): void
}

/** Once so much was sent and not taken, nothing more is made for it. */
const MAX_UNSENT_BYTES = 4_000_000
/** Shorter messages are one frame. */
const FRAME_CHARACTERS = 256_000
/** A client that reads nothing for so long is gone, whatever it sends. */
const STALL_MS = 30_000

export const createOutlet = (socket: WebSocket): Outlet => {
  const lock = createLock()
  const sendFrame = (text: string, fin: boolean): Promise<void> =>
    new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN) return resolve()
      const stopWatch = watchStall(socket)
      socket.send(text, { fin }, () => {
        stopWatch()
        resolve()
      })
      if (socket.bufferedAmount < MAX_UNSENT_BYTES) resolve()
    })

  return {
    async send(text) {
      const unlock = await lock()
      await sendFrame(text, true)
      unlock()
    },
    open() {
      let unlock: Promise<() => void> | null = null
      const begin = async (): Promise<void> => {
        unlock ??= lock()
        await unlock
      }
      return {
        begin,
        async send(pieces) {
          const { text, isWhole } = await collectText(pieces, FRAME_CHARACTERS)
          await begin()
          await (isWhole ? sendFrame(text, true) : sendFragments(socket, sendFrame, text, pieces))
        },
        end: () => void unlock?.then((release) => release()),
      }
    },
    cut: () => socket.terminate(),
  }
}

/** A message in fragments must not have another one between them (RFC 6455 §5.4). */
const createLock = () => {
  let last: Promise<void> = Promise.resolve()
  return async (): Promise<() => void> => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    return resolve
  }
}

const sendFragments = async (
  socket: WebSocket,
  sendFrame: (text: string, fin: boolean) => Promise<void>,
  beginning: string,
  pieces: AsyncIterator<string, void>,
): Promise<void> => {
  let text = beginning
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      await sendFrame(text, false)
      if (socket.readyState !== socket.OPEN) return
      text = next.value
    }
    await sendFrame(text, true)
  } catch (error) {
    // Half of a message cannot be taken back.
    socket.terminate()
    throw error
  }
}

const watchStall = (socket: WebSocket): (() => void) => {
  let unsent = Number.POSITIVE_INFINITY
  const timer = setInterval(() => {
    if (socket.bufferedAmount >= unsent) socket.terminate()
    unsent = socket.bufferedAmount
  }, STALL_MS).unref()
  return () => clearInterval(timer)
}
