import { randomBytes } from 'node:crypto'
import {
  type FakeCall,
  type FakeNetwork,
  FakeRefusal,
  type FakeReply,
  formOf,
  jsonOf,
  type LivePost,
  multipartOf,
} from './fake-network.ts'
import { isMp4, readPicture } from './picture-facts.ts'

export type PinterestFake = FakeNetwork & {
  /** The outcome for the next videos; a test changes it. */
  processing: { questions: number; failure: string | null }
  accessTokens: Set<string>
}

const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']
const BOARDS = [
  { id: '801', name: 'Kitchen' },
  { id: '802', name: 'Garden' },
  { id: '803', name: 'Travel' },
]
const DAY_SECONDS = 86_400

const refuse = (status: number, code: number, message: string): FakeRefusal =>
  new FakeRefusal(status, { code, message })
const random = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

type Options = { declined?: readonly string[]; boardsPerAnswer?: number; now?(): number }
type Video = { state: 'registered' | 'uploaded'; questions: number; failure: string | null; policy: string }

export const createFakePinterest = (options: Options = {}): PinterestFake => {
  const now = options.now ?? Date.now
  const processing: PinterestFake['processing'] = { questions: 0, failure: null }
  const codes = new Map<string, { clientId: string; redirectUri: string; scopes: string[] }>()
  const accessTokens = new Set<string>()
  const refreshTokens = new Map<string, string[]>()
  const videos = new Map<string, Video>()
  const posts: (LivePost & { at: number; board: string; title: string })[] = []
  let last = 700

  const authorize = ({ query }: FakeCall): FakeReply => {
    const redirectUri = query.get('redirect_uri')
    const scopes = (query.get('scope') ?? '').split(',')
    const clientId = query.get('client_id')
    if (!clientId || query.get('response_type') !== 'code') return { status: 400, body: 'Unknown app' }
    if (!redirectUri || !query.get('state') || scopes.some((scope) => !SCOPES.includes(scope)))
      return { status: 400, body: 'redirect_uri, state or scope is wrong' }
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    if (query.has('deny')) back.searchParams.set('error', 'access_denied')
    else {
      const code = random('code')
      codes.set(code, { clientId, redirectUri, scopes: scopes.filter((scope) => !options.declined?.includes(scope)) })
      back.searchParams.set('code', code)
    }
    return { status: 302, headers: { location: back.href } }
  }

  const issue = (scopes: string[]): FakeReply => {
    const accessToken = random('pina')
    const refreshToken = random('pinr')
    accessTokens.add(accessToken)
    refreshTokens.set(refreshToken, scopes)
    return {
      body: {
        access_token: accessToken,
        refresh_token: refreshToken,
        token_type: 'bearer',
        response_type: 'authorization_code',
        expires_in: 30 * DAY_SECONDS,
        refresh_token_expires_in: 60 * DAY_SECONDS,
        scope: scopes.join(' '),
      },
    }
  }

  const token = (call: FakeCall): FakeReply => {
    const [scheme, pair = ''] = (call.headers.authorization ?? '').split(' ')
    const [clientId, clientSecret] = Buffer.from(pair, 'base64').toString().split(':')
    // Every app is known, and `wrong` is nobody's secret.
    if (scheme !== 'Basic' || !clientId || !clientSecret || clientSecret === 'wrong')
      throw refuse(401, 2, 'Authentication failed.')
    const form = formOf(call)
    if (form.has('client_secret')) throw refuse(400, 1, 'The secret belongs in the header')
    if (form.get('grant_type') === 'refresh_token') {
      const old = form.get('refresh_token') ?? ''
      const scopes = refreshTokens.get(old)
      refreshTokens.delete(old)
      if (!scopes) throw refuse(401, 2, 'The refresh token is not valid.')
      return issue(scopes)
    }
    const known = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (form.get('grant_type') !== 'authorization_code' || form.get('continuous_refresh') !== 'true')
      throw refuse(400, 1, 'grant_type and continuous_refresh are needed')
    if (!known || clientId !== known.clientId || form.get('redirect_uri') !== known.redirectUri)
      throw refuse(400, 1, 'The code is not valid.')
    return issue(known.scopes)
  }

  const authenticate = (call: FakeCall): void => {
    if (!accessTokens.has((call.headers.authorization ?? '').replace(/^Bearer /, '')))
      throw refuse(401, 2, 'Authentication failed.')
  }

  const boards = (call: FakeCall): FakeReply => {
    authenticate(call)
    const from = Number(call.query.get('bookmark') ?? 0)
    const to = from + Math.min(Number(call.query.get('page_size')), options.boardsPerAnswer ?? 250)
    return { body: { items: BOARDS.slice(from, to), bookmark: to < BOARDS.length ? String(to) : null } }
  }

  const registerVideo = (call: FakeCall): FakeReply => {
    authenticate(call)
    if (jsonOf(call).media_type !== 'video') throw refuse(400, 1, 'media_type must be video')
    const id = String(++last)
    const policy = random('policy')
    videos.set(id, { state: 'registered', ...processing, policy })
    const upload_parameters = { key: `uploads/${id}`, policy, 'x-amz-signature': 'signed' }
    return {
      status: 201,
      body: { media_id: id, media_type: 'video', upload_url: `${call.base}/store`, upload_parameters },
    }
  }

  /** A store that knows nothing of Pinterest's tokens, and reads members until the file. */
  const store = async (call: FakeCall): Promise<FakeReply> => {
    if (call.headers.authorization) throw new FakeRefusal(400, 'Only one auth mechanism allowed')
    const form = await multipartOf(call)
    const video = videos.get(String(form.get('key')).replace('uploads/', ''))
    const file = form.get('file')
    if (!video || form.get('policy') !== video.policy || form.get('x-amz-signature') !== 'signed')
      throw new FakeRefusal(403, 'AccessDenied')
    if ([...form.keys()].at(-1) !== 'file' || typeof file !== 'object' || !isMp4(file.bytes))
      throw new FakeRefusal(400, 'The file must be last')
    video.state = 'uploaded'
    return { status: 204 }
  }

  const stateOf = (video: Video): string => {
    if (video.state === 'registered') return 'registered'
    return video.questions > 0 ? 'processing' : video.failure === null ? 'succeeded' : 'failed'
  }

  const askVideo = (call: FakeCall): FakeReply => {
    authenticate(call)
    const video = videos.get(call.params.id ?? '')
    if (!video) throw refuse(404, 40, 'Media not found.')
    const status = stateOf(video)
    if (video.state === 'uploaded') video.questions -= 1
    return { body: { media_id: call.params.id, media_type: 'video', status } }
  }

  const mediaOf = (source: Record<string, unknown>): string[] => {
    if (source.source_type === 'image_base64') return [decode(source)]
    if (source.source_type === 'multiple_image_base64') {
      const items = (source.items as Record<string, unknown>[]).map(decode)
      if (items.length < 2 || items.length > 5) throw refuse(400, 1, 'A carousel has 2 to 5 images')
      if (new Set(items).size > 1) throw refuse(400, 1, 'All images of a carousel must have the same size')
      return items
    }
    const video = videos.get(String(source.media_id))
    if (source.source_type !== 'video_id' || !video) throw refuse(400, 1, 'Unknown media_source')
    if (stateOf(video) !== 'succeeded') throw refuse(400, 1, 'The video is not ready')
    if (typeof source.cover_image_key_frame_time !== 'number') throw refuse(400, 1, 'A video needs a cover')
    return [`video ${source.media_id} cover ${source.cover_image_key_frame_time}`]
  }

  const createPin = (call: FakeCall): FakeReply => {
    authenticate(call)
    const pin = jsonOf(call)
    if (!BOARDS.some((board) => board.id === pin.board_id)) throw refuse(404, 40, 'Board not found.')
    const text = String(pin.description ?? '')
    if (text.length > 800 || String(pin.title ?? '').length > 100 || String(pin.alt_text ?? '').length > 500)
      throw refuse(400, 1, 'The pin is not valid.')
    const media = mediaOf(pin.media_source as Record<string, unknown>)
    const id = String(++last)
    const { board_section_id: section, link, alt_text: alt } = pin
    const shown = { board: String(pin.board_id), title: String(pin.title ?? ''), section, link, alt }
    posts.unshift({ id, account: 'acme', text, media, ...shown, at: now() })
    return { status: 201, body: { id, board_id: pin.board_id } }
  }

  const listPins = (call: FakeCall): FakeReply => {
    authenticate(call)
    const { board } = call.params
    if (!BOARDS.some((known) => known.id === board)) throw refuse(404, 40, 'Board not found.')
    const own = posts.filter((post) => post.board === board).slice(0, Number(call.query.get('page_size')))
    const items = own.map((post) => ({
      id: post.id,
      title: post.title || null,
      description: post.text || null,
      created_at: new Date(post.at).toISOString().slice(0, 19),
    }))
    return { body: { items, bookmark: null } }
  }

  return {
    processing,
    accessTokens,
    overrides: { authorizeUrl: '/oauth/', tokenUrl: '/v5/oauth/token', apiBase: '/v5' },
    posts: () => posts,
    routes: [
      { call: 'authorize', method: 'GET', path: '/oauth/', answer: authorize },
      { call: 'token', method: 'POST', path: '/v5/oauth/token', answer: token },
      {
        call: 'profile',
        method: 'GET',
        path: '/v5/user_account',
        answer(call) {
          authenticate(call)
          const body = { id: '99', username: 'acme', business_name: 'Acme', profile_image: 'https://img.example/a.jpg' }
          return { body: { ...body, account_type: 'BUSINESS' } }
        },
      },
      { call: 'boards', method: 'GET', path: '/v5/boards', answer: boards },
      { call: 'video', method: 'POST', path: '/v5/media', answer: registerVideo },
      { call: 'upload', method: 'POST', path: '/store', answer: store },
      { call: 'status', method: 'GET', path: '/v5/media/:id', answer: askVideo },
      { call: 'commit', method: 'POST', path: '/v5/pins', answer: createPin },
      { call: 'list', method: 'GET', path: '/v5/boards/:board/pins', answer: listPins },
    ],
  }
}

/** Its size, after the picture was really read. */
const decode = ({ content_type: type, data }: Record<string, unknown>): string => {
  const text = String(data)
  const bytes = Buffer.from(text, 'base64')
  const picture = readPicture(bytes)
  if (bytes.toString('base64') !== text || !picture || picture.type !== type || type === 'image/gif')
    throw refuse(400, 1, 'The image could not be read')
  return `${picture.width}x${picture.height}`
}
