import { Readable } from 'node:stream'
import { contentDisposition } from '@stoa/kit/http/ranges.ts'
import { type RawBody, type Reply, reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import {
  type Body,
  type BodyPart,
  type Bytes,
  decodeTransfer,
  findPart,
  isIdentity,
  isMultipart,
  type Part,
  parseSection,
  safeFileName,
  transferDecoder,
} from '../../../formats/mime/mime.ts'
import { signInOf } from '../../../principal.ts'
import {
  type ByteWindow,
  readBlob,
  readTexts,
  streamBlob,
  streamBytes,
  type WholeMessage,
} from '../../../store/store.ts'
import { readFairly } from '../../fairness/fairness.ts'
import { withStore } from '../refusals.ts'
import { servedType } from './part-types.ts'

/** Keeps browsers from running any content of a part under our origin. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=3600',
}
/** Larger parts are decoded while they are sent. */
const IN_MEMORY_BYTES = 1_048_576

/** All bytes of a message as they were received. */
export const getRaw = (ctx: Ctx, message: WholeMessage): Reply<RawBody> => {
  const { blobs, log } = ctx.parts
  const name = safeFileName(`${(message.subject ?? '').slice(0, 150) || 'message'}.eml`, 'message/rfc822')
  return reply(streamBytes(blobs, message, log), {
    contentType: 'message/rfc822',
    headers: {
      ...HEADERS,
      'content-disposition': contentDisposition('attachment', name),
      'content-length': String(message.size),
    },
  })
}

/** One part, decoded. A multipart is none. */
export const getPart = (ctx: Ctx, message: WholeMessage, sectionText: string): Promise<Reply<RawBody>> =>
  withStore(async () => {
    const section = parseSection(sectionText)
    if (section?.what !== 'all' || section.path.length === 0) return fail('not_found')
    return readFairly(signInOf(ctx).address.id, message.size, () => readPart(ctx, message, section.path))
  })

const readPart = async (ctx: Ctx, message: WholeMessage, path: readonly number[]): Promise<Reply<RawBody>> => {
  const { structure, body, bytes } = await readTexts(ctx.parts, message, { textsOf: () => [], maxBytes: 0 })
  const part = findPart(structure, path)
  if (!part || isMultipart(part)) return fail('not_found')
  const described = describedPart(body, part)
  const name = safeFileName(described?.name ?? null, part.type)
  return reply(await contentOf(ctx, message, { part, bytes }), {
    contentType: servedType(part.type),
    headers: { ...HEADERS, 'content-disposition': contentDisposition('attachment', name) },
  })
}

/** What the header of a part says; parts of messages inside the message have none here. */
const describedPart = ({ bodyStructure }: Body, part: Part): BodyPart | null => {
  const waiting: BodyPart[] = [bodyStructure]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.part === part) return next
    waiting.push(...(next.subParts ?? []))
  }
  return null
}

const contentOf = async (
  ctx: Ctx,
  message: WholeMessage,
  { part, bytes }: { part: Part; bytes: Bytes },
): Promise<RawBody> => {
  const { blobs, log } = ctx.parts
  const window: ByteWindow = { start: part.bodyStart, end: part.end }
  const isRead = Buffer.isBuffer(bytes)
  if (isRead || window.end - window.start <= IN_MEMORY_BYTES) {
    const body = isRead ? bytes.subarray(window.start, window.end) : await readBlob(blobs, message, { window, log })
    return isIdentity(part.encoding) ? body : decodeTransfer(body, part.encoding)
  }
  const stream = streamBlob(blobs, message, { window, log })
  return Readable.from(isIdentity(part.encoding) ? stream : decoded(stream, part.encoding), { objectMode: false })
}

async function* decoded(pieces: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = transferDecoder(encoding)
  for await (const piece of pieces) {
    const bytes = decoder.write(piece)
    if (bytes.length > 0) yield bytes
  }
  const last = decoder.end()
  if (last.length > 0) yield last
}
