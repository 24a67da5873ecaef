import { captionUrls } from '@stoa/cms-model/caption-urls.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import { type FailureFacts, type FailureKind, NetworkFailure } from './failure.ts'
import type { NetworkHttp, NetworkReply, NetworkRequest } from './http.ts'
import {
  type AccountReach,
  type Capabilities,
  type Draft,
  defineNetwork,
  type Endpoints,
  type Posted,
  type Problem,
  type Publishing,
  type PublishMedia,
} from './network.ts'
import { exchangeCode, refreshTokens, type TokenFacts, withClient } from './oauth.ts'
import {
  besideTokenUrl,
  epochHeaderOf,
  isSince,
  isSuccess,
  LONG_TIMEOUT_MS,
  listOf,
  memberOf,
  recordOf,
  retryAfterOf,
  textOf,
} from './read-reply.ts'

const endpoints: Endpoints = {
  authorizeUrl: 'https://x.com/i/oauth2/authorize',
  tokenUrl: 'https://api.x.com/2/oauth2/token',
  apiBase: 'https://api.x.com',
  uploadBase: '',
  apiVersion: '',
  scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
}
const tokenFacts: TokenFacts = { scopeSeparator: ' ', clientAuth: 'basic' }

const LONG_CAPTION_MAX = 25_000
const SEGMENT_BYTES = 4 * 2 ** 20

type MediaState = {
  id: string
  expiresAt: string
  /** Segments that arrived. */
  sent: number
  isFinal?: boolean
  isReady?: boolean
  hasAlt?: boolean
}
type Progress = { media: MediaState[] }

export const x = defineNetwork<Progress>({
  label: 'X',
  oauth: { endpoints, scopeSeparator: ' ', pkce: true, hasEnvironment: true },
  limits: {
    captionMax: 280,
    captionCount: 'x',
    textOnly: true,
    imagesMax: 4,
    imageTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
    imageMaxBytes: 5 * 2 ** 20,
    videoTypes: ['video/mp4', 'video/quicktime'],
    videoMaxBytes: 512 * 2 ** 20,
    videoSeconds: [0.5, 140],
    altText: { image: true, video: false, max: 1_000 },
    image: { delivery: 'upload', maxWidth: null, aspect: null },
    videoDelivery: 'upload',
    videoAspect: [1 / 3, 3],
    link: 'caption',
  },
  options: [
    {
      key: 'replySettings',
      type: 'select',
      label: 'Who can reply',
      values: [
        { value: 'everyone', label: 'Everyone' },
        { value: 'following', label: 'Accounts you follow' },
        { value: 'mentionedUsers', label: 'Accounts you mention' },
        { value: 'subscribers', label: 'Subscribers' },
        { value: 'verified', label: 'Verified accounts' },
      ],
    },
    { key: 'madeWithAi', type: 'boolean', label: 'Made with AI' },
    { key: 'paidPartnership', type: 'boolean', label: 'Paid partnership' },
  ],
  check: (draft) => [...cashtagProblems(draft), ...gifProblems(draft)],
  walkthrough: {
    checkedOn: '2026-10',
    leadTime: 'Ready immediately. X charges for each post, so your app needs credits.',
    steps: [
      {
        title: 'Create an app',
        body: 'Open console.x.com, create a project with an app, and buy credits. X charges about 0.015 USD for a post and 0.20 USD for a post with a link.',
      },
      {
        title: 'Turn on sign-in',
        body: 'In User authentication settings, choose the permissions "Read and write" and the type "Web App".',
      },
      {
        title: 'Add the callback',
        body: 'Enter {callback} as Callback URI, exactly as it is here, and the address of your site as Website URL.',
      },
      {
        title: 'Copy the keys',
        body: "In Keys and tokens, copy the OAuth 2.0 Client ID and Client Secret. The API key and its secret don't work here.",
      },
    ],
  },
  unverified: [
    'Posts of up to 25,000 characters for accounts with a blue or business check mark',
    'Whether a refresh token is replaced with every use',
    'How X words its answer to a duplicate post',
  ],

  async connect(reach, grant) {
    const { tokens } = await exchangeCode(reach, tokenFacts, grant)
    const user = await readMe(reach, tokens.accessToken)
    return [{ ...user, kind: 'profile', tokens }]
  },
  refresh: {
    when: 'on-demand',
    run: async (reach, tokens) => (await refreshTokens(reach, tokenFacts, tokens)).tokens,
  },
  async revoke(reach, { accessToken, refreshToken }) {
    const url = besideTokenUrl(reach.endpoints.tokenUrl, 'revoke')
    const held = [
      { token: refreshToken, token_type_hint: 'refresh_token' },
      { token: accessToken, token_type_hint: 'access_token' },
    ]
    for (const { token, token_type_hint } of held)
      if (token) {
        const form = { token: token.reveal(), token_type_hint }
        succeed(await reach.http({ url, ...withClient(reach, tokenFacts, form) }), reach.now())
      }
  },
  capabilities: async (reach) => (await readMe(reach, reach.accessToken)).capabilities,

  publisher: {
    async upload(publishing) {
      const media = freshMedia(publishing)
      for (const [index, file] of publishing.outgoing.media.entries()) {
        const keep = async (change: Partial<MediaState>): Promise<MediaState> => {
          const next = { ...(media[index] ?? { id: '', expiresAt: '', sent: 0 }), ...change }
          media[index] = next
          await publishing.save({ media: [...media] })
          return next
        }
        const state = needsSegments(file)
          ? await sendSegments(publishing, file, media[index], keep)
          : (media[index] ?? (await keep(await sendImage(publishing, file))))
        if (file.kind === 'image' && file.alt !== '' && !state.hasAlt) {
          await describe(publishing, state.id, file.alt)
          await keep({ hasAlt: true })
        }
      }
    },
    async wait(publishing) {
      const media = [...(publishing.progress.media ?? [])]
      for (const [index, state] of media.entries()) {
        if (state.isReady) continue
        if (!(await isProcessed(publishing, state.id))) return 'processing'
        media[index] = { ...state, isReady: true }
        await publishing.save({ media: [...media] })
      }
      return 'ready'
    },
    async commit(publishing) {
      const { outgoing, progress } = publishing
      const ids = (progress.media ?? []).map(({ id }) => id)
      const { replySettings, madeWithAi, paidPartnership } = outgoing.options
      const json = {
        ...(outgoing.caption !== '' && { text: outgoing.caption }),
        ...(ids.length > 0 && { media: { media_ids: ids } }),
        ...(typeof replySettings === 'string' && replySettings !== 'everyone' && { reply_settings: replySettings }),
        ...(madeWithAi === true && { made_with_ai: true }),
        ...(paidPartnership === true && { paid_partnership: true }),
      }
      const reply = await call(publishing, { path: '/2/tweets', body: { json }, timeoutMs: LONG_TIMEOUT_MS })
      return postedOf(publishing, requireId(reply))
    },
    reconcile,
  },
})

/** `$` before one to six letters; X takes one of them in a post. */
const CASHTAG = /(?<![\p{L}\p{N}$])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?![\p{L}\p{N}_])/giu

const cashtagProblems = ({ caption }: Draft): Problem[] => {
  const count = caption.match(CASHTAG)?.length ?? 0
  return count > 1 ? [{ key: 'caption', message: `X allows one cashtag in a post; this one has ${count}.` }] : []
}

const gifProblems = ({ media }: Draft): Problem[] =>
  media.length > 1 && media.some(({ type }) => type === 'image/gif')
    ? [{ key: 'media', message: 'X takes a GIF only by itself. Remove the other files, or the GIF.' }]
    : []

const call = async (
  reach: AccountReach,
  { path, ...request }: Omit<NetworkRequest, 'url' | 'authorization'> & { path: string },
): Promise<NetworkReply> =>
  succeed(
    await reach.http({
      ...request,
      url: `${reach.endpoints.apiBase}${path}`,
      authorization: { scheme: 'Bearer', value: reach.accessToken },
    }),
    reach.now(),
  )

const readMe = async (
  reach: { http: NetworkHttp; endpoints: Endpoints; now(): Date },
  accessToken: Secret,
): Promise<{
  remoteId: string
  name: string
  handle: string | null
  avatarUrl: string | null
  profileUrl: string | null
  capabilities: Capabilities
}> => {
  const reply = await reach.http({
    url: `${reach.endpoints.apiBase}/2/users/me`,
    query: { 'user.fields': 'username,name,profile_image_url,verified,verified_type' },
    authorization: { scheme: 'Bearer', value: accessToken },
  })
  const user = recordOf(memberOf(succeed(reply, reach.now()).json, 'data'))
  const handle = textOf(user.username) ?? null
  const hasLongPosts = user.verified === true && ['blue', 'business'].includes(String(user.verified_type))
  return {
    remoteId: requireId(reply),
    name: textOf(user.name) ?? handle ?? 'X',
    handle,
    avatarUrl: textOf(user.profile_image_url) ?? null,
    profileUrl: handle && `https://x.com/${handle}`,
    capabilities: hasLongPosts ? { captionMax: LONG_CAPTION_MAX } : {},
  }
}

const requireId = (reply: NetworkReply): string => {
  const id = textOf(memberOf(reply.json, 'data', 'id'))
  if (id !== undefined) return id
  throw new NetworkFailure({
    kind: 'unknown',
    code: 'NO_ID',
    message: 'X answered without an id',
    httpStatus: reply.status,
  })
}

const needsSegments = (file: PublishMedia): boolean => file.kind === 'video' || file.type === 'image/gif'

/** What was uploaded is kept by X for a day; what is older is uploaded again. */
const freshMedia = (publishing: Publishing<Progress>): (MediaState | undefined)[] & MediaState[] => {
  const known = publishing.progress.media ?? []
  const isStale = known.some((state) => Date.parse(state.expiresAt) <= publishing.now().getTime())
  return isStale ? [] : [...known]
}

const DAY_SECONDS = 86_400
const expiryOf = (publishing: AccountReach, reply: NetworkReply): string => {
  const seconds = Number(memberOf(reply.json, 'data', 'expires_after_secs') ?? DAY_SECONDS)
  return new Date(publishing.now().getTime() + (Number.isFinite(seconds) ? seconds : 0) * 1_000).toISOString()
}

const sendImage = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<Partial<MediaState>> => {
  const reply = await call(publishing, {
    path: '/2/media/upload',
    timeoutMs: LONG_TIMEOUT_MS,
    body: {
      multipart: [
        { name: 'media_category', value: 'tweet_image' },
        { name: 'media', filename: file.filename, type: file.type, bytes: file.read(), length: file.bytes },
      ],
    },
  })
  return { id: requireId(reply), expiresAt: expiryOf(publishing, reply), isFinal: true, isReady: true }
}

const sendSegments = async (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  known: MediaState | undefined,
  keep: (change: Partial<MediaState>) => Promise<MediaState>,
): Promise<MediaState> => {
  let state = known ?? (await keep(await beginSegments(publishing, file)))
  const path = `/2/media/upload/${encodeURIComponent(state.id)}`
  while (!state.isFinal && state.sent * SEGMENT_BYTES < file.bytes) {
    const from = state.sent * SEGMENT_BYTES
    const to = Math.min(from + SEGMENT_BYTES, file.bytes)
    await call(publishing, {
      path: `${path}/append`,
      timeoutMs: LONG_TIMEOUT_MS,
      body: {
        multipart: [
          { name: 'segment_index', value: String(state.sent) },
          {
            name: 'media',
            filename: file.filename,
            type: 'application/octet-stream',
            bytes: file.read({ from, to }),
            length: to - from,
          },
        ],
      },
    })
    state = await keep({ sent: state.sent + 1 })
  }
  if (state.isFinal) return state
  const reply = await call(publishing, { method: 'POST', path: `${path}/finalize`, timeoutMs: LONG_TIMEOUT_MS })
  return keep({ isFinal: true, isReady: stateOf(reply) === 'succeeded' })
}

const beginSegments = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<Partial<MediaState>> => {
  const json = {
    media_type: file.type,
    total_bytes: file.bytes,
    media_category: file.kind === 'video' ? 'tweet_video' : 'tweet_gif',
  }
  const reply = await call(publishing, { path: '/2/media/upload/initialize', body: { json } })
  return { id: requireId(reply), expiresAt: expiryOf(publishing, reply), sent: 0 }
}

/** An answer without a state needs no processing. */
const stateOf = (reply: NetworkReply): string => {
  const info = recordOf(memberOf(reply.json, 'data', 'processing_info'))
  if (info.state !== 'failed') return textOf(info.state) ?? 'succeeded'
  throw new NetworkFailure({
    kind: 'invalid',
    code: textOf(memberOf(info, 'error', 'name')) ?? 'PROCESSING_FAILED',
    message: textOf(memberOf(info, 'error', 'message')) ?? 'X could not process the file',
    httpStatus: reply.status,
  })
}

const isProcessed = async (publishing: Publishing<Progress>, id: string): Promise<boolean> => {
  const query = { command: 'STATUS', media_id: id }
  return stateOf(await call(publishing, { path: '/2/media/upload', query })) === 'succeeded'
}

const describe = async (publishing: Publishing<Progress>, id: string, text: string): Promise<void> => {
  const json = { id, metadata: { alt_text: { text } } }
  await call(publishing, { path: '/2/media/metadata', body: { json } })
}

const postedOf = ({ account }: AccountReach, id: string): Posted => ({
  remoteId: id,
  url: `https://x.com/${account.handle ?? 'i'}/status/${id}`,
})

const RECENT = 5

async function reconcile(publishing: Publishing<Progress>): Promise<Posted | 'not-posted' | 'unknown'> {
  const { account, outgoing } = publishing
  const reply = await call(publishing, {
    path: `/2/users/${encodeURIComponent(account.remoteId)}/tweets`,
    query: { max_results: RECENT, 'tweet.fields': 'created_at,entities,note_tweet' },
  })
  const recent = listOf(memberOf(reply.json, 'data')).map(recordOf)
  const since = recent.filter((post) => isSince(post.created_at, outgoing.since))
  const found = since.find((post) => isSamePost(outgoing.caption, post))
  const id = textOf(found?.id)
  if (id !== undefined) return postedOf(publishing, id)
  return since.length >= RECENT ? 'unknown' : 'not-posted'
}

/** X puts its own short addresses in place of all others, adds one for files, and says which are behind them. */
const isSamePost = (caption: string, post: Readonly<Record<string, unknown>>): boolean => {
  const long = recordOf(post.note_tweet)
  const theirs = splitUrls(decodeText(textOf(long.text) ?? textOf(post.text) ?? ''))
  const ours = splitUrls(caption)
  if (theirs.text !== ours.text) return false
  const entities = memberOf(long, 'entities', 'urls') ?? memberOf(post, 'entities', 'urls')
  if (entities === undefined) return true
  const expanded = listOf(entities).map((entity) => textOf(memberOf(entity, 'expanded_url')) ?? '')
  const links = expanded.filter((url) => !/\/(?:photo|video)\/\d+$/.test(url)).map(plainUrl)
  return JSON.stringify(links) === JSON.stringify(ours.urls)
}

const splitUrls = (text: string): { text: string; urls: string[] } => {
  const normal = text.normalize('NFC')
  const urls: string[] = []
  let kept = ''
  let at = 0
  for (const url of captionUrls(normal)) {
    kept += normal.slice(at, url.start)
    urls.push(plainUrl(normal.slice(url.start, url.end)))
    at = url.end
  }
  return { text: (kept + normal.slice(at)).replace(/\s+/g, ' ').trim(), urls }
}

const plainUrl = (url: string): string =>
  url
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase()

const decodeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const succeed = (reply: NetworkReply, now: Date): NetworkReply => {
  if (isSuccess(reply)) return reply
  throw failureOf(reply, now)
}

const failureOf = (reply: NetworkReply, now: Date): NetworkFailure => {
  const body = recordOf(reply.json)
  const first = recordOf(listOf(body.errors)[0])
  const type = textOf(body.type) ?? textOf(first.type) ?? ''
  const message = textOf(body.detail) ?? textOf(first.message) ?? textOf(first.detail) ?? textOf(body.title)
  const traceId = reply.headers.get('x-transaction-id')
  const kind = kindOf(reply.status, { type, title: textOf(body.title) ?? '', message: message ?? '' })
  return new NetworkFailure({
    kind,
    code: type.startsWith('http') ? (type.split('/').at(-1) ?? type) : `HTTP_${reply.status}`,
    message: message ?? textOf(body.error_description) ?? `X answered ${reply.status}`,
    httpStatus: reply.status,
    ...(traceId !== null && { traceId }),
    ...(kind === 'rate' && pauseOf(reply.headers, now)),
  })
}

const kindOf = (
  status: number,
  { type, title, message }: Record<'type' | 'title' | 'message', string>,
): FailureKind => {
  if (status === 402 || type.endsWith('usage-capped') || /credits/i.test(`${type} ${title}`)) return 'billing'
  if (status === 429) return 'rate'
  if (status === 401) return 'auth'
  if (status >= 500 || status === 408) return 'transient'
  if (status === 403) return /duplicate content/i.test(message) ? 'duplicate' : 'policy'
  return 'invalid'
}

const pauseOf = (headers: Headers, now: Date): Pick<FailureFacts, 'retryAt' | 'pauses'> => {
  const isUsedUp = (limit: string): boolean => headers.get(`${limit}-remaining`) === '0'
  const ofApp = isUsedUp('x-app-limit-24hour') && epochHeaderOf(headers, 'x-app-limit-24hour-reset')
  if (ofApp) return { retryAt: ofApp, pauses: 'app' }
  const ofUser = isUsedUp('x-user-limit-24hour') && epochHeaderOf(headers, 'x-user-limit-24hour-reset')
  const retryAt = ofUser || (epochHeaderOf(headers, 'x-rate-limit-reset') ?? retryAfterOf(headers, now))
  return { ...(retryAt && { retryAt }), pauses: 'account' }
}
