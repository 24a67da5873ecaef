/** A file that is read where it is asked for. */
export type ByteSource = {
  readonly size: number
  /** The bytes from here; fewer at the end of the file. */
  read(offset: number, length: number): Promise<Buffer>
}

export type Piece = { offset: number; length: number }

/** Bytes of a file that may contain a location. They may lie in several pieces, which make one block in this order. */
export type Block = {
  pieces: readonly Piece[]
  /** The same number of bytes without the location; null when there is none. Accepts any bytes. */
  clean(bytes: Buffer): Buffer | null
}

/** Larger blocks are no metadata. */
export const MAX_BLOCK_BYTES = 16 * 1_048_576
/** Parts of a file that are looked at: more are an attempt to keep the service busy. */
export const MAX_PARTS = 20_000
