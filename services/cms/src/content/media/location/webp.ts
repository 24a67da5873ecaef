import { type Block, type ByteSource, MAX_PARTS } from './blocks.ts'
import { withoutExifLocation } from './exif.ts'
import { withoutXmpLocation } from './xmp.ts'

const cleaners: Readonly<Record<string, Block['clean']>> = { EXIF: withoutExifLocation, 'XMP ': withoutXmpLocation }

/** RFC 9649 §2.3: chunks of a name, a length and data, which end at an even place. */
export async function* webpBlocks(source: ByteSource): AsyncGenerator<Block> {
  let at = 12
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    const head = await source.read(at, 8)
    if (head.length < 8) return
    const length = head.readUInt32LE(4)
    const clean = cleaners[head.toString('latin1', 0, 4)]
    if (clean) yield { pieces: [{ offset: at + 8, length }], clean }
    at += 8 + length + (length % 2)
  }
}
