import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

const inflate = promisify(inflateRaw)

/** RFC 9990 §3.5.1: one file in an archive. */
const MAX_FILES = 3
const END_BYTES = 22
const MAX_COMMENT = 65_535
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8

/** The files of a ZIP archive, together at most so many bytes. Throws a RangeError for what is none, or too large. */
export const unzip = async (archive: Buffer, limit: number): Promise<Buffer[]> => {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end === -1 || archive.length - end > END_BYTES + MAX_COMMENT) throw new RangeError('no archive')
  const count = archive.readUInt16LE(end + 10)
  if (count > MAX_FILES) throw new RangeError('too many files')
  const files: Buffer[] = []
  let left = limit
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    const file = await readEntry(archive, at, left)
    files.push(file)
    left -= file.length
    const rest = [28, 30, 32].reduce((sum, offset) => sum + archive.readUInt16LE(at + offset), 0)
    at += ENTRY_BYTES + rest
  }
  return files
}

const readEntry = async (archive: Buffer, entry: number, limit: number): Promise<Buffer> => {
  const method = archive.readUInt16LE(entry + 10)
  const size = archive.readUInt32LE(entry + 20)
  const local = archive.readUInt32LE(entry + 42)
  const names = archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const start = local + LOCAL_BYTES + names
  if (archive.readUInt32LE(entry) !== 0x02014b50 || start + size > archive.length) throw new RangeError('broken entry')
  const packed = archive.subarray(start, start + size)
  if (method === DEFLATED) return inflate(packed, { maxOutputLength: Math.max(limit, 1) })
  if (method !== STORED || size > limit) throw new RangeError('unknown method or too large')
  return packed
}
