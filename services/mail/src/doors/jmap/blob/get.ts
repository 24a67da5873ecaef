import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { findBlob, type JmapBlob } from '../blobs.ts'
import { Json } from '../json.ts'
import { type Args, CAPABILITIES, failMethod, type JmapMethod } from '../method.ts'
import { readUnsigned } from '../standard/arguments.ts'
import { readGet } from '../standard/get.ts'

/** RFC 9404 §4.2: names of the HTTP digest registry, and what Node calls them. */
const DIGESTS: Readonly<Record<string, string>> = { sha: 'sha1', 'sha-256': 'sha256', 'sha-512': 'sha512' }
export const DIGEST_NAMES: readonly string[] = Object.keys(DIGESTS)

const digestOf = (property: string): string | undefined =>
  property.startsWith('digest:') ? DIGESTS[property.slice('digest:'.length)] : undefined

const isProperty = (name: string): boolean =>
  ['id', 'data', 'data:asText', 'data:asBase64', 'size'].includes(name) || digestOf(name) !== undefined

export const blobGet: JmapMethod = {
  name: 'Blob/get',
  capability: CAPABILITIES.blob,
  async run(call, args) {
    const request = await readGet(call, args, { defaults: ['data', 'size'], isProperty, more: ['offset', 'length'] })
    if (request.ids === null) return failMethod('requestTooLarge', 'List the blob ids.')
    const window = { offset: readUnsigned(args, 'offset') ?? 0, length: readUnsigned(args, 'length') }
    const { budget } = call
    const list: Json[] = []
    const notFound: string[] = []
    const forms = request.properties.filter((name) => name !== 'id' && name !== 'size').length
    for (const id of request.ids) {
      const blob = await findBlob(call, request.access, id)
      if (!blob) {
        notFound.push(id)
        continue
      }
      const bytes = forms > 0 ? rangeOf(blob, window) : null
      const size = bytes ? (bytes.end - bytes.start) * forms : 0
      budget.check(size)
      budget.spend(size)
      await budget.room(size)
      const json = new Json({ id, ...(await describe(blob, bytes, request.properties)) })
      budget.take(json.text.length)
      list.push(json)
      if (budget.turn.isOver()) await budget.turn.next()
    }
    return { accountId: request.access.addressId, list, notFound }
  },
}

type Range = { start: number; end: number; isTruncated: boolean }

const rangeOf = ({ size }: JmapBlob, { offset, length }: { offset: number; length: number | null }): Range => {
  const start = Math.min(offset, size)
  const end = length === null ? size : Math.min(size, offset + length)
  return { start, end: Math.max(start, end), isTruncated: offset > size || (length !== null && offset + length > size) }
}

const describe = async (blob: JmapBlob, range: Range | null, properties: readonly string[]): Promise<Args> => {
  const bytes = range ? await blob.bytes({ start: range.start, end: range.end }) : Buffer.alloc(0)
  const isText = isUtf8(bytes)
  const wants = (name: string): boolean => properties.includes(name)
  const described: Args = {}
  if (wants('data:asText') || (wants('data') && isText))
    described['data:asText'] = isText ? bytes.toString('utf8') : null
  if (wants('data:asBase64') || (wants('data') && !isText)) described['data:asBase64'] = bytes.toString('base64')
  for (const name of properties) {
    const algorithm = digestOf(name)
    if (algorithm !== undefined) described[name] = hash(algorithm, bytes, 'base64')
  }
  if (wants('size')) described.size = blob.size
  if (!isText && (wants('data:asText') || wants('data'))) described.isEncodingProblem = true
  if (range?.isTruncated) described.isTruncated = true
  return described
}
