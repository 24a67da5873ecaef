import { type FakeCall, type FakeReply, type FakeRoute, formOf, type LivePost, multipartOf } from './fake-network.ts'
import { graphError } from './meta.ts'
import { isMp4 } from './picture-facts.ts'

/** The outcome for uploaded videos; a test changes it. */
export type VideoProcessing = { questions: number; failure: string | null }

type Video = { page: string; size: number | null; parts: Buffer[]; isReel: boolean; isFinished: boolean }

export const createFacebookVideos = ({
  pageOf,
  publish,
  chunkBytes,
}: {
  pageOf(call: FakeCall): string
  publish(page: string, id: string, post: Omit<LivePost, 'id' | 'account'>): void
  chunkBytes: number
}) => {
  const processing: VideoProcessing = { questions: 0, failure: null }
  const videos = new Map<string, Video>()
  const lengthOf = (video: Video) => video.parts.reduce((sum, part) => sum + part.length, 0)
  let last = 9000

  const start = (page: string, size: number | null, isReel: boolean): string => {
    const id = String(++last)
    videos.set(id, { page, size, parts: [], isReel, isFinished: false })
    return id
  }
  const ownVideo = (id: string, page: string): Video => {
    const video = videos.get(id)
    if (video?.page !== page) throw graphError({ message: `There is no upload ${id}`, code: 100 })
    return video
  }
  const offsetsOf = (video: Video, size: number) => {
    const from = lengthOf(video)
    return { start_offset: String(from), end_offset: String(Math.min(from + chunkBytes, size)) }
  }

  const finish = (id: string, page: string, description: string | null): FakeReply => {
    const video = ownVideo(id, page)
    if (video.isFinished) throw graphError({ message: 'The upload is finished already', code: 6000 })
    const bytes = Buffer.concat(video.parts)
    if (bytes.length !== video.size || !isMp4(bytes))
      throw graphError({ message: 'The video is not complete', code: 6000, error_subcode: 1363045 })
    video.isFinished = true
    publish(page, id, { text: description ?? '', media: [id], bytes: bytes.length, isReel: video.isReel })
    return { body: { success: true } }
  }

  const transfer = async (call: FakeCall, page: string): Promise<FakeReply> => {
    const form = await multipartOf(call)
    const video = ownVideo(String(form.get('upload_session_id')).replace(/^session-/, ''), page)
    const chunk = form.get('video_file_chunk')
    if (form.get('upload_phase') !== 'transfer' || typeof chunk !== 'object')
      throw graphError({ message: 'Expected a part of the video', code: 100 })
    const size = video.size ?? 0
    const wanted = offsetsOf(video, size)
    if (form.get('start_offset') !== wanted.start_offset)
      throw graphError({ message: 'The start offset does not match', code: 6001, error_subcode: 1363037 })
    if (chunk.bytes.length !== Number(wanted.end_offset) - Number(wanted.start_offset))
      throw graphError({ message: 'The part has another length than asked for', code: 6001 })
    video.parts.push(chunk.bytes)
    return { body: offsetsOf(video, size) }
  }

  const plain = async (call: FakeCall): Promise<FakeReply> => {
    const page = pageOf(call)
    if (phaseOf(call) === 'transfer') return transfer(call, page)
    const form = formOf(call)
    if (phaseOf(call) === 'start') {
      const size = Number(form.get('file_size'))
      if (!(size > 0)) throw graphError({ message: 'file_size is required', code: 100 })
      const id = start(page, size, false)
      return { body: { video_id: id, upload_session_id: `session-${id}`, ...offsetsOf(ownVideo(id, page), size) } }
    }
    if (form.get('published') !== 'true') throw graphError({ message: 'This video would be hidden', code: 100 })
    return finish((form.get('upload_session_id') ?? '').replace(/^session-/, ''), page, form.get('description'))
  }

  const reel = (call: FakeCall): FakeReply => {
    const page = pageOf(call)
    const form = formOf(call)
    if (form.get('upload_phase') === 'start') {
      const id = start(page, null, true)
      return { body: { video_id: id, upload_url: `${call.base}/reel-upload/${id}` } }
    }
    if (form.get('video_state') !== 'PUBLISHED') throw graphError({ message: 'This reel would be a draft', code: 100 })
    return finish(form.get('video_id') ?? '', page, form.get('description'))
  }

  const reelBytes = (call: FakeCall): FakeReply => {
    const page = pageOf(call)
    if (!call.headers.authorization?.startsWith('OAuth ')) throw graphError({ message: 'OAuth is missing', code: 190 })
    const video = ownVideo(call.params.id ?? '', page)
    if (Number(call.headers.offset) !== lengthOf(video))
      throw graphError({ message: 'The offset does not match', code: 6001 })
    video.size = Number(call.headers.file_size)
    video.parts.push(call.body)
    return { body: { success: true } }
  }

  const status = (id: string): Record<string, unknown> | null => {
    const video = videos.get(id)
    if (!video) return null
    const transferred = lengthOf(video)
    const isThere = video.size !== null && transferred === video.size
    const uploading_phase = { status: isThere ? 'complete' : 'in_progress', bytes_transfered: transferred }
    if (!video.isFinished)
      return { status: { video_status: isThere ? 'upload_complete' : 'uploading', uploading_phase } }
    processing.questions -= 1
    if (processing.questions >= 0) return { status: { video_status: 'processing', uploading_phase } }
    if (processing.failure !== null) {
      const processing_phase = { status: 'error', errors: [{ message: processing.failure }] }
      return { status: { video_status: 'error', uploading_phase, processing_phase } }
    }
    return { status: { video_status: 'ready', uploading_phase }, permalink_url: `/${video.page}/videos/${id}/` }
  }

  const routes: FakeRoute[] = [
    { call: callOf('video'), method: 'POST', path: '/video/v25.0/:page/videos', answer: plain },
    { call: callOf('reel'), method: 'POST', path: '/v25.0/:page/video_reels', answer: reel },
    { call: 'upload', method: 'POST', path: '/reel-upload/:id', answer: reelBytes },
  ]
  return { routes, processing, status }
}

/** Parts are multipart, start and finish are forms. */
const phaseOf = (call: FakeCall): string =>
  (call.headers['content-type'] ?? '').startsWith('multipart/')
    ? 'transfer'
    : (new URLSearchParams(call.body.toString()).get('upload_phase') ?? '')

const callOf =
  (kind: string) =>
  (call: FakeCall): string => {
    const phase = phaseOf(call)
    return phase === 'finish' ? 'commit' : phase === 'transfer' ? 'upload' : kind
  }
