import type { Socket } from 'node:net'
import { constants, createDeflateRaw, createInflateRaw } from 'node:zlib'
import { type Input, InputEnded, readFrom } from './input.ts'
import type { Sink } from './output.ts'

/** One layer of a connection: the socket, TLS, or compression. */
export type Wire = { readonly input: Input; readonly sink: Sink; close(): void }

export const plainWire = (socket: Socket, writeMs: number): Wire => ({
  input: readFrom(socket),
  sink: { write: (bytes) => writeTo(socket, bytes, writeMs), flush: async () => undefined },
  close: () => undefined,
})

/** zlib's memory for each connection: a window of 4 KiB and 16 KiB of state compress mail nearly as well as the most. */
const DEFLATE = { windowBits: 12, memLevel: 5 }
/** Most bytes that one read inflates to; the rest waits inside zlib. */
const INFLATED_CHUNK = 16_384

/** RFC 4978: both directions are compressed from here on. `early` came compressed already. */
export const compressedWire = (socket: Socket, { writeMs, early }: { writeMs: number; early: Buffer }): Wire => {
  const inflate = createInflateRaw({ chunkSize: INFLATED_CHUNK })
  const deflate = createDeflateRaw(DEFLATE)
  if (early.length > 0) inflate.write(early)
  socket.pipe(inflate)
  // Invalid compressed data closes the connection: the input sees the stream end.
  inflate.on('error', () => inflate.destroy())
  deflate.on('error', () => socket.destroy())
  deflate.pipe(socket, { end: false })
  return {
    input: readFrom(inflate),
    sink: {
      async write(bytes) {
        if (!deflate.write(bytes)) await drained(deflate, socket, writeMs)
      },
      async flush() {
        await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve))
        if (socket.writableNeedDrain) await drained(socket, socket, writeMs)
      },
    },
    close() {
      socket.unpipe(inflate)
      deflate.unpipe(socket)
      inflate.destroy()
      deflate.destroy()
    },
  }
}

const writeTo = async (socket: Socket, bytes: Buffer, ms: number): Promise<void> => {
  if (socket.destroyed || !socket.writable) throw new InputEnded('closed')
  if (!socket.write(bytes)) await drained(socket, socket, ms)
}

const drained = (stream: NodeJS.EventEmitter, socket: Socket, ms: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const finish = (problem: 'closed' | 'slow' | null) => {
      clearTimeout(timer)
      stream.off('drain', onDrain)
      socket.off('close', onClose)
      if (problem === 'slow') socket.destroy()
      if (problem === null) resolve()
      else reject(new InputEnded(problem))
    }
    const onDrain = () => finish(null)
    const onClose = () => finish('closed')
    const timer = setTimeout(finish, ms, 'slow')
    stream.once('drain', onDrain)
    socket.once('close', onClose)
    if (socket.destroyed) onClose()
  })
