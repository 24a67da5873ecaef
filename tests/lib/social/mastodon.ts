import { createHash, randomBytes } from 'node:crypto'
import {
  type FakeCall,
  type FakeNetwork,
  type FakeReply,
  formOf,
  jsonOf,
  type LivePost,
  multipartOf,
} from './fake-network.ts'

type Grant = { clientId: string; redirectUri: string; challenge: string | null; scopes: string[] }
type Attachment = { id: string; type: string; description: string | null; looks: number; bytes: number }
type Status = LivePost & {
  key: string
  at: number
  visibility: string
  spoiler: string
  url: string
  language: string | null
}

/** RFC 6749 §5.2 in the words of Doorkeeper. */
const INVALID_GRANT =
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.'
const INVALID_CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'
const SCOPES = new Set(['profile', 'read', 'read:statuses', 'write', 'write:statuses', 'write:media'])
const KEY_LIFE_MS = 3_600_000
const CODE_LIFE_MS = 600_000
const MAX_CHARACTERS = 500
const MAX_ATTACHMENTS = 4
const TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/heif',
  'image/webp',
  'image/avif',
  'video/webm',
  'video/mp4',
  'video/quicktime',
]
const VISIBILITIES = ['public', 'unlisted', 'private', 'direct']

/**
 * A Mastodon 4.3 server with one person on it. Every app is known, except those whose id begins with `unknown`; every
 * secret is good, except one that begins with `wrong`. Videos and animations are processed for two looks.
 */
export const createFakeMastodon = (): FakeNetwork => {
  const codes = new Map<string, Grant & { at: number }>()
  const tokens = new Map<string, { clientId: string; scopes: string[] }>()
  const attachments = new Map<string, Attachment>()
  const statuses: Status[] = []

  const bearerOf = (call: FakeCall): string => /^Bearer (\S+)$/.exec(call.headers.authorization ?? '')?.[1] ?? ''
  /** Calls as an account, and with one of the scopes. */
  const withScope = (call: FakeCall, scopes: string[], answer: () => FakeReply | Promise<FakeReply>) => {
    const token = tokens.get(bearerOf(call))
    if (!token) return { status: 401, body: { error: 'The access token is invalid' } }
    if (!scopes.some((scope) => token.scopes.includes(scope)))
      return { status: 403, body: { error: 'This action is outside the authorized scopes' } }
    return answer()
  }

  const authorize = (call: FakeCall): FakeReply => {
    const q = (name: string) => call.query.get(name) ?? ''
    const scopes = q('scope').split(' ')
    const challenge = call.query.get('code_challenge')
    const isFormed = q('response_type') === 'code' && q('client_id') !== '' && URL.canParse(q('redirect_uri'))
    if (!isFormed || q('client_id').startsWith('unknown')) return { status: 401, body: INVALID_CLIENT }
    if (challenge !== null && q('code_challenge_method') !== 'S256')
      return { status: 400, body: 'The code challenge method must be S256.' }
    if (challenge !== null && !/^[\w-]{43}$/.test(challenge))
      return { status: 400, body: 'The code challenge is not one.' }
    const back = new URL(q('redirect_uri'))
    back.searchParams.set('state', q('state'))
    if (!scopes.every((scope) => SCOPES.has(scope))) {
      back.searchParams.set('error', 'invalid_scope')
      back.searchParams.set('error_description', 'The requested scope is invalid, unknown, or malformed.')
    } else if (call.query.has('deny')) {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The resource owner or authorization server denied the request.')
    } else {
      const code = token()
      codes.set(code, { clientId: q('client_id'), redirectUri: q('redirect_uri'), challenge, scopes, at: Date.now() })
      back.searchParams.set('code', code)
    }
    return { status: 302, headers: { location: back.href } }
  }

  const exchange = (call: FakeCall): FakeReply => {
    const form = formOf(call)
    const get = (name: string) => form.get(name) ?? ''
    if (
      get('client_id') === '' ||
      get('client_id').startsWith('unknown') ||
      get('client_secret') === '' ||
      get('client_secret').startsWith('wrong')
    )
      return { status: 401, body: { error: 'invalid_client', error_description: INVALID_CLIENT } }
    if (get('grant_type') !== 'authorization_code')
      return {
        status: 400,
        body: {
          error: 'unsupported_grant_type',
          error_description: 'The authorization grant type is not supported by the authorization server.',
        },
      }
    const grant = codes.get(get('code'))
    codes.delete(get('code'))
    const isGood =
      grant !== undefined &&
      grant.at > Date.now() - CODE_LIFE_MS &&
      grant.clientId === get('client_id') &&
      grant.redirectUri === get('redirect_uri') &&
      (grant.challenge === null ||
        grant.challenge === createHash('sha256').update(get('code_verifier')).digest('base64url'))
    if (!isGood) return { status: 400, body: { error: 'invalid_grant', error_description: INVALID_GRANT } }
    const accessToken = token()
    tokens.set(accessToken, { clientId: grant.clientId, scopes: grant.scopes })
    return {
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        scope: grant.scopes.join(' '),
        created_at: Math.floor(Date.now() / 1000),
      },
    }
  }

  const revoke = (call: FakeCall): FakeReply => {
    const form = formOf(call)
    const known = tokens.get(form.get('token') ?? '')
    if (known && known.clientId !== form.get('client_id'))
      return {
        status: 403,
        body: { error: 'unauthorized_client', error_description: 'You are not authorized to revoke this token' },
      }
    tokens.delete(form.get('token') ?? '')
    return { body: {} }
  }

  const upload = async (call: FakeCall): Promise<FakeReply> => {
    const members = await multipartOf(call)
    const file = members.get('file')
    if (file === undefined || typeof file === 'string')
      return { status: 422, body: { error: "Validation failed: File can't be blank" } }
    if (!TYPES.includes(file.type))
      return { status: 422, body: { error: `Validation failed: File content type is invalid, File is invalid` } }
    const description = members.get('description')
    const text = typeof description === 'string' ? description : null
    if ((text?.length ?? 0) > 1_500)
      return { status: 422, body: { error: 'Validation failed: Description is too long (maximum is 1500 characters)' } }
    const isSlow = file.type.startsWith('video/') || file.type === 'image/gif'
    const id = String(100 + attachments.size)
    attachments.set(id, { id, type: file.type, description: text, looks: isSlow ? 2 : 0, bytes: file.bytes.length })
    return {
      status: isSlow ? 202 : 200,
      body: { id, type: kindOf(file.type), url: isSlow ? null : `${call.base}/files/${id}`, description: text },
    }
  }

  const look = (call: FakeCall): FakeReply => {
    const found = attachments.get(call.params.id ?? '')
    if (!found) return { status: 404, body: { error: 'Record not found' } }
    if (found.looks > 0) {
      found.looks -= 1
      return { status: 206, body: '' }
    }
    const url = `${call.base}/files/${found.id}`
    return { body: { id: found.id, type: kindOf(found.type), url, description: found.description } }
  }

  const post = (call: FakeCall): FakeReply => {
    const {
      status = '',
      media_ids: media = [],
      visibility = 'public',
      spoiler_text: spoiler = '',
      language = null,
    } = jsonOf(call)
    const key = String(call.headers['idempotency-key'] ?? '')
    const known = key && statuses.find((each) => each.key === key && each.at > Date.now() - KEY_LIFE_MS)
    if (known) return { body: statusJson(known, call) }
    const refuse = (error: string) => ({ status: 422, body: { error } })
    if (typeof status !== 'string' || !Array.isArray(media)) return refuse('Validation failed: Text is invalid')
    if (status.trim() === '' && media.length === 0) return refuse("Validation failed: Text can't be blank")
    if (countOf(status) + countOf(String(spoiler)) > MAX_CHARACTERS)
      return refuse(`Validation failed: Text character limit of ${MAX_CHARACTERS} exceeded`)
    if (!VISIBILITIES.includes(String(visibility)))
      return refuse('Validation failed: Visibility is not included in the list')
    const files = media.map((id) => attachments.get(String(id)))
    if (files.length > MAX_ATTACHMENTS) return refuse('Cannot attach more than 4 files')
    if (files.some((file) => file === undefined)) return refuse('Validation failed: Media attachments not found')
    if (files.some((file) => (file?.looks ?? 0) > 0))
      return refuse('Cannot attach files that have not finished processing. Try again in a moment!')
    if (files.length > 1 && files.some((file) => file?.type.startsWith('video/')))
      return refuse('Cannot attach a video to a post that already contains images')
    const id = String(1_000 + statuses.length)
    const made: Status = {
      id,
      account: '1',
      text: status,
      media: media.map(String),
      alt: files.map((file) => file?.description ?? null),
      key,
      at: Date.now(),
      visibility: String(visibility),
      spoiler: String(spoiler),
      language: typeof language === 'string' ? language : null,
      url: `${call.base}/@ada/${id}`,
    }
    statuses.push(made)
    return { body: statusJson(made, call) }
  }

  return {
    overrides: { authorizeUrl: '/oauth/authorize', tokenUrl: '/oauth/token', apiBase: '' },
    posts: () => statuses,
    routes: [
      { call: 'authorize', method: 'GET', path: '/oauth/authorize', answer: authorize },
      { call: 'token', method: 'POST', path: '/oauth/token', answer: exchange },
      { call: 'revoke', method: 'POST', path: '/oauth/revoke', answer: revoke },
      {
        call: 'me',
        method: 'GET',
        path: '/api/v1/accounts/verify_credentials',
        answer: (call) => withScope(call, ['profile', 'read'], () => ({ body: accountJson(call) })),
      },
      { call: 'instance', method: 'GET', path: '/api/v2/instance', answer: () => ({ body: INSTANCE }) },
      {
        call: 'upload',
        method: 'POST',
        path: '/api/v2/media',
        answer: (call) => withScope(call, ['write', 'write:media'], () => upload(call)),
      },
      {
        call: 'wait',
        method: 'GET',
        path: '/api/v1/media/:id',
        answer: (call) => withScope(call, ['write', 'write:media'], () => look(call)),
      },
      {
        call: 'commit',
        method: 'POST',
        path: '/api/v1/statuses',
        answer: (call) => withScope(call, ['write', 'write:statuses'], () => post(call)),
      },
      {
        call: 'statuses',
        method: 'GET',
        path: '/api/v1/accounts/:id/statuses',
        answer: (call) => {
          const list = () => ({
            body: statuses
              .filter(({ visibility }) => visibility === 'public' || visibility === 'unlisted')
              .map((status) => statusJson(status, call))
              .reverse()
              .slice(0, Number(call.query.get('limit') ?? 20)),
          })
          return call.headers.authorization === undefined ? list() : withScope(call, ['read', 'read:statuses'], list)
        },
      },
    ],
  }
}

const token = () => randomBytes(32).toString('base64url')

const kindOf = (type: string) => (type.startsWith('video/') ? 'video' : type === 'image/gif' ? 'gifv' : 'image')

/** Graphemes; an address counts 23, a mention without its server. */
const countOf = (text: string): number => {
  const counted = text.replace(/https?:\/\/\S+/g, 'x'.repeat(23)).replace(/@(\w+)@[\w.-]+\w/g, '@$1')
  return [...new Intl.Segmenter().segment(counted)].length
}

const accountJson = ({ base }: FakeCall) => ({
  id: '1',
  username: 'ada',
  acct: 'ada',
  display_name: 'Ada Lovelace',
  url: `${base}/@ada`,
  avatar: `${base}/avatar.png`,
  avatar_static: `${base}/avatar.png`,
})

const statusJson = (status: Status, call: FakeCall) => ({
  id: status.id,
  uri: `${call.base}/users/ada/statuses/${status.id}`,
  url: status.url,
  created_at: new Date(status.at).toISOString(),
  content: `<p>${escapeHtml(status.text)}</p>`,
  visibility: status.visibility,
  spoiler_text: status.spoiler,
  media_attachments: status.media.map((id) => ({ id })),
  account: accountJson(call),
})

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\n\n', '</p><p>')
    .replaceAll('\n', '<br />')

const INSTANCE = {
  domain: 'mastodon.test',
  version: '4.3.0',
  configuration: {
    statuses: {
      max_characters: MAX_CHARACTERS,
      max_media_attachments: MAX_ATTACHMENTS,
      characters_reserved_per_url: 23,
    },
    media_attachments: {
      supported_mime_types: TYPES,
      description_limit: 1_500,
      image_size_limit: 16_777_216,
      video_size_limit: 103_809_024,
    },
  },
}
