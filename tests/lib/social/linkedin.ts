import { type FakeCall, type FakeNetwork, FakeRefusal, type FakeReply, jsonOf, type LivePost } from './fake-network.ts'
import { createFakeOAuth } from './fake-oauth.ts'

const PERSON = 'urn:li:person:p1'
const ORGANIZATIONS = new Map([
  ['urn:li:organization:77', { localizedName: 'Stoa Ltd', vanityName: 'stoa-ltd', role: 'ADMINISTRATOR' }],
  ['urn:li:organization:78', { localizedName: 'Stoa Labs', vanityName: 'stoa-labs', role: 'CONTENT_ADMINISTRATOR' }],
  ['urn:li:organization:79', { localizedName: 'Other', vanityName: 'other', role: 'ANALYST' }],
])
const MEMBER_SCOPES = ['openid', 'profile', 'w_member_social']
const PAGE_SCOPES = [
  'r_basicprofile',
  'w_member_social',
  'w_organization_social',
  'r_organization_social',
  'rw_organization_admin',
]
const PART_BYTES = 4 * 2 ** 20

type Asset = {
  owner: string
  kind: 'image' | 'video'
  total: number
  token: string
  parts: Map<number, { etag: string; size: number }>
  isWhole: boolean
  left: number
}

export type FakeLinkedInOptions = {
  version?: string
  /** Questions about a file, or posts with it, that are answered with "processing". */
  slowness?: number
  isFailing?: boolean
}

/** LinkedIn by its documents: versioned calls, little text, every part of a video at its own address. */
export const createFakeLinkedIn = (options: FakeLinkedInOptions = {}): FakeNetwork => {
  const assets = new Map<string, Asset>()
  const live: (LivePost & { createdAt: number; commentary: string })[] = []
  let lastId = 500
  const oauth = createFakeOAuth({
    paths: { authorize: '/oauth/v2/authorization', token: '/oauth/v2/accessToken', revoke: '/oauth/v2/revoke' },
    clientAuth: 'form',
    scopes: [...new Set([...MEMBER_SCOPES, ...PAGE_SCOPES])],
    separator: ' ',
    answerSeparator: ',',
    pkce: 'refused',
    codeLifeMs: 30 * 60_000,
    accessSeconds: 5_184_000,
    refresh: 'none',
  })

  const refuse = (status: number, message: string, code?: string): FakeRefusal =>
    new FakeRefusal(status, { status, message, ...(code && { code }), serviceErrorCode: status })
  const signedIn = (call: FakeCall, ...scopes: string[]): void => {
    const grant = oauth.grantOf(call)
    if (!grant) throw refuse(401, 'The token used in the request has been revoked', 'REVOKED_ACCESS_TOKEN')
    if (!scopes.every((scope) => grant.scopes.includes(scope)))
      throw refuse(403, 'Not enough permissions to access this', 'ACCESS_DENIED')
  }
  /** Calls below /rest have to name a version that lives. */
  const versioned = (call: FakeCall, ...scopes: string[]): void => {
    signedIn(call, ...scopes)
    if (call.headers['linkedin-version'] !== (options.version ?? '202606'))
      throw refuse(426, 'Requested version is not active', 'NONEXISTENT_VERSION')
    if (call.headers['x-restli-protocol-version'] !== '2.0.0') throw refuse(400, 'X-Restli-Protocol-Version is missing')
  }
  const writeScope = (owner: unknown): string =>
    String(owner).includes('organization') ? 'w_organization_social' : 'w_member_social'

  const begin = (call: FakeCall, kind: 'image' | 'video'): FakeReply => {
    const { initializeUploadRequest: request } = jsonOf(call) as { initializeUploadRequest?: Record<string, unknown> }
    const owner = String(request?.owner)
    versioned(call, writeScope(owner))
    if (owner !== PERSON && !ORGANIZATIONS.has(owner)) throw refuse(400, 'owner is not right')
    const total = Number(request?.fileSizeBytes ?? 0)
    if (kind === 'video' && (!(total > 0) || request?.uploadCaptions !== false)) throw refuse(400, 'fileSizeBytes')
    const name = `${kind}-${++lastId}`
    const token = `token-${lastId}`
    const asset: Asset = { owner, kind, total, token, parts: new Map(), isWhole: false, left: options.slowness ?? 0 }
    assets.set(`urn:li:${kind}:${name}`, asset)
    if (kind === 'image')
      return { body: { value: { uploadUrl: `${call.base}/up/${name}/0`, image: `urn:li:image:${name}` } } }
    const uploadInstructions = Array.from({ length: Math.ceil(total / PART_BYTES) }, (_, index) => ({
      uploadUrl: `${call.base}/up/${name}/${index}`,
      firstByte: index * PART_BYTES,
      lastByte: Math.min((index + 1) * PART_BYTES, total) - 1,
    }))
    return { body: { value: { video: `urn:li:video:${name}`, uploadToken: token, uploadInstructions } } }
  }
  const put = (call: FakeCall): FakeReply => {
    const name = call.params.name ?? ''
    const index = Number(call.params.part)
    const asset = assets.get(`urn:li:${name.split('-')[0]}:${name}`)
    if (!asset || asset.parts.has(index)) throw refuse(400, 'This address is used')
    if (asset.kind === 'image') {
      signedIn(call)
      asset.isWhole = true
    } else {
      if (call.headers.authorization !== undefined) throw refuse(400, 'Parts are signed by their address')
      const size = Math.min(PART_BYTES, asset.total - index * PART_BYTES)
      if (call.body.length !== size) throw refuse(400, `part ${index} has ${call.body.length} bytes, not ${size}`)
    }
    const etag = `etag-${name}-${index}`
    asset.parts.set(index, { etag, size: call.body.length })
    return { status: 201, headers: { etag: `"${etag}"` } }
  }
  const finalize = (call: FakeCall): FakeReply => {
    const { finalizeUploadRequest: request } = jsonOf(call) as { finalizeUploadRequest?: Record<string, unknown> }
    const asset = assets.get(String(request?.video))
    versioned(call, writeScope(asset?.owner))
    const etags = asset && [...asset.parts].sort(([one], [other]) => one - other).map(([, { etag }]) => etag)
    if (!asset || request?.uploadToken !== asset.token) throw refuse(400, 'uploadToken is not right')
    if (JSON.stringify(etags) !== JSON.stringify(request?.uploadedPartIds)) throw refuse(400, 'uploadedPartIds')
    if (asset.parts.size !== Math.ceil(asset.total / PART_BYTES)) throw refuse(400, 'Parts are missing')
    asset.isWhole = true
    return { status: 200 }
  }
  const videos = (call: FakeCall): FakeReply => {
    if (call.query.get('action') === 'finalizeUpload') return finalize(call)
    if (call.query.get('action') === 'initializeUpload') return begin(call, 'video')
    throw refuse(400, 'unknown action')
  }
  const statusOf = (call: FakeCall, kind: 'image' | 'video'): FakeReply => {
    const asset = assets.get(call.params.urn ?? '')
    versioned(call, ...(kind === 'image' ? ['r_organization_social'] : []))
    if (asset?.kind !== kind) throw refuse(404, 'Not found')
    if (asset.left > 0) {
      asset.left -= 1
      return { body: { status: 'PROCESSING' } }
    }
    return options.isFailing
      ? { body: { status: 'PROCESSING_FAILED', processingFailureReason: 'Codec is not supported' } }
      : { body: { status: asset.isWhole ? 'AVAILABLE' : 'WAITING_UPLOAD' } }
  }

  const post = (call: FakeCall): FakeReply => {
    const body = jsonOf(call)
    const { author, commentary, visibility, distribution, content, lifecycleState, isReshareDisabledByAuthor } = body
    versioned(call, writeScope(author))
    const feed = (distribution as { feedDistribution?: string } | undefined)?.feedDistribution
    if (feed !== 'MAIN_FEED' || lifecycleState !== 'PUBLISHED' || typeof commentary !== 'string')
      throw refuse(400, 'The post is incomplete')
    if (!['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'].includes(String(visibility))) throw refuse(400, 'visibility')
    const { media, multiImage } = (content ?? {}) as { media?: Item; multiImage?: { images: Item[] } }
    if (multiImage && (multiImage.images.length < 2 || multiImage.images.length > 20)) throw refuse(400, 'multiImage')
    const items = multiImage?.images ?? (media ? [media] : [])
    for (const { id } of items) {
      const asset = assets.get(id)
      if (asset?.owner !== author) throw refuse(400, `no file ${id}`)
      if (asset?.left || !asset?.isWhole) {
        if (asset) asset.left = Math.max(0, asset.left - 1)
        throw refuse(400, `The file ${id} is not yet AVAILABLE`)
      }
    }
    const text = readLittleText(commentary)
    const same = live.find((known) => known.text === text && known.account === author && items.length === 0)
    if (same) throw refuse(422, `Content is a duplicate of ${same.id}`)
    const urn = `urn:li:share:${++lastId}`
    live.unshift({
      id: urn,
      account: String(author),
      text,
      commentary,
      media: items.map(({ id }) => id),
      alts: items.map(({ altText }) => altText ?? null),
      visibility,
      isReshareDisabled: isReshareDisabledByAuthor,
      comments: [] as string[],
      createdAt: Date.now(),
    })
    return { status: 201, headers: { 'x-restli-id': urn } }
  }
  const list = (call: FakeCall): FakeReply => {
    const author = call.query.get('author')
    versioned(call, 'r_organization_social')
    if (call.query.get('q') !== 'author' || call.headers['x-restli-method'] !== 'FINDER') throw refuse(400, 'q')
    const elements = live.filter(({ account }) => account === author).slice(0, Number(call.query.get('count')))
    return { body: { elements: elements.map(({ id, commentary, createdAt }) => ({ id, commentary, createdAt })) } }
  }
  const comment = (call: FakeCall): FakeReply => {
    const { actor, object, message } = jsonOf(call) as { actor: string; object: string; message?: { text?: string } }
    versioned(call, writeScope(actor))
    const target = live.find(({ id }) => id === call.params.urn)
    if (!target || object !== target.id || !message?.text) throw refuse(400, 'The comment is not right')
    ;(target.comments as string[]).push(message.text)
    return { status: 201, body: { id: 'c1' } }
  }
  const acls = (call: FakeCall): FakeReply => {
    versioned(call, 'rw_organization_admin')
    if (call.query.get('q') !== 'roleAssignee') throw refuse(400, 'q')
    const elements = [...ORGANIZATIONS].map(([organization, { role }]) => ({ organization, role, state: 'APPROVED' }))
    return { body: { elements } }
  }
  const organization = (call: FakeCall): FakeReply => {
    versioned(call, 'rw_organization_admin')
    const found = ORGANIZATIONS.get(`urn:li:organization:${call.params.id}`)
    if (!found) throw refuse(404, 'Not found')
    return { body: { id: Number(call.params.id), ...found } }
  }
  const userinfo = (call: FakeCall): FakeReply => {
    signedIn(call, 'openid', 'profile')
    return { body: { sub: 'p1', name: 'Ada Page', picture: 'https://media.example/ada.jpg' } }
  }
  const me = (call: FakeCall): FakeReply => {
    signedIn(call, 'r_basicprofile')
    return { body: { id: 'p1', localizedFirstName: 'Ada', localizedLastName: 'Page' } }
  }

  return {
    overrides: { authorizeUrl: '/oauth/v2/authorization', tokenUrl: '/oauth/v2/accessToken', apiBase: '' },
    routes: [
      ...oauth.routes,
      { call: 'me', method: 'GET', path: '/v2/userinfo', answer: userinfo },
      { call: 'me', method: 'GET', path: '/v2/me', answer: me },
      { call: 'pages', method: 'GET', path: '/rest/organizationAcls', answer: acls },
      { call: 'page', method: 'GET', path: '/rest/organizations/:id', answer: organization },
      { call: 'initialize', method: 'POST', path: '/rest/images', answer: (call) => begin(call, 'image') },
      { call: 'status', method: 'GET', path: '/rest/images/:urn', answer: (call) => statusOf(call, 'image') },
      { call: 'video', method: 'POST', path: '/rest/videos', answer: videos },
      { call: 'status', method: 'GET', path: '/rest/videos/:urn', answer: (call) => statusOf(call, 'video') },
      { call: 'upload', method: 'PUT', path: '/up/:name/:part', answer: put },
      { call: 'commit', method: 'POST', path: '/rest/posts', answer: post },
      { call: 'list', method: 'GET', path: '/rest/posts', answer: list },
      { call: 'comment', method: 'POST', path: '/rest/socialActions/:urn/comments', answer: comment },
    ],
    posts: () => live,
  }
}

type Item = { id: string; altText?: string }

/** Reserved characters without a backslash are refused, except where a hashtag begins or goes on. */
const readLittleText = (text: string): string => {
  const plain = text.replace(/\\[\\|{}@[\]()<>#*_~]/g, '').replace(/#[\p{L}\p{N}_]+/gu, '')
  if (/[\\|{}@[\]()<>#*_~]/.test(plain))
    throw new FakeRefusal(400, { status: 400, message: 'commentary is not valid little text' })
  return text.replace(/\\(.)/g, '$1')
}
