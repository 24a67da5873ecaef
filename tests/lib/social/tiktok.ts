import { type FakeCall, type FakeNetwork, FakeRefusal, type FakeReply, jsonOf, type LivePost } from './fake-network.ts'
import { createFakeOAuth } from './fake-oauth.ts'

const USER = {
  open_id: 'open-1',
  union_id: 'union-1',
  avatar_url: 'https://p16.example/stoa.jpg',
  display_name: 'Stoa',
  username: 'stoa',
}
const MB = 1_000_000
const LEVELS = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']

type Upload = {
  kind: 'video' | 'photo'
  total: number
  chunkSize: number
  count: number
  received: number
  post: Omit<LivePost, 'id'>
  isInbox: boolean
  /** How often it still answers that it is processing. */
  left: number
  postId?: string
  failReason?: string
}

export type FakeTikTokOptions = {
  slowness?: number
  failReason?: string
  /** Whether moderation has let the posts pass; the id is given out then. */
  isModerated?: () => boolean
}

/** TikTok by its documents: errors with 200, chunks whose count is rounded down, ids only after moderation. */
export const createFakeTikTok = (options: FakeTikTokOptions = {}): FakeNetwork => {
  const uploads = new Map<string, Upload>()
  const live: LivePost[] = []
  let lastId = 7_000
  const oauth = createFakeOAuth({
    paths: { authorize: '/v2/auth/authorize/', token: '/v2/oauth/token/', revoke: '/v2/oauth/revoke/' },
    clientIdName: 'client_key',
    clientAuth: 'form',
    scopes: ['user.info.basic', 'user.info.profile', 'video.publish', 'video.upload'],
    separator: ',',
    pkce: 'refused',
    codeLifeMs: 60_000,
    accessSeconds: 86_400,
    refresh: 'rotates',
    refreshSeconds: 31_536_000,
    answer: { open_id: USER.open_id },
    errorStatus: 200,
  })

  const refuse = (code: string, message: string, status = 400): FakeRefusal =>
    new FakeRefusal(status, { data: {}, error: { code, message, log_id: 'log-1' } })
  const ok = (data: unknown): FakeReply => ({ body: { data, error: { code: 'ok', message: '', log_id: 'log-1' } } })
  const allow = (call: FakeCall, scope: string): void => {
    const grant = oauth.grantOf(call)
    if (!grant) throw refuse('access_token_invalid', 'The access token is invalid', 401)
    if (!grant.scopes.includes(scope)) throw refuse('scope_not_authorized', `Missing ${scope}`, 401)
  }
  const checkInfo = (info: Record<string, unknown>): void => {
    if (!LEVELS.includes(String(info.privacy_level)))
      throw refuse('privacy_level_option_mismatch', 'Not a privacy level of this account', 403)
    for (const name of ['disable_comment', 'brand_content_toggle', 'brand_organic_toggle'])
      if (typeof info[name] !== 'boolean') throw refuse('invalid_params', `${name} is missing`)
  }
  const open = (upload: Upload): string => {
    const id = `v_pub~${++lastId}`
    uploads.set(id, upload)
    return id
  }
  const goLive = (id: string, upload: Upload): void => {
    if (options.failReason !== undefined || upload.isInbox) return
    upload.postId = String(++lastId)
    live.unshift({ ...(upload.post as LivePost), id: upload.postId, publishId: id })
  }

  const initVideo =
    (isInbox: boolean) =>
    (call: FakeCall): FakeReply => {
      allow(call, isInbox ? 'video.upload' : 'video.publish')
      const { post_info: info, source_info: source } = jsonOf(call) as Record<
        string,
        Record<string, unknown> | undefined
      >
      if (isInbox !== (info === undefined)) throw refuse('invalid_params', 'post_info')
      if (info) checkInfo(info)
      const [total, chunkSize, count] = [source?.video_size, source?.chunk_size, source?.total_chunk_count].map(Number)
      if (source?.source !== 'FILE_UPLOAD' || !total || !chunkSize) throw refuse('invalid_params', 'source_info')
      const isOne = count === 1 && chunkSize === total && total <= 64 * MB
      const isMany = chunkSize >= 5 * MB && chunkSize <= 64 * MB && count === Math.floor(total / chunkSize)
      if (!isOne && !isMany) throw refuse('invalid_params', 'The chunks are not right')
      const post = { account: USER.open_id, text: String(info?.title ?? ''), media: ['video'], info }
      const left = options.slowness ?? 0
      const id = open({ kind: 'video', total, chunkSize, count: count ?? 1, received: 0, post, isInbox, left })
      return ok({ publish_id: id, upload_url: `${call.base}/upload/${encodeURIComponent(id)}` })
    }
  const put = (call: FakeCall): FakeReply => {
    const id = call.params.id ?? ''
    const upload = uploads.get(id)
    if (!upload) return { status: 404 }
    if (call.headers.authorization !== undefined) return { status: 400, body: { error: 'no token here' } }
    const index = Math.floor(upload.received / upload.chunkSize)
    const end = index === upload.count - 1 ? upload.total : upload.received + upload.chunkSize
    const range = `bytes ${upload.received}-${end - 1}/${upload.total}`
    if (call.headers['content-range'] !== range || call.body.length !== end - upload.received)
      return { status: 416, body: { error: `expected ${range}` } }
    if (!call.headers['content-type']?.startsWith('video/')) return { status: 415 }
    upload.received = end
    if (end < upload.total) return { status: 206 }
    goLive(id, upload)
    return { status: 201 }
  }
  const initPhotos = async (call: FakeCall): Promise<FakeReply> => {
    allow(call, 'video.publish')
    const body = jsonOf(call) as Record<string, Record<string, unknown> | undefined>
    const { post_info: info, source_info: source } = body
    const photos = source?.photo_images
    if (String(body.media_type) !== 'PHOTO' || source?.source !== 'PULL_FROM_URL' || !info || !Array.isArray(photos))
      throw refuse('invalid_params', 'The photos are not right')
    if (photos.length < 1 || photos.length > 35 || source.photo_cover_index !== 0)
      throw refuse('invalid_params', 'photos')
    if (!photos.every((url) => String(url).startsWith('https://') || new URL(String(url)).hostname === '127.0.0.1'))
      throw refuse('url_ownership_unverified', 'Verify the domain', 403)
    checkInfo(info)
    const mode = String(body.post_mode)
    if (!['DIRECT_POST', 'MEDIA_UPLOAD'].includes(mode)) throw refuse('invalid_params', 'post_mode')
    const post = { account: USER.open_id, text: String(info.description), media: photos.map(String), info }
    const isInbox = mode === 'MEDIA_UPLOAD'
    const left = options.slowness ?? 0
    const upload: Upload = { kind: 'photo', total: 0, chunkSize: 0, count: 0, received: 0, post, isInbox, left }
    const id = open(upload)
    if ((await Promise.all(photos.map((url) => canPull(String(url))))).every(Boolean)) goLive(id, upload)
    else upload.failReason = 'photo_pull_failed'
    return ok({ publish_id: id })
  }
  const status = (call: FakeCall): FakeReply => {
    allow(call, 'video.publish')
    const upload = uploads.get(String(jsonOf(call).publish_id))
    if (!upload) throw refuse('invalid_publish_id', 'Unknown')
    if (upload.received < upload.total) return ok({ status: 'PROCESSING_UPLOAD', uploaded_bytes: upload.received })
    if (upload.left > 0) {
      upload.left -= 1
      return ok(
        upload.kind === 'video'
          ? { status: 'PROCESSING_UPLOAD', uploaded_bytes: upload.received }
          : { status: 'PROCESSING_DOWNLOAD' },
      )
    }
    const reason = upload.failReason ?? options.failReason
    if (reason !== undefined) return ok({ status: 'FAILED', fail_reason: reason })
    if (upload.isInbox) return ok({ status: 'SEND_TO_USER_INBOX' })
    const isPublic = options.isModerated?.() ?? true
    return ok({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: isPublic ? [upload.postId] : [] })
  }
  const creator = (call: FakeCall): FakeReply => {
    allow(call, 'video.publish')
    return ok({ privacy_level_options: LEVELS, max_video_post_duration_sec: 300, comment_disabled: false })
  }
  const info = (call: FakeCall): FakeReply => {
    allow(call, 'user.info.basic')
    if (!call.query.get('fields')?.includes('open_id')) throw refuse('invalid_params', 'fields')
    return ok({ user: USER })
  }

  const below = '/v2/post/publish'
  return {
    overrides: { authorizeUrl: '/v2/auth/authorize/', tokenUrl: '/v2/oauth/token/', apiBase: '' },
    routes: [
      ...oauth.routes,
      { call: 'me', method: 'GET', path: '/v2/user/info/', answer: info },
      { call: 'creator', method: 'POST', path: `${below}/creator_info/query/`, answer: creator },
      { call: 'initialize', method: 'POST', path: `${below}/video/init/`, answer: initVideo(false) },
      { call: 'inbox', method: 'POST', path: `${below}/inbox/video/init/`, answer: initVideo(true) },
      { call: 'upload', method: 'PUT', path: '/upload/:id', answer: put },
      { call: 'commit', method: 'POST', path: `${below}/content/init/`, answer: initPhotos },
      { call: 'status', method: 'POST', path: `${below}/status/fetch/`, answer: status },
    ],
    posts: () => live,
  }
}

/** Photos on this machine are really fetched, as TikTok would. */
const canPull = async (url: string): Promise<boolean> => {
  if (new URL(url).hostname !== '127.0.0.1') return true
  const response = await fetch(url, { redirect: 'manual' }).catch(() => null)
  await response?.body?.cancel()
  return response?.status === 200 && /^image\/(jpeg|webp)/.test(response.headers.get('content-type') ?? '')
}
