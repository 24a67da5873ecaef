import { withoutXmpLocation } from './xmp.ts'

const XMP_TAG = 0x02bc
const SUB_IFDS_TAG = 0x014a
const EXIF_IFD_TAG = 0x8769
const GPS_IFD_TAG = 0x8825
const GPS_VERSION_TAG = 0
const ENTRY_BYTES = 12
/** Real files have three or four. */
const MAX_IFDS = 32
/** TIFF 6.0 §2: bytes of a value, by its type. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

type Entry = { at: number; tag: number; value: { start: number; end: number } }
type Ifd = { start: number; end: number; entries: Entry[]; next: number }
type Tiff = { bytes: Buffer; u16(at: number): number; u32(at: number): number; isLittle: boolean }

/**
 * A block of Exif (TIFF 6.0) whose GPS directory is gone, at the same length: its bytes are zero, and the directory that
 * led to it has one entry less. Everything else stays where it was. Null when there is no place in it.
 */
export const withoutGps = (given: Buffer): Buffer | null => {
  const tiff = openTiff(Buffer.from(given))
  if (tiff === null) return null
  const ifds = readIfds(tiff)
  const places = ifds
    .flatMap((ifd) => ifd.entries.filter(({ tag }) => tag === GPS_IFD_TAG))
    .map((entry) => ({
      entry,
      ifd: readIfd(tiff, tiff.u32(entry.at + 8)),
    }))
  const found = places.filter(({ ifd }) => ifd?.entries.some(({ tag }) => tag !== GPS_VERSION_TAG))
  const isCleanedXmp = cleanXmp(tiff, ifds)
  if (found.length === 0) return isCleanedXmp ? tiff.bytes : null
  const gone = new Set(found.map(({ entry }) => entry.at))
  eraseUnshared(
    tiff.bytes,
    found.flatMap(({ ifd }) => (ifd ? rangesOf(ifd) : [])),
    ifds.flatMap(rangesOf),
  )
  for (const ifd of ifds) removeEntries(tiff, ifd, gone)
  return tiff.bytes
}

/** Accepts EXIF data with or without the `Exif` header that some formats put before it. */
export const withoutExifLocation = (bytes: Buffer): Buffer | null => {
  const start = bytes.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0
  const cleaned = withoutGps(bytes.subarray(start))
  return cleaned && Buffer.concat([bytes.subarray(0, start), cleaned])
}

const openTiff = (bytes: Buffer): Tiff | null => {
  const order = bytes.toString('latin1', 0, 2)
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return null
  const isLittle = order === 'II'
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  return u16(2) === 42 ? { bytes, u16, u32, isLittle } : null
}

/** The directories that follow each other, and those below them, but for GPS. */
const readIfds = (tiff: Tiff): Ifd[] => {
  const waiting = [tiff.u32(4)]
  const found = new Map<number, Ifd>()
  for (const start of waiting) {
    if (found.size >= MAX_IFDS) break
    const ifd = found.has(start) ? null : readIfd(tiff, start)
    if (ifd === null) continue
    found.set(start, ifd)
    if (waiting.length < 4 * MAX_IFDS) waiting.push(ifd.next, ...below(tiff, ifd))
  }
  return [...found.values()]
}

const below = (tiff: Tiff, { entries }: Ifd): number[] =>
  entries
    .filter(({ tag, value }) => (tag === EXIF_IFD_TAG || tag === SUB_IFDS_TAG) && value.end - value.start >= 4)
    .slice(0, MAX_IFDS)
    .map(({ value }) => tiff.u32(value.start))

const readIfd = (tiff: Tiff, start: number): Ifd | null => {
  const { length } = tiff.bytes
  if (start < 8 || start + 2 > length) return null
  const count = Math.min(tiff.u16(start), Math.floor((length - start - 2) / ENTRY_BYTES))
  const tableEnd = start + 2 + count * ENTRY_BYTES
  const hasNext = tableEnd + 4 <= length
  return {
    start,
    end: hasNext ? tableEnd + 4 : tableEnd,
    entries: Array.from({ length: count }, (_, index) => readEntry(tiff, start + 2 + index * ENTRY_BYTES)),
    next: hasNext ? tiff.u32(tableEnd) : 0,
  }
}

const readEntry = (tiff: Tiff, at: number): Entry => {
  const bytes = (TYPE_BYTES[tiff.u16(at + 2)] ?? 0) * tiff.u32(at + 4)
  const start = bytes <= 4 ? at + 8 : tiff.u32(at + 8)
  const isInside = start + bytes <= tiff.bytes.length
  return { at, tag: tiff.u16(at), value: isInside ? { start, end: start + bytes } : { start: at + 8, end: at + 12 } }
}

type Range = { start: number; end: number }

const rangesOf = (ifd: Ifd): Range[] => [{ start: ifd.start, end: ifd.end }, ...ifd.entries.map(({ value }) => value)]

/** Zeroes what no other directory uses; in time that grows with the block, however the ranges overlap. */
const eraseUnshared = (bytes: Buffer, erased: readonly Range[], kept: readonly Range[]): void => {
  const depth = (ranges: readonly Range[]): Int32Array => {
    const steps = new Int32Array(bytes.length + 1)
    for (const { start, end } of ranges) {
      steps[start] = (steps[start] ?? 0) + 1
      steps[end] = (steps[end] ?? 0) - 1
    }
    return steps
  }
  const [goes, stays] = [depth(erased), depth(kept)]
  let going = 0
  let staying = 0
  for (let at = 0; at < bytes.length; at += 1) {
    going += goes[at] ?? 0
    staying += stays[at] ?? 0
    if (going > 0 && staying === 0) bytes[at] = 0
  }
}

/** Entries behind those that go move up, with the address of the next directory; the room that is left is zero. */
const removeEntries = (tiff: Tiff, ifd: Ifd, gone: ReadonlySet<number>): void => {
  const { bytes, isLittle } = tiff
  const kept = ifd.entries.filter(({ at }) => !gone.has(at))
  if (kept.length === ifd.entries.length) return
  const tableEnd = ifd.start + 2 + ifd.entries.length * ENTRY_BYTES
  const rest = [...kept.map(({ at }) => bytes.subarray(at, at + ENTRY_BYTES)), bytes.subarray(tableEnd, ifd.end)]
  const table = Buffer.concat(rest)
  bytes.fill(0, ifd.start + 2, ifd.end)
  table.copy(bytes, ifd.start + 2)
  if (isLittle) bytes.writeUInt16LE(kept.length, ifd.start)
  else bytes.writeUInt16BE(kept.length, ifd.start)
}

const cleanXmp = (tiff: Tiff, ifds: readonly Ifd[]): boolean => {
  let isChanged = false
  for (const { tag, value } of ifds.flatMap(({ entries }) => entries).slice(0, 1_000)) {
    const cleaned = tag === XMP_TAG ? withoutXmpLocation(tiff.bytes.subarray(value.start, value.end)) : null
    cleaned?.copy(tiff.bytes, value.start)
    isChanged ||= cleaned !== null
  }
  return isChanged
}
