import type { Readable } from 'node:stream'
import { addChunk } from '../../wire/listen/listen.ts'

/** How a wait for bytes ended. `interrupted`: the server has something to send meanwhile. */
export type Arrival = 'bytes' | 'closed' | 'late' | 'interrupted'

/** The client has gone, or is too slow. */
export class InputEnded extends Error {
  override readonly name = 'InputEnded'
  readonly problem: 'closed' | 'slow'

  constructor(problem: 'closed' | 'slow') {
    super(`the client is ${problem}`)
    this.problem = problem
  }
}

/** Bytes of a connection, read on request: nothing is read far ahead of the command that runs. */
export type Input = {
  /** Bytes that came and were not read yet. */
  waiting(): number
  /** Waits until there are bytes. */
  arrival(ms: number): Promise<Arrival>
  /** Ends a wait, or the next one if nobody waits. */
  interrupt(): void
  /** The next line without its end; null if it is longer than allowed: then it was not read. */
  line(options: { maxBytes: number; ms: number }): Promise<Buffer | null>
  /** Reads past the end of a line; false when there is none within the bound. */
  skipLine(options: { maxBytes: number; ms: number }): Promise<boolean>
  /** Yields `size` bytes as they arrive. The caller must read to the end. */
  bytes(size: number, rate: { bytesPerSecond: number; rateWindowMs: number }): AsyncGenerator<Buffer, void, undefined>
  /** Stops reading; returns what came and was not read. */
  detach(): Buffer
}

const LF = 10
const CR = 13
/** A client that sends faster than we work waits with this much under way. */
const MAX_WAITING = 131_072

export const readFrom = (source: Readable): Input => {
  let chunks: Buffer[] = []
  let waiting = 0
  /** Leading bytes in the buffer that are known to contain no line end. */
  let scanned = 0
  let hasEnded = false
  let isInterrupted = false
  let wake: (() => void) | null = null

  const onData = (chunk: Buffer) => {
    addChunk(chunks, chunk)
    waiting += chunk.length
    if (waiting > MAX_WAITING) source.pause()
    wake?.()
  }
  const onEnd = () => {
    hasEnded = true
    wake?.()
  }
  source.on('data', onData)
  // The code that read a proxy's header before has left it paused.
  source.resume()
  for (const event of ['end', 'close', 'error']) source.on(event, onEnd)

  const state = (known: number): Arrival | null => {
    if (waiting > known) return 'bytes'
    if (hasEnded) return 'closed'
    return isInterrupted ? 'interrupted' : null
  }
  const more = (known: number, ms: number): Promise<Arrival> => {
    const answer = (result: Arrival): Arrival => {
      if (result === 'interrupted') isInterrupted = false
      return result
    }
    const now = state(known)
    if (now) return Promise.resolve(answer(now))
    return new Promise((resolve) => {
      const finish = (result: Arrival) => {
        clearTimeout(timer)
        wake = null
        resolve(answer(result))
      }
      const timer = setTimeout(finish, Math.max(ms, 1), 'late')
      wake = () => {
        const result = state(known)
        if (result) finish(result)
      }
    })
  }
  /** Like `more`, for callers that cannot be interrupted. */
  const moreBytes = async (known: number, deadline: number): Promise<void> => {
    for (let wasInterrupted = false; ; ) {
      const what = await more(known, deadline - performance.now())
      if (what === 'interrupted') wasInterrupted = true
      else {
        if (wasInterrupted) isInterrupted = true
        if (what === 'bytes') return
        throw new InputEnded(what === 'late' ? 'slow' : 'closed')
      }
    }
  }
  const take = (size: number): Buffer => {
    const taken: Buffer[] = []
    let left = size
    while (left > 0) {
      const first = chunks[0]
      if (!first) break
      if (first.length <= left) chunks.shift()
      else chunks[0] = first.subarray(left)
      taken.push(first.length <= left ? first : first.subarray(0, left))
      left -= Math.min(left, first.length)
    }
    waiting -= size - left
    scanned = 0
    if (waiting < MAX_WAITING && source.isPaused()) source.resume()
    return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken)
  }
  /** The offset just past the first line end; -1 if none has arrived. */
  const lineEnd = (): number => {
    let before = 0
    for (const chunk of chunks) {
      const from = Math.max(0, scanned - before)
      const found = from < chunk.length ? chunk.indexOf(LF, from) : -1
      if (found !== -1) return before + found + 1
      before += chunk.length
    }
    scanned = waiting
    return -1
  }

  return {
    waiting: () => waiting,
    arrival: (ms) => more(0, ms),
    interrupt() {
      isInterrupted = true
      wake?.()
    },
    async line({ maxBytes, ms }) {
      const deadline = performance.now() + ms
      for (;;) {
        const end = lineEnd()
        if (end > maxBytes || (end === -1 && waiting > maxBytes)) return null
        if (end !== -1) {
          const line = take(end)
          return line.subarray(0, end > 1 && line[end - 2] === CR ? end - 2 : end - 1)
        }
        await moreBytes(waiting, deadline)
      }
    },
    async skipLine({ maxBytes, ms }) {
      const deadline = performance.now() + ms
      for (let skipped = 0; skipped <= maxBytes; ) {
        const end = lineEnd()
        skipped += take(end === -1 ? waiting : end).length
        if (end !== -1) return true
        await moreBytes(0, deadline)
      }
      return false
    },
    async *bytes(size, { bytesPerSecond, rateWindowMs }) {
      let windowStart = performance.now()
      let windowBytes = 0
      for (let left = size; left > 0; ) {
        if (waiting === 0) await moreBytes(0, windowStart + rateWindowMs)
        const chunk = take(Math.min(left, waiting))
        left -= chunk.length
        windowBytes += chunk.length
        yield chunk
        if (windowBytes >= (bytesPerSecond * rateWindowMs) / 1_000) {
          windowStart = performance.now()
          windowBytes = 0
        }
      }
    },
    detach() {
      source.off('data', onData)
      for (const event of ['end', 'close', 'error']) source.off(event, onEnd)
      source.pause()
      const left = Buffer.concat(chunks)
      chunks = []
      waiting = 0
      return left
    },
  }
}
