import type { Ctx } from '../../context.ts'
import type { ByteSource, Piece } from './location/blocks.ts'
import { type Allowance, boxesIn, newAllowance } from './location/boxes.ts'

/** What a video says of itself; null where it does not. */
export type VideoFacts = { seconds: number | null; width: number | null; height: number | null; codec: string | null }

type VideoFile = { blobKey: string; mimeType: string; size: number; hash: string }

const UNKNOWN: VideoFacts = { seconds: null, width: null, height: null, codec: null }
/** Facts are small, and a library of videos is not large. */
const MAX_KEPT = 500

/** Length, size as it is shown, and codec of a video, read from its head only. What is damaged has none. */
export const readVideoFacts = async (
  { media, log }: Pick<Ctx, 'media' | 'log'>,
  file: VideoFile,
): Promise<VideoFacts> => {
  const kept = media.videoFacts.get(file.hash)
  if (kept) return kept
  const blobs = await media.blobs()
  const source: ByteSource = {
    size: file.size,
    async read(offset, length) {
      const end = Math.min(offset + length, file.size)
      if (end <= offset) return Buffer.alloc(0)
      const { stream } = await blobs.get(file.blobKey, { range: { start: offset, end: end - 1 } })
      return Buffer.concat(await stream.toArray())
    },
  }
  const facts = await factsOf(buffered(source), file.mimeType).catch((error: unknown) => {
    log.warn({ err: error, blobKey: file.blobKey }, 'a video cannot be read')
    return UNKNOWN
  })
  if (media.videoFacts.size >= MAX_KEPT) media.videoFacts.clear()
  media.videoFacts.set(file.hash, facts)
  return facts
}

export const factsOf = (source: ByteSource, mimeType: string): Promise<VideoFacts> =>
  mimeType === 'video/webm' ? webmFacts(source) : movieFacts(source)

const CHUNK = 65_536

/** Heads of boxes lie close together: one read of the store serves many. */
const buffered = (source: ByteSource): ByteSource => {
  let start = 0
  let chunk: Buffer = Buffer.alloc(0)
  return {
    size: source.size,
    async read(offset, length) {
      if (offset < start || offset + length > start + chunk.length) {
        chunk = await source.read(offset, Math.max(length, CHUNK))
        start = offset
      }
      return chunk.subarray(offset - start, offset - start + length)
    },
  }
}

/** MP4 and QuickTime: `moov` may be at the beginning or at the end. */
const movieFacts = async (source: ByteSource): Promise<VideoFacts> => {
  const allowance = newAllowance()
  for await (const box of boxesIn(source, { offset: 0, length: source.size }, allowance))
    if (box.type === 'moov') return inMovie(source, box.body, allowance)
  return UNKNOWN
}

const inMovie = async (source: ByteSource, moov: Piece, allowance: Allowance): Promise<VideoFacts> => {
  let facts = UNKNOWN
  for await (const box of boxesIn(source, moov, allowance)) {
    if (box.type === 'mvhd') facts = { ...facts, seconds: await durationOf(source, box.body) }
    if (box.type === 'trak') {
      const track = await trackOf(source, box.body, allowance)
      if (track.isVideo) facts = { ...facts, width: track.width, height: track.height, codec: track.codec }
    }
  }
  return facts
}

/** ISO/IEC 14496-12 §8.2.2. */
const durationOf = async (source: ByteSource, { offset }: Piece): Promise<number | null> => {
  const head = await source.read(offset, 32)
  if (head.length < 32) return null
  const isLong = head[0] === 1
  const scale = head.readUInt32BE(isLong ? 20 : 12)
  const units = isLong ? Number(head.readBigUInt64BE(24)) : head.readUInt32BE(16)
  const isUnknown = units === (isLong ? 2 ** 64 : 2 ** 32 - 1)
  return scale === 0 || units === 0 || isUnknown ? null : units / scale
}

type Track = { isVideo: boolean; width: number | null; height: number | null; codec: string | null }

const trackOf = async (source: ByteSource, trak: Piece, allowance: Allowance): Promise<Track> => {
  const track: Track = { isVideo: false, width: null, height: null, codec: null }
  for await (const box of boxesIn(source, trak, allowance)) {
    if (box.type === 'tkhd') Object.assign(track, await shownSize(source, box.body))
    if (box.type === 'mdia')
      for await (const inner of boxesIn(source, box.body, allowance)) {
        if (inner.type === 'hdlr')
          track.isVideo = (await source.read(inner.body.offset + 8, 4)).toString('latin1') === 'vide'
        if (inner.type === 'minf') track.codec = await codecOf(source, inner.body, allowance)
      }
  }
  return track
}

/** §8.3.2: fixed point 16.16; the matrix says whether it is rotated by a quarter turn. */
const shownSize = async (source: ByteSource, { offset }: Piece): Promise<Pick<Track, 'width' | 'height'>> => {
  const head = await source.read(offset, 96)
  const matrix = head[0] === 1 ? 52 : 40
  if (head.length < matrix + 44) return { width: null, height: null }
  const [width, height] = [36, 40].map((at) => Math.round(head.readUInt32BE(matrix + at) / 65_536) || null)
  const isTurned = head.readInt32BE(matrix) === 0 && head.readInt32BE(matrix + 4) !== 0
  return isTurned ? { width: height ?? null, height: width ?? null } : { width: width ?? null, height: height ?? null }
}

const codecOf = async (source: ByteSource, minf: Piece, allowance: Allowance): Promise<string | null> => {
  for await (const stbl of boxesIn(source, minf, allowance)) {
    if (stbl.type !== 'stbl') continue
    for await (const stsd of boxesIn(source, stbl.body, allowance))
      if (stsd.type === 'stsd') return (await source.read(stsd.body.offset + 12, 4)).toString('latin1').trim() || null
  }
  return null
}

/** EBML (RFC 8794): the ids of Matroska (RFC 9559) that are looked into, or read. */
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK_ENTRY = 0xae
const VIDEO = 0xe0
const CLUSTER = 0x1f43b675
const PARENTS = new Set([SEGMENT, INFO, TRACKS, TRACK_ENTRY, VIDEO])
const MAX_ELEMENTS = 2_000

const webmFacts = async (source: ByteSource): Promise<VideoFacts> => {
  const found = { scale: 1_000_000, duration: 0, width: 0, height: 0, codec: '' }
  let left = MAX_ELEMENTS
  const walk = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to && left > 0; left -= 1) {
      const head = await source.read(at, 12)
      const id = vint(head, 0, true)
      const size = id && vint(head, id.length, false)
      if (!id || !size || id.value === CLUSTER) return
      const body = at + id.length + size.length
      const end = Math.min(size.isUnknown ? to : body + size.value, to)
      if (PARENTS.has(id.value)) await walk(body, end)
      else if (end - body <= 64) take(found, id.value, await source.read(body, end - body))
      at = end
    }
  }
  await walk(0, source.size)
  return {
    seconds: found.duration > 0 ? (found.duration * found.scale) / 1e9 : null,
    width: found.width || null,
    height: found.height || null,
    codec: found.codec || null,
  }
}

type Found = { scale: number; duration: number; width: number; height: number; codec: string }

const take = (found: Found, id: number, bytes: Buffer): void => {
  if (id === 0x2ad7b1) found.scale = unsigned(bytes) || found.scale
  if (id === 0x4489 && (bytes.length === 4 || bytes.length === 8))
    found.duration = bytes.length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE()
  if (id === 0xb0) found.width = unsigned(bytes)
  if (id === 0xba) found.height = unsigned(bytes)
  if (id === 0x86 && bytes.toString('latin1').startsWith('V_')) found.codec = bytes.toString('latin1')
}

const unsigned = (bytes: Buffer): number =>
  bytes.length > 0 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : 0

/** A number whose first bits encode its length; an ID keeps them. */
const vint = (
  bytes: Buffer,
  at: number,
  isId: boolean,
): { value: number; length: number; isUnknown: boolean } | undefined => {
  const first = bytes[at]
  if (first === undefined || first === 0) return undefined
  const length = Math.clz32(first) - 23
  if (at + length > bytes.length || (isId && length > 4)) return undefined
  let value = isId ? first : first & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0
    value = value * 256 + byte
    isUnknown &&= byte === 0xff
  }
  return { value, length, isUnknown: !isId && isUnknown }
}
