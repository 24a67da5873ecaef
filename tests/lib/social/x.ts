import {
  type FakeCall,
  type FakeNetwork,
  FakeRefusal,
  type FakeReply,
  jsonOf,
  type LivePost,
  multipartOf,
} from './fake-network.ts'
import { createFakeOAuth } from './fake-oauth.ts'

const USER = { id: '1001', username: 'stoa', name: 'Stoa', profile_image_url: 'https://pbs.example/stoa.jpg' }
const MAX_SEGMENT = 5 * 2 ** 20

type Upload = {
  type: string
  total: number
  segments: Map<number, number>
  isFinal: boolean
  /** How often it still answers `in_progress`. */
  left: number
  alt?: string
}

export type FakeXOptions = {
  now?: () => number
  /** Questions about a video that are answered with `in_progress`. */
  slowness?: number
  isFailing?: boolean
  verifiedType?: string
}

/** X by its documents: split media paths, one GIF or video, duplicates refused. */
export const createFakeX = (options: FakeXOptions = {}): FakeNetwork => {
  const uploads = new Map<string, Upload>()
  const live: (LivePost & { createdAt: string; sent: string })[] = []
  let lastId = 2_000
  const oauth = createFakeOAuth({
    paths: { authorize: '/i/oauth2/authorize', token: '/2/oauth2/token', revoke: '/2/oauth2/revoke' },
    clientAuth: 'basic',
    scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
    separator: ' ',
    pkce: 'required',
    codeLifeMs: 30_000,
    accessSeconds: 7_200,
    refresh: 'rotates',
    ...(options.now && { now: options.now }),
  })

  const problem = (status: number, title: string, detail: string): FakeRefusal =>
    new FakeRefusal(status, { title, detail, type: 'about:blank', status })
  const allow = (call: FakeCall, scope: string): void => {
    const grant = oauth.grantOf(call)
    if (!grant) throw problem(401, 'Unauthorized', 'Unauthorized')
    if (!grant.scopes.includes(scope)) throw problem(403, 'Forbidden', `Missing scope ${scope}`)
  }
  const invalid = (detail: string): FakeRefusal => problem(400, 'Invalid Request', detail)
  const newId = (): string => String(++lastId)
  const uploadOf = (id: string): Upload => {
    const upload = uploads.get(id)
    if (!upload) throw invalid(`no media ${id}`)
    return upload
  }
  const processing = (upload: Upload): Record<string, unknown> => {
    if (!upload.type.startsWith('video/')) return {}
    if (upload.left > 0) return { processing_info: { state: 'in_progress', check_after_secs: 1 } }
    return options.isFailing
      ? { processing_info: { state: 'failed', error: { code: 1, name: 'InvalidMedia', message: 'Bad video' } } }
      : { processing_info: { state: 'succeeded' } }
  }

  const uploadImage = async (call: FakeCall): Promise<FakeReply> => {
    allow(call, 'media.write')
    const form = await multipartOf(call)
    const file = form.get('media')
    if (form.get('media_category') !== 'tweet_image' || typeof file !== 'object') throw invalid('media is missing')
    if (!/^image\/(jpeg|png|webp)$/.test(file.type)) throw invalid(`${file.type} is no image`)
    if (file.bytes.length > MAX_SEGMENT) throw problem(413, 'Too large', 'The image is too large')
    const id = newId()
    uploads.set(id, { type: file.type, total: file.bytes.length, segments: new Map(), isFinal: true, left: 0 })
    return { body: { data: { id, expires_after_secs: 86_400 } } }
  }
  const initialize = (call: FakeCall): FakeReply => {
    allow(call, 'media.write')
    const { media_type, total_bytes, media_category, ...more } = jsonOf(call)
    const wanted = String(media_type).startsWith('video/') ? 'tweet_video' : 'tweet_gif'
    if (media_category !== wanted || !Number.isInteger(total_bytes) || Object.keys(more).length > 0)
      throw invalid('initialize is not right')
    const id = newId()
    const left = options.slowness ?? 0
    uploads.set(id, { type: String(media_type), total: Number(total_bytes), segments: new Map(), isFinal: false, left })
    return { body: { data: { id, expires_after_secs: 86_400 } } }
  }
  const append = async (call: FakeCall): Promise<FakeReply> => {
    allow(call, 'media.write')
    const upload = uploadOf(call.params.id ?? '')
    const form = await multipartOf(call)
    const file = form.get('media')
    const index = Number(form.get('segment_index'))
    if (upload.isFinal || typeof file !== 'object' || !(index >= 0 && index <= 999)) throw invalid('bad segment')
    if (file.bytes.length > MAX_SEGMENT) throw invalid('The segment is too large')
    if (upload.segments.has(index)) throw invalid(`segment ${index} is there already`)
    upload.segments.set(index, file.bytes.length)
    return { body: { data: { expires_at: 0 } } }
  }
  const finalize = (call: FakeCall): FakeReply => {
    allow(call, 'media.write')
    const upload = uploadOf(call.params.id ?? '')
    const sizes = [...upload.segments.values()]
    const isWhole = [...upload.segments.keys()].every((index) => index < sizes.length)
    if (!isWhole || sizes.reduce((sum, size) => sum + size, 0) !== upload.total) throw invalid('Segments do not add up')
    upload.isFinal = true
    return { body: { data: { id: call.params.id, ...processing(upload) } } }
  }
  const status = (call: FakeCall): FakeReply => {
    allow(call, 'media.write')
    const id = call.query.get('media_id') ?? ''
    const upload = uploadOf(id)
    if (call.query.get('command') !== 'STATUS' || !upload.isFinal) throw invalid('no status')
    const body = { data: { id, ...processing(upload) } }
    upload.left -= 1
    return { body }
  }
  const metadata = (call: FakeCall): FakeReply => {
    allow(call, 'media.write')
    const { id, metadata: given } = jsonOf(call)
    const text = (given as { alt_text?: { text?: string } })?.alt_text?.text
    if (typeof text !== 'string' || text.length > 1_000) throw invalid('alt text is not right')
    uploadOf(String(id)).alt = text
    return { body: { data: { id } } }
  }
  const tweet = (call: FakeCall): FakeReply => {
    allow(call, 'tweet.write')
    const body = jsonOf(call)
    const { text = '', media, reply_settings, made_with_ai, paid_partnership, ...more } = body
    if (Object.keys(more).length > 0) throw invalid(`unknown: ${Object.keys(more)}`)
    if (
      reply_settings !== undefined &&
      !['following', 'mentionedUsers', 'subscribers', 'verified'].includes(String(reply_settings))
    )
      throw invalid('reply_settings')
    const ids = (media as { media_ids?: string[] } | undefined)?.media_ids ?? []
    const files = ids.map(uploadOf)
    if (text === '' && ids.length === 0) throw invalid('The post is empty')
    if (ids.length > 4 || (ids.length > 1 && files.some((file) => !/jpeg|png|webp/.test(file.type))))
      throw invalid('Too many files')
    if (files.some((file) => !file.isFinal || file.left > 0)) throw invalid('Your media IDs are invalid.')
    if (live.some((post) => post.sent === text && ids.length === 0))
      throw problem(403, 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.')
    const id = newId()
    live.unshift({
      id,
      account: USER.id,
      text: asShown(String(text), ids.length > 0),
      sent: String(text),
      media: ids,
      alts: files.map((file) => file.alt ?? null),
      replySettings: reply_settings ?? null,
      madeWithAi: made_with_ai ?? false,
      paidPartnership: paid_partnership ?? false,
      createdAt: new Date((options.now ?? Date.now)()).toISOString(),
    })
    return { status: 201, body: { data: { id, text } } }
  }
  const me = (call: FakeCall): FakeReply => {
    allow(call, 'users.read')
    const verified = options.verifiedType ?? 'none'
    return { body: { data: { ...USER, verified: verified !== 'none', verified_type: verified } } }
  }
  const timeline = (call: FakeCall): FakeReply => {
    allow(call, 'tweet.read')
    const count = Number(call.query.get('max_results'))
    if (!(count >= 5 && count <= 100) || call.params.id !== USER.id) throw invalid('max_results is 5 to 100')
    const data = live.slice(0, count).map(({ id, text, createdAt, sent, media }) => ({
      id,
      text,
      created_at: createdAt,
      ...(call.query.get('tweet.fields')?.includes('entities') && { entities: entitiesOf(id, sent, media.length) }),
    }))
    return { body: data.length > 0 ? { data } : { meta: { result_count: 0 } } }
  }

  return {
    overrides: { authorizeUrl: '/i/oauth2/authorize', tokenUrl: '/2/oauth2/token', apiBase: '' },
    routes: [
      ...oauth.routes,
      { call: 'me', method: 'GET', path: '/2/users/me', answer: me },
      { call: 'list', method: 'GET', path: '/2/users/:id/tweets', answer: timeline },
      { call: 'upload', method: 'POST', path: '/2/media/upload', answer: uploadImage },
      { call: 'status', method: 'GET', path: '/2/media/upload', answer: status },
      { call: 'initialize', method: 'POST', path: '/2/media/upload/initialize', answer: initialize },
      { call: 'append', method: 'POST', path: '/2/media/upload/:id/append', answer: append },
      { call: 'finalize', method: 'POST', path: '/2/media/upload/:id/finalize', answer: finalize },
      { call: 'alt', method: 'POST', path: '/2/media/metadata', answer: metadata },
      { call: 'commit', method: 'POST', path: '/2/tweets', answer: tweet },
    ],
    posts: () => live,
  }
}

/** The text as X returns it: links shortened, one more for files, three characters escaped. */
const asShown = (text: string, hasMedia: boolean): string => {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const shortened = escaped.replace(/https?:\/\/\S+/g, 'https://t.co/AbCdEf1234')
  return hasMedia ? `${shortened} https://t.co/XyZxYz9876` : shortened
}

const entitiesOf = (id: string, sent: string, files: number): unknown => {
  const links = sent.match(/https?:\/\/\S+/g) ?? []
  const expanded = [...links, ...(files > 0 ? [`https://x.com/stoa/status/${id}/photo/1`] : [])]
  return expanded.length > 0 ? { urls: expanded.map((expanded_url) => ({ expanded_url })) } : undefined
}
