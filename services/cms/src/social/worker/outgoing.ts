import { isUuid } from '@stoa/kit/ids.ts'
import { mediaUrl, readVideoFacts } from '../../content/media/media.ts'
import type { Ctx } from '../../context.ts'
import { type Network, NetworkFailure, type Options, type Outgoing, type PublishMedia } from '../networks/networks.ts'
import { type FileRow, kindOf, listFiles } from '../posts/posts.ts'
import { findPostParts, type StoredRendition } from './queries.ts'
import { makeRendition, renditionUrl, type Size } from './renditions.ts'

type Target = {
  id: string
  postId: string
  caption: string
  options: Options
  startedAt: Date
  idempotencyKey: string
}

/** The content as the network gets it: text as saved, pictures in the format that it takes. */
export const outgoingOf = async (ctx: Ctx, network: Network, target: Target): Promise<Outgoing> => {
  const parts = await findPostParts(ctx.db, target.postId)
  const items = parts?.media ?? []
  const files = new Map(
    (
      await listFiles(
        ctx.db,
        items.map(({ mediaId }) => mediaId),
      )
    ).map((file) => [file.id, file]),
  )
  const media: PublishMedia[] = []
  let size: Size | null = null
  for (const { mediaId, alt } of items) {
    const file = files.get(mediaId)
    if (!file) throw gone()
    const made = await publishMedia(ctx, network, { target, file, alt: alt ?? file.alt, size })
    media.push(made)
    if (network.limits.image.isSameSize && made.width !== null && made.height !== null)
      size ??= { width: made.width, height: made.height }
  }
  return {
    caption: target.caption,
    link: network.limits.link === 'field' ? (parts?.link ?? null) : null,
    options: target.options,
    media,
    optionMedia: (mediaId) => optionMedia(ctx, network, target, mediaId),
    idempotencyKey: target.idempotencyKey,
    since: target.startedAt,
  }
}

const gone = () =>
  new NetworkFailure({
    kind: 'invalid',
    code: 'MEDIA_GONE',
    message: 'A file of this post was deleted from the media library',
  })

const optionMedia = async (
  ctx: Ctx,
  network: Network,
  target: Target,
  mediaId: string,
): Promise<PublishMedia | null> => {
  const [file] = isUuid(mediaId) ? await listFiles(ctx.db, [mediaId]) : []
  return file ? publishMedia(ctx, network, { target, file, alt: file.alt, size: null }) : null
}

type Piece = { target: Target; file: FileRow; alt: string; size: Size | null }

const publishMedia = (ctx: Ctx, network: Network, piece: Piece): Promise<PublishMedia> =>
  kindOf(piece.file) === 'video' ? videoOf(ctx, piece) : imageOf(ctx, network, piece)

const videoOf = async (ctx: Ctx, { file, alt }: Piece): Promise<PublishMedia> => {
  const facts = await readVideoFacts(ctx, file)
  return {
    kind: 'video',
    type: file.mimeType,
    bytes: file.size,
    width: facts.width,
    height: facts.height,
    seconds: facts.seconds,
    alt,
    filename: file.filename,
    read: (range) => readBlob(ctx, file.blobKey, file.size, range),
    publicUrl: async () => mediaUrl(ctx.config, file),
  }
}

const imageOf = async (ctx: Ctx, network: Network, { target, file, alt, size }: Piece): Promise<PublishMedia> => {
  const { token, made } = await makeRendition(ctx, { targetId: target.id, file, limits: network.limits, size })
  return {
    kind: 'image',
    type: made.mimeType,
    bytes: made.size,
    width: made.width,
    height: made.height,
    seconds: null,
    alt,
    filename: filenameOf(file, made),
    read: (range) => readBlob(ctx, made.blobKey, made.size, range),
    publicUrl: async () => renditionUrl(ctx.config, token),
  }
}

const filenameOf = ({ filename, mimeType }: FileRow, made: StoredRendition): string =>
  mimeType === made.mimeType
    ? filename
    : `${filename.replace(/\.[^.]*$/, '')}.${made.mimeType === 'image/png' ? 'png' : 'jpg'}`

async function* readBlob(
  { media }: Ctx,
  key: string,
  size: number,
  range?: { from: number; to: number },
): AsyncGenerator<Uint8Array> {
  const to = Math.min(range?.to ?? size, size)
  if (range && range.from >= to) return
  const blobs = await media.blobs()
  const { stream } = await blobs.get(key, range ? { range: { start: range.from, end: to - 1 } } : {})
  yield* stream
}
