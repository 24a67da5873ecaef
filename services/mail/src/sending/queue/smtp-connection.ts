import type { Socket } from 'node:net'
import { BadReply, createReplyReader, type Reply } from './smtp-replies.ts'

/** RFC 5321 §4.5.3.2, in milliseconds; each covers the whole reply, so that a slow drip does not extend it. */
export type SmtpTimeouts = {
  connect: number
  tls: number
  greeting: number
  command: number
  data: number
  /** Between two pieces of the message that the peer takes. */
  block: number
  /** For the reply to the end of the message. */
  end: number
  quit: number
}

export const SMTP_TIMEOUTS: SmtpTimeouts = {
  connect: 30_000,
  tls: 60_000,
  greeting: 300_000,
  command: 300_000,
  data: 120_000,
  block: 180_000,
  end: 600_000,
  quit: 2_000,
}

export type SmtpProblem = 'connect' | 'timeout' | 'cut' | 'protocol' | 'tls' | 'rejected'

/** A session that cannot continue. `reply` is the peer's last reply, when that is why. */
export class SmtpFailure extends Error {
  readonly problem: SmtpProblem
  readonly reply: Reply | null

  constructor(problem: SmtpProblem, message: string, options: { reply?: Reply; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SmtpFailure'
    this.problem = problem
    this.reply = options.reply ?? null
  }
}

/** One line to a peer. Commands and replies in order; nothing is interpreted here. */
export type SmtpLine = {
  send(commands: readonly string[]): void
  reply(timeoutMs: number): Promise<Reply>
  /** Sends pieces without waiting; false when the peer has to catch up first. */
  post(pieces: readonly Buffer[]): boolean
  /** Sends pieces, waiting while the peer does not take them. */
  write(pieces: readonly Buffer[], timeoutMs: number): Promise<void>
  /** False once it has ended or the peer has sent something unsolicited. */
  readonly isUsable: boolean
  /** Gives the socket away, for TLS; fails when something has come that was not read. */
  detach(): Socket
  destroy(): void
  /** Sends QUIT and ends it, without making the caller wait. */
  quit(timeoutMs: number): void
}

type Waiter = { resolve(reply: Reply): void; reject(error: unknown): void }

export const openLine = (socket: Socket): SmtpLine => {
  const reader = createReplyReader()
  const early: Reply[] = []
  const waiters: Waiter[] = []
  let failure: SmtpFailure | undefined

  const fail = (error: SmtpFailure): void => {
    failure ??= error
    for (const waiter of waiters.splice(0)) waiter.reject(failure)
    socket.destroy()
  }
  const onData = (chunk: Buffer): void => {
    try {
      for (const reply of reader.push(chunk)) {
        const waiter = waiters.shift()
        if (waiter) waiter.resolve(reply)
        else early.push(reply)
      }
      if (early.length > MAX_EARLY) fail(new SmtpFailure('protocol', 'unexpected reply from the server'))
    } catch (error) {
      if (!(error instanceof BadReply)) throw error
      fail(new SmtpFailure('protocol', error.message))
    }
  }
  const onError = (cause: Error): void => fail(new SmtpFailure('cut', 'the connection was lost', { cause }))
  const onEnd = (): void => fail(new SmtpFailure('cut', 'the server closed the connection'))
  socket.setNoDelay(true)
  socket.on('data', onData).on('error', onError).on('end', onEnd).on('close', onEnd)

  const post = (pieces: readonly Buffer[]): boolean => {
    if (failure) throw failure
    let isTaken = true
    socket.cork()
    for (const piece of pieces) isTaken = socket.write(piece)
    socket.uncork()
    return isTaken
  }

  return {
    send(commands) {
      if (!failure) socket.write(commands.map((command) => `${command}\r\n`).join(''))
    },
    reply(timeoutMs) {
      const ready = early.shift()
      if (ready) return Promise.resolve(ready)
      if (failure) return Promise.reject(failure)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => fail(new SmtpFailure('timeout', 'the server did not reply in time')), timeoutMs)
        const done =
          <V>(then: (value: V) => void) =>
          (value: V) => {
            clearTimeout(timer)
            then(value)
          }
        waiters.push({ resolve: done(resolve), reject: done(reject) })
      })
    },
    post,
    async write(pieces, timeoutMs) {
      if (post(pieces)) return
      await new Promise<void>((resolve, reject) => {
        const done = (isLate: boolean) => {
          clearTimeout(timer)
          socket.off('drain', onDrain).off('close', onDrain)
          if (isLate) fail(new SmtpFailure('timeout', 'the server stopped accepting the message'))
          if (failure) reject(failure)
          else resolve()
        }
        const onDrain = () => done(false)
        const timer = setTimeout(() => done(true), timeoutMs)
        socket.on('drain', onDrain).on('close', onDrain)
      })
    },
    get isUsable() {
      return failure === undefined && early.length === 0 && !reader.hasRest() && waiters.length === 0
    },
    detach() {
      socket.off('data', onData).off('error', onError).off('end', onEnd).off('close', onEnd)
      // Bytes before TLS could be injected by anybody on the path, and would be read as if sent inside of it.
      if (early.length > 0 || reader.hasRest() || socket.readableLength > 0)
        throw new SmtpFailure('tls', 'the server sent data before the TLS handshake')
      return socket
    },
    destroy() {
      failure ??= new SmtpFailure('cut', 'the connection was ended')
      socket.destroy()
    },
    quit(timeoutMs) {
      if (failure) return
      failure = new SmtpFailure('cut', 'the connection was ended')
      socket.end('QUIT\r\n')
      const timer = setTimeout(() => socket.destroy(), timeoutMs)
      socket.once('close', () => clearTimeout(timer))
    },
  }
}

/** More replies in advance than this, and it is no conversation. */
const MAX_EARLY = 300
