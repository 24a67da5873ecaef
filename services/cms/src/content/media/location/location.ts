import { type FileHandle, open } from 'node:fs/promises'
import type { MediaType } from '@stoa/cms-model/media.ts'
import { onDisk } from '@stoa/kit/blobs/spool.ts'
import { type Block, type ByteSource, MAX_BLOCK_BYTES, type Piece } from './blocks.ts'
import { heifBlocks } from './heif.ts'
import { jpegBlocks } from './jpeg.ts'
import { movieBlocks } from './movie.ts'
import { pngBlocks } from './png.ts'
import { webpBlocks } from './webp.ts'

const walkers: Partial<Record<MediaType, (source: ByteSource) => AsyncGenerator<Block>>> = {
  'image/jpeg': jpegBlocks,
  'image/png': pngBlocks,
  'image/webp': webpBlocks,
  'image/avif': heifBlocks,
  'video/mp4': (source) => movieBlocks(source),
  'video/quicktime': (source) => movieBlocks(source),
}

/**
 * Removes the location where it was taken from a file, in place: its size, its pixels and all other metadata stay.
 * False when there was none; then no byte has changed. Damaged parts are not touched.
 */
export const stripLocation = async (file: string, type: MediaType): Promise<boolean> => {
  const walk = walkers[type]
  if (!walk) return false
  return onDisk(async () => {
    const handle = await open(file, 'r+')
    try {
      return await cleanBlocks(handle, await openSource(handle), walk)
    } finally {
      await handle.close()
    }
  })
}

const cleanBlocks = async (
  handle: FileHandle,
  source: ByteSource,
  walk: (source: ByteSource) => AsyncGenerator<Block>,
): Promise<boolean> => {
  let isChanged = false
  for await (const { pieces, clean } of walk(source)) {
    if (pieces.some((piece) => !isInside(piece, source)) || lengthOf(pieces) > MAX_BLOCK_BYTES) continue
    const parts = await Promise.all(pieces.map(({ offset, length }) => source.read(offset, length)))
    const cleaned = clean(Buffer.concat(parts))
    if (cleaned === null) continue
    isChanged = true
    await writePieces(handle, pieces, cleaned)
  }
  return isChanged
}

const isInside = ({ offset, length }: Piece, { size }: ByteSource): boolean =>
  offset >= 0 && length >= 0 && offset + length <= size

const lengthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

const writePieces = async (handle: FileHandle, pieces: readonly Piece[], bytes: Buffer): Promise<void> => {
  let from = 0
  for (const { offset, length } of pieces) {
    let written = 0
    while (written < length)
      written += (await handle.write(bytes, from + written, length - written, offset + written)).bytesWritten
    from += length
  }
}

const PAGE_BYTES = 262_144

/** Small reads come from one page that is kept; walkers never look at what was changed again. */
const openSource = async (handle: FileHandle): Promise<ByteSource> => {
  const { size } = await handle.stat()
  let page: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }
  const readAll = async (offset: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
    let read = 0
    while (read < bytes.length) {
      const { bytesRead } = await handle.read(bytes, read, bytes.length - read, offset + read)
      if (bytesRead === 0) break
      read += bytesRead
    }
    return bytes.subarray(0, read)
  }
  return {
    size,
    async read(offset, length) {
      if (length > PAGE_BYTES / 2) return readAll(offset, length)
      const isHeld = offset >= page.start && offset + length <= page.start + page.bytes.length
      if (!isHeld) page = { start: offset, bytes: await readAll(offset, PAGE_BYTES) }
      const at = offset - page.start
      return page.bytes.subarray(at, at + length)
    },
  }
}
