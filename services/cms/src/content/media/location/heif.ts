import { type Block, type ByteSource, MAX_PARTS, type Piece } from './blocks.ts'
import { type Box, boxesIn, insideFull, newAllowance } from './boxes.ts'
import { withoutExifLocation } from './exif.ts'
import { withoutXmpLocation } from './xmp.ts'

const MAX_TABLE_BYTES = 4 * 1_048_576

/** Pictures of ISO/IEC 23008-12 (AVIF): metadata are items, and a table says where their bytes are. */
export async function* heifBlocks(source: ByteSource): AsyncGenerator<Block> {
  const allowance = newAllowance()
  for await (const box of boxesIn(source, { offset: 0, length: source.size }, allowance)) {
    if (box.type !== 'meta') continue
    const parts = new Map<string, Box>()
    for await (const part of boxesIn(source, insideFull(box.body), allowance)) parts.set(part.type, part)
    const items = await readItems(source, parts.get('iinf'))
    const places = await readPlaces(source, parts.get('iloc'), parts.get('idat')?.body ?? null)
    for (const [id, kind] of items) {
      const pieces = places.get(id)
      if (pieces) yield { pieces, clean: kind === 'exif' ? cleanExifItem : withoutXmpLocation }
    }
  }
}

/** ISO/IEC 23008-12 §A.2.1: four bytes say how far behind them the TIFF header is. */
const cleanExifItem = (bytes: Buffer): Buffer | null => {
  const start = bytes.length < 4 ? bytes.length : 4 + bytes.readUInt32BE()
  if (start >= bytes.length) return null
  const cleaned = withoutExifLocation(bytes.subarray(start))
  return cleaned && Buffer.concat([bytes.subarray(0, start), cleaned])
}

const tableOf = async (source: ByteSource, box: Box | undefined): Promise<Buffer> =>
  box ? source.read(box.body.offset, Math.min(box.body.length, MAX_TABLE_BYTES)) : Buffer.alloc(0)

/** ISO/IEC 14496-12 §8.11.6: which items are Exif or XMP. */
const readItems = async (source: ByteSource, box: Box | undefined): Promise<Map<number, 'exif' | 'xmp'>> => {
  const found = new Map<number, 'exif' | 'xmp'>()
  if (!box) return found
  const [version = 0] = await source.read(box.body.offset, 1)
  const head = version === 0 ? 6 : 8
  const entries = { offset: box.body.offset + head, length: box.body.length - head }
  for await (const entry of boxesIn(source, entries, newAllowance())) {
    if (entry.type !== 'infe' || found.size >= MAX_PARTS) continue
    const bytes = await source.read(entry.body.offset, Math.min(entry.body.length, 1_024))
    const isWide = bytes[0] === 3
    const typeAt = isWide ? 10 : 8
    if (bytes.length < typeAt + 4) continue
    const id = isWide ? bytes.readUInt32BE(4) : bytes.readUInt16BE(4)
    const type = bytes.toString('latin1', typeAt, typeAt + 4)
    if (type === 'Exif') found.set(id, 'exif')
    if (type === 'mime' && bytes.includes('application/rdf+xml')) found.set(id, 'xmp')
  }
  return found
}

/** ISO/IEC 14496-12 §8.11.3: where the bytes of items are, in the file or in the box `idat`. */
const readPlaces = async (
  source: ByteSource,
  box: Box | undefined,
  idat: Piece | null,
): Promise<Map<number, Piece[]>> => {
  const places = new Map<number, Piece[]>()
  const bytes = await tableOf(source, box)
  if (bytes.length < 8) return places
  const version = bytes[0] ?? 0
  const [sizes = 0, more = 0] = bytes.subarray(4, 6)
  const table = { offset: sizes >> 4, length: sizes & 15, base: more >> 4, index: version === 0 ? 0 : more & 15 }
  const next = reader(bytes, 6)
  const count = next(version < 2 ? 2 : 4)
  for (let item = 0; item < count && places.size < MAX_PARTS && !next.isOver(); item += 1) {
    const id = next(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : next(2) & 15
    next(2)
    const base = next(table.base)
    const extents = next(2)
    const pieces: Piece[] = []
    for (let extent = 0; extent < extents && !next.isOver(); extent += 1) {
      next(table.index)
      const offset = base + next(table.offset)
      const length = next(table.length)
      if (method === 0) pieces.push({ offset, length })
      if (method === 1 && idat) pieces.push({ offset: idat.offset + offset, length })
    }
    places.set(id, pieces)
  }
  return places
}

/** Reads one number of 0, 2, 4 or 8 bytes after the other; zeros behind the end. */
const reader = (bytes: Buffer, start: number) => {
  let at = start
  const next = (size: number): number => {
    at += size
    if (at > bytes.length || size === 0) return 0
    return size === 8 ? Number(bytes.readBigUInt64BE(at - 8)) : bytes.readUIntBE(at - size, Math.min(size, 6))
  }
  return Object.assign(next, { isOver: () => at >= bytes.length })
}
