import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { cleanFilename, type MediaType, mediaTypes } from '@stoa/cms-model/media.ts'
import { removeFile, type Spooled, spool } from '@stoa/kit/blobs/spool.ts'
import { Fault } from '@stoa/kit/errors.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { parseInput } from '@stoa/kit/http/input.ts'
import { type Form, readForm } from '@stoa/kit/http/multipart.ts'
import type { ZodType, z } from 'zod'
import type { Ctx } from '../../context.ts'
import { error, fail, failFields } from '../../errors.ts'
import { readSettings } from '../settings/settings.ts'
import { ImageError, readPicture } from './image.ts'
import { stripLocation } from './location/location.ts'
import { HEAD_BYTES, sniffType } from './sniff.ts'
import { MAX_SVG_BYTES, readSvg } from './svg.ts'
import { SvgError } from './svg-error.ts'

/** The member of the form that holds the file. */
export const FILE_MEMBER = 'file'
const MAX_FIELDS = 16
const MAX_FIELD_BYTES = 16 * 1024

/** A file that was received and found good, kept in the store. */
export type ReceivedFile = {
  filename: string
  blobKey: string
  mimeType: MediaType
  size: number
  width: number | null
  height: number | null
}

export type Upload<S extends ZodType> = { file: ReceivedFile; fields: z.output<S> }

type Reception<S extends ZodType> = {
  /** The other members of the form. */
  fields: S
  /** Refuses a type as soon as it is known. */
  allow?: (type: MediaType) => void
  /** Refuses the whole before anything is stored. */
  check?: (fields: z.output<S>) => Promise<void>
}

/**
 * Receives a form with a file: its type is decided by its content, and it is in the store only when everything about it
 * was found good. Whatever goes wrong leaves nothing behind.
 */
export const receiveFile = async <S extends ZodType>(
  ctx: Ctx,
  request: Incoming,
  { fields: shape, allow = () => undefined, check = async () => undefined }: Reception<S>,
): Promise<Upload<S>> => {
  const folder = await ctx.media.temporaryFolder()
  const maxBytes = ctx.config.maxUploadBytes
  const spooled: Spooled[] = []
  try {
    const limits = { fileBytes: maxBytes, fields: MAX_FIELDS, fieldBytes: MAX_FIELD_BYTES }
    const form = await readForm(request.raw, limits, async ({ field, stream }) => {
      if (field !== FILE_MEMBER) return failFields([{ key: field.slice(0, 100), message: "isn't a known field" }])
      const arriving = checkedByType(stream, allow)
      const made = await spool(arriving.pieces, folder, { maxBytes, sync: false })
      spooled.push(made)
      return { ...made, type: arriving.type() }
    }).catch(explainRefusal)
    const { taken, filename } = form.file ?? failFields([{ key: FILE_MEMBER, message: 'is required' }])
    const type = taken.type ?? failType()
    const fields = readFields(shape, form)
    await check(fields)
    const key = await withoutLocation(ctx, taken, type)
    const size = await examine(taken, type, ctx)
    const blobs = await ctx.media.blobs()
    const stored = await blobs.put(createReadStream(taken.file), {
      maxBytes,
      key,
      ...(mediaTypes[type].isRaster && { contentType: type }),
    })
    return {
      fields,
      file: {
        filename: cleanFilename(formFilename(filename), type),
        blobKey: stored.key,
        mimeType: type,
        size: stored.size,
        ...size,
      },
    }
  } finally {
    for (const { file } of spooled) await removeFile(file)
  }
}

/** Takes the place where it was made out of the file, if the settings say so. Gives the key of what is in it then. */
const withoutLocation = async (ctx: Ctx, { file, key }: Spooled, type: MediaType): Promise<string> => {
  const { stripLocation: isWanted } = await readSettings(ctx.db)
  if (!isWanted || !(await stripLocation(file, type))) return key
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}

/** The pieces of a file as they arrive; one whose beginning is of no type that is taken ends there. */
const checkedByType = (stream: Readable, allow: (type: MediaType) => void) => {
  let found: MediaType | null = null
  const decide = (head: Buffer): void => {
    found = sniffType(head)
    allow(found ?? failType())
  }
  async function* pieces(): AsyncGenerator<Buffer> {
    let head: Buffer | null = Buffer.alloc(0)
    for await (const piece of stream) {
      if (head === null) {
        yield piece
        continue
      }
      head = Buffer.concat([head, piece])
      if (head.length < HEAD_BYTES) continue
      decide(head.subarray(0, HEAD_BYTES))
      yield head
      head = null
    }
    if (head === null) return
    decide(head)
    yield head
  }
  return { pieces: pieces(), type: () => found }
}

type Size = { width: number | null; height: number | null }

/** What the type promises must hold for all of the file. */
const examine = async ({ file, size }: Spooled, type: MediaType, ctx: Ctx): Promise<Size> => {
  try {
    if (type === 'image/svg+xml') {
      if (size > MAX_SVG_BYTES) return fail('PAYLOAD_TOO_LARGE', { details: { limit: MAX_SVG_BYTES } })
      return readSvg(await readFile(file))
    }
    if (!mediaTypes[type].isRaster) return { width: null, height: null }
    const { width, height } = await ctx.media.slots.run(() => readPicture(file, type))
    return { width, height }
  } catch (raised) {
    if (!(raised instanceof SvgError || raised instanceof ImageError)) throw raised
    const hint = raised instanceof SvgError ? '. Only SVG images without active content are supported.' : ''
    return failFields([{ key: FILE_MEMBER, message: raised.message + hint }])
  }
}

/** HTML §4.10.21.8: what could end the name of a file is escaped by browsers. */
const formFilename = (filename: string): string => filename.replace(/%(?:22|0d|0a)/gi, '-')

const readFields = <S extends ZodType>(shape: S, { fields }: Form<unknown>): z.output<S> =>
  // What the schema gives is what the schema's type says.
  parseInput(shape, Object.fromEntries(fields), 'body') as z.output<S>

const ALLOWED = Object.values(mediaTypes)
  .map(({ extensions }) => extensions[0])
  .join(', ')

const failType = (): never =>
  fail('UNSUPPORTED_MEDIA', { message: `File type not supported. Supported types: ${ALLOWED}.` })

/** The rest of a refused body is read and thrown away, so that the connection need not be cut. */
const explainRefusal = (raised: unknown): never => {
  if (!(raised instanceof Fault)) throw raised
  if (isOf(raised, 'unsupported_media'))
    throw error('UNSUPPORTED_MEDIA', { message: 'Send multipart/form-data with the file in the field "file"' })
  // The kit has one kind for every body that cannot be read; this one is no JSON.
  if (isOf(raised, 'invalid_json')) return failFields([{ key: FILE_MEMBER, message: raised.detail.reason }])
  if (isOf(raised, 'too_large')) throw error('PAYLOAD_TOO_LARGE', { details: { limit: raised.detail.limit } })
  throw raised
}

const isOf = <K extends Fault['kind']>(raised: Fault, kind: K): raised is Fault<K> => raised.kind === kind
