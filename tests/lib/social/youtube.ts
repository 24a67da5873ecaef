import { type FakeCall, type FakeNetwork, FakeRefusal, type FakeReply, jsonOf, type LivePost } from './fake-network.ts'
import { createFakeOAuth } from './fake-oauth.ts'

const CHANNEL = 'UC-stoa'
const UNIT = 256 * 1_024
const SCOPES = ['https://www.googleapis.com/auth/youtube.upload', 'https://www.googleapis.com/auth/youtube.readonly']

type Session = {
  type: string
  total: number
  received: number
  video: Omit<LivePost, 'id'>
  id?: string
}

export type FakeYouTubeOptions = {
  hasChannel?: boolean
  /** Takes at most so many bytes of a chunk, as a busy server may. */
  takesBytes?: number
  uploadStatus?: string
  /** Projects without an audit get private videos only. */
  isUnaudited?: boolean
}

/** YouTube by its documents: resumable sessions that can be asked how far they are. */
export const createFakeYouTube = (options: FakeYouTubeOptions = {}): FakeNetwork => {
  const sessions = new Map<string, Session>()
  const live: LivePost[] = []
  let lastId = 100
  const oauth = createFakeOAuth({
    paths: { authorize: '/o/oauth2/v2/auth', token: '/token', revoke: '/revoke' },
    clientAuth: 'form',
    scopes: SCOPES,
    separator: ' ',
    pkce: 'required',
    codeLifeMs: 600_000,
    accessSeconds: 3_600,
    refresh: 'kept',
    requiredParams: { access_type: 'offline', prompt: 'consent' },
  })

  const refuse = (status: number, reason: string, message: string): FakeRefusal =>
    new FakeRefusal(status, { error: { code: status, message, errors: [{ reason, domain: 'youtube', message }] } })
  const allow = (call: FakeCall, scope: 'upload' | 'readonly'): void => {
    const grant = oauth.grantOf(call)
    if (!grant) throw refuse(401, 'authError', 'Invalid Credentials')
    if (!grant.scopes.some((granted) => granted.endsWith(scope)))
      throw refuse(403, 'insufficientPermissions', 'Insufficient Permission')
  }

  const channels = (call: FakeCall): FakeReply => {
    allow(call, 'readonly')
    if (call.query.get('mine') !== 'true' || call.query.get('part') !== 'snippet')
      throw refuse(400, 'missingRequiredParameter', 'part')
    const thumbnails = { default: { url: 'https://yt3.example/stoa.jpg' } }
    const channel = { id: CHANNEL, snippet: { title: 'Stoa', customUrl: '@stoa', thumbnails } }
    return { body: { items: options.hasChannel === false ? [] : [channel] } }
  }
  const begin = (call: FakeCall): FakeReply => {
    allow(call, 'upload')
    const { snippet, status } = jsonOf(call) as Record<string, Record<string, unknown> | undefined>
    const total = Number(call.headers['x-upload-content-length'])
    const type = String(call.headers['x-upload-content-type'])
    if (call.query.get('uploadType') !== 'resumable' || call.query.get('part') !== 'snippet,status')
      throw refuse(400, 'badRequest', 'uploadType and part')
    if (!(total > 0) || !type.startsWith('video/')) throw refuse(400, 'mediaBodyRequired', 'No video')
    const title = String(snippet?.title ?? '')
    if (title === '' || title.length > 100 || /[<>]/.test(title)) throw refuse(400, 'invalidTitle', 'Invalid title')
    const text = String(snippet?.description ?? '')
    if (Buffer.byteLength(text) > 5_000 || /[<>]/.test(text)) throw refuse(400, 'invalidDescription', 'Invalid text')
    if (typeof status?.selfDeclaredMadeForKids !== 'boolean') throw refuse(400, 'badRequest', 'selfDeclaredMadeForKids')
    const key = `session-${++lastId}`
    const notify = call.query.get('notifySubscribers')
    const video = { account: CHANNEL, text, media: ['video'], snippet, status, notify }
    sessions.set(key, { type, total, received: 0, video })
    return { headers: { location: `${call.base}/upload/youtube/v3/videos/${key}?upload_id=${key}` } }
  }
  const put = (call: FakeCall): FakeReply => {
    const key = call.params.session ?? ''
    const session = sessions.get(key)
    if (!session || call.query.get('upload_id') !== key) return { status: 404, body: 'Not Found' }
    const range = String(call.headers['content-range'])
    if (range !== `bytes */${session.total}`) take(session, range, call.body.length)
    if (session.received < session.total) {
      const headers: Record<string, string> = session.received > 0 ? { range: `bytes=0-${session.received - 1}` } : {}
      return { status: 308, headers }
    }
    if (session.id === undefined) {
      session.id = `vid-${++lastId}`
      live.unshift({ ...(session.video as LivePost), id: session.id, thumbnail: null })
    }
    return { status: 201, body: { id: session.id, kind: 'youtube#video' } }
  }
  const take = (session: Session, range: string, length: number): void => {
    const [, from, to, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? []).map(Number)
    const isLast = (to ?? 0) + 1 === session.total
    if (from !== session.received || total !== session.total || length !== (to ?? 0) - from + 1)
      throw refuse(400, 'badRequest', `the range ${range} does not fit at ${session.received}`)
    if (!isLast && length % UNIT !== 0) throw refuse(400, 'badRequest', 'Chunks are multiples of 256 KiB')
    session.received += Math.min(length, options.takesBytes ?? length)
  }
  const thumbnail = (call: FakeCall): FakeReply => {
    allow(call, 'upload')
    const video = live.find(({ id }) => id === call.query.get('videoId'))
    if (!video) throw refuse(404, 'videoNotFound', 'No such video')
    const type = call.headers['content-type'] ?? ''
    if (!/^image\/(jpeg|png)$/.test(type)) throw refuse(400, 'invalidImage', 'Not an image')
    video.thumbnail = call.body.length
    return { body: { items: [] } }
  }
  const videos = (call: FakeCall): FakeReply => {
    allow(call, 'readonly')
    const video = live.find(({ id }) => id === call.query.get('id'))
    const asked = (video?.status ?? {}) as Record<string, unknown>
    const privacyStatus = options.isUnaudited ? 'private' : asked.privacyStatus
    const uploadStatus = options.uploadStatus ?? 'processed'
    const status = { uploadStatus, privacyStatus, ...(uploadStatus === 'rejected' && { rejectionReason: 'duplicate' }) }
    return { body: { items: video ? [{ id: video.id, status }] : [] } }
  }

  const uploadBase = '/upload/youtube/v3'
  const apiBase = '/youtube/v3'
  return {
    overrides: { authorizeUrl: '/o/oauth2/v2/auth', tokenUrl: '/token', apiBase, uploadBase },
    routes: [
      ...oauth.routes,
      { call: 'me', method: 'GET', path: `${apiBase}/channels`, answer: channels },
      { call: 'initialize', method: 'POST', path: `${uploadBase}/videos`, answer: begin },
      { call: 'upload', method: 'PUT', path: `${uploadBase}/videos/:session`, answer: put },
      { call: 'thumbnail', method: 'POST', path: `${uploadBase}/thumbnails/set`, answer: thumbnail },
      { call: 'status', method: 'GET', path: `${apiBase}/videos`, answer: videos },
    ],
    posts: () => live,
  }
}
