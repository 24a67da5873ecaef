import { type Base64File, base64Body } from './http/base64-body.ts'
import { NetworkFailure } from './http/failure.ts'
import { LONG_TIMEOUT_MS, uploadTimeoutMs } from './http/http.ts'
import { isSuccess, objectOf, requireText, textOf } from './http/read-reply.ts'
import type { Outgoing, Posted, Publisher, Publishing, PublishMedia } from './network.ts'
import { callPinterest, LABEL } from './pinterest-call.ts'
import { findPosted, isSameText } from './posting/find-posted.ts'
import { numberOption, textOption } from './posting/option-values.ts'

/** The upload's address and its signed members are not kept: they are credentials, and end soon. */
export type PinterestProgress = { mediaId: string | null; isUploaded: boolean }
type Sending = Publishing<PinterestProgress>

const NEWEST = 25

const videoOf = ({ media }: Outgoing) => media.find((item) => item.kind === 'video')
const boardOf = ({ options }: Outgoing) => textOption(options, 'boardId') ?? ''
const pinUrl = (id: string) => `https://www.pinterest.com/pin/${id}/`

export const publisher: Publisher<PinterestProgress> = {
  upload: (sending) => upload(sending),

  async wait(sending) {
    if (!videoOf(sending.outgoing)) return 'ready'
    const { mediaId } = sending.progress
    if (!mediaId) {
      await upload(sending)
      return 'processing'
    }
    const { state, reason } = await askMedia(sending, mediaId)
    if (state === 'succeeded') return 'ready'
    if (state !== 'failed') return 'processing'
    await sending.save({ mediaId: null, isUploaded: false })
    throw new NetworkFailure({
      kind: 'invalid',
      code: 'PROCESSING_FAILED',
      message: reason ?? "Pinterest couldn't process the video",
    })
  },

  async commit(sending) {
    const answer = await callPinterest(sending, {
      method: 'POST',
      path: '/pins',
      body: base64Body(pinPieces(sending)),
      timeoutMs: LONG_TIMEOUT_MS,
    })
    const id = requireText(answer, 'id', LABEL, 'unknown')
    return { remoteId: id, url: pinUrl(id) }
  },

  async reconcile({ outgoing, ...reach }) {
    const answer = await callPinterest(reach, {
      path: `/boards/${encodeURIComponent(boardOf(outgoing))}/pins`,
      query: { page_size: NEWEST },
    })
    const found = findPosted(answer.items, {
      since: outgoing.since,
      timeMember: 'created_at',
      pageSize: NEWEST,
      isSame: (pin) =>
        isSameText(pin.description, outgoing.caption) &&
        isSameText(pin.title, textOption(outgoing.options, 'title') ?? ''),
    })
    if (typeof found === 'string') return found
    const id = requireText(found, 'id', LABEL, 'unknown')
    return { remoteId: id, url: pinUrl(id) } satisfies Posted
  },
}

const upload = async (sending: Sending): Promise<void> => {
  const video = videoOf(sending.outgoing)
  const { mediaId, isUploaded } = sending.progress
  if (!video || (mediaId && isUploaded)) return
  // A try that was cut: the video may be there already.
  const isThere = mediaId ? UPLOADED.has((await askMedia(sending, mediaId)).state) : false
  if (!isThere) await uploadVideo(sending, video)
  await sending.save({ isUploaded: true })
}

/** States of a video whose bytes are there. */
const UPLOADED = new Set(['processing', 'succeeded'])

const askMedia = async (sending: Sending, mediaId: string): Promise<{ state: string; reason: string | null }> => {
  const answer = await callPinterest(sending, { path: `/media/${encodeURIComponent(mediaId)}` })
  return { state: textOf(answer.status) ?? '', reason: textOf(answer.failure_reason) }
}

const uploadVideo = async (sending: Sending, video: PublishMedia): Promise<void> => {
  const answer = await callPinterest(sending, { path: '/media', body: { json: { media_type: 'video' } } })
  const url = requireText(answer, 'upload_url', LABEL, 'transient')
  await sending.save({ mediaId: requireText(answer, 'media_id', LABEL, 'transient') })
  const members = Object.entries(objectOf(answer.upload_parameters))
  const reply = await sending.http({
    url,
    isHandedOut: true,
    body: {
      multipart: [
        ...members.map(([name, value]) => ({ name, value: String(value) })),
        // The store reads no member that comes after the file.
        { name: 'file', filename: video.filename, type: video.type, bytes: video.read(), length: video.bytes },
      ],
    },
    timeoutMs: uploadTimeoutMs(video.bytes),
  })
  if (isSuccess(reply)) return
  throw new NetworkFailure({
    kind: reply.status >= 500 || reply.status === 408 || reply.status === 429 ? 'transient' : 'invalid',
    code: `HTTP_${reply.status}`,
    message: `Pinterest's store refused the video with status ${reply.status}`,
    httpStatus: reply.status,
  })
}

/** The pin as JSON, in pieces: texts, and pictures between them. */
const pinPieces = (sending: Sending): (string | Base64File)[] => {
  const { outgoing } = sending
  const pin = JSON.stringify({
    board_id: boardOf(outgoing),
    board_section_id: textOption(outgoing.options, 'boardSectionId') ?? undefined,
    title: textOption(outgoing.options, 'title') ?? undefined,
    description: outgoing.caption || undefined,
    link: textOption(outgoing.options, 'link') ?? outgoing.link ?? undefined,
    alt_text: outgoing.media[0]?.alt || undefined,
  })
  return [`${pin.slice(0, -1)},"media_source":`, ...sourcePieces(sending), '}']
}

const sourcePieces = ({ outgoing, progress }: Sending): (string | Base64File)[] => {
  if (videoOf(outgoing)) {
    if (!progress.mediaId)
      throw new NetworkFailure({
        kind: 'transient',
        code: 'NOT_PREPARED',
        message: 'The video has to be uploaded again',
      })
    return [
      JSON.stringify({
        source_type: 'video_id',
        media_id: progress.mediaId,
        cover_image_key_frame_time: numberOption(outgoing.options, 'coverKeyFrameSeconds') ?? 0,
      }),
    ]
  }
  const [only, ...others] = outgoing.media
  if (only && others.length === 0) return ['{"source_type":"image_base64",', ...imagePieces(only), '}']
  const items = outgoing.media.flatMap((image, index) => [index === 0 ? '{' : ',{', ...imagePieces(image), '}'])
  return ['{"source_type":"multiple_image_base64","items":[', ...items, ']}']
}

const imagePieces = (image: PublishMedia): (string | Base64File)[] => [
  `"content_type":${JSON.stringify(image.type)},"data":"`,
  image,
  '"',
]
