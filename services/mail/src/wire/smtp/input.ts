import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { addChunk } from '../listen/listen.ts'
import { type DataScan, scanData } from './data-scan.ts'

/** How long a peer may take for a command, and how much it may say. */
export type LineLimits = {
  /** Until the first byte of a command. */
  idleMs: number
  /** From the first byte of a command to its end. */
  commandMs: number
  /** Octets of a command line with its end (RFC 5321 §4.5.3.1 asks for 512). */
  lineBytes: number
  /** A lone LF ends a line too. Not where another host may have written what a client sends. */
  takesBareLf?: true
}

/** Limits for commands and message content. */
export type InputLimits = LineLimits & {
  /** Content of a message has to come at least this fast, counted over `rateWindowMs` in which we were ready for it. */
  bytesPerSecond: number
  rateWindowMs: number
  /** All of a message. */
  messageMs: number
}

export type LineProblem = 'closed' | 'stopping' | 'idle' | 'slow' | 'bare' | 'too_long'
export type Line = { kind: 'line'; bytes: Buffer } | { kind: 'problem'; problem: LineProblem }
export type DataProblem = 'closed' | 'stopping' | 'slow' | 'bare'

/** Content did not come to its end. */
export class DataError extends Error {
  readonly problem: DataProblem

  constructor(problem: DataProblem) {
    super(`the message did not end: ${problem}`)
    this.name = 'DataError'
    this.problem = problem
  }
}

export type Input = {
  /** The next command. */
  line(limits: LineLimits): Promise<Line>
  /** The content of a message; throws DataError. What follows it stays for `line`. */
  data(limits: InputLimits): AsyncGenerator<Buffer, void, undefined>
  /** Bytes that came and were not read yet. */
  waiting(): number
  /** Waits until bytes come or the time is over. */
  hasSome(ms: number): Promise<boolean>
  /** Takes what came so far. */
  takeAll(): Buffer
  /** Puts bytes back in front. */
  putBack(bytes: Buffer): void
  /** Stops reading and forgets what came: before TLS begins. */
  detach(): void
}

const LF = 10
const CR = 13
/** A peer that sends faster than we work waits for us with this much under way. */
const MAX_WAITING = 262_144
/** Commands of one peer until others get their turn: those that came together and wait for nothing would follow each other. */
const TURN = 20

/** Reads a connection on request. `stopping` ends whatever waits. */
export const readFrom = (socket: Socket, stopping: AbortSignal): Input => {
  let chunks: Buffer[] = []
  let waiting = 0
  let lines = 0
  let hasEnded = false
  let wake: (() => void) | null = null

  const onData = (chunk: Buffer) => {
    addChunk(chunks, chunk)
    waiting += chunk.length
    if (waiting > MAX_WAITING) socket.pause()
    wake?.()
  }
  const onEnd = () => {
    hasEnded = true
    wake?.()
  }
  const onStop = () => wake?.()
  socket.on('data', onData)
  socket.on('end', onEnd)
  socket.on('close', onEnd)
  stopping.addEventListener('abort', onStop, { once: true })
  socket.once('close', () => stopping.removeEventListener('abort', onStop))

  const takeAll = (): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)
    chunks = []
    waiting = 0
    return all
  }
  const putBack = (bytes: Buffer) => {
    if (bytes.length === 0) return
    chunks.unshift(bytes)
    waiting += bytes.length
  }
  const readOn = () => {
    if (waiting < MAX_WAITING && socket.isPaused()) socket.resume()
  }

  /** Resolves when bytes wait beyond those that are known, the peer has gone, we stop, or the time is over. */
  const more = (known: number, ms: number): Promise<'bytes' | 'closed' | 'stopping' | 'late'> => {
    const state = () => {
      if (waiting > known) return 'bytes'
      if (hasEnded) return 'closed'
      return stopping.aborted ? 'stopping' : null
    }
    const now = state()
    if (now) return Promise.resolve(now)
    return new Promise((resolve) => {
      const finish = (result: 'bytes' | 'closed' | 'stopping' | 'late') => {
        clearTimeout(timer)
        wake = null
        resolve(result)
      }
      const timer = setTimeout(finish, Math.max(ms, 1), 'late')
      wake = () => {
        const result = state()
        if (result) finish(result)
      }
    })
  }

  return {
    async line(limits) {
      let deadline = 0
      for (;;) {
        const bytes = takeAll()
        const found = cutLine(bytes, limits)
        putBack(found.kind === 'line' ? found.rest : bytes)
        readOn()
        if (found.kind === 'line') {
          lines += 1
          if (lines % TURN === 0) await nextTurn()
          return { kind: 'line', bytes: found.line }
        }
        if (found.kind === 'problem') return found
        const hasBegun = bytes.length > 0
        if (hasBegun && deadline === 0) deadline = performance.now() + limits.commandMs
        const left = hasBegun ? deadline - performance.now() : limits.idleMs
        const what = left <= 0 ? 'late' : await more(waiting, left)
        if (what === 'late') return { kind: 'problem', problem: hasBegun ? 'slow' : 'idle' }
        if (what !== 'bytes') return { kind: 'problem', problem: what }
      }
    },
    async *data(limits) {
      const scan: DataScan = scanData()
      const started = performance.now()
      let windowBytes = 0
      let windowMs = 0
      for (;;) {
        if (waiting === 0) {
          const began = performance.now()
          const what = await more(0, limits.rateWindowMs - windowMs)
          windowMs += performance.now() - began
          if (what === 'late') throw new DataError('slow')
          if (what !== 'bytes') throw new DataError(what)
        }
        if (stopping.aborted) throw new DataError('stopping')
        if (performance.now() - started > limits.messageMs) throw new DataError('slow')
        const chunk = takeAll()
        readOn()
        windowBytes += chunk.length
        if (windowBytes >= (limits.bytesPerSecond * limits.rateWindowMs) / 1_000) {
          windowBytes = 0
          windowMs = 0
        }
        const { pieces, state, rest } = scan.take(chunk)
        if (state === 'bare') throw new DataError('bare')
        if (state === 'ended') putBack(rest)
        // Stuffed dots cut the content into small pieces; writing to a disk wants few.
        if (pieces.length > 0) yield pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
        if (state === 'ended') return
      }
    },
    waiting: () => waiting,
    hasSome: async (ms) => (await more(0, ms)) === 'bytes',
    takeAll,
    putBack,
    detach() {
      socket.off('data', onData)
      socket.off('end', onEnd)
      socket.off('close', onEnd)
      stopping.removeEventListener('abort', onStop)
      socket.pause()
      takeAllOf(socket)
      chunks = []
      waiting = 0
    },
  }
}

type Cut = { kind: 'line'; line: Buffer; rest: Buffer } | { kind: 'problem'; problem: LineProblem } | { kind: 'more' }

const cutLine = (bytes: Buffer, { lineBytes: limit, takesBareLf }: LineLimits): Cut => {
  const end = bytes.indexOf(LF)
  const hasCr = end > 0 && bytes[end - 1] === CR
  const bareCr = bareCrBefore(bytes, end === -1 ? bytes.length : end)
  if (!takesBareLf && (bareCr || (end !== -1 && !hasCr))) return { kind: 'problem', problem: 'bare' }
  if (end === -1) return bytes.length > limit ? { kind: 'problem', problem: 'too_long' } : { kind: 'more' }
  if (end + 1 > limit) return { kind: 'problem', problem: 'too_long' }
  return { kind: 'line', line: bytes.subarray(0, hasCr ? end - 1 : end), rest: bytes.subarray(end + 1) }
}

/** A CR that something else than LF follows. */
const bareCrBefore = (bytes: Buffer, end: number): boolean => {
  const found = bytes.indexOf(CR)
  return found !== -1 && found < end - 1
}

/** Discards buffered bytes of a stream whose reader has gone. */
const takeAllOf = (socket: Socket): void => {
  while (socket.read() !== null);
}
