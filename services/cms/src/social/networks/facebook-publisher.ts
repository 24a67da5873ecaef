import { graph, LABEL } from './facebook-graph.ts'
import { uploadReel, uploadVideo, type VideoProgress } from './facebook-video.ts'
import { NetworkFailure, warningOf } from './http/failure.ts'
import { LONG_TIMEOUT_MS } from './http/http.ts'
import { type JsonObject, objectOf, requireText, textOf } from './http/read-reply.ts'
import type { AccountReach, Outgoing, Posted, Publisher, Publishing } from './network.ts'
import { findPosted, isSameText } from './posting/find-posted.ts'
import { addFirstComment, type CommentProgress } from './posting/first-comment.ts'
import { booleanOption, textOption } from './posting/option-values.ts'

export type FacebookProgress = CommentProgress &
  VideoProgress & {
    /** Unpublished photos, in the order of the post. */
    photos: string[]
  }
type Sending = Publishing<FacebookProgress>

const NEWEST = 25
const MINUTE_MS = 60_000

const pageUrl = (reach: AccountReach, edge: string) => `${reach.endpoints.apiBase}/${reach.account.remoteId}/${edge}`
const videoOf = ({ media }: Outgoing) => media.find((item) => item.kind === 'video')
const linkOf = ({ options, link }: Outgoing) => textOption(options, 'link') ?? link

export const publisher: Publisher<FacebookProgress> = {
  async upload(sending) {
    const video = videoOf(sending.outgoing)
    if (!video) return uploadPhotos(sending)
    return booleanOption(sending.outgoing.options, 'asReel') ? uploadReel(sending, video) : uploadVideo(sending, video)
  },

  commit: (sending) => (videoOf(sending.outgoing) ? finishVideo(sending) : createPost(sending)),

  async reconcile(sending) {
    const { videoId } = sending.progress
    return videoId ? findVideo(sending, videoId) : findPost(sending)
  },

  async confirm(sending, posted) {
    const warnings: string[] = []
    let { url } = posted
    try {
      const answer = await ask(sending, posted)
      url ??= permalinkOf(answer)
      const status = objectOf(answer.status)
      if (status.video_status === 'error') warnings.push(`Facebook couldn't process the video: ${reasonOf(status)}`)
    } catch (error) {
      warnings.push(`The post was published, but Facebook didn't return its link: ${warningOf(error)}`)
    }
    warnings.push(
      ...(await addFirstComment(sending, (message) =>
        graph(sending, {
          url: `${sending.endpoints.apiBase}/${posted.remoteId}/comments`,
          body: { form: { message } },
        }),
      )),
    )
    return { url, warnings }
  },

  // A video has its address when it is processed.
  lookAgain: {
    afterMs: [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS],
    async run(sending, posted) {
      return sending.progress.videoId ? permalinkOf(await ask(sending, posted)) : null
    },
  },
}

const ask = (sending: Sending, posted: Posted) =>
  graph(sending, {
    url: `${sending.endpoints.apiBase}/${posted.remoteId}`,
    query: { fields: sending.progress.videoId ? 'status,permalink_url' : 'permalink_url' },
  })

/** Addresses of videos come without a host. */
const permalinkOf = (answer: JsonObject): string | null => {
  const url = textOf(answer.permalink_url)
  return url && (URL.parse(url, 'https://www.facebook.com')?.href ?? null)
}

const reasonOf = (status: JsonObject): string => {
  const phase = objectOf(status.processing_phase)
  const errors = Array.isArray(phase.errors) ? phase.errors : [phase.error]
  return textOf(objectOf(errors[0]).message) ?? 'no reason was given'
}

const uploadPhotos = async (sending: Sending): Promise<void> => {
  const photos = [...(sending.progress.photos ?? [])]
  for (const photo of sending.outgoing.media.slice(photos.length)) {
    const answer = await graph(sending, {
      url: pageUrl(sending, 'photos'),
      body: {
        multipart: [
          { name: 'published', value: 'false' },
          ...(photo.alt ? [{ name: 'alt_text_custom', value: photo.alt }] : []),
          { name: 'source', filename: photo.filename, type: photo.type, bytes: photo.read(), length: photo.bytes },
        ],
      },
      timeoutMs: LONG_TIMEOUT_MS,
    })
    photos.push(requireText(answer, 'id', LABEL, 'transient'))
    await sending.save({ photos: [...photos] })
  }
}

const createPost = async (sending: Sending): Promise<Posted> => {
  const { outgoing, progress } = sending
  const attached = (progress.photos ?? []).map((id, index) => [
    `attached_media[${index}]`,
    JSON.stringify({ media_fbid: id }),
  ])
  const answer = await graph(sending, {
    url: pageUrl(sending, 'feed'),
    body: {
      form: {
        message: outgoing.caption || undefined,
        link: linkOf(outgoing) ?? undefined,
        ...Object.fromEntries(attached),
      },
    },
    timeoutMs: LONG_TIMEOUT_MS,
  })
  return { remoteId: requireText(answer, 'id', LABEL, 'unknown'), url: null }
}

/** Videos have no member for a link. */
const descriptionOf = (outgoing: Outgoing): string => {
  const link = linkOf(outgoing)
  return link === null || outgoing.caption.includes(link) ? outgoing.caption : `${outgoing.caption}\n${link}`.trim()
}

const finishVideo = async (sending: Sending): Promise<Posted> => {
  const { videoId, session } = sending.progress
  if (!videoId)
    throw new NetworkFailure({ kind: 'transient', code: 'NOT_PREPARED', message: 'The video has to be uploaded again' })
  const description = descriptionOf(sending.outgoing)
  const finish = session
    ? {
        url: `${sending.endpoints.uploadBase}/${sending.account.remoteId}/videos`,
        form: { upload_phase: 'finish', upload_session_id: session.id, description, published: 'true' },
      }
    : {
        url: pageUrl(sending, 'video_reels'),
        form: { upload_phase: 'finish', video_id: videoId, video_state: 'PUBLISHED', description },
      }
  await graph(sending, { url: finish.url, body: { form: finish.form }, timeoutMs: LONG_TIMEOUT_MS })
  return { remoteId: videoId, url: null }
}

/** States of a video for which `finish` was not taken. */
const UNFINISHED = new Set(['uploading', 'upload_complete', 'upload_failed', 'expired', 'error'])
const FINISHED = new Set(['processing', 'ready'])

const findVideo = async (sending: Sending, videoId: string): Promise<Posted | 'not-posted' | 'unknown'> => {
  const answer = await ask(sending, { remoteId: videoId, url: null })
  const status = objectOf(answer.status)
  const state = textOf(status.video_status) ?? ''
  if (objectOf(status.uploading_phase).status === 'in_progress') return 'not-posted'
  if (FINISHED.has(state)) return { remoteId: videoId, url: permalinkOf(answer) }
  return UNFINISHED.has(state) ? 'not-posted' : 'unknown'
}

const findPost = async (sending: Sending): Promise<Posted | 'not-posted' | 'unknown'> => {
  const { since, caption } = sending.outgoing
  const answer = await graph(sending, {
    url: pageUrl(sending, 'published_posts'),
    query: { fields: 'id,message,created_time,permalink_url', limit: NEWEST },
  })
  const found = findPosted(answer.data, {
    since,
    timeMember: 'created_time',
    pageSize: NEWEST,
    isSame: (post) => isSameText(post.message, caption),
  })
  if (typeof found === 'string') return found
  return { remoteId: requireText(found, 'id', LABEL, 'unknown'), url: permalinkOf(found) }
}
