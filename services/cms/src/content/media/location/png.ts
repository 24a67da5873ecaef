import { crc32, inflateSync } from 'node:zlib'
import { type Block, type ByteSource, MAX_BLOCK_BYTES, MAX_PARTS } from './blocks.ts'
import { withoutExifLocation } from './exif.ts'
import { withoutXmpLocation } from './xmp.ts'

const SIGNATURE_BYTES = 8
const XMP_KEYWORD = 'XML:com.adobe.xmp'
/** A private chunk that every reader skips. */
const PADDING = 'paDd'

const cleaners: Readonly<Record<string, (data: Buffer) => Buffer | 'all' | null>> = {
  eXIf: withoutExifLocation,
  iTXt: (data) => cleanText(data),
  zTXt: (data) => cleanProfile(data, true),
  tEXt: (data) => cleanProfile(data, false),
}

export async function* pngBlocks(source: ByteSource): AsyncGenerator<Block> {
  let at = SIGNATURE_BYTES
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    const head = await source.read(at, 8)
    if (head.length < 8) return
    const length = head.readUInt32BE()
    const clean = cleaners[head.toString('latin1', 4)]
    // With its type and its checksum.
    if (clean) yield { pieces: [{ offset: at + 4, length: length + 8 }], clean: (bytes) => cleanChunk(bytes, clean) }
    at += length + 12
  }
}

const cleanChunk = (bytes: Buffer, clean: (data: Buffer) => Buffer | 'all' | null): Buffer | null => {
  if (bytes.length < 8) return null
  const data = bytes.subarray(4, -4)
  const cleaned = clean(data)
  if (cleaned === null) return null
  const isGone = cleaned === 'all'
  const body = Buffer.concat([
    isGone ? Buffer.from(PADDING) : bytes.subarray(0, 4),
    isGone ? Buffer.alloc(data.length) : cleaned,
  ])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([body, checksum])
}

/** PNG §11.3.3.4: keyword, two flags, two more texts, and the text itself. Compressed, it cannot be changed in place. */
const cleanText = (data: Buffer): Buffer | 'all' | null => {
  const keywordEnd = data.indexOf(0)
  if (data.toString('latin1', 0, keywordEnd) !== XMP_KEYWORD) return null
  const languageEnd = data.indexOf(0, keywordEnd + 3)
  const start = languageEnd === -1 ? -1 : data.indexOf(0, languageEnd + 1) + 1
  if (start <= 0) return null
  if (data[keywordEnd + 1] === 1) return withoutXmpLocation(inflated(data.subarray(start))) && 'all'
  const cleaned = withoutXmpLocation(data.subarray(start))
  return cleaned && Buffer.concat([data.subarray(0, start), cleaned])
}

/** The format of older programs: "Raw profile type exif", a length, and the bytes in hexadecimal. */
const cleanProfile = (data: Buffer, isCompressed: boolean): 'all' | null => {
  const keywordEnd = data.indexOf(0)
  const kind = /^Raw profile type (exif|APP1|xmp)$/i.exec(data.toString('latin1', 0, Math.max(0, keywordEnd)))?.[1]
  if (kind === undefined) return null
  const text = isCompressed ? inflated(data.subarray(keywordEnd + 2)) : data.subarray(keywordEnd + 1)
  const digits = text.toString('latin1').replace(/^\s*\S+\s+\d+\s+/, '')
  const bytes = Buffer.from(digits.replace(/\s+/g, ''), 'hex')
  return (withoutExifLocation(bytes) ?? withoutXmpLocation(bytes)) && 'all'
}

const inflated = (bytes: Buffer): Buffer => {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_BLOCK_BYTES })
  } catch {
    // Other readers cannot decompress it either.
    return Buffer.alloc(0)
  }
}
