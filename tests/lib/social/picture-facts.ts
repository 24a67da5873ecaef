/** Size and kind of a picture by its own bytes; null for what is none. */
export type PictureFacts = { type: 'image/jpeg' | 'image/png' | 'image/gif'; width: number; height: number }

export const readPicture = (bytes: Buffer): PictureFacts | null => {
  if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47)
    return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes.length > 10 && bytes.toString('latin1', 0, 3) === 'GIF')
    return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? readJpeg(bytes) : null
}

/** Goes from marker to marker until the frame header, which has the size. */
const readJpeg = (bytes: Buffer): PictureFacts | null => {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** ISO base media: the first box is `ftyp`. */
export const isMp4 = (bytes: Buffer): boolean => bytes.toString('latin1', 4, 8) === 'ftyp'
