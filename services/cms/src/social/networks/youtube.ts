import type { Secret } from '@stoa/kit/secret.ts'
import { type FailureFacts, type FailureKind, NetworkFailure } from './failure.ts'
import type { NetworkReply } from './http.ts'
import {
  type Draft,
  defineNetwork,
  type Endpoints,
  type Outgoing,
  type Posted,
  type Problem,
  type Publishing,
  type PublishMedia,
} from './network.ts'
import { exchangeCode, refreshTokens, type TokenFacts } from './oauth.ts'
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
  warningOf,
} from './read-reply.ts'

const endpoints: Endpoints = {
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  apiBase: 'https://www.googleapis.com/youtube/v3',
  uploadBase: 'https://www.googleapis.com/upload/youtube/v3',
  apiVersion: '',
  scopes: ['https://www.googleapis.com/auth/youtube.upload', 'https://www.googleapis.com/auth/youtube.readonly'],
}
const tokenFacts: TokenFacts = { scopeSeparator: ' ', clientAuth: 'form' }

/** A multiple of 256 KiB, as resumable uploads want. */
const CHUNK_BYTES = 32 * 2 ** 20
const TAGS_MAX = 500

type Progress = { session: string | null; sent: number; videoId: string; hasThumbnail: boolean }

export const youtube = defineNetwork<Progress>({
  label: 'YouTube',
  oauth: {
    endpoints,
    scopeSeparator: ' ',
    pkce: true,
    authorizeParams: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    hasEnvironment: false,
  },
  limits: {
    captionMax: 5_000,
    captionCount: 'utf8-bytes',
    textOnly: false,
    imagesMax: 0,
    imageTypes: [],
    imageMaxBytes: 0,
    videoTypes: [
      'video/mp4',
      'video/quicktime',
      'video/webm',
      'video/mpeg',
      'video/x-msvideo',
      'video/x-matroska',
      'video/x-ms-wmv',
      'video/x-flv',
      'video/3gpp',
      'video/ogg',
    ],
    videoMaxBytes: 256 * 2 ** 30,
    videoSeconds: [1, 43_200],
    altText: { image: false, video: false, max: null },
    image: { delivery: 'upload', maxWidth: null, aspect: null },
    videoDelivery: 'upload',
    link: 'caption',
  },
  options: [
    { key: 'title', type: 'text', label: 'Title', required: true, max: 100 },
    { key: 'tags', type: 'tags', label: 'Tags' },
    {
      key: 'privacyStatus',
      type: 'select',
      label: 'Who can see it',
      values: [
        { value: 'public', label: 'Everyone' },
        { value: 'unlisted', label: 'Anyone with the link' },
        { value: 'private', label: 'Only you' },
      ],
    },
    {
      key: 'categoryId',
      type: 'select',
      label: 'Category',
      values: [
        { value: '22', label: 'People and blogs' },
        { value: '2', label: 'Autos and vehicles' },
        { value: '23', label: 'Comedy' },
        { value: '27', label: 'Education' },
        { value: '24', label: 'Entertainment' },
        { value: '1', label: 'Film and animation' },
        { value: '20', label: 'Gaming' },
        { value: '26', label: 'How-to and style' },
        { value: '10', label: 'Music' },
        { value: '25', label: 'News and politics' },
        { value: '29', label: 'Nonprofits and activism' },
        { value: '15', label: 'Pets and animals' },
        { value: '28', label: 'Science and technology' },
        { value: '17', label: 'Sports' },
        { value: '19', label: 'Travel and events' },
      ],
    },
    { key: 'madeForKids', type: 'boolean', label: 'Made for kids', required: true },
    { key: 'notifySubscribers', type: 'boolean', label: 'Notify subscribers' },
    { key: 'thumbnailMediaId', type: 'media', label: 'Thumbnail' },
  ],
  check: (draft) => [...bracketProblems(draft), ...tagProblems(draft)],
  walkthrough: {
    checkedOn: '2026-10',
    leadTime: 'Ready immediately, but videos stay private until Google has audited your project.',
    steps: [
      {
        title: 'Create a project',
        body: 'Open console.cloud.google.com, create a project and enable the YouTube Data API v3.',
      },
      {
        title: 'Set up the consent screen',
        body: 'In Google Auth Platform, choose External, add the scopes youtube.upload and youtube.readonly, and publish the app. While it is in Testing, connections end after 7 days.',
      },
      {
        title: 'Create a client',
        body: 'In Credentials, create an OAuth client ID of the type Web application, with {callback} as authorized redirect URI.',
      },
      { title: 'Copy the keys', body: 'Copy the Client ID and the Client secret.' },
      {
        title: 'Ask for an audit',
        body: 'File the YouTube API audit. Videos that are uploaded before it is done stay private.',
      },
    ],
  },
  unverified: [
    'That a description takes 5,000 bytes',
    'That channels which are not verified may upload up to 15 minutes',
    'That chunks have to be a multiple of 256 KiB',
  ],

  async connect(reach, grant) {
    const { tokens } = await exchangeCode(reach, tokenFacts, grant)
    const reply = await reach.http({
      url: `${reach.endpoints.apiBase}/channels`,
      query: { part: 'snippet', mine: 'true' },
      authorization: bearer(tokens.accessToken),
    })
    const channels = listOf(memberOf(succeed(reply, reach.now()).json, 'items')).map(recordOf)
    if (channels.length === 0)
      throw new NetworkFailure({
        kind: 'auth',
        code: 'NO_CHANNEL',
        message: 'This Google account has no YouTube channel. Create one on YouTube, then connect again.',
      })
    return channels.map((channel) => {
      const snippet = recordOf(channel.snippet)
      const id = requireText(channel.id)
      return {
        remoteId: id,
        name: textOf(snippet.title) ?? 'YouTube',
        handle: textOf(snippet.customUrl)?.replace(/^@/, '') ?? null,
        avatarUrl: textOf(memberOf(snippet, 'thumbnails', 'default', 'url')) ?? null,
        profileUrl: `https://www.youtube.com/channel/${id}`,
        kind: 'channel',
        tokens,
        capabilities: {},
      }
    })
  },
  refresh: {
    when: 'on-demand',
    run: async (reach, tokens) => (await refreshTokens(reach, tokenFacts, tokens)).tokens,
  },
  async revoke(reach, { accessToken, refreshToken }) {
    const url = besideTokenUrl(reach.endpoints.tokenUrl, 'revoke')
    const form = { token: (refreshToken ?? accessToken).reveal() }
    succeed(await reach.http({ url, body: { form } }), reach.now())
  },

  publisher: {
    async upload(publishing) {
      const video = requireVideo(publishing)
      const resumed = await resume(publishing, video)
      if (resumed === null) return
      const { session } = resumed
      let { sent } = resumed
      while (video.bytes - sent > CHUNK_BYTES) {
        const answer = await sendFrom(publishing, video, session, sent)
        if ('id' in answer) return
        sent = answer.sent
      }
    },
    async commit(publishing) {
      const { progress } = publishing
      if (progress.videoId) return postedOf(progress.videoId)
      const video = requireVideo(publishing)
      const session = requireText(progress.session)
      let sent = progress.sent ?? 0
      for (;;) {
        const answer = await sendFrom(publishing, video, session, sent)
        if ('id' in answer) return postedOf(answer.id)
        if (answer.sent <= sent)
          throw new NetworkFailure({ kind: 'transient', code: 'NO_PROGRESS', message: 'YouTube took no more bytes' })
        sent = answer.sent
      }
    },
    async reconcile(publishing) {
      const { session, videoId } = publishing.progress
      if (videoId) return postedOf(videoId)
      if (!session) return 'not-posted'
      const answer = await probe(publishing, requireVideo(publishing), session)
      return answer && 'id' in answer ? postedOf(answer.id) : 'not-posted'
    },
    async confirm(publishing, posted) {
      const warnings = [...(await setThumbnail(publishing, posted)), ...(await checkVideo(publishing, posted))]
      return { url: posted.url, warnings }
    },
  },
})

const bracketProblems = ({ caption, options }: Draft): Problem[] => {
  const texts: [Problem['key'], string, string][] = [
    ['caption', 'The description', caption],
    ['options.title', 'The title', textOf(options.title) ?? ''],
    ['options.tags', 'A tag', tagsOf(options.tags).join(' ')],
  ]
  return texts
    .filter(([, , text]) => /[<>]/.test(text))
    .map(([key, name]) => ({ key, message: `${name} contains < or >, which YouTube doesn't allow.` }))
}

/** YouTube counts the commas between tags, and quotes around those with spaces. */
const tagProblems = ({ options }: Draft): Problem[] => {
  const tags = tagsOf(options.tags)
  const total = tags.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1))
  return total > TAGS_MAX
    ? [{ key: 'options.tags', message: `Tags are ${total} characters together; YouTube takes up to ${TAGS_MAX}.` }]
    : []
}

const tagsOf = (value: unknown): string[] => listOf(value).filter((tag): tag is string => typeof tag === 'string')

const bearer = (value: Secret) => ({ scheme: 'Bearer', value }) as const

const requireText = (value: unknown): string => {
  const text = textOf(value)
  if (text !== undefined) return text
  throw new NetworkFailure({ kind: 'unknown', code: 'NO_ID', message: 'YouTube answered without an id' })
}

const requireVideo = ({ outgoing }: Publishing<Progress>): PublishMedia => {
  const video = outgoing.media.find(({ kind }) => kind === 'video')
  if (video) return video
  throw new NetworkFailure({ kind: 'invalid', code: 'VIDEO_REQUIRED', message: 'YouTube posts need a video' })
}

const postedOf = (id: string): Posted => ({ remoteId: id, url: `https://www.youtube.com/watch?v=${id}` })

const beginSession = async (publishing: Publishing<Progress>, video: PublishMedia): Promise<string> => {
  const { options } = publishing.outgoing
  const reply = await publishing.http({
    method: 'POST',
    url: `${publishing.endpoints.uploadBase}/videos`,
    query: {
      uploadType: 'resumable',
      part: 'snippet,status',
      notifySubscribers: String(options.notifySubscribers !== false),
    },
    headers: { 'x-upload-content-type': video.type, 'x-upload-content-length': String(video.bytes) },
    authorization: bearer(publishing.accessToken),
    body: { json: metadataOf(publishing.outgoing) },
  })
  const session = requireText(succeed(reply, publishing.now()).headers.get('location'))
  await publishing.save({ session, sent: 0 })
  return session
}

const metadataOf = ({ caption, options }: Outgoing): Record<string, unknown> => {
  const tags = tagsOf(options.tags)
  return {
    snippet: {
      title: options.title,
      description: caption,
      ...(tags.length > 0 && { tags }),
      categoryId: textOf(options.categoryId) ?? '22',
    },
    status: {
      privacyStatus: textOf(options.privacyStatus) ?? 'public',
      selfDeclaredMadeForKids: options.madeForKids === true,
    },
  }
}

type Answer = { id: string } | { sent: number }

/** Where an upload goes on, or begins; null when all of it is there already. */
const resume = async (
  publishing: Publishing<Progress>,
  video: PublishMedia,
): Promise<{ session: string; sent: number } | null> => {
  const { session, videoId } = publishing.progress
  if (videoId) return null
  const answer = session ? await probe(publishing, video, session) : null
  if (answer && 'id' in answer) return null
  return session && answer
    ? { session, sent: answer.sent }
    : { session: await beginSession(publishing, video), sent: 0 }
}

/** Asks a session how far it is; null when it is gone, and with it what was uploaded. */
const probe = async (
  publishing: Publishing<Progress>,
  video: PublishMedia,
  session: string,
): Promise<Answer | null> => {
  const reply = await publishing.http({
    method: 'PUT',
    url: session,
    isHandedOut: true,
    headers: { 'content-range': `bytes */${video.bytes}` },
    authorization: bearer(publishing.accessToken),
    body: { bytes: new Uint8Array(), length: 0, type: video.type },
  })
  if (reply.status !== 404 && reply.status !== 410) return readAnswer(publishing, reply)
  await publishing.save({ session: null, sent: 0 })
  return null
}

const sendFrom = async (
  publishing: Publishing<Progress>,
  video: PublishMedia,
  session: string,
  from: number,
): Promise<Answer> => {
  const to = Math.min(from + CHUNK_BYTES, video.bytes)
  const reply = await publishing.http({
    method: 'PUT',
    url: session,
    isHandedOut: true,
    headers: { 'content-range': `bytes ${from}-${to - 1}/${video.bytes}` },
    authorization: bearer(publishing.accessToken),
    body: { bytes: video.read({ from, to }), length: to - from, type: video.type },
    timeoutMs: uploadTimeoutMs(to - from),
  })
  if (reply.status === 404 || reply.status === 410) {
    await publishing.save({ session: null, sent: 0 })
    throw new NetworkFailure({
      kind: 'transient',
      code: 'UPLOAD_EXPIRED',
      message: 'The upload to YouTube has expired and starts again',
      httpStatus: reply.status,
    })
  }
  return readAnswer(publishing, reply)
}

/** A 308 says in `Range` what has arrived; without one, nothing has. */
const readAnswer = async (publishing: Publishing<Progress>, reply: NetworkReply): Promise<Answer> => {
  if (reply.status === 308) {
    const last = /-(\d+)$/.exec(reply.headers.get('range') ?? '')?.[1]
    const sent = last === undefined ? 0 : Number(last) + 1
    await publishing.save({ sent })
    return { sent }
  }
  const id = requireText(memberOf(succeed(reply, publishing.now()).json, 'id'))
  await publishing.save({ videoId: id })
  return { id }
}

const setThumbnail = async (publishing: Publishing<Progress>, { remoteId }: Posted): Promise<string[]> => {
  const mediaId = textOf(publishing.outgoing.options.thumbnailMediaId)
  if (mediaId === undefined || publishing.progress.hasThumbnail) return []
  const image = await publishing.outgoing.optionMedia(mediaId)
  if (!image) return ["The thumbnail wasn't set: its file is gone."]
  try {
    const reply = await publishing.http({
      method: 'POST',
      url: `${publishing.endpoints.uploadBase}/thumbnails/set`,
      query: { videoId: remoteId },
      authorization: bearer(publishing.accessToken),
      body: { bytes: image.read(), length: image.bytes, type: image.type },
      timeoutMs: LONG_TIMEOUT_MS,
    })
    succeed(reply, publishing.now())
    await publishing.save({ hasThumbnail: true })
    return []
  } catch (error) {
    return [`The thumbnail wasn't set: ${warningOf(error)}`]
  }
}

/** What YouTube makes of the video; when it does not say, there is nothing to warn of. */
const checkVideo = async (publishing: Publishing<Progress>, { remoteId }: Posted): Promise<string[]> => {
  const reply = await publishing.http({
    url: `${publishing.endpoints.apiBase}/videos`,
    query: { part: 'status,processingDetails', id: remoteId },
    authorization: bearer(publishing.accessToken),
  })
  const status = recordOf(memberOf(listOf(memberOf(reply.json, 'items'))[0], 'status'))
  if (status.uploadStatus === 'rejected' || status.uploadStatus === 'failed') {
    const reason = textOf(status.rejectionReason) ?? textOf(status.failureReason) ?? 'no reason given'
    return [`YouTube ${status.uploadStatus === 'failed' ? 'could not process' : 'rejected'} the video: ${reason}`]
  }
  const asked = textOf(publishing.outgoing.options.privacyStatus) ?? 'public'
  return status.privacyStatus === 'private' && asked !== 'private'
    ? ['YouTube made the video private. This happens until your Google project has been audited.']
    : []
}

const succeed = (reply: NetworkReply, now: Date): NetworkReply => {
  if (isSuccess(reply)) return reply
  const error = recordOf(memberOf(reply.json, 'error'))
  const reason = textOf(memberOf(listOf(error.errors)[0], 'reason'))
  const code = reason ?? textOf(error.status) ?? textOf(memberOf(reply.json, 'error')) ?? `HTTP_${reply.status}`
  const message = textOf(error.message) ?? textOf(memberOf(reply.json, 'error_description'))
  const kind = KINDS[code] ?? kindOfStatus(reply.status)
  throw new NetworkFailure({
    kind,
    code,
    message: message ?? `YouTube answered ${reply.status}`,
    httpStatus: reply.status,
    ...(kind === 'rate' && pauseOf(reply, code, now)),
  })
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  backendError: 'transient',
  processingFailure: 'transient',
  quotaExceeded: 'rate',
  dailyLimitExceeded: 'rate',
  rateLimitExceeded: 'rate',
  userRateLimitExceeded: 'rate',
  uploadLimitExceeded: 'rate',
  authError: 'auth',
  invalid_grant: 'auth',
  youtubeSignupRequired: 'auth',
  insufficientPermissions: 'auth',
  accessNotConfigured: 'config',
  forbidden: 'policy',
}

const kindOfStatus = (status: number): FailureKind => {
  if (status === 429) return 'rate'
  if (status === 401) return 'auth'
  if (status === 403) return 'policy'
  return status >= 500 || status === 408 ? 'transient' : 'invalid'
}

const DAY_MS = 86_400_000

const pauseOf = (reply: NetworkReply, code: string, now: Date): Pick<FailureFacts, 'retryAt' | 'pauses'> => {
  if (code === 'quotaExceeded' || code === 'dailyLimitExceeded') return { retryAt: midnightPacific(now), pauses: 'app' }
  if (code === 'uploadLimitExceeded') return { retryAt: new Date(now.getTime() + DAY_MS), pauses: 'account' }
  const retryAt = retryAfterOf(reply.headers, now)
  return { ...(retryAt && { retryAt }), pauses: 'account' }
}

/** Quotas of Google projects start again at midnight there. */
const midnightPacific = (now: Date): Date => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'medium' }).format(now)
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  const passed = ((hours * 60 + minutes) * 60 + seconds) * 1_000
  return new Date(now.getTime() - now.getMilliseconds() - passed + DAY_MS)
}
