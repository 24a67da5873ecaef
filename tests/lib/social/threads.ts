import type { FakeNetwork } from './fake-network.ts'
import { createMetaConsent, graphError, longLivedRoutes, type MetaConsent } from './meta.ts'
import { createContainers, type Processing } from './meta-containers.ts'
import { isMp4, readPicture } from './picture-facts.ts'

export type ThreadsFake = FakeNetwork & {
  processing: Processing
  consent: MetaConsent
  comments: { post: string; text: string }[]
}

const ACCOUNT = '25000000000000001'
const SCOPES = ['threads_basic', 'threads_content_publish', 'threads_manage_replies']
const REPLY_CONTROLS = [
  'everyone',
  'accounts_you_follow',
  'mentioned_only',
  'parent_post_author_only',
  'followers_only',
]

export const createFakeThreads = (options: { declined?: readonly string[]; now?(): number } = {}): ThreadsFake => {
  const now = options.now ?? Date.now
  const processing: Processing = { questions: 0, failure: null, isExpired: false }
  const consent = createMetaConsent({
    ...options,
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/access_token',
    knownScopes: SCOPES,
    grantType: 'authorization_code',
    answer: (token) => ({ access_token: token, user_id: ACCOUNT }),
  })
  const fake = createContainers({
    version: 'v1.0',
    account: ACCOUNT,
    edge: 'threads',
    publishEdge: 'threads_publish',
    stateMember: 'status',
    reasonMember: 'error_message',
    captionMember: 'text',
    processing,
    permalink: (id) => `https://www.threads.net/@acme/post/${id}`,
    authorize(call) {
      const token = consent.tokens.get(consent.tokenOf(call))
      if (call.method === 'POST' && !token?.scopes.includes('threads_content_publish'))
        throw graphError({ message: 'Application does not have permission for this action', code: 10 }, 403)
    },
    check: checkMedium,
    carouselMax: 20,
    now,
  })

  return {
    processing,
    consent,
    comments: fake.comments,
    overrides: { authorizeUrl: '/oauth/authorize', tokenUrl: '/oauth/access_token', apiBase: '/v1.0' },
    posts: () => fake.posts,
    routes: [
      ...consent.routes,
      ...longLivedRoutes(consent, 'th', now),
      {
        call: 'profile',
        method: 'GET',
        path: '/v1.0/me',
        answer(call) {
          consent.tokenOf(call)
          return { body: { id: ACCOUNT, username: 'acme', name: 'Acme' } }
        },
      },
      ...fake.routes,
    ],
  }
}

const checkMedium = async (form: Record<string, string>, isChild: boolean): Promise<void> => {
  const { media_type: type, reply_control: control } = form
  if (control && !REPLY_CONTROLS.includes(control)) throw graphError({ message: 'Invalid reply_control', code: 100 })
  if (type === 'TEXT') {
    if (!form.text || isChild || form.alt_text) throw graphError({ message: 'A text post needs text only', code: 100 })
    return
  }
  if (type === 'VIDEO') {
    if (!isMp4(await download(form.video_url))) throw graphError({ message: 'Unsupported video format', code: 100 })
    return
  }
  if (type !== 'IMAGE') throw graphError({ message: 'Param media_type must be one of TEXT, IMAGE, VIDEO', code: 100 })
  const picture = readPicture(await download(form.image_url))
  const aspect = picture && picture.width / picture.height
  if (!picture || picture.type === 'image/gif' || !aspect || aspect > 10 || aspect < 0.1)
    throw graphError({ message: 'Unsupported image', code: 100 })
  if (picture.width < 320 || picture.width > 1440) throw graphError({ message: 'Unsupported image width', code: 100 })
}

const download = async (url = ''): Promise<Buffer> => {
  const response = await fetch(url).catch(() => null)
  if (!response?.ok) throw graphError({ message: 'The media could not be fetched', code: 100 })
  return Buffer.from(await response.arrayBuffer())
}
