import { countCaption } from '@stoa/cms-model/count-caption.ts'
import { type ApiRequest, callApi, type SignedReach } from './http/api-call.ts'
import { type FailureKind, NetworkFailure } from './http/failure.ts'
import { LONG_TIMEOUT_MS, type NetworkReply } from './http/http.ts'
import { exchangeCode, type TokenFacts, withClient } from './http/oauth.ts'
import {
  addressOf,
  isSuccess,
  type JsonObject,
  kindOfStatus,
  memberOf,
  objectOf,
  requireText,
  textOf,
} from './http/read-reply.ts'
import { retryAtOf } from './http/retry-at.ts'
import {
  type AccountReach,
  type AppReach,
  type Capabilities,
  type Draft,
  defineNetwork,
  type Limits,
  type Posted,
  type PostProblem,
  type Publishing,
  type PublishMedia,
} from './network.ts'
import { findPosted } from './posting/find-posted.ts'
import { booleanOption, textOption } from './posting/option-values.ts'

/** Files that the server has, in the order of the post. */
type MastodonProgress = { media: { id: string; isReady: boolean }[] }
type Sending = Publishing<MastodonProgress>

const LABEL = 'Mastodon'
const SERVER = 'https://mastodon.social'
const TOKEN: TokenFacts = { scopeSeparator: ' ', clientAuth: 'form' }
/** Keys are kept for an hour; what is younger by the clock of the target is surely known. */
const KEY_LIFE_MS = 50 * 60_000
const RECENT_STATUSES = 20

const limits: Limits = {
  captionMax: 500,
  captionCount: 'mastodon',
  textOnly: true,
  imagesMax: 4,
  imageTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/heif'],
  imageMaxBytes: 16_777_216,
  videoTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
  videoMaxBytes: 103_809_024,
  videoSeconds: null,
  altText: { image: true, video: true, max: 1_500 },
  image: { delivery: 'upload', maxWidth: null, aspect: null, maxPixels: 33_177_600 },
  videoDelivery: 'upload',
  link: 'caption',
}

export const mastodon = defineNetwork<MastodonProgress>({
  label: LABEL,
  oauth: {
    endpoints: {
      authorizeUrl: `${SERVER}/oauth/authorize`,
      tokenUrl: `${SERVER}/oauth/token`,
      apiBase: SERVER,
      uploadBase: SERVER,
      apiVersion: '',
      scopes: ['profile', 'write:statuses', 'write:media'],
    },
    isServerChosen: true,
    scopeSeparator: ' ',
    pkce: true,
    hasEnvironment: false,
  },
  limits,
  options: [
    {
      key: 'visibility',
      type: 'select',
      label: 'Visibility',
      values: [
        { value: 'public', label: 'Public' },
        { value: 'unlisted', label: 'Quiet public' },
        { value: 'private', label: 'Followers' },
        { value: 'direct', label: 'Mentioned people' },
      ],
    },
    { key: 'sensitive', type: 'boolean', label: 'Mark media as sensitive' },
    {
      key: 'spoilerText',
      type: 'text',
      label: 'Content warning',
      help: 'Shown before the post and counted with it',
      max: 500,
    },
    { key: 'language', type: 'text', label: 'Language', help: 'Two letters, like en', max: 10 },
  ],
  check,
  walkthrough: {
    consoleUrl: null,
    checkedOn: '2026-07-02',
    leadTime: 'Ready immediately',
    steps: [
      {
        title: 'Choose your server',
        body: 'Enter its URL, like https://mastodon.social, as API URL under Advanced.',
      },
      {
        title: 'Create an application',
        body: 'On your server open Preferences, Development, New application, and give it a name.',
      },
      {
        title: 'Set the redirect URI and the scopes',
        body: 'Enter {callback} as redirect URI. Tick profile, write:statuses and write:media, and nothing else.',
      },
      { title: 'Copy the keys', body: 'Save, open the application, and copy Client key and Client secret here.' },
    ],
  },
  unverified: [
    'The longest description of a file (1,500 characters)',
    "The response to a file that can't be processed",
    'That an idempotency key is remembered for an hour',
  ],

  async connect(reach, grant) {
    const { tokens } = await exchangeCode(reach, TOKEN, grant)
    const signedIn = { ...reach, accessToken: tokens.accessToken }
    const me = objectOf((await call(signedIn, { path: '/api/v1/accounts/verify_credentials' })).json)
    const host = new URL(reach.endpoints.apiBase).host
    const id = requireText(me, 'id', LABEL, 'transient')
    const username = textOf(me.username) ?? id
    return [
      {
        remoteId: `${id}@${host}`,
        name: textOf(me.display_name) ?? username,
        handle: `@${username}@${host}`,
        avatarUrl: addressOf(me.avatar_static) ?? addressOf(me.avatar),
        profileUrl: addressOf(me.url),
        kind: 'profile',
        tokens,
        capabilities: await capabilitiesOf(reach),
      },
    ]
  },

  async revoke(reach, tokens) {
    const url = `${reach.endpoints.apiBase}/oauth/revoke`
    const form = { token: tokens.accessToken.reveal() }
    const reply = await reach.http({ method: 'POST', url, ...withClient(reach, TOKEN, form) })
    if (!isSuccess(reply)) throw failureOf(reply, reach.now())
  },

  capabilities: capabilitiesOf,

  publisher: {
    async upload(sending) {
      const media = [...(sending.progress.media ?? [])]
      for (const file of sending.outgoing.media.slice(media.length)) {
        media.push(await uploadFile(sending, file))
        await sending.save({ media: [...media] })
      }
    },

    async wait(sending) {
      const media = [...(sending.progress.media ?? [])]
      for (const [index, { id, isReady }] of media.entries()) {
        if (isReady) continue
        const path = `/api/v1/media/${encodeURIComponent(id)}`
        const reply = await call(sending, { path })
        if (reply.status === 206) return 'processing'
        media[index] = { id, isReady: true }
        await sending.save({ media: [...media] })
      }
      return 'ready'
    },

    commit: postStatus,

    /** The server answers a key that it knows with the post that it made for it. */
    async reconcile(sending) {
      const age = sending.now().getTime() - sending.outgoing.since.getTime()
      return age < KEY_LIFE_MS ? postStatus(sending) : findStatus(sending)
    },
  },
})

/** A warning counts as part of the caption, and languages are codes. */
function check({ caption, options, capabilities }: Draft): PostProblem[] {
  const spoiler = textOption(options, 'spoilerText') ?? ''
  const language = textOption(options, 'language') ?? ''
  const max = capabilities.captionMax ?? limits.captionMax
  const count = (text: string) =>
    countCaption('mastodon', text, capabilities.urlLength === undefined ? {} : { urlLength: capabilities.urlLength })
  const over = spoiler === '' ? 0 : count(caption) + count(spoiler) - max
  const problems: PostProblem[] = []
  if (over > 0)
    problems.push({
      key: 'options.spoilerText',
      message: `Caption and content warning can have up to ${max} characters together. Remove ${over}.`,
    })
  if (language !== '' && !/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/.test(language))
    problems.push({ key: 'options.language', message: 'Enter a language code like en' })
  return problems
}

async function capabilitiesOf(reach: AppReach | AccountReach): Promise<Capabilities> {
  const reply = await reach.http({ method: 'GET', url: `${reach.endpoints.apiBase}/api/v2/instance` })
  // Other servers of the Fediverse support the rest, and not this.
  if (reply.status >= 400 && reply.status < 500) return {}
  if (reply.status !== 200) throw failureOf(reply, reach.now())
  const statuses = objectOf(memberOf(reply.json, 'configuration', 'statuses'))
  const files = objectOf(memberOf(reply.json, 'configuration', 'media_attachments'))
  const types = files.supported_mime_types
  return defined({
    captionMax: countOf(statuses.max_characters),
    urlLength: countOf(statuses.characters_reserved_per_url),
    imagesMax: countOf(statuses.max_media_attachments),
    imageMaxBytes: countOf(files.image_size_limit),
    videoMaxBytes: countOf(files.video_size_limit),
    altMax: countOf(files.description_limit),
    imageTypes: Array.isArray(types)
      ? types.filter((type) => /^image\/[\w.+-]{1,40}$/.test(String(type))).slice(0, 50)
      : undefined,
  })
}

const uploadFile = async (sending: Sending, file: PublishMedia): Promise<{ id: string; isReady: boolean }> => {
  const part = { name: 'file', filename: file.filename, type: file.type, bytes: file.read(), length: file.bytes }
  const reply = await call(sending, {
    path: '/api/v2/media',
    body: { multipart: [...(file.alt === '' ? [] : [{ name: 'description', value: file.alt }]), part] },
    timeoutMs: LONG_TIMEOUT_MS,
  })
  return { id: requireText(reply.json, 'id', LABEL, 'transient'), isReady: reply.status === 200 }
}

async function postStatus(sending: Sending): Promise<Posted> {
  const { caption, options, idempotencyKey } = sending.outgoing
  const media = sending.progress.media ?? []
  const spoiler = textOption(options, 'spoilerText')
  const language = textOption(options, 'language')
  const reply = await call(sending, {
    path: '/api/v1/statuses',
    headers: { 'idempotency-key': idempotencyKey },
    body: {
      json: {
        status: caption,
        ...(media.length > 0 && { media_ids: media.map(({ id }) => id) }),
        visibility: textOption(options, 'visibility') ?? 'public',
        ...(booleanOption(options, 'sensitive') && { sensitive: true }),
        ...(spoiler && { spoiler_text: spoiler }),
        ...(language && { language }),
      },
    },
    timeoutMs: LONG_TIMEOUT_MS,
  })
  return postedOf(objectOf(reply.json))
}

/** Without a token: the scopes do not allow to read, and what is public can be read by all. */
const findStatus = async (sending: Sending): Promise<Posted | 'not-posted' | 'unknown'> => {
  const { caption, options, since } = sending.outgoing
  const isHidden = options.visibility === 'private' || options.visibility === 'direct'
  if (isHidden) return 'unknown'
  const [id = ''] = sending.account.remoteId.split('@')
  const reply = await sending.http({
    method: 'GET',
    url: `${sending.endpoints.apiBase}/api/v1/accounts/${encodeURIComponent(id)}/statuses`,
    query: { limit: RECENT_STATUSES, exclude_reblogs: 'true' },
  })
  // A server may keep strangers out.
  if (reply.status === 401 || reply.status === 403) return 'unknown'
  if (reply.status !== 200 || !Array.isArray(reply.json)) throw failureOf(reply, sending.now())
  const found = findPosted(reply.json, {
    since,
    timeMember: 'created_at',
    pageSize: RECENT_STATUSES,
    isSame: ({ content }) => textOfStatus(textOf(content) ?? '') === wordsOf(caption),
  })
  return typeof found === 'string' ? found : postedOf(found)
}

const postedOf = (status: JsonObject): Posted => ({
  remoteId: requireText(status, 'id', LABEL, 'unknown'),
  url: addressOf(status.url) ?? addressOf(status.uri),
})

const call = async (reach: SignedReach, request: ApiRequest): Promise<NetworkReply> => {
  const reply = await callApi(reach, request)
  if (!isSuccess(reply)) throw failureOf(reply, reach.now())
  return reply
}

const failureOf = (reply: NetworkReply, now: Date): NetworkFailure => {
  const body = objectOf(reply.json)
  const error = textOf(body.error) ?? ''
  const message = textOf(body.error_description) ?? textOf(body.error) ?? `The server returned status ${reply.status}`
  const kind = kindOf(reply.status, error)
  const retryAt = kind === 'rate' ? retryAtOf(reply.headers, now) : undefined
  return new NetworkFailure({
    kind,
    code: `HTTP_${reply.status}`,
    message,
    httpStatus: reply.status,
    ...(kind === 'rate' && { pauses: 'account' as const }),
    ...(retryAt && { retryAt }),
  })
}

const kindOf = (status: number, error: string): FailureKind => {
  // A frozen or moved login, and a token without the scope, need the person; everything else is the server's rules.
  if (status === 403) return /\blogin\b|\bscopes?\b/i.test(error) ? 'auth' : 'policy'
  if (status === 422 && /not finished processing/i.test(error)) return 'transient'
  return kindOfStatus(status)
}

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined

const defined = (members: { [K in keyof Capabilities]: Capabilities[K] | undefined }): Capabilities =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** What a post says, of the HTML that a server made of it. Links keep their whole address in parts that are not shown. */
export const textOfStatus = (html: string): string => {
  const lines = html.replace(/<br\s*\/?>|<\/p>/gi, '\n').replace(/<[^>]*>/g, '')
  return wordsOf(lines.replace(/&(#39|[a-z]+);/gi, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity))
}

/** The text as a server displays it: without the servers of mentions, and with any white space. */
export const wordsOf = (text: string): string =>
  text
    .replace(/@(\w+)@[\w.-]+\w/g, '@$1')
    .replace(/\s+/g, ' ')
    .trim()
