import { NetworkFailure } from './http/failure.ts'
import { LineCut, LONG_TIMEOUT_MS, uploadTimeoutMs } from './http/http.ts'
import { isSuccess, listOf, memberOf, numberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import type { AccountReach, Options, Posted, Publisher, Publishing, PublishMedia } from './network.ts'
import { call, classify, failureOf, LABEL, MINUTE_MS, type Progress, profileUrlOf } from './tiktok-api.ts'

export const tiktokPublisher: Publisher<Progress> = {
  async upload(publishing) {
    const video = videoOf(publishing)
    if (!video) return
    let state = publishing.progress
    if (!state.publishId) {
      state = await beginVideo(publishing, video)
      await publishing.save(state)
    }
    const { count } = chunksOf(video.bytes, state.chunkBytes ?? video.bytes)
    for (let index = state.sent ?? 0; index < count - 1; index += 1) {
      await sendChunk(publishing, video, state, index)
      await publishing.save({ sent: index + 1 })
    }
  },
  async commit(publishing) {
    const video = videoOf(publishing)
    const { progress } = publishing
    if (!video) {
      const publishId = progress.publishId ?? (await beginPhotos(publishing))
      await publishing.save({ publishId })
      return settle(publishing, publishId)
    }
    const { count } = chunksOf(video.bytes, progress.chunkBytes ?? video.bytes)
    await sendChunk(publishing, video, progress, count - 1)
    return settle(publishing, requireText(progress, 'publishId', LABEL, 'unknown'))
  },
  async reconcile(publishing) {
    const { publishId } = publishing.progress
    const video = videoOf(publishing)
    // Without an id, no byte of a video was sent; photos may be on their way.
    if (!publishId) return video ? 'not-posted' : 'unknown'
    const status = await readStatus(publishing, publishId)
    await rethrow(publishing, status)
    // The last chunk goes to the same upload again, which cannot make a second post.
    const isIncomplete = status.name === 'PROCESSING_UPLOAD' && status.uploadedBytes !== video?.bytes
    return video && isIncomplete ? 'not-posted' : postedOf(publishing, publishId, status)
  },
  async confirm(publishing, posted) {
    const { postId, failure } = await readStatus(publishing, posted.remoteId)
    return { url: permalinkOf(publishing, postId) ?? posted.url, warnings: failure ? [failure.message] : [] }
  },
  lookAgain: {
    // Moderation gives out the id of a post, in a minute or in hours.
    afterMs: [10 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS],
    run: async (publishing, posted) => permalinkOf(publishing, (await readStatus(publishing, posted.remoteId)).postId),
  },
}

const videoOf = ({ outgoing }: Publishing<Progress>): PublishMedia | undefined =>
  outgoing.media.find(({ kind }) => kind === 'video')

const ONE_CHUNK_BYTES = 64_000_000
const CHUNK_BYTES = 32_000_000

/** Chunks are of one size; what is left over goes with the last, which may be up to 128 MB. */
export const chunksOf = (
  size: number,
  chunkBytes = size <= ONE_CHUNK_BYTES ? size : CHUNK_BYTES,
): { chunkBytes: number; count: number } => ({ chunkBytes, count: Math.max(1, Math.floor(size / chunkBytes)) })

const beginVideo = async (publishing: Publishing<Progress>, video: PublishMedia): Promise<Progress> => {
  const { caption, options } = publishing.outgoing
  const { chunkBytes, count } = chunksOf(video.bytes)
  const isInbox = options.postMode === 'MEDIA_UPLOAD'
  const source = { source: 'FILE_UPLOAD', video_size: video.bytes, chunk_size: chunkBytes, total_chunk_count: count }
  const info = {
    title: caption,
    ...postInfoOf(options),
    disable_duet: options.allowDuet !== true,
    disable_stitch: options.allowStitch !== true,
    is_aigc: options.aiGenerated === true,
    video_cover_timestamp_ms: 0,
  }
  const { json } = await call(publishing, {
    path: isInbox ? '/v2/post/publish/inbox/video/init/' : '/v2/post/publish/video/init/',
    body: { json: { ...(!isInbox && { post_info: info }), source_info: source } },
  })
  return {
    publishId: requireText(memberOf(json, 'data'), 'publish_id', LABEL, 'transient'),
    uploadUrl: requireText(memberOf(json, 'data'), 'upload_url', LABEL, 'transient'),
    chunkBytes,
    sent: 0,
  }
}

/** TikTok wants everything off that nobody turned on. */
const postInfoOf = (options: Options): Record<string, unknown> => ({
  privacy_level: options.privacyLevel,
  disable_comment: options.allowComment !== true,
  brand_content_toggle: options.brandContent === true,
  brand_organic_toggle: options.brandOrganic === true,
})

const sendChunk = async (
  publishing: Publishing<Progress>,
  video: PublishMedia,
  { uploadUrl, chunkBytes = video.bytes }: Partial<Progress>,
  index: number,
): Promise<void> => {
  const { count } = chunksOf(video.bytes, chunkBytes)
  const from = index * chunkBytes
  const to = index === count - 1 ? video.bytes : from + chunkBytes
  const reply = await publishing.http({
    method: 'PUT',
    url: requireText({ uploadUrl }, 'uploadUrl', LABEL, 'transient'),
    isHandedOut: true,
    headers: { 'content-range': `bytes ${from}-${to - 1}/${video.bytes}` },
    body: { bytes: video.read({ from, to }), length: to - from, type: video.type },
    timeoutMs: uploadTimeoutMs(to - from),
  })
  if (isSuccess(reply)) return
  if (![403, 404, 410].includes(reply.status)) throw failureOf(reply, publishing.now())
  await publishing.save({ publishId: null, uploadUrl: null, sent: 0 })
  throw new NetworkFailure({
    kind: 'transient',
    code: 'UPLOAD_EXPIRED',
    message: 'The upload to TikTok has expired and starts again',
    httpStatus: reply.status,
  })
}

const beginPhotos = async (publishing: Publishing<Progress>): Promise<string> => {
  const { caption, options, media } = publishing.outgoing
  const photos: string[] = []
  for (const file of media) photos.push(await file.publicUrl())
  const { json } = await call(publishing, {
    path: '/v2/post/publish/content/init/',
    timeoutMs: LONG_TIMEOUT_MS,
    body: {
      json: {
        media_type: 'PHOTO',
        post_mode: textOf(options.postMode) ?? 'DIRECT_POST',
        post_info: {
          title: textOf(options.photoTitle) ?? '',
          description: caption,
          ...postInfoOf(options),
          auto_add_music: options.autoAddMusic === true,
        },
        source_info: { source: 'PULL_FROM_URL', photo_images: photos, photo_cover_index: 0 },
      },
    },
  })
  return requireText(memberOf(json, 'data'), 'publish_id', LABEL, 'unknown')
}

type Status = { name: string; postId: string | null; uploadedBytes: number | null; failure?: NetworkFailure }

const readStatus = async (publishing: Publishing<Progress>, publishId: string): Promise<Status> => {
  const reply = await call(publishing, {
    path: '/v2/post/publish/status/fetch/',
    body: { json: { publish_id: publishId } },
  })
  const data = objectOf(memberOf(reply.json, 'data'))
  const name = textOf(data.status) ?? ''
  // TikTok's own spelling.
  const postId = textOf(listOf(data.publicaly_available_post_id)[0])
  const reason = textOf(data.fail_reason) ?? name
  return {
    name,
    postId,
    uploadedBytes: numberOf(data.uploaded_bytes),
    ...(name === 'FAILED' && {
      failure: new NetworkFailure({
        ...classify(reply, reason, publishing.now()),
        code: reason,
        message: `TikTok couldn't publish the post: ${reason}`,
      }),
    }),
  }
}

const UNKNOWN: Status = { name: 'PROCESSING', postId: null, uploadedBytes: null }

/** The post is with TikTok now: only a failure that it reports is one, and the next try starts from the beginning. */
const settle = async (publishing: Publishing<Progress>, publishId: string): Promise<Posted> => {
  const status = await readStatus(publishing, publishId).catch((error: unknown) => {
    if (error instanceof NetworkFailure || error instanceof LineCut) return UNKNOWN
    throw error
  })
  await rethrow(publishing, status)
  return postedOf(publishing, publishId, status)
}

const rethrow = async (publishing: Publishing<Progress>, { failure }: Status): Promise<void> => {
  if (!failure) return
  await publishing.save({ publishId: null, uploadUrl: null, sent: 0 })
  throw failure
}

const postedOf = (publishing: Publishing<Progress>, publishId: string, { postId }: Status): Posted => ({
  remoteId: publishId,
  url: permalinkOf(publishing, postId) ?? (publishing.account.handle && profileUrlOf(publishing.account.handle)),
})

const permalinkOf = (
  { account, outgoing }: AccountReach & Pick<Publishing<Progress>, 'outgoing'>,
  id: string | null,
) => {
  const kind = outgoing.media.some((file) => file.kind === 'video') ? 'video' : 'photo'
  return id !== null && account.handle !== null ? `${profileUrlOf(account.handle)}/${kind}/${id}` : null
}
