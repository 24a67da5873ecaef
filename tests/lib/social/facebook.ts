import { createFacebookVideos, type VideoProcessing } from './facebook-videos.ts'
import { type FakeCall, type FakeNetwork, type FakeReply, formOf, type LivePost, multipartOf } from './fake-network.ts'
import { badToken, createMetaConsent, graphError, type MetaConsent, wrongSecret } from './meta.ts'
import { readPicture } from './picture-facts.ts'

export type FacebookFake = FakeNetwork & {
  processing: VideoProcessing
  consent: MetaConsent
  comments: { post: string; text: string }[]
  /** Everything that was uploaded, whether it went out or not. */
  photos: ReadonlyMap<string, Photo>
}
type Photo = { page: string; alt: string; bytes: number; isUsed: boolean }
type Page = { id: string; name: string; username?: string; tasks: string[]; hasToken: boolean }
type Options = {
  declined?: readonly string[]
  pages?: readonly Page[]
  /** Fewer than are asked for, to have more than one answer. */
  pagesPerAnswer?: number
  chunkBytes?: number
  now?(): number
}

const SCOPES = [
  'pages_show_list',
  'pages_manage_posts',
  'pages_read_engagement',
  'pages_manage_engagement',
  'business_management',
]
const PAGES: readonly Page[] = [
  { id: '1001', name: 'Acme', username: 'acme', tasks: ['ANALYZE', 'CREATE_CONTENT'], hasToken: true },
  { id: '1002', name: 'Acme Shop', tasks: ['CREATE_CONTENT', 'MODERATE'], hasToken: true },
  { id: '1003', name: 'Not chosen', tasks: ['CREATE_CONTENT'], hasToken: false },
  { id: '1004', name: 'Read only', tasks: ['ANALYZE'], hasToken: true },
]

export const createFakeFacebook = (options: Options = {}): FacebookFake => {
  const now = options.now ?? Date.now
  const pages = options.pages ?? PAGES
  const consent = createMetaConsent({
    ...options,
    authorizePath: '/v25.0/dialog/oauth',
    tokenPath: '/v25.0/oauth/access_token',
    knownScopes: SCOPES,
    grantType: null,
    answer: (token) => ({ access_token: token, token_type: 'bearer', expires_in: 5183 }),
  })
  const pageTokens = new Map<string, string>()
  const photos = new Map<string, Photo>()
  const posts: (LivePost & { at: number })[] = []
  const comments: FacebookFake['comments'] = []
  let last = 5000

  /** The call must carry the token of the Page that it is about. */
  const pageOf = (call: FakeCall): string => {
    const page = pageTokens.get(consent.tokenOf(call))
    if (page === undefined || (call.params.page !== undefined && call.params.page !== page))
      throw graphError({ message: '(#200) The Page token is needed to post on this Page', code: 200 }, 403)
    return page
  }
  const publish = (page: string, id: string, post: Omit<LivePost, 'id' | 'account'>): void =>
    void posts.unshift({ ...post, id, account: page, at: now() } as LivePost & { at: number })
  const videos = createFacebookVideos({ pageOf, publish, chunkBytes: options.chunkBytes ?? 2 ** 20 })

  const exchange = ({ query }: FakeCall): FakeReply => {
    const known = consent.tokens.get(query.get('fb_exchange_token') ?? '')
    if (query.get('grant_type') !== 'fb_exchange_token' || known?.life !== 'short') throw badToken()
    if (!query.get('client_id') || query.get('client_secret') !== known.clientSecret) throw wrongSecret()
    const token = consent.issue({ ...known, life: 'long' })
    return { body: { access_token: token, token_type: 'bearer', expires_in: 5_184_000 } }
  }

  const accounts = (call: FakeCall): FakeReply => {
    const person = consent.tokens.get(consent.tokenOf(call))
    if (!person) throw badToken()
    if (!call.query.get('fields')?.includes('access_token')) throw graphError({ message: 'fields', code: 100 })
    const shown = person.scopes.includes('pages_show_list') ? pages : []
    const from = Number(call.query.get('after') ?? 0)
    const to = from + Math.min(Number(call.query.get('limit')), options.pagesPerAnswer ?? 100)
    const data = shown.slice(from, to).map(({ hasToken, ...page }) => {
      if (!hasToken) return page
      const token = consent.issue(person)
      pageTokens.set(token, page.id)
      return { ...page, access_token: token, picture: { data: { url: `https://img.example/${page.id}.jpg` } } }
    })
    const next = new URL(`${call.base}/v25.0/me/accounts?${call.query}`)
    next.searchParams.set('after', String(to))
    next.searchParams.set('access_token', 'in-the-address')
    return { body: { data, paging: to < shown.length ? { next: next.href } : {} } }
  }

  const photo = async (call: FakeCall): Promise<FakeReply> => {
    const page = pageOf(call)
    const form = await multipartOf(call)
    const source = form.get('source')
    if (typeof source !== 'object' || !readPicture(source.bytes))
      throw graphError({ message: 'Invalid image', code: 324, error_subcode: 2069019 })
    if (source.bytes.length > 10 * 2 ** 20)
      throw graphError({ message: 'The photo is too large', code: 1, error_subcode: 1366046 })
    if (form.get('published') !== 'false') throw graphError({ message: 'This photo would be a post', code: 100 })
    const id = String(++last)
    photos.set(id, { page, alt: String(form.get('alt_text_custom') ?? ''), bytes: source.bytes.length, isUsed: false })
    return { body: { id } }
  }

  const feed = (call: FakeCall): FakeReply => {
    const page = pageOf(call)
    const form = formOf(call)
    const attached = [...form.keys()].filter((key) => key.startsWith('attached_media'))
    const media = attached.map((key, index) => {
      if (key !== `attached_media[${index}]`) throw graphError({ message: `Unexpected ${key}`, code: 100 })
      const id = String(JSON.parse(form.get(key) ?? '{}').media_fbid)
      const known = photos.get(id)
      if (known?.page !== page || known.isUsed) throw graphError({ message: `No photo ${id}`, code: 100 })
      return id
    })
    if (!form.get('message') && !form.get('link') && media.length === 0)
      throw graphError({ message: 'Missing message or attachment', code: 100, error_subcode: 1349125 })
    for (const id of media) Object.assign(photos.get(id) ?? {}, { isUsed: true })
    const id = `${page}_${++last}`
    const alts = media.map((photoId) => photos.get(photoId)?.alt ?? '')
    publish(page, id, { text: form.get('message') ?? '', media, alts, link: form.get('link') })
    return { body: { id } }
  }

  const list = (call: FakeCall): FakeReply => {
    const page = pageOf(call)
    const own = posts.filter((post) => post.account === page).slice(0, Number(call.query.get('limit')))
    const data = own.map((post) => ({
      id: post.id,
      message: post.text || undefined,
      created_time: new Date(post.at).toISOString().replace(/\.\d{3}Z$/, '+0000'),
      permalink_url: `https://www.facebook.com/${post.id}`,
    }))
    return { body: { data } }
  }

  const object = (call: FakeCall): FakeReply => {
    const page = pageOf(call)
    const id = call.params.id ?? ''
    const video = videos.status(id)
    if (video) return { body: { id, ...video } }
    if (!posts.some((post) => post.id === id && post.account === page))
      throw graphError({ message: `Object with ID '${id}' does not exist`, code: 100, error_subcode: 33 })
    return { body: { id, permalink_url: `https://www.facebook.com/${id}` } }
  }

  return {
    processing: videos.processing,
    consent,
    comments,
    photos,
    overrides: {
      authorizeUrl: '/v25.0/dialog/oauth',
      tokenUrl: '/v25.0/oauth/access_token',
      apiBase: '/v25.0',
      uploadBase: '/video/v25.0',
    },
    posts: () => posts,
    routes: [
      ...consent.routes,
      { call: 'exchange', method: 'GET', path: '/v25.0/oauth/access_token', answer: exchange },
      { call: 'accounts', method: 'GET', path: '/v25.0/me/accounts', answer: accounts },
      {
        call: 'permissions',
        method: 'GET',
        path: '/v25.0/me/permissions',
        answer(call) {
          const granted = consent.tokens.get(consent.tokenOf(call))?.scopes ?? []
          const statusOf = (scope: string) => (granted.includes(scope) ? 'granted' : 'declined')
          return { body: { data: SCOPES.map((scope) => ({ permission: scope, status: statusOf(scope) })) } }
        },
      },
      {
        call: 'probe',
        method: 'GET',
        path: '/v25.0/debug_token',
        answer(call) {
          const [, secret] = /^Bearer [^|]+\|(.+)$/.exec(call.headers.authorization ?? '') ?? []
          const known = consent.tokens.get(call.query.get('input_token') ?? '')
          if (!secret || secret === 'wrong')
            throw graphError({ message: 'Invalid OAuth access token signature.', code: 190 })
          if (!known)
            return { body: { data: { is_valid: false, error: { code: 190, message: 'Session has expired' } } } }
          return { body: { data: { type: 'PAGE', is_valid: true, expires_at: 0, scopes: known.scopes } } }
        },
      },
      {
        call: 'revoke',
        method: 'DELETE',
        path: '/v25.0/me/permissions',
        answer(call) {
          consent.tokens.delete(consent.tokenOf(call))
          return { body: { success: true } }
        },
      },
      { call: 'photo', method: 'POST', path: '/v25.0/:page/photos', answer: photo },
      { call: 'commit', method: 'POST', path: '/v25.0/:page/feed', answer: feed },
      { call: 'list', method: 'GET', path: '/v25.0/:page/published_posts', answer: list },
      ...videos.routes,
      {
        call: 'comment',
        method: 'POST',
        path: '/v25.0/:id/comments',
        answer(call) {
          pageOf(call)
          const text = formOf(call).get('message')
          const id = call.params.id ?? ''
          if (!text || !posts.some((post) => post.id === id))
            throw graphError({ message: 'Unsupported post request', code: 100, error_subcode: 33 })
          comments.push({ post: id, text })
          return { body: { id: `${id}_1` } }
        },
      },
      { call: 'status', method: 'GET', path: '/v25.0/:id', answer: object },
    ],
  }
}
