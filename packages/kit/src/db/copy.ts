import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** Whole rows in the text form of COPY: one line each. */
export type RowBlock = { bytes: Buffer; rows: number }

/** What the driver's connection has beyond its published types. */
type CopyConnection = {
  stream: Duplex
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

const BLOCK_BYTES = 256 * 1024
/** The server waits while so many blocks are not taken. */
const MAX_WAITING_BLOCKS = 4

/** Reads `copy … to stdout`. Leaving early ends the connection. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<RowBlock, void, undefined> {
  const waiting: RowBlock[] = []
  const blocks = createBlocks((block) => waiting.push(block))
  let socket: Duplex | undefined
  let end: { error?: Error } | undefined
  let wake = (): void => undefined
  const finish = (error?: Error): void => {
    end ??= error ? { error } : {}
    wake()
  }
  client.query({
    submit(connection: pg.Connection) {
      socket = connection.stream
      connection.query(text)
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      blocks.add(chunk)
      if (waiting.length >= MAX_WAITING_BLOCKS) socket?.pause()
      if (waiting.length > 0) wake()
    },
    handleCommandComplete() {
      blocks.flush()
    },
    handleReadyForQuery: () => finish(),
    handleError: (error: Error) => finish(error),
  })
  try {
    for (;;) {
      const block = waiting.shift()
      if (block) {
        if (waiting.length === 0) socket?.resume()
        yield block
      } else if (end) {
        if (end.error) throw end.error
        return
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    // The server sends the rest of the rows before it listens again: stopping early gives up the connection.
    if (!end) socket?.destroy()
  }
}

/** Collects rows. The driver uses the memory behind a row again, so they are copied. */
const createBlocks = (take: (block: RowBlock) => void) => {
  let bytes = Buffer.allocUnsafe(BLOCK_BYTES)
  let used = 0
  let rows = 0
  const flush = (): void => {
    if (rows === 0) return
    take({ bytes: bytes.subarray(0, used), rows })
    bytes = Buffer.allocUnsafe(BLOCK_BYTES)
    used = 0
    rows = 0
  }
  const add = (row: Buffer): void => {
    if (used + row.length > BLOCK_BYTES) flush()
    if (row.length > BLOCK_BYTES) take({ bytes: Buffer.from(row), rows: 1 })
    else {
      used += row.copy(bytes, used)
      rows += 1
    }
  }
  return { add, flush }
}

/** Sends `copy … from stdin`. When the source fails nothing is written, and its error is thrown. */
export const copyIn = (client: pg.Client, text: string, source: AsyncIterable<Uint8Array>): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: unknown
    const send = async (connection: CopyConnection): Promise<void> => {
      try {
        for await (const chunk of source) {
          if (failure) return
          connection.sendCopyFromChunk(chunk)
          if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
        }
        connection.endCopyFrom()
      } catch (error) {
        failure ??= error
        connection.sendCopyFail('the source failed')
      }
    }
    client.query({
      submit: (connection: pg.Connection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => void send(connection),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
      handleError: (error: Error) => {
        failure ??= error
        reject(failure)
      },
    })
  })
