import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import {
  type Bytes,
  bytesOfPieces,
  decodeStructure,
  decodeTransfer,
  headerRanges,
  keptBytes,
  type MimeStructure,
  parseMessage,
} from '../../../formats/mime/mime.ts'
import { type MessageSource, parseMessageAsync, readBlob, readRanges, streamBlob } from '../../../store/store.ts'
import { isBytes, isRange, type SectionContent } from './section-content.ts'

export type ReaderParts = { readonly blobs: Blobs; readonly log: Log }

/** Reads one message, and as little of it as is asked for. What is damaged is refused as `no_such_blob`. */
export type MessageReader = {
  readonly source: MessageSource
  /** Whether `load` would read it. */
  readonly isSmall: boolean
  /** Begins to read a small message, so that it is there when it is needed. */
  load(): void
  /** Keeps nothing of it. */
  forget(): void
  structure(): Promise<MimeStructure>
  /** The header fields that envelopes and body structures are made from. */
  headers(): Promise<Bytes>
  /** Small content as bytes; null for what must be streamed. */
  bytes(content: SectionContent): Promise<Buffer | null>
  /** Streams content of any size, still encoded. */
  stream(content: SectionContent): AsyncGenerator<Buffer, void, undefined>
}

/** Smaller messages are read whole and compared with their hash; of larger ones only what is asked for. */
export const SMALL_BYTES = 262_144
/** Content of large messages up to this size is buffered: headers and short texts. */
const INLINE_BYTES = 65_536
/** Checking windows of large messages may read all of them, so that few run at once, over all clients. */
const windows = createSemaphore({ parallel: 4, waiting: 2_000 })

export const openMessage = ({ blobs, log }: ReaderParts, source: MessageSource): MessageReader => {
  const message = { id: source.messageId, blobKey: source.blobKey, prefix: source.prefix, size: source.size }
  const blobSize = source.size - source.prefix.length
  const isSmall = blobSize <= SMALL_BYTES
  let whole: Promise<Buffer> | null = null
  const load = (): Promise<Buffer> => {
    whole ??= readBlob(blobs, message, { log })
    return whole
  }
  /** A window of the blob that does not keep the rest of it in memory. */
  const read = async (start: number, end: number): Promise<Buffer> =>
    isSmall
      ? (await load()).subarray(start, end)
      : windows.run(async () => Buffer.from(await readBlob(blobs, message, { window: { start, end }, log })))

  let known: Promise<MimeStructure> | null = null
  const structure = (): Promise<MimeStructure> => {
    known ??= findStructure()
    return known
  }
  const findStructure = async (): Promise<MimeStructure> =>
    decodeStructure(source.structure) ??
    (isSmall
      ? parseMessage(await load())
      : windows.run(async () => parseMessageAsync(await readBlob(blobs, message, { log }))))

  const headers = async (): Promise<Bytes> => {
    const parsed = await structure()
    const kept = source.headers ? keptBytes(parsed, source.headers) : null
    if (kept) return kept
    if (isSmall) return load()
    return windows.run(async () => bytesOfPieces(await readRanges({ blobs, log }, message, headerRanges(parsed))))
  }

  const bytes = async ({ pieces, size, encoding }: SectionContent): Promise<Buffer | null> => {
    if (!isSmall && size > INLINE_BYTES) return null
    const ranges = pieces.filter(isRange)
    const first = Math.min(...ranges.map(({ start }) => start))
    const last = Math.max(...ranges.map(({ end }) => end))
    const window = ranges.length === 0 ? Buffer.alloc(0) : await read(first, last)
    const parts = pieces.map((piece) =>
      isBytes(piece) ? piece : window.subarray(piece.start - first, piece.end - first),
    )
    const raw = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    return encoding === null ? raw : decodeTransfer(raw, encoding)
  }

  async function* stream({ pieces }: SectionContent): AsyncGenerator<Buffer, void, undefined> {
    for (const piece of pieces) {
      if (isBytes(piece)) yield piece
      else if (isSmall) yield (await load()).subarray(piece.start, piece.end)
      else yield* streamBlob(blobs, message, { window: piece, log })
    }
  }

  return {
    source,
    isSmall,
    load() {
      // The code that awaits it gets the error.
      load().catch(() => undefined)
    },
    forget() {
      whole = null
      known = null
    },
    structure,
    headers,
    bytes,
    stream,
  }
}
