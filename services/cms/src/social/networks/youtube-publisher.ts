import { bearer, callApi } from './http/api-call.ts'
import { NetworkFailure, warningOf } from './http/failure.ts'
import { LONG_TIMEOUT_MS, type NetworkReply, uploadTimeoutMs } from './http/http.ts'
import { listOf, memberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import type { Outgoing, Posted, Publisher, Publishing, PublishMedia } from './network.ts'
import { tagsOption } from './posting/option-values.ts'
import { LABEL, succeed } from './youtube-api.ts'

/** A multiple of 256 KiB, as resumable uploads want. */
const CHUNK_BYTES = 32 * 2 ** 20

export type Progress = { session: string | null; sent: number; videoId: string; hasThumbnail: boolean }

export const youtubePublisher: Publisher<Progress> = {
  async upload(publishing) {
    const video = requireVideo(publishing)
    const resumed = await resume(publishing, video)
    if (resumed === null) return
    const { session } = resumed
    let { sent } = resumed
    while (video.bytes - sent > CHUNK_BYTES) {
      const answer = await sendFrom(publishing, video, session, sent)
      if ('id' in answer) return
      sent = answer.sent
    }
  },
  async commit(publishing) {
    const { progress } = publishing
    if (progress.videoId) return postedOf(progress.videoId)
    const video = requireVideo(publishing)
    const session = requireText(progress, 'session', LABEL, 'transient')
    let sent = progress.sent ?? 0
    for (;;) {
      const answer = await sendFrom(publishing, video, session, sent)
      if ('id' in answer) return postedOf(answer.id)
      sent = answer.sent
    }
  },
  async reconcile(publishing) {
    const { session, videoId } = publishing.progress
    if (videoId) return postedOf(videoId)
    if (!session) return 'not-posted'
    const answer = await probe(publishing, requireVideo(publishing), session)
    return answer && 'id' in answer ? postedOf(answer.id) : 'not-posted'
  },
  async confirm(publishing, posted) {
    const warnings = [...(await setThumbnail(publishing, posted)), ...(await checkVideo(publishing, posted))]
    return { url: posted.url, warnings }
  },
}

const requireVideo = ({ outgoing }: Publishing<Progress>): PublishMedia => {
  const video = outgoing.media.find(({ kind }) => kind === 'video')
  if (video) return video
  throw new NetworkFailure({ kind: 'invalid', code: 'VIDEO_REQUIRED', message: 'YouTube posts need a video' })
}

const postedOf = (id: string): Posted => ({ remoteId: id, url: `https://www.youtube.com/watch?v=${id}` })

const beginSession = async (publishing: Publishing<Progress>, video: PublishMedia): Promise<string> => {
  const { options } = publishing.outgoing
  const reply = await publishing.http({
    method: 'POST',
    url: `${publishing.endpoints.uploadBase}/videos`,
    query: {
      uploadType: 'resumable',
      part: 'snippet,status',
      notifySubscribers: String(options.notifySubscribers !== false),
    },
    headers: { 'x-upload-content-type': video.type, 'x-upload-content-length': String(video.bytes) },
    authorization: bearer(publishing),
    body: { json: metadataOf(publishing.outgoing) },
  })
  const { headers } = succeed(reply, publishing.now())
  const session = requireText({ location: headers.get('location') }, 'location', LABEL, 'transient')
  await publishing.save({ session, sent: 0 })
  return session
}

const metadataOf = ({ caption, options }: Outgoing): Record<string, unknown> => {
  const tags = tagsOption(options, 'tags')
  return {
    snippet: {
      title: options.title,
      description: caption,
      ...(tags.length > 0 && { tags }),
      categoryId: textOf(options.categoryId) ?? '22',
    },
    status: {
      privacyStatus: textOf(options.privacyStatus) ?? 'public',
      selfDeclaredMadeForKids: options.madeForKids === true,
    },
  }
}

type Answer = { id: string } | { sent: number }

/** The session in which to start or resume the upload, and the bytes sent; null if it is complete. */
const resume = async (
  publishing: Publishing<Progress>,
  video: PublishMedia,
): Promise<{ session: string; sent: number } | null> => {
  const { session, videoId } = publishing.progress
  if (videoId) return null
  const answer = session ? await probe(publishing, video, session) : null
  if (answer && 'id' in answer) return null
  return session && answer
    ? { session, sent: answer.sent }
    : { session: await beginSession(publishing, video), sent: 0 }
}

/** Asks a session how far it is; null when it is gone, and with it what was uploaded. */
const probe = async (
  publishing: Publishing<Progress>,
  video: PublishMedia,
  session: string,
): Promise<Answer | null> => {
  const reply = await publishing.http({
    method: 'PUT',
    url: session,
    isHandedOut: true,
    headers: { 'content-range': `bytes */${video.bytes}` },
    authorization: bearer(publishing),
    body: { bytes: new Uint8Array(), length: 0, type: video.type },
  })
  if (reply.status !== 404 && reply.status !== 410) return readAnswer(publishing, reply)
  await publishing.save({ session: null, sent: 0 })
  return null
}

const sendFrom = async (
  publishing: Publishing<Progress>,
  video: PublishMedia,
  session: string,
  from: number,
): Promise<Answer> => {
  const to = Math.min(from + CHUNK_BYTES, video.bytes)
  const reply = await publishing.http({
    method: 'PUT',
    url: session,
    isHandedOut: true,
    headers: { 'content-range': `bytes ${from}-${to - 1}/${video.bytes}` },
    authorization: bearer(publishing),
    body: { bytes: video.read({ from, to }), length: to - from, type: video.type },
    timeoutMs: uploadTimeoutMs(to - from),
  })
  if (reply.status === 404 || reply.status === 410) {
    await publishing.save({ session: null, sent: 0 })
    throw new NetworkFailure({
      kind: 'transient',
      code: 'UPLOAD_EXPIRED',
      message: 'The upload to YouTube has expired and starts again',
      httpStatus: reply.status,
    })
  }
  const answer = await readAnswer(publishing, reply)
  if ('sent' in answer && answer.sent <= from)
    throw new NetworkFailure({
      kind: 'transient',
      code: 'NO_PROGRESS',
      message: 'YouTube stopped accepting the upload',
    })
  return answer
}

/** A 308 says in `Range` what has arrived; without one, nothing has. */
const readAnswer = async (publishing: Publishing<Progress>, reply: NetworkReply): Promise<Answer> => {
  if (reply.status === 308) {
    const last = /-(\d+)$/.exec(reply.headers.get('range') ?? '')?.[1]
    const sent = last === undefined ? 0 : Number(last) + 1
    await publishing.save({ sent })
    return { sent }
  }
  const id = requireText(succeed(reply, publishing.now()).json, 'id', LABEL, 'unknown')
  await publishing.save({ videoId: id })
  return { id }
}

const setThumbnail = async (publishing: Publishing<Progress>, { remoteId }: Posted): Promise<string[]> => {
  const mediaId = textOf(publishing.outgoing.options.thumbnailMediaId)
  if (mediaId === null || publishing.progress.hasThumbnail) return []
  const image = await publishing.outgoing.optionMedia(mediaId)
  if (!image) return ["The thumbnail wasn't set: its file is gone."]
  try {
    const reply = await publishing.http({
      method: 'POST',
      url: `${publishing.endpoints.uploadBase}/thumbnails/set`,
      query: { videoId: remoteId },
      authorization: bearer(publishing),
      body: { bytes: image.read(), length: image.bytes, type: image.type },
      timeoutMs: LONG_TIMEOUT_MS,
    })
    succeed(reply, publishing.now())
    await publishing.save({ hasThumbnail: true })
    return []
  } catch (error) {
    return [`The thumbnail wasn't set: ${warningOf(error)}`]
  }
}

/** What YouTube makes of the video; when it does not say, there is nothing to warn of. */
const checkVideo = async (publishing: Publishing<Progress>, { remoteId }: Posted): Promise<string[]> => {
  const reply = await callApi(publishing, {
    path: '/videos',
    query: { part: 'status,processingDetails', id: remoteId },
  })
  const status = objectOf(memberOf(listOf(memberOf(reply.json, 'items'))[0], 'status'))
  if (status.uploadStatus === 'rejected' || status.uploadStatus === 'failed') {
    const reason = textOf(status.rejectionReason) ?? textOf(status.failureReason) ?? 'no reason given'
    return [`YouTube ${status.uploadStatus === 'failed' ? "couldn't process" : 'rejected'} the video: ${reason}`]
  }
  const asked = textOf(publishing.outgoing.options.privacyStatus) ?? 'public'
  return status.privacyStatus === 'private' && asked !== 'private'
    ? ['YouTube made the video private. This happens until your Google project has been audited.']
    : []
}
