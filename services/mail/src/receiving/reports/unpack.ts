import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { allParts, decodeTransfer, type MimeStructure } from '../../formats/mime/mime.ts'
import { unzip } from './zip.ts'

/** Reports of the largest senders have some megabytes; what unpacks to more is a bomb. */
const MAX_UNPACKED = 10_485_760
const MAX_ATTACHMENTS = 10
const MAX_PACKED = 10_485_760

/** The texts of the files attached to a message, unpacked. What cannot be, whole and within the limits, is left out. */
export const attachedTexts = async (structure: MimeStructure, bytes: Buffer): Promise<string[]> => {
  const texts: string[] = []
  let left = MAX_UNPACKED
  let seen = 0
  for (const part of allParts(structure.root)) {
    if (part.children.length > 0 || !isCandidate(part.type)) continue
    seen += 1
    if (seen > MAX_ATTACHMENTS || left <= 0) break
    if (part.decodedSize > MAX_PACKED) continue
    const content = decodeTransfer(bytes.subarray(part.bodyStart, part.end), part.encoding)
    for (const file of await unpack(content, left)) {
      left -= file.length
      texts.push(file.toString('utf8'))
    }
  }
  return texts
}

/** Reporters name many types; what it is, is seen from its first bytes. */
const isCandidate = (type: string): boolean => /^application\/|^text\/(?:xml|json|x-xml)$/.test(type)

const unpack = async (content: Buffer, limit: number): Promise<Buffer[]> => {
  try {
    if (content[0] === 0x1f && content[1] === 0x8b) return [await inflateGzip(content, { maxOutputLength: limit })]
    if (content.subarray(0, 4).equals(ZIP)) return await unzip(content, limit)
    return content.length > 0 && content.length <= limit ? [content] : []
  } catch (error) {
    if (error instanceof RangeError || isZlibError(error)) return []
    throw error
  }
}

const inflateGzip = promisify(gunzip)

const ZIP = Buffer.from('PK\x03\x04', 'latin1')

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
