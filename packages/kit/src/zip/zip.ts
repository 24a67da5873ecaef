import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive, or with a name that ends in a slash a folder. */
export type ZipEntry = {
  /** With slashes, below the top: never the way out of it. */
  name: string
  modifiedAt: Date
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * A zip file while its entries are read, of any size and with any number of them: memory holds a few pieces of one entry.
 * The directory at the end is gathered in a temporary file. APPNOTE 6.3.10; entries are deflated, names are UTF-8.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-zip-'))
  const file = join(folder, 'directory')
  const directory = await open(file, 'w')
  try {
    let offset = 0
    let count = 0
    let directorySize = 0
    let records: Buffer[] = []
    const save = async () => {
      await directory.appendFile(Buffer.concat(records))
      records = []
    }
    for await (const entry of entries) {
      const written = { offset, ...(yield* writeEntry(entry)) }
      offset += written.length
      const record = directoryRecord(entry, written)
      directorySize += record.length
      count += 1
      if (records.push(record) === RECORDS_AT_ONCE) await save()
    }
    await save()
    for await (const piece of createReadStream(file)) yield piece
    yield endRecord({ count, directorySize, offset })
  } finally {
    await directory.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const RECORDS_AT_ONCE = 500

type Written = { method: number; crc: number; size: number; packedSize: number; length: number }

const DEFLATED = 8
const STORED = 0

async function* writeEntry(entry: ZipEntry): AsyncGenerator<Buffer, Written> {
  if (entry.name.endsWith('/')) {
    const header = localHeader(entry, STORED)
    yield header
    return { method: STORED, crc: 0, size: 0, packedSize: 0, length: header.length }
  }
  const header = localHeader(entry, DEFLATED)
  yield header
  let crc = 0
  let size = 0
  let packedSize = 0
  const counted = async function* () {
    for await (const piece of entry.content) {
      crc = crc32(piece, crc)
      size += piece.length
      yield piece
    }
  }
  for await (const piece of Readable.from(counted(), { objectMode: false }).compose(createDeflateRaw())) {
    packedSize += piece.length
    yield piece
  }
  const descriptor = dataDescriptor({ crc, size, packedSize })
  yield descriptor
  return { method: DEFLATED, crc, size, packedSize, length: header.length + packedSize + descriptor.length }
}

/** §4.4.4: UTF-8 names; sizes and checksum follow the data. */
const UTF8 = 0x0800
const FOLLOWS = 0x0008
/** §4.4.3.2: 4.5 knows archives beyond 4 GiB. */
const VERSION = 45
const UNIX = 3 << 8
const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff

const flagsOf = (method: number): number => (method === DEFLATED ? UTF8 | FOLLOWS : UTF8)

/** §4.3.7 */
const localHeader = ({ name, modifiedAt }: ZipEntry, method: number): Buffer => {
  const bytes = Buffer.from(name)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(flagsOf(method), 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(dosTime(modifiedAt), 10)
  header.writeUInt16LE(bytes.length, 26)
  return Buffer.concat([header, bytes])
}

/** §4.3.9: with long sizes where they do not fit into short ones. */
const dataDescriptor = ({ crc, size, packedSize }: Pick<Written, 'crc' | 'size' | 'packedSize'>): Buffer => {
  const isLong = size > MAX_32 || packedSize > MAX_32
  const descriptor = Buffer.alloc(isLong ? 24 : 16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  if (isLong) {
    descriptor.writeBigUInt64LE(BigInt(packedSize), 8)
    descriptor.writeBigUInt64LE(BigInt(size), 16)
  } else {
    descriptor.writeUInt32LE(packedSize, 8)
    descriptor.writeUInt32LE(size, 12)
  }
  return descriptor
}

const FILE_MODE = 0o100644
const FOLDER_MODE = 0o040755

/** §4.3.12 */
const directoryRecord = (entry: ZipEntry, written: Written & { offset: number }): Buffer => {
  const { method, crc, size, packedSize, offset } = written
  const bytes = Buffer.from(entry.name)
  const long = [size, packedSize, offset].some((value) => value >= MAX_32)
  const extra = long ? longSizes([size, packedSize, offset]) : Buffer.alloc(0)
  const short = (value: number): number => (long ? MAX_32 : value)
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(UNIX | VERSION, 4)
  record.writeUInt16LE(VERSION, 6)
  record.writeUInt16LE(flagsOf(method), 8)
  record.writeUInt16LE(method, 10)
  record.writeUInt32LE(dosTime(entry.modifiedAt), 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(short(packedSize), 20)
  record.writeUInt32LE(short(size), 24)
  record.writeUInt16LE(bytes.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE((entry.name.endsWith('/') ? FOLDER_MODE : FILE_MODE) * 0x1_0000, 38)
  record.writeUInt32LE(short(offset), 42)
  return Buffer.concat([record, bytes, extra])
}

/** §4.5.3: the size, the packed size and the offset. */
const longSizes = (values: readonly number[]): Buffer => {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(0x0001, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  return extra
}

/** §4.3.14 to §4.3.16 */
const endRecord = (end: { count: number; directorySize: number; offset: number }): Buffer => {
  const { count, directorySize, offset } = end
  const isLong = count >= MAX_16 || directorySize >= MAX_32 || offset >= MAX_32
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(isLong ? MAX_16 : count, 8)
  record.writeUInt16LE(isLong ? MAX_16 : count, 10)
  record.writeUInt32LE(isLong ? MAX_32 : directorySize, 12)
  record.writeUInt32LE(isLong ? MAX_32 : offset, 16)
  return isLong ? Buffer.concat([longEndRecord(end), record]) : record
}

const longEndRecord = ({ count, directorySize, offset }: Parameters<typeof endRecord>[0]): Buffer => {
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(UNIX | VERSION, 12)
  record.writeUInt16LE(VERSION, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(directorySize), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(offset + directorySize), 64)
  record.writeUInt32LE(1, 72)
  return record
}

/** §4.4.6, in UTC: the format knows no zones. Years from 1980 to 2107. */
const dosTime = (at: Date): number => {
  const year = Math.min(2107, Math.max(1980, at.getUTCFullYear())) - 1980
  const date = (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return date * 0x1_0000 + time
}
