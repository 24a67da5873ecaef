import { Readable } from 'node:stream'

/** What a request may carry. A stream is read once, at the pace at which the target takes it. */
export type UploadBody = string | Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

/** `length` is null when it is not known before the end: the body is then sent in chunks (RFC 9112 §7.1). */
export type Upload = { body: Readable | Uint8Array | null; length: number | null }

export type UploadWatch = {
  /** The target took a piece. */
  onProgress: () => void
  /** Everything has been handed over. */
  onSent: () => void
  /** The body could not be read, or is not as long as was said. */
  onError: (error: unknown) => void
}

export const createUpload = (
  given: UploadBody | undefined,
  knownLength: number | undefined,
  watch: UploadWatch,
): Upload => {
  if (given === undefined) {
    watch.onSent()
    return { body: null, length: null }
  }
  if (!isRepeatable(given)) {
    const length = knownLength ?? null
    return { body: paced(given, length, watch), length }
  }
  const bytes = typeof given === 'string' ? Buffer.from(given) : given
  const { length } = bytes
  if (length > PIECE_BYTES) return { body: paced([bytes], length, watch), length }
  watch.onSent()
  return { body: bytes, length }
}

/** Whether a body can be sent a second time. */
export const isRepeatable = (body: UploadBody | undefined): body is string | Uint8Array | undefined =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array

/** Small enough to see progress on a slow line, large enough to cost little. */
const PIECE_BYTES = 65_536

type Source = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

const paced = (source: Source, length: number | null, watch: UploadWatch): Readable =>
  Readable.from(pieces(source, length, watch), { objectMode: true, highWaterMark: 1 })

async function* pieces(source: Source, length: number | null, watch: UploadWatch) {
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (length !== null && size > length) throw wrongLength(length)
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        yield chunk.subarray(from, from + PIECE_BYTES)
        watch.onProgress()
      }
    }
    if (length !== null && size < length) throw wrongLength(length)
  } catch (error) {
    watch.onError(error)
    throw error
  }
  watch.onSent()
}

const wrongLength = (length: number) =>
  new TypeError(`The request body does not have the ${length} bytes it was said to`)
