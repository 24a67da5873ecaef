import { type Block, type ByteSource, MAX_PARTS, type Piece } from './blocks.ts'
import { withoutGps } from './exif.ts'
import { movieBlocks } from './movie.ts'
import { withoutXmpLocation } from './xmp.ts'

const WINDOW = 65_536
const APP1 = 0xe1
const END_OF_IMAGE = 0xd9
const EXIF = 'Exif\0\0'
const XMP = 'http://ns.adobe.com/xap/1.0/\0'
const EXTENDED_XMP = 'http://ns.adobe.com/xmp/extension/\0'
/** XMP part 3 §1.1.3.1: a GUID, the length of the whole and where this part is in it. */
const EXTENDED_HEAD = EXTENDED_XMP.length + 32 + 4 + 4

/** Also behind the first picture: phones put a second one there, or a film. */
export async function* jpegBlocks(source: ByteSource): AsyncGenerator<Block> {
  const extended: { guid: string; order: number; piece: Piece }[] = []
  let at = 0
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    const marker = await nextMarker(source, at)
    if (marker === null) break
    at = marker.at + 2
    if (marker.code === END_OF_IMAGE) {
      const head = await source.read(at, 8)
      if (head.toString('latin1', 4, 8) === 'ftyp') yield* movieBlocks(source, at)
      continue
    }
    const length = (await source.read(at, 2)).length === 2 ? (await source.read(at, 2)).readUInt16BE() : 0
    if (length < 2) continue
    if (marker.code === APP1) {
      const segment = { offset: at + 2, length: length - 2 }
      const head = await source.read(segment.offset, Math.min(segment.length, EXTENDED_HEAD))
      const name = head.toString('latin1')
      if (name.startsWith(EXIF)) yield { pieces: [behind(segment, EXIF.length)], clean: withoutGps }
      else if (name.startsWith(XMP)) yield { pieces: [behind(segment, XMP.length)], clean: withoutXmpLocation }
      else if (name.startsWith(EXTENDED_XMP) && head.length === EXTENDED_HEAD)
        extended.push({
          guid: name.slice(EXTENDED_XMP.length, EXTENDED_XMP.length + 32),
          order: head.readUInt32BE(EXTENDED_HEAD - 4),
          piece: behind(segment, EXTENDED_HEAD),
        })
    }
    at += length
  }
  for (const parts of Map.groupBy(extended, ({ guid }) => guid).values())
    yield { pieces: parts.sort((a, b) => a.order - b.order).map(({ piece }) => piece), clean: withoutXmpLocation }
}

const behind = ({ offset, length }: Piece, head: number): Piece => ({ offset: offset + head, length: length - head })

/** ITU T.81 §B.1.1: the next marker that begins a segment or ends a picture; the data of pictures have none. */
const nextMarker = async (source: ByteSource, from: number): Promise<{ code: number; at: number } | null> => {
  for (let start = from; start < source.size; start += WINDOW - 1) {
    const bytes = await source.read(start, WINDOW)
    for (
      let index = bytes.indexOf(0xff);
      index !== -1 && index + 1 < bytes.length;
      index = bytes.indexOf(0xff, index)
    ) {
      const code = bytes[index + 1] ?? 0
      if (code >= 0xc0 && code !== 0xff && !(code >= 0xd0 && code <= 0xd8)) return { code, at: start + index }
      index += code === 0xff ? 1 : 2
    }
  }
  return null
}
