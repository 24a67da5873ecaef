import type { Secret } from '@stoa/kit/secret.ts'
import { type FailureFacts, type FailureKind, NetworkFailure } from './failure.ts'
import { LineCut, type NetworkHttp, type NetworkReply, type NetworkRequest } from './http.ts'
import {
  type AccountReach,
  type Capabilities,
  type Draft,
  defineNetwork,
  type Endpoints,
  type Options,
  type Posted,
  type Problem,
  type Publishing,
  type PublishMedia,
} from './network.ts'
import { exchangeCode, refreshTokens, type TokenFacts, withClient } from './oauth.ts'
import {
  besideTokenUrl,
  isSuccess,
  LONG_TIMEOUT_MS,
  listOf,
  memberOf,
  recordOf,
  retryAfterOf,
  textOf,
  uploadTimeoutMs,
} from './read-reply.ts'

const endpoints: Endpoints = {
  authorizeUrl: 'https://www.tiktok.com/v2/auth/authorize/',
  tokenUrl: 'https://open.tiktokapis.com/v2/oauth/token/',
  apiBase: 'https://open.tiktokapis.com',
  uploadBase: '',
  apiVersion: '',
  scopes: ['user.info.basic', 'user.info.profile', 'video.publish', 'video.upload'],
}
const tokenFacts: TokenFacts = { scopeSeparator: ',', clientAuth: 'form', clientIdName: 'client_key' }

const PRIVACY_LEVELS = [
  { value: 'PUBLIC_TO_EVERYONE', label: 'Everyone' },
  { value: 'MUTUAL_FOLLOW_FRIENDS', label: 'Friends' },
  { value: 'FOLLOWER_OF_CREATOR', label: 'Followers' },
  { value: 'SELF_ONLY', label: 'Only you' },
] as const

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Progress = {
  publishId: string | null
  uploadUrl: string | null
  /** Of a video: how it is cut, and how many chunks arrived. */
  chunkBytes: number
  sent: number
}
type Reach = { http: NetworkHttp; endpoints: Endpoints; accessToken: Secret; now(): Date }

export const tiktok = defineNetwork<Progress>({
  label: 'TikTok',
  oauth: { endpoints, scopeSeparator: ',', pkce: false, clientIdName: 'client_key', hasEnvironment: false },
  limits: {
    captionMax: 2_200,
    captionCount: 'utf16',
    photoCaptionMax: 4_000,
    textOnly: false,
    imagesMax: 35,
    imageTypes: ['image/jpeg', 'image/webp'],
    imageMaxBytes: 20 * 2 ** 20,
    videoTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
    videoMaxBytes: 4 * 2 ** 30,
    videoSeconds: [3, 600],
    altText: { image: false, video: false, max: null },
    image: { delivery: 'url', maxWidth: 1_080, aspect: null, maxPixels: 1_080 * 1_920 },
    videoDelivery: 'upload',
    videoMinSide: 360,
    link: 'caption',
  },
  options: [
    {
      key: 'privacyLevel',
      type: 'select',
      label: 'Who can see it',
      help: 'Posts of an app that TikTok has not audited stay visible to you only',
      values: PRIVACY_LEVELS,
      required: true,
    },
    { key: 'allowComment', type: 'boolean', label: 'Allow comments' },
    { key: 'allowDuet', type: 'boolean', label: 'Allow duets' },
    { key: 'allowStitch', type: 'boolean', label: 'Allow stitches' },
    { key: 'brandContent', type: 'boolean', label: 'Paid partnership' },
    { key: 'brandOrganic', type: 'boolean', label: 'Promotes your own brand' },
    { key: 'aiGenerated', type: 'boolean', label: 'AI-generated' },
    { key: 'autoAddMusic', type: 'boolean', label: 'Add music to photos' },
    { key: 'photoTitle', type: 'text', label: 'Photo title', max: 90 },
    {
      key: 'postMode',
      type: 'select',
      label: 'How it is posted',
      values: [
        { value: 'DIRECT_POST', label: 'Post directly' },
        { value: 'MEDIA_UPLOAD', label: 'Send to your TikTok inbox' },
      ],
    },
  ],
  check: (draft) => [...privacyProblems(draft), ...lengthProblems(draft)],
  walkthrough: {
    checkedOn: '2026-10',
    leadTime: 'TikTok reviews the app, then audits it. Until the audit is done, posts are visible to you only.',
    steps: [
      {
        title: 'Create an app',
        body: 'Open developers.tiktok.com/apps and create an app for the platform Web, with the addresses of your terms and your privacy policy.',
      },
      {
        title: 'Add the products',
        body: 'Add Login Kit with the redirect URI {callback} (https only), and Content Posting API with Direct Post turned on.',
      },
      {
        title: 'Choose the scopes',
        body: 'Add user.info.basic, user.info.profile, video.publish and video.upload.',
      },
      {
        title: 'Verify your site',
        body: 'Verify the domain or URL prefix of your site in the app. Photo posts need it, because TikTok fetches photos from your site.',
      },
      {
        title: 'Copy the keys and submit',
        body: 'Copy the client key and the client secret. Submit the app for review, and then for the Direct Post audit.',
      },
    ],
  },
  unverified: [
    'How long a refresh token lasts (365 days)',
    'That TikTok counts captions in UTF-16 units',
    'The names of the states while a post is processed, and that uploaded_bytes is among the answers',
    'How long an upload address stays valid (1 hour)',
  ],

  async connect(reach, grant) {
    const { tokens, answer } = await exchangeCode(reach, tokenFacts, grant)
    const signedIn = { ...reach, accessToken: tokens.accessToken }
    const fields = 'open_id,union_id,avatar_url,display_name,username'
    const { json } = await call(signedIn, { path: '/v2/user/info/', query: { fields } })
    const user = recordOf(memberOf(json, 'data', 'user'))
    const handle = textOf(user.username) ?? null
    return [
      {
        remoteId: requireText(user.open_id ?? answer.open_id),
        name: textOf(user.display_name) ?? handle ?? 'TikTok',
        handle,
        avatarUrl: textOf(user.avatar_url) ?? null,
        profileUrl: handle && profileUrlOf(handle),
        kind: 'profile',
        tokens,
        capabilities: await readCapabilities(signedIn),
      },
    ]
  },
  refresh: {
    when: 'on-demand',
    run: async (reach, tokens) => (await refreshTokens(reach, tokenFacts, tokens)).tokens,
  },
  async revoke(reach, { accessToken }) {
    const url = besideTokenUrl(reach.endpoints.tokenUrl, '../revoke/')
    const reply = await reach.http({ url, ...withClient(reach, tokenFacts, { token: accessToken.reveal() }) })
    if (!isSuccess(reply)) throw failureOf(reply, reach.now())
  },
  capabilities: (reach) => readCapabilities(reach),

  publisher: {
    async upload(publishing) {
      const video = videoOf(publishing)
      if (!video) return
      let state = publishing.progress
      if (!state.publishId) {
        state = await beginVideo(publishing, video)
        await publishing.save(state)
      }
      const { count } = chunksOf(video.bytes, state.chunkBytes ?? video.bytes)
      for (let index = state.sent ?? 0; index < count - 1; index += 1) {
        await sendChunk(publishing, video, state, index)
        await publishing.save({ sent: index + 1 })
      }
    },
    async commit(publishing) {
      const video = videoOf(publishing)
      const { progress } = publishing
      if (!video) {
        const publishId = progress.publishId ?? (await beginPhotos(publishing))
        await publishing.save({ publishId })
        return settle(publishing, publishId)
      }
      const { count } = chunksOf(video.bytes, progress.chunkBytes ?? video.bytes)
      await sendChunk(publishing, video, progress, count - 1)
      return settle(publishing, requireText(progress.publishId))
    },
    async reconcile(publishing) {
      const { publishId } = publishing.progress
      const video = videoOf(publishing)
      // Without an id, no byte of a video was sent; photos may be on their way.
      if (!publishId) return video ? 'not-posted' : 'unknown'
      const status = await readStatus(publishing, publishId)
      await rethrow(publishing, status)
      // The last chunk goes to the same upload again, which cannot make a second post.
      const isIncomplete = status.name === 'PROCESSING_UPLOAD' && status.uploadedBytes !== video?.bytes
      return video && isIncomplete ? 'not-posted' : postedOf(publishing, publishId, status)
    },
    async confirm(publishing, posted) {
      const { postId, failure } = await readStatus(publishing, posted.remoteId)
      return { url: permalinkOf(publishing, postId) ?? posted.url, warnings: failure ? [failure.message] : [] }
    },
    lookAgain: {
      // Moderation gives out the id of a post, in a minute or in hours.
      afterMs: [10 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS],
      run: async (publishing, posted) =>
        permalinkOf(publishing, (await readStatus(publishing, posted.remoteId)).postId),
    },
  },
})

const privacyProblems = ({ options, capabilities }: Draft): Problem[] => {
  const key = 'options.privacyLevel'
  const level = options.privacyLevel
  if (level === undefined) return []
  const allowed = capabilities.privacyLevels
  if (allowed && !allowed.includes(String(level))) {
    const labels = PRIVACY_LEVELS.filter(({ value }) => allowed.includes(value)).map(({ label }) => label)
    return [{ key, message: `This TikTok account doesn't allow that. Choose one of: ${labels.join(', ')}.` }]
  }
  return options.brandContent === true && level === 'SELF_ONLY'
    ? [{ key, message: "TikTok doesn't allow paid partnerships that only you can see. Choose who else can see it." }]
    : []
}

const lengthProblems = ({ media, capabilities: { maxVideoSec } }: Draft): Problem[] =>
  media
    .filter(({ kind, seconds }) => kind === 'video' && maxVideoSec !== undefined && (seconds ?? 0) > maxVideoSec)
    .map(() => ({ key: 'media', message: `This TikTok account takes videos of up to ${maxVideoSec} seconds.` }))

const call = async (
  reach: Reach,
  { path, ...request }: Omit<NetworkRequest, 'url' | 'authorization'> & { path: string },
): Promise<NetworkReply> => {
  const reply = await reach.http({
    ...request,
    url: `${reach.endpoints.apiBase}${path}`,
    authorization: { scheme: 'Bearer', value: reach.accessToken },
  })
  // A 200 may be an error, too.
  if (isSuccess(reply) && memberOf(reply.json, 'error', 'code') === 'ok') return reply
  throw failureOf(reply, reach.now())
}

const requireText = (value: unknown): string => {
  const text = textOf(value)
  if (text !== undefined) return text
  throw new NetworkFailure({ kind: 'unknown', code: 'NO_ID', message: 'TikTok answered without an id' })
}

const readCapabilities = async (reach: Reach): Promise<Capabilities> => {
  const { json } = await call(reach, { path: '/v2/post/publish/creator_info/query/', body: { json: {} } })
  const info = recordOf(memberOf(json, 'data'))
  const maxVideoSec = Number(info.max_video_post_duration_sec)
  return {
    privacyLevels: listOf(info.privacy_level_options).filter((level) => typeof level === 'string'),
    ...(maxVideoSec > 0 && { maxVideoSec }),
  }
}

const videoOf = ({ outgoing }: Publishing<Progress>): PublishMedia | undefined =>
  outgoing.media.find(({ kind }) => kind === 'video')

const ONE_CHUNK_BYTES = 64_000_000
const CHUNK_BYTES = 32_000_000

/** Chunks are of one size; what is left over goes with the last, which may be up to 128 MB. */
export const chunksOf = (
  size: number,
  chunkBytes = size <= ONE_CHUNK_BYTES ? size : CHUNK_BYTES,
): { chunkBytes: number; count: number } => ({ chunkBytes, count: Math.max(1, Math.floor(size / chunkBytes)) })

const beginVideo = async (publishing: Publishing<Progress>, video: PublishMedia): Promise<Progress> => {
  const { caption, options } = publishing.outgoing
  const { chunkBytes, count } = chunksOf(video.bytes)
  const isInbox = options.postMode === 'MEDIA_UPLOAD'
  const source = { source: 'FILE_UPLOAD', video_size: video.bytes, chunk_size: chunkBytes, total_chunk_count: count }
  const info = {
    title: caption,
    ...postInfoOf(options),
    disable_duet: options.allowDuet !== true,
    disable_stitch: options.allowStitch !== true,
    is_aigc: options.aiGenerated === true,
    video_cover_timestamp_ms: 0,
  }
  const { json } = await call(publishing, {
    path: isInbox ? '/v2/post/publish/inbox/video/init/' : '/v2/post/publish/video/init/',
    body: { json: { ...(!isInbox && { post_info: info }), source_info: source } },
  })
  return {
    publishId: requireText(memberOf(json, 'data', 'publish_id')),
    uploadUrl: requireText(memberOf(json, 'data', 'upload_url')),
    chunkBytes,
    sent: 0,
  }
}

/** TikTok wants everything off that nobody turned on. */
const postInfoOf = (options: Options): Record<string, unknown> => ({
  privacy_level: options.privacyLevel,
  disable_comment: options.allowComment !== true,
  brand_content_toggle: options.brandContent === true,
  brand_organic_toggle: options.brandOrganic === true,
})

const sendChunk = async (
  publishing: Publishing<Progress>,
  video: PublishMedia,
  { uploadUrl, chunkBytes = video.bytes }: Partial<Progress>,
  index: number,
): Promise<void> => {
  const { count } = chunksOf(video.bytes, chunkBytes)
  const from = index * chunkBytes
  const to = index === count - 1 ? video.bytes : from + chunkBytes
  const reply = await publishing.http({
    method: 'PUT',
    url: requireText(uploadUrl),
    isHandedOut: true,
    headers: { 'content-range': `bytes ${from}-${to - 1}/${video.bytes}` },
    body: { bytes: video.read({ from, to }), length: to - from, type: video.type },
    timeoutMs: uploadTimeoutMs(to - from),
  })
  if (isSuccess(reply)) return
  if (![403, 404, 410].includes(reply.status)) throw failureOf(reply, publishing.now())
  await publishing.save({ publishId: null, uploadUrl: null, sent: 0 })
  throw new NetworkFailure({
    kind: 'transient',
    code: 'UPLOAD_EXPIRED',
    message: 'The upload to TikTok has expired and starts again',
    httpStatus: reply.status,
  })
}

const beginPhotos = async (publishing: Publishing<Progress>): Promise<string> => {
  const { caption, options, media } = publishing.outgoing
  const photos: string[] = []
  for (const file of media) photos.push(await file.publicUrl())
  const { json } = await call(publishing, {
    path: '/v2/post/publish/content/init/',
    timeoutMs: LONG_TIMEOUT_MS,
    body: {
      json: {
        media_type: 'PHOTO',
        post_mode: textOf(options.postMode) ?? 'DIRECT_POST',
        post_info: {
          title: textOf(options.photoTitle) ?? '',
          description: caption,
          ...postInfoOf(options),
          auto_add_music: options.autoAddMusic === true,
        },
        source_info: { source: 'PULL_FROM_URL', photo_images: photos, photo_cover_index: 0 },
      },
    },
  })
  return requireText(memberOf(json, 'data', 'publish_id'))
}

type Status = { name: string; postId?: string; uploadedBytes?: number; failure?: NetworkFailure }

const readStatus = async (publishing: Publishing<Progress>, publishId: string): Promise<Status> => {
  const reply = await call(publishing, {
    path: '/v2/post/publish/status/fetch/',
    body: { json: { publish_id: publishId } },
  })
  const data = recordOf(memberOf(reply.json, 'data'))
  const name = textOf(data.status) ?? ''
  // TikTok's own spelling.
  const postId = textOf(listOf(data.publicaly_available_post_id)[0])
  const reason = textOf(data.fail_reason) ?? name
  return {
    name,
    ...(postId !== undefined && { postId }),
    ...(typeof data.uploaded_bytes === 'number' && { uploadedBytes: data.uploaded_bytes }),
    ...(name === 'FAILED' && {
      failure: new NetworkFailure({
        ...classify(reply, reason, publishing.now()),
        code: reason,
        message: `TikTok could not publish the post: ${reason}`,
      }),
    }),
  }
}

/** The post is with TikTok now: only a failure that it reports is one, and the next try starts from the beginning. */
const settle = async (publishing: Publishing<Progress>, publishId: string): Promise<Posted> => {
  const status = await readStatus(publishing, publishId).catch((error: unknown) => {
    if (error instanceof NetworkFailure || error instanceof LineCut) return { name: 'PROCESSING' }
    throw error
  })
  await rethrow(publishing, status)
  return postedOf(publishing, publishId, status)
}

const rethrow = async (publishing: Publishing<Progress>, { failure }: Status): Promise<void> => {
  if (!failure) return
  await publishing.save({ publishId: null, uploadUrl: null, sent: 0 })
  throw failure
}

const postedOf = (publishing: Publishing<Progress>, publishId: string, { postId }: Status): Posted => ({
  remoteId: publishId,
  url: permalinkOf(publishing, postId) ?? (publishing.account.handle && profileUrlOf(publishing.account.handle)),
})

const profileUrlOf = (handle: string): string => `https://www.tiktok.com/@${handle}`

const permalinkOf = ({ account, outgoing }: AccountReach & Pick<Publishing<Progress>, 'outgoing'>, id?: string) => {
  const kind = outgoing.media.some((file) => file.kind === 'video') ? 'video' : 'photo'
  return id !== undefined && account.handle !== null ? `${profileUrlOf(account.handle)}/${kind}/${id}` : null
}

const failureOf = (reply: NetworkReply, now: Date): NetworkFailure => {
  const error = recordOf(memberOf(reply.json, 'error'))
  const code = textOf(error.code) ?? `HTTP_${reply.status}`
  const traceId = textOf(error.log_id)
  return new NetworkFailure({
    ...classify(reply, code, now),
    code,
    message: textOf(error.message) ?? (textOf(error.code) || `TikTok answered ${reply.status}`),
    httpStatus: reply.status,
    ...(traceId !== undefined && { traceId }),
  })
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  internal_error: 'transient',
  video_pull_failed: 'transient',
  photo_pull_failed: 'transient',
  rate_limit_exceeded: 'rate',
  spam_risk_too_many_posts: 'rate',
  spam_risk_too_many_pending_share: 'rate',
  reached_active_user_cap: 'rate',
  access_token_invalid: 'auth',
  scope_not_authorized: 'auth',
  scope_permission_missed: 'auth',
  spam_risk: 'policy',
  spam_risk_text: 'policy',
  spam_risk_user_banned_from_posting: 'policy',
  unaudited_client_can_only_post_to_private_accounts: 'policy',
  url_ownership_unverified: 'policy',
  privacy_level_option_mismatch: 'policy',
}

const classify = (reply: NetworkReply, code: string, now: Date): Pick<FailureFacts, 'kind' | 'retryAt' | 'pauses'> => {
  const kind = KINDS[code] ?? kindOfStatus(reply.status)
  if (kind !== 'rate') return { kind }
  const isDaily = code.startsWith('spam_risk') || code === 'reached_active_user_cap'
  return {
    kind,
    retryAt: retryAfterOf(reply.headers, now) ?? new Date(now.getTime() + (isDaily ? DAY_MS : MINUTE_MS)),
    pauses: code === 'reached_active_user_cap' ? 'app' : 'account',
  }
}

const kindOfStatus = (status: number): FailureKind => {
  if (status === 429) return 'rate'
  if (status === 401) return 'auth'
  return status >= 500 || status === 408 ? 'transient' : 'invalid'
}
