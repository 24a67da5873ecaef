import type { Readable } from 'node:stream'

/** What can be stored: bytes in memory, or a stream of them. */
export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>

/** A stored blob. The key is the SHA-256 of the content in hex: the same content has the same key. */
export type StoredBlob = { key: string; size: number; sha256: string }

export type PutOptions = {
  /** One byte more is refused with `too_large`, and nothing is left. */
  maxBytes: number
  /** The key that the content must turn out to have, when the caller knows it: else `corrupt`. */
  key?: string
  /** The type that an object store gives to its readers; only for types that are harmless wherever they appear. */
  contentType?: string
}

/** First and last byte, both included; a last one beyond the end means the end. */
export type BlobRange = { start: number; end?: number }

export type BlobRead = {
  /** The content. A full read is checked against the key: it ends with BlobError `corrupt` before its last bytes. */
  stream: Readable
  /** Size of the whole blob. */
  size: number
  /** What the stream holds; null for an empty blob. */
  range: { start: number; end: number } | null
}

export type BlobInfo = { key: string; size: number; modifiedAt: Date }

export type SweepOptions = {
  /** Which of these keys are referenced. Asked in batches, for blobs older than the limit only. */
  keep: (keys: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * Younger blobs stay: their row may not be committed yet. Storing the same content again makes a blob young,
   * so a grace period longer than any transaction and clock difference (an hour, a day) is safe.
   */
  olderThan: Date
}
export type SweepResult = { checked: number; removed: number; temporary: number }

/** The blob store of a service. Writes are durable when `put` resolves. */
export type Blobs = {
  put(source: BlobSource, options: PutOptions): Promise<StoredBlob>
  get(key: string, options?: { range?: BlobRange }): Promise<BlobRead>
  /** Size and age, or null when there is no such blob. */
  head(key: string): Promise<BlobInfo | null>
  /** Removes a blob; one that is not there is fine. */
  delete(key: string): Promise<void>
  list(): AsyncIterable<BlobInfo>
  /** Removes blobs that nobody references and what interrupted uploads left. */
  sweep(options: SweepOptions): Promise<SweepResult>
  close(): Promise<void>
}

export type BlobProblem = 'missing' | 'corrupt' | 'bad_key' | 'bad_range' | 'refused'

/** A blob that cannot be given: not there, damaged, or not a key at all. The store being away is a `Fault`. */
export class BlobError extends Error {
  readonly problem: BlobProblem

  constructor(problem: BlobProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'BlobError'
    this.problem = problem
  }
}

const KEY = /^[0-9a-f]{64}$/

export const isBlobKey = (text: string): boolean => KEY.test(text)

/** Where a key lives below a root or prefix: two levels of folders, so that none grows large. Refuses what is no key. */
export const blobPath = (key: string): string => {
  if (!isBlobKey(key)) throw new BlobError('bad_key', 'not a blob key')
  return `${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`
}

/** The bytes that a range means for a blob of this size; null for all of an empty blob. */
export const resolveRange = (range: BlobRange | undefined, size: number): { start: number; end: number } | null => {
  if (!range) return size === 0 ? null : { start: 0, end: size - 1 }
  const end = Math.min(range.end ?? size - 1, size - 1)
  const isValid =
    Number.isSafeInteger(range.start) && range.start >= 0 && Number.isSafeInteger(end) && range.start <= end
  if (!isValid) throw new BlobError('bad_range', 'the range is outside of the blob')
  return { start: range.start, end }
}
