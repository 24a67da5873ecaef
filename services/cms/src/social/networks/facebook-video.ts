import { graph, LABEL, WRONG_OFFSET } from './facebook-graph.ts'
import { NetworkFailure } from './http/failure.ts'
import { LONG_TIMEOUT_MS, uploadTimeoutMs } from './http/http.ts'
import { type JsonObject, numberOf, objectOf, requireText } from './http/read-reply.ts'
import { subcodeOf } from './meta.ts'
import type { Publishing, PublishMedia } from './network.ts'

export type VideoProgress = {
  videoId: string | null
  /** For a plain video: the session, and which bytes it wants next. */
  session: { id: string; from: number; to: number } | null
  /** For a reel: the upload URL, and whether all bytes were sent. */
  uploadUrl: string | null
  isUploaded: boolean
}
type Uploading = Publishing<VideoProgress>

/** Uploads in parts of the size that Facebook asks for. */
export const uploadVideo = async (uploading: Uploading, video: PublishMedia): Promise<void> => {
  const url = `${uploading.endpoints.uploadBase}/${uploading.account.remoteId}/videos`
  let session = uploading.progress.session ?? (await startVideo(uploading, url, video))
  while (session.from < session.to) {
    const part = { from: session.from, to: Math.min(session.to, video.bytes) }
    try {
      const answer = await graph(uploading, {
        url,
        body: {
          multipart: [
            { name: 'upload_phase', value: 'transfer' },
            { name: 'upload_session_id', value: session.id },
            { name: 'start_offset', value: String(part.from) },
            {
              name: 'video_file_chunk',
              filename: video.filename,
              type: 'application/octet-stream',
              bytes: video.read(part),
              length: part.to - part.from,
            },
          ],
        },
        timeoutMs: LONG_TIMEOUT_MS,
      })
      session = { id: session.id, ...offsetsOf(answer) }
    } catch (error) {
      if (error instanceof NetworkFailure && subcodeOf(error) === WRONG_OFFSET)
        await uploading.save({ session: null, videoId: null })
      throw error
    }
    await uploading.save({ session })
  }
}

const startVideo = async (uploading: Uploading, url: string, video: PublishMedia) => {
  const answer = await graph(uploading, {
    url,
    body: { form: { upload_phase: 'start', file_size: String(video.bytes) } },
  })
  const id = requireText(answer, 'upload_session_id', LABEL, 'transient')
  const session = { id, ...offsetsOf(answer) }
  await uploading.save({ videoId: requireText(answer, 'video_id', LABEL, 'transient'), session })
  return session
}

const offsetsOf = (answer: JsonObject): { from: number; to: number } => {
  const from = numberOf(answer.start_offset)
  const to = numberOf(answer.end_offset)
  if (from === null || to === null)
    throw new NetworkFailure({
      kind: 'transient',
      code: 'UNREADABLE_ANSWER',
      message: "Facebook didn't say which part of the video comes next",
    })
  return { from, to }
}

/** Uploads in one call, which can be resumed after a cut. */
export const uploadReel = async (uploading: Uploading, video: PublishMedia): Promise<void> => {
  const { progress } = uploading
  if (progress.isUploaded) return
  const known = progress.videoId && progress.uploadUrl ? { id: progress.videoId, url: progress.uploadUrl } : null
  const reel = known ?? (await startReel(uploading))
  const offset = known ? await uploadedBytes(uploading, known.id, video) : 0
  if (offset < video.bytes)
    await graph(uploading, {
      url: reel.url,
      isHandedOut: true,
      scheme: 'OAuth',
      headers: { offset: String(offset), file_size: String(video.bytes) },
      body: {
        bytes: video.read({ from: offset, to: video.bytes }),
        length: video.bytes - offset,
        type: 'application/octet-stream',
      },
      timeoutMs: uploadTimeoutMs(video.bytes - offset),
    })
  await uploading.save({ isUploaded: true })
}

const startReel = async (uploading: Uploading): Promise<{ id: string; url: string }> => {
  const answer = await graph(uploading, {
    url: `${uploading.endpoints.apiBase}/${uploading.account.remoteId}/video_reels`,
    body: { form: { upload_phase: 'start' } },
  })
  const id = requireText(answer, 'video_id', LABEL, 'transient')
  const url = requireText(answer, 'upload_url', LABEL, 'transient')
  await uploading.save({ videoId: id, uploadUrl: url })
  return { id, url }
}

const uploadedBytes = async (uploading: Uploading, videoId: string, video: PublishMedia): Promise<number> => {
  const answer = await graph(uploading, {
    url: `${uploading.endpoints.apiBase}/${videoId}`,
    query: { fields: 'status' },
  })
  const phase = objectOf(objectOf(answer.status).uploading_phase)
  if (phase.status === 'complete') return video.bytes
  // Facebook's own spelling.
  return Math.min(numberOf(phase.bytes_transfered) ?? 0, video.bytes)
}
