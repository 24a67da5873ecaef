import type { Secret } from '@stoa/kit/secret.ts'
import { type FailureKind, NetworkFailure } from './failure.ts'
import type { NetworkHttp, NetworkReply, NetworkRequest } from './http.ts'
import {
  defineNetwork,
  type Endpoints,
  type FoundAccount,
  type Posted,
  type Publishing,
  type PublishMedia,
  type Tokens,
} from './network.ts'
import { exchangeCode, refreshTokens, type TokenFacts, withClient } from './oauth.ts'
import {
  besideTokenUrl,
  isSince,
  isSuccess,
  LONG_TIMEOUT_MS,
  listOf,
  memberOf,
  recordOf,
  retryAfterOf,
  textOf,
  warningOf,
} from './read-reply.ts'

const endpoints: Endpoints = {
  authorizeUrl: 'https://www.linkedin.com/oauth/v2/authorization',
  tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
  apiBase: 'https://api.linkedin.com',
  uploadBase: '',
  apiVersion: '202606',
  scopes: ['openid', 'profile', 'w_member_social'],
}
const tokenFacts: TokenFacts = { scopeSeparator: ' ', clientAuth: 'form' }

type VideoPart = { uploadUrl: string; firstByte: number; lastByte: number }
type MediaState = {
  urn: string
  /** Of a video, until all of it is uploaded. */
  uploadToken?: string
  parts?: VideoPart[]
  etags?: string[]
  isFinal?: boolean
}
type Progress = { media: MediaState[]; hasWaited: boolean; hasCommented: boolean }
type Reach = { http: NetworkHttp; endpoints: Endpoints; accessToken: Secret; now(): Date }

export const linkedin = defineNetwork<Progress>({
  label: 'LinkedIn',
  oauth: { endpoints, scopeSeparator: ' ', pkce: false, hasEnvironment: true, versionEndsOn: '2027-06-30' },
  limits: {
    captionMax: 3_000,
    captionCount: 'utf16',
    textOnly: true,
    imagesMax: 20,
    imageTypes: ['image/jpeg', 'image/png', 'image/gif'],
    imageMaxBytes: 5 * 2 ** 20,
    videoTypes: ['video/mp4'],
    videoMaxBytes: 500 * 2 ** 20,
    videoSeconds: [3, 1_800],
    altText: { image: true, video: false, max: 4_086 },
    image: { delivery: 'upload', maxWidth: null, aspect: null, maxPixels: 36_152_320 },
    videoDelivery: 'upload',
    videoAspect: [1 / 2.4, 2.4],
    link: 'caption',
  },
  options: [
    {
      key: 'visibility',
      type: 'select',
      label: 'Who can see it',
      values: [
        { value: 'PUBLIC', label: 'Anyone' },
        { value: 'CONNECTIONS', label: 'Connections only' },
        { value: 'LOGGED_IN', label: 'LinkedIn members' },
      ],
    },
    { key: 'firstComment', type: 'textarea', label: 'First comment', max: 1_250 },
    { key: 'disableReshare', type: 'boolean', label: 'Turn off reposts' },
  ],
  walkthrough: {
    checkedOn: '2026-10',
    leadTime: 'Personal profiles work immediately. Company pages need approval from LinkedIn.',
    steps: [
      {
        title: 'Create an app',
        body: 'Open linkedin.com/developers/apps, choose Create app, link it to your company page and verify it.',
      },
      {
        title: 'For personal profiles',
        body: 'In Products, add "Share on LinkedIn" and "Sign In with LinkedIn using OpenID Connect".',
      },
      {
        title: 'For company pages',
        body: 'Create a second app whose only product is "Community Management API": LinkedIn doesn\'t allow it beside the others. Enter these scopes under endpoints here: r_basicprofile, w_member_social, w_organization_social, r_organization_social, rw_organization_admin.',
      },
      {
        title: 'Add the callback and copy the keys',
        body: 'In the Auth tab, add {callback} as redirect URL. Copy the Client ID and the Primary Client Secret.',
      },
    ],
  },
  unverified: [
    'Length of alt text, and the image and video sizes',
    'Which characters of a post have to be escaped, and that #words with an underscore stay hashtags',
    'How LinkedIn words its answer to a duplicate post',
    'Service error codes 65600 to 65602, and that version 202606 ends in June 2027',
    'Lists of more than 100 company pages',
  ],

  async connect(reach, grant) {
    const { tokens } = await exchangeCode(reach, tokenFacts, grant)
    const signedIn = { ...reach, accessToken: tokens.accessToken }
    const member = tokens.scopes.includes('w_member_social') ? [await readMember(signedIn, tokens)] : []
    const pages = tokens.scopes.includes('w_organization_social') ? await readPages(signedIn, tokens) : []
    if (member.length + pages.length > 0) return [...member, ...pages]
    throw new NetworkFailure({
      kind: 'config',
      code: 'NO_ACCOUNTS',
      message: 'LinkedIn granted neither posting as a person nor for a company page. Check the products of the app.',
    })
  },
  refresh: {
    when: 'early',
    run: async (reach, tokens) => (await refreshTokens(reach, tokenFacts, tokens)).tokens,
  },
  async revoke(reach, { accessToken }) {
    const url = besideTokenUrl(reach.endpoints.tokenUrl, 'revoke')
    succeed(await reach.http({ url, ...withClient(reach, tokenFacts, { token: accessToken.reveal() }) }), reach.now())
  },

  publisher: {
    async upload(publishing) {
      const media = [...(publishing.progress.media ?? [])]
      for (const [index, file] of publishing.outgoing.media.entries()) {
        const keep = async (state: MediaState): Promise<MediaState> => {
          media[index] = state
          await publishing.save({ media: [...media] })
          return state
        }
        if (file.kind === 'video') await uploadVideo(publishing, file, media[index], keep)
        else if (!media[index]) await keep({ urn: await uploadImage(publishing, file), isFinal: true })
      }
    },
    wait,
    async commit(publishing) {
      const reply = await call(publishing, {
        path: '/rest/posts',
        body: { json: postOf(publishing) },
        timeoutMs: LONG_TIMEOUT_MS,
      })
      const urn = reply.headers.get('x-restli-id') ?? reply.headers.get('x-linkedin-id')
      if (urn === null)
        throw new NetworkFailure({
          kind: 'unknown',
          code: 'NO_ID',
          message: 'LinkedIn answered without an id',
          httpStatus: reply.status,
        })
      return postedOf(urn)
    },
    reconcile,
    async confirm(publishing, posted) {
      const text = textOf(publishing.outgoing.options.firstComment)
      if (text === undefined || publishing.progress.hasCommented) return { url: posted.url, warnings: [] }
      // Kept before the call: a comment that is missing is better than one that is there twice.
      await publishing.save({ hasCommented: true })
      try {
        await comment(publishing, posted.remoteId, text)
        return { url: posted.url, warnings: [] }
      } catch (error) {
        if (error instanceof NetworkFailure) await publishing.save({ hasCommented: false })
        return { url: posted.url, warnings: [`The first comment wasn't posted: ${warningOf(error)}`] }
      }
    },
  },
})

const call = async (
  reach: Reach,
  { path, headers, ...request }: Omit<NetworkRequest, 'url' | 'authorization'> & { path: string },
): Promise<NetworkReply> =>
  succeed(
    await reach.http({
      ...request,
      url: `${reach.endpoints.apiBase}${path}`,
      headers: {
        'linkedin-version': reach.endpoints.apiVersion,
        'x-restli-protocol-version': '2.0.0',
        ...headers,
      },
      authorization: { scheme: 'Bearer', value: reach.accessToken },
    }),
    reach.now(),
  )

/** OpenID where it was granted, the older profile where not. */
const readMember = async (reach: Reach, tokens: Tokens): Promise<FoundAccount> => {
  const isOpenId = tokens.scopes.includes('openid')
  const { json } = await call(reach, { path: isOpenId ? '/v2/userinfo' : '/v2/me' })
  const person = recordOf(json)
  const older = [person.localizedFirstName, person.localizedLastName].map(textOf).filter(Boolean).join(' ')
  return {
    remoteId: `urn:li:person:${requireText(isOpenId ? person.sub : person.id)}`,
    name: textOf(person.name) ?? (older || 'LinkedIn'),
    handle: null,
    avatarUrl: textOf(person.picture) ?? null,
    profileUrl: null,
    kind: 'profile',
    tokens,
    capabilities: {},
  }
}

const ROLES: ReadonlySet<unknown> = new Set(['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR'])

const readPages = async (reach: Reach, tokens: Tokens): Promise<FoundAccount[]> => {
  const { json } = await call(reach, {
    path: '/rest/organizationAcls',
    query: { q: 'roleAssignee', state: 'APPROVED', count: 100 },
  })
  const roles = listOf(memberOf(json, 'elements')).map(recordOf)
  const urns = roles.filter(({ role }) => ROLES.has(role)).map(({ organization }) => requireText(organization))
  const pages: FoundAccount[] = []
  for (const urn of new Set(urns)) {
    const id = urn.split(':').at(-1) ?? ''
    const page = recordOf((await call(reach, { path: `/rest/organizations/${encodeURIComponent(id)}` })).json)
    const handle = textOf(page.vanityName) ?? null
    pages.push({
      remoteId: urn,
      name: textOf(page.localizedName) ?? handle ?? urn,
      handle,
      avatarUrl: null,
      profileUrl: `https://www.linkedin.com/company/${encodeURIComponent(handle ?? id)}`,
      kind: 'organization',
      tokens,
      capabilities: {},
    })
  }
  return pages
}

const requireText = (value: unknown): string => {
  const text = textOf(value)
  if (text !== undefined) return text
  throw new NetworkFailure({ kind: 'invalid', code: 'BAD_ANSWER', message: 'LinkedIn answered something unexpected' })
}

const uploadImage = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<string> => {
  const { json } = await call(publishing, {
    path: '/rest/images',
    query: { action: 'initializeUpload' },
    body: { json: { initializeUploadRequest: { owner: publishing.account.remoteId } } },
  })
  const urn = requireText(memberOf(json, 'value', 'image'))
  const reply = await publishing.http({
    method: 'PUT',
    url: requireText(memberOf(json, 'value', 'uploadUrl')),
    isHandedOut: true,
    authorization: { scheme: 'Bearer', value: publishing.accessToken },
    body: { bytes: file.read(), length: file.bytes, type: file.type },
    timeoutMs: LONG_TIMEOUT_MS,
  })
  succeed(reply, publishing.now())
  return urn
}

const uploadVideo = async (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  known: MediaState | undefined,
  keep: (state: MediaState) => Promise<MediaState>,
): Promise<void> => {
  let state = known ?? (await keep(await beginVideo(publishing, file)))
  if (state.isFinal) return
  const { parts = [], uploadToken = '' } = state
  for (const part of parts.slice(state.etags?.length ?? 0)) {
    const etag = await sendPart(publishing, file, part)
    state = await keep({ ...state, etags: [...(state.etags ?? []), etag] })
  }
  await call(publishing, {
    path: '/rest/videos',
    query: { action: 'finalizeUpload' },
    body: { json: { finalizeUploadRequest: { video: state.urn, uploadToken, uploadedPartIds: state.etags ?? [] } } },
  })
  await keep({ urn: state.urn, isFinal: true })
}

const beginVideo = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<MediaState> => {
  const request = {
    owner: publishing.account.remoteId,
    fileSizeBytes: file.bytes,
    uploadCaptions: false,
    uploadThumbnail: false,
  }
  const { json } = await call(publishing, {
    path: '/rest/videos',
    query: { action: 'initializeUpload' },
    body: { json: { initializeUploadRequest: request } },
  })
  const value = recordOf(memberOf(json, 'value'))
  const parts = listOf(value.uploadInstructions).map((part) => ({
    uploadUrl: requireText(memberOf(part, 'uploadUrl')),
    firstByte: Number(memberOf(part, 'firstByte')),
    lastByte: Number(memberOf(part, 'lastByte')),
  }))
  return { urn: requireText(value.video), uploadToken: textOf(value.uploadToken) ?? '', parts, etags: [] }
}

const sendPart = async (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  { uploadUrl, firstByte, lastByte }: VideoPart,
): Promise<string> => {
  const to = lastByte + 1
  const reply = await publishing.http({
    method: 'PUT',
    url: uploadUrl,
    isHandedOut: true,
    body: { bytes: file.read({ from: firstByte, to }), length: to - firstByte, type: 'application/octet-stream' },
    timeoutMs: LONG_TIMEOUT_MS,
  })
  const etag = succeed(reply, publishing.now()).headers.get('etag')
  return requireText(etag?.replace(/^"(.*)"$/, '$1'))
}

/** People's tokens may not ask about images: those get the time between two questions instead. */
async function wait(publishing: Publishing<Progress>): Promise<'ready' | 'processing'> {
  const { account, outgoing, progress } = publishing
  for (const [index, { urn }] of (progress.media ?? []).entries()) {
    const isVideo = outgoing.media[index]?.kind === 'video'
    if (!isVideo && account.kind !== 'organization') continue
    const path = `/rest/${isVideo ? 'videos' : 'images'}/${encodeURIComponent(urn)}`
    const { json } = await call(publishing, { path })
    const status = textOf(memberOf(json, 'status'))
    if (status === 'PROCESSING_FAILED')
      throw new NetworkFailure({
        kind: 'invalid',
        code: status,
        message: textOf(memberOf(json, 'processingFailureReason')) ?? 'LinkedIn could not process the file',
      })
    if (status !== 'AVAILABLE') return 'processing'
  }
  const isBlind = account.kind !== 'organization' && outgoing.media.some(({ kind }) => kind === 'image')
  if (!isBlind || progress.hasWaited) return 'ready'
  await publishing.save({ hasWaited: true })
  return 'processing'
}

const postOf = ({ account, outgoing, progress }: Publishing<Progress>): Record<string, unknown> => ({
  author: account.remoteId,
  commentary: escapeLittleText(outgoing.caption),
  visibility: textOf(outgoing.options.visibility) ?? 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  ...contentOf(outgoing.media, progress.media ?? []),
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: outgoing.options.disableReshare === true,
})

const contentOf = (files: readonly PublishMedia[], states: readonly MediaState[]): Record<string, unknown> => {
  const items = states.map(({ urn }, index) => {
    const file = files[index]
    return { id: urn, ...(file?.kind === 'image' && file.alt !== '' && { altText: file.alt }) }
  })
  if (items.length === 0) return {}
  return { content: items.length === 1 ? { media: items[0] } : { multiImage: { images: items } } }
}

/** LinkedIn's "little text": reserved characters get a backslash, and what is a hashtag stays one. */
export const escapeLittleText = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]+|[\\|{}@[\]()<>#*_~]/gu, (found) =>
    found.length > 1 ? found : `\\${found}`,
  )

const readLittleText = (text: string): string => text.replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1').trim()

const postedOf = (urn: string): Posted => ({ remoteId: urn, url: `https://www.linkedin.com/feed/update/${urn}` })

const RECENT = 5

async function reconcile(publishing: Publishing<Progress>): Promise<Posted | 'not-posted' | 'unknown'> {
  const { account, outgoing } = publishing
  if (account.kind !== 'organization') return 'unknown'
  const { json } = await call(publishing, {
    path: '/rest/posts',
    query: { author: account.remoteId, q: 'author', count: RECENT, sortBy: 'LAST_MODIFIED' },
    headers: { 'x-restli-method': 'FINDER' },
  })
  const since = listOf(memberOf(json, 'elements'))
    .map(recordOf)
    .filter(({ createdAt }) => isSince(Number(createdAt), outgoing.since))
  const own = readLittleText(escapeLittleText(outgoing.caption))
  const urn = textOf(since.find(({ commentary }) => readLittleText(textOf(commentary) ?? '') === own)?.id)
  if (urn !== undefined) return postedOf(urn)
  return since.length >= RECENT ? 'unknown' : 'not-posted'
}

const comment = async (publishing: Publishing<Progress>, urn: string, text: string): Promise<void> => {
  await call(publishing, {
    path: `/rest/socialActions/${encodeURIComponent(urn)}/comments`,
    body: { json: { actor: publishing.account.remoteId, object: urn, message: { text } } },
  })
}

const succeed = (reply: NetworkReply, now: Date): NetworkReply => {
  if (isSuccess(reply)) return reply
  const body = recordOf(reply.json)
  const message = textOf(body.message) ?? textOf(body.error_description) ?? `LinkedIn answered ${reply.status}`
  const code = textOf(body.code) ?? textOf(body.serviceErrorCode) ?? `HTTP_${reply.status}`
  const kind = kindOf(reply.status, code, Number(body.serviceErrorCode), message)
  const traceId = reply.headers.get('x-li-uuid')
  const existingId = kind === 'duplicate' ? /urn:li:(?:share|ugcPost):\d+/.exec(message)?.[0] : undefined
  throw new NetworkFailure({
    kind,
    code,
    message,
    httpStatus: reply.status,
    ...(traceId !== null && { traceId }),
    ...(existingId !== undefined && { existingId }),
    ...(kind === 'rate' && { retryAt: retryAfterOf(reply.headers, now) ?? nextMidnight(now), pauses: 'account' }),
  })
}

const kindOf = (status: number, code: string, serviceErrorCode: number, message: string): FailureKind => {
  if (status === 426 || code === 'NONEXISTENT_VERSION' || code === 'VERSION_MISSING') return 'config'
  if (status === 429) return 'rate'
  if (status === 401 || (serviceErrorCode >= 65_600 && serviceErrorCode <= 65_602)) return 'auth'
  if (status === 403) return code === 'ACCESS_DENIED' || serviceErrorCode === 100 ? 'auth' : 'policy'
  if (status >= 500 || status === 408) return 'transient'
  if (/Service Unavailable|Unable to obtain activity|not (?:yet )?AVAILABLE|still processing/i.test(message))
    return 'transient'
  return status === 422 && /duplicate/i.test(message) ? 'duplicate' : 'invalid'
}

/** Daily quotas start again at midnight UTC. */
const nextMidnight = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
