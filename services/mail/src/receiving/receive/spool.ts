import { BlobError, type Blobs } from '@stoa/kit/blobs/blobs.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { Refused, reply } from '../../wire/smtp/smtp.ts'
import type { MemoryBudget, ReceiveParts } from './parts.ts'

/** Bytes that are durable, and in memory as well when there was room for them. */
export type Spooled = {
  readonly blob: { readonly key: string; readonly size: number }
  /** Gives the bytes to the work; a large message is one of a few that are in memory at the same time. */
  use<R>(work: (bytes: Buffer) => Promise<R>): Promise<R>
}

/** Larger messages are written to the disk only while they come. */
const KEPT_BYTES = 1_048_576
/** Of all connections together. */
const BUDGET_BYTES = 67_108_864

export const createMemoryBudget = (limit = BUDGET_BYTES): MemoryBudget => {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > limit) return false
      used += bytes
      return true
    },
    give(bytes) {
      used -= bytes
    },
  }
}

/**
 * Writes a message to the store while it comes, hashed and counted. Whatever memory it takes is bounded, and given back
 * when `use` has ended.
 */
export const spoolMessage = async (
  parts: Pick<ReceiveParts, 'blobs' | 'config' | 'memory' | 'largeMessages'>,
  content: AsyncIterable<Buffer>,
): Promise<Spooled> => {
  const kept = keeper(parts.memory)
  try {
    const { key, size } = await parts.blobs.put(kept.tee(content), { maxBytes: parts.config.maxMessageBytes })
    return {
      blob: { key, size },
      async use(work) {
        try {
          const bytes = kept.bytes()
          if (bytes) return await work(bytes)
          return await withStored(parts, { key, size }, work)
        } finally {
          kept.forget()
        }
      },
    }
  } catch (error) {
    kept.forget()
    throw refusalOf(error)
  }
}

/** Runs the work with a stored message in memory; of large ones a few at the same time. */
export const withStored = <R>(
  parts: Pick<ReceiveParts, 'blobs' | 'largeMessages'>,
  { key, size }: { key: string; size: number },
  work: (bytes: Buffer) => Promise<R>,
): Promise<R> => {
  const run = async () => work(await readBlob(parts.blobs, key, size))
  return size > KEPT_BYTES ? parts.largeMessages.run(run) : run()
}

/** A stored message as a whole. */
export const readBlob = async (blobs: Blobs, key: string, size: number): Promise<Buffer> => {
  const { stream } = await blobs.get(key)
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  for await (const chunk of stream) {
    if (length + chunk.length > size) throw new BlobError('corrupt', 'the blob is larger than it was')
    length += chunk.copy(bytes, length)
  }
  return bytes.subarray(0, length)
}

const keeper = (memory: MemoryBudget) => {
  let pieces: Buffer[] | null = []
  let taken = 0
  const forget = () => {
    memory.give(taken)
    taken = 0
    pieces = null
  }
  return {
    async *tee(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
      for await (const piece of content) {
        if (pieces) {
          const hasRoom = taken + piece.length <= KEPT_BYTES && memory.take(piece.length)
          if (hasRoom) {
            taken += piece.length
            pieces.push(piece)
          } else forget()
        }
        yield piece
      }
    },
    bytes: (): Buffer | null => (pieces && pieces.length === 1 ? (pieces[0] ?? null) : pieces && Buffer.concat(pieces)),
    forget,
  }
}

const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof Fault)) return error
  if (error.kind === 'too_large') return new Refused(reply(552, '5.3.4', 'The message is too large'))
  return error.kind === 'unavailable'
    ? new Refused(reply(452, '4.3.1', 'Insufficient storage, try again later'))
    : error
}
