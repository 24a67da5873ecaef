import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The header of a message with its blank line, and what follows. */
export type SplitMessage = { readonly header: Buffer; readonly body: Iterable<Buffer> | AsyncIterable<Buffer> }

/** The longest header that is read from a stream; the rest of a longer one counts as its body. */
const MAX_STREAMED_HEADER = 1_048_576

/** Body bytes that are hashed at once: more would block other work. */
const SLICE = 524_288

export const splitMessage = async (message: Buffer | Readable): Promise<SplitMessage> => {
  if (Buffer.isBuffer(message)) {
    const end = endOfHeader(message)
    const body = message.subarray(end)
    return { header: message.subarray(0, end), body: body.length > SLICE ? slices(body) : [body] }
  }
  const chunks: AsyncIterator<unknown> = message[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    start = Buffer.concat([start, toBuffer(next.value)])
    if (endOfHeader(start) < start.length || start.length > MAX_STREAMED_HEADER) break
  }
  const end = endOfHeader(start)
  return { header: start.subarray(0, end), body: rest(start.subarray(end), chunks) }
}

/** After the first blank line, or the end when there is none. */
export const endOfHeader = (message: Buffer): number => {
  if (message[0] === LF) return 1
  if (message[0] === CR && message[1] === LF) return 2
  for (let at = message.indexOf(LF); at !== -1; at = message.indexOf(LF, at + 1)) {
    if (message[at + 1] === LF) return at + 2
    if (message[at + 1] === CR && message[at + 2] === LF) return at + 3
  }
  return message.length
}

async function* slices(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += SLICE) {
    yield body.subarray(at, at + SLICE)
    await nextTurn()
  }
}

async function* rest(first: Buffer, chunks: AsyncIterator<unknown>): AsyncGenerator<Buffer> {
  yield first
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield toBuffer(next.value)
}

const toBuffer = (chunk: unknown): Buffer => {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk)
  return Buffer.from(String(chunk), 'latin1')
}

const LF = 10
const CR = 13
