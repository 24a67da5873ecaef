import { type Block, type ByteSource, MAX_BLOCK_BYTES, type Piece } from './blocks.ts'
import { type Allowance, type Box, boxesIn, insideFull, newAllowance } from './boxes.ts'
import { withoutXmpLocation } from './xmp.ts'

/** `©xyz` of QuickTime and Android, `loci` of 3GPP TS 26.244 §8.10. */
const PLACES: ReadonlySet<string> = new Set(['\xa9xyz', 'loci'])
const XMP_BOX = 'XMP_'
const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac'
const MAX_KEYS_BYTES = 1_048_576

/** Films (MP4, QuickTime): what is said of the film and of its tracks. */
export async function* movieBlocks(source: ByteSource, start = 0): AsyncGenerator<Block> {
  const allowance = newAllowance()
  for await (const box of boxesIn(source, { offset: start, length: source.size - start }, allowance)) {
    if (box.type === 'moov') yield* inMovie(source, box.body, allowance)
    if (box.type === 'udta') yield* inUserData(source, box.body, allowance)
    if (box.type === 'meta') yield* inMeta(source, box.body, allowance)
    if (box.type === 'uuid') yield* xmpOf(source, box)
  }
}

async function* inMovie(source: ByteSource, range: Piece, allowance: Allowance): AsyncGenerator<Block> {
  for await (const box of boxesIn(source, range, allowance)) {
    if (box.type === 'trak')
      for await (const inner of boxesIn(source, box.body, allowance)) {
        if (inner.type === 'udta') yield* inUserData(source, inner.body, allowance)
        if (inner.type === 'meta') yield* inMeta(source, inner.body, allowance)
      }
    if (box.type === 'udta') yield* inUserData(source, box.body, allowance)
    if (box.type === 'meta') yield* inMeta(source, box.body, allowance)
    if (box.type === 'uuid') yield* xmpOf(source, box)
  }
}

async function* inUserData(source: ByteSource, range: Piece, allowance: Allowance): AsyncGenerator<Block> {
  for await (const box of boxesIn(source, range, allowance)) {
    if (PLACES.has(box.type)) yield erased(box)
    if (box.type === 'meta') yield* inMeta(source, box.body, allowance)
    if (box.type === XMP_BOX) yield { pieces: [box.body], clean: withoutXmpLocation }
  }
}

/** Values with names: `keys` has the names in their order, the boxes of `ilst` have the number of theirs as their type. */
async function* inMeta(source: ByteSource, body: Piece, allowance: Allowance): AsyncGenerator<Block> {
  const places = new Set(PLACES)
  for await (const box of boxesIn(source, await insideMeta(source, body), allowance)) {
    if (box.type === 'keys') for (const type of await placeKeys(source, box.body)) places.add(type)
    if (box.type !== 'ilst') continue
    for await (const item of boxesIn(source, box.body, allowance)) if (places.has(item.type)) yield erased(item)
  }
}

/** QuickTime's has no version and flags. */
const insideMeta = async (source: ByteSource, body: Piece): Promise<Piece> => {
  const head = await source.read(body.offset, 8)
  return head.toString('latin1', 4, 8) === 'hdlr' ? body : insideFull(body)
}

const placeKeys = async (source: ByteSource, { offset, length }: Piece): Promise<string[]> => {
  const bytes = await source.read(offset, Math.min(length, MAX_KEYS_BYTES))
  const types: string[] = []
  let index = 0
  for (let at = 8; at + 8 <= bytes.length; ) {
    index += 1
    const size = bytes.readUInt32BE(at)
    if (size < 8) break
    if (/location|gps/i.test(bytes.toString('latin1', at + 8, at + size))) types.push(typeOfNumber(index))
    at += size
  }
  return types
}

const typeOfNumber = (number: number): string => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes.toString('latin1')
}

/** A box that is free space now, with nothing in it. */
const erased = ({ start, body }: Box): Block => ({
  pieces: [{ offset: start, length: 4 }, body],
  clean: (bytes) => Buffer.concat([Buffer.from('free'), Buffer.alloc(Math.max(0, bytes.length - 4))]),
})

async function* xmpOf(source: ByteSource, { body }: Box): AsyncGenerator<Block> {
  const id = await source.read(body.offset, 16)
  if (id.toString('hex') !== XMP_UUID || body.length > MAX_BLOCK_BYTES) return
  yield { pieces: [{ offset: body.offset + 16, length: body.length - 16 }], clean: withoutXmpLocation }
}
