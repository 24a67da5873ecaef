const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}

const box = (type: string, ...inside: Buffer[]): Buffer => {
  const body = Buffer.concat(inside)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

const UPRIGHT = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 1_073_741_824]

/** An MP4 by its head: a length, a size and a codec, and bytes that no player shows. */
export const mp4 = ({ seconds = 12, width = 1_080, height = 1_920, bytes = 200_000 } = {}): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom'), uint32(512), Buffer.from('isommp42')),
    box(
      'moov',
      box('mvhd', uint32(0, 0, 0, 600, 600 * seconds), Buffer.alloc(80)),
      box(
        'trak',
        box('tkhd', uint32(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...UPRIGHT, width * 65_536, height * 65_536)),
        box(
          'mdia',
          box('hdlr', uint32(0, 0), Buffer.from('vide'), uint32(0, 0, 0)),
          box('minf', box('stbl', box('stsd', uint32(0, 1), box('avc1', Buffer.alloc(78))))),
        ),
      ),
    ),
    box('mdat', Buffer.alloc(bytes, 7)),
  ])
