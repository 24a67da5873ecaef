import sharp from 'sharp'

type Colour = { r: number; g: number; b: number }
const RED = { r: 255, g: 0, b: 0 }
const BLUE = { r: 0, g: 0, b: 255 }

export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

/** A picture of one colour. */
export const picture = (format: PictureFormat, width = 40, height = 20, background: Colour = RED): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()

/** The left half red, the right half blue. */
export const halves = async (format: PictureFormat, width: number, height: number): Promise<Buffer> => {
  const right = await picture('png', width / 2, height, BLUE)
  return sharp({ create: { width, height, channels: 3, background: RED } })
    .composite([{ input: right, left: width / 2, top: 0 }])
    .toFormat(format)
    .toBuffer()
}

/** A photograph that a camera held sideways: stored as `width` x `height`, seen turned by a quarter. */
export const sideways = async (width: number, height: number): Promise<Buffer> =>
  sharp(await halves('png', width, height))
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()

/** Frames of different colours. */
export const animation = async (frames: number, side = 10): Promise<Buffer> => {
  const bytes = Buffer.alloc(side * side * 3 * frames)
  for (let frame = 0; frame < frames; frame += 1)
    bytes.fill(frame * 8, frame * side * side * 3, (frame + 1) * side * side * 3)
  return sharp(bytes, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .gif({ delay: Array.from({ length: frames }, () => 100), dither: 0 })
    .toBuffer()
}

/** A PNG whose header says that it is this large, and which has no pixels. */
export const claimedPng = async (width: number, height: number): Promise<Buffer> => {
  const bytes = await picture('png', 1, 1)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

const crc32 = (bytes: Buffer): number => {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

export const svg = (inside = '<rect width="10" height="10"/>', attributes = 'width="30" height="15"'): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`,
  )

const box = (brand: string, ...others: string[]): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(16 + others.length * 4)
  return Buffer.concat([length, Buffer.from(`ftyp${brand}\0\0\0\0${others.join('')}`, 'latin1')])
}

const padded = (head: Buffer, size = 2_000): Buffer => Buffer.concat([head, Buffer.alloc(size, 1)])

/** The beginning of each kind of file that is no picture, with something behind it. */
export const files = {
  mp4: padded(box('isom', 'iso2', 'avc1', 'mp41')),
  mov: padded(box('qt  ', 'qt  ')),
  webm: padded(
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84, ...Buffer.from('webm')]),
  ),
  mp3: padded(Buffer.from([...Buffer.from('ID3'), 4, 0, 0, 0, 0, 0, 10])),
  pdf: padded(Buffer.from('%PDF-1.7\n')),
  heic: padded(box('heic', 'mif1', 'heic')),
  m4a: padded(box('M4A ', 'isom')),
  mkv: padded(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x88, ...Buffer.from('matroska')])),
}
