import { BlobError, type Blobs } from '@stoa/kit/blobs/blobs.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { Refused, reply } from '../../wire/smtp/smtp.ts'
import type { MemoryBudget, ReceiveParts } from './parts.ts'

/** A message that has come as a whole, in memory when there was room for it. */
export type Spooled = {
  /** Resolves once it is durable: nothing may be written about it before. */
  readonly stored: Promise<StoredMessage>
  /** Gives the bytes to the work; a large message is one of a few that are in memory at the same time. */
  use<R>(work: (bytes: Buffer) => Promise<R>): Promise<R>
}

export type StoredMessage = { readonly key: string; readonly size: number }

/** Larger messages are written to the disk only while they come. */
const KEPT_BYTES = 1_048_576
/** The limit of all connections together. */
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
 * Writes a message to the store while it comes, hashed and counted, and does not wait for the disk at its end: meanwhile it can
 * be read. Whatever memory it takes is bounded, and given back when `use` has ended.
 */
export const spoolMessage = async (
  parts: Pick<ReceiveParts, 'blobs' | 'config' | 'memory' | 'largeMessages'>,
  content: AsyncIterable<Buffer>,
): Promise<Spooled> => {
  const kept = keeper(parts.memory)
  const stored = store(parts, kept.tee(content))
  // The code that awaits it gets the error.
  stored.catch(() => undefined)
  try {
    await Promise.race([kept.whole, stored])
  } catch (error) {
    kept.forget()
    throw error
  }
  return {
    stored,
    async use(work) {
      try {
        const bytes = kept.bytes()
        return bytes ? await work(bytes) : await withStored(parts, await stored, work)
      } finally {
        kept.forget()
        // The next message of this peer waits for the disk as this one does.
        await stored.catch(() => undefined)
      }
    },
  }
}

const store = async (
  { blobs, config }: Pick<ReceiveParts, 'blobs' | 'config'>,
  content: AsyncIterable<Buffer>,
): Promise<StoredMessage> => {
  try {
    const { key, size } = await blobs.put(content, { maxBytes: config.maxMessageBytes })
    return { key, size }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Runs the work with a stored message in memory; of large ones a few at the same time. */
export const withStored = <R>(
  parts: Pick<ReceiveParts, 'blobs' | 'largeMessages'>,
  { key, size }: StoredMessage,
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
  let end = (): void => undefined
  const whole = new Promise<void>((resolve) => {
    end = resolve
  })
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
      end()
    },
    /** Resolves when all of it has come. */
    whole,
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
