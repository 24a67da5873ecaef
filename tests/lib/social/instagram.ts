import { type FakeNetwork, formOf, type LivePost } from './fake-network.ts'
import { createMetaConsent, graphError, longLivedRoutes, type MetaConsent } from './meta.ts'
import { createContainers, type Processing } from './meta-containers.ts'
import { isMp4, readPicture } from './picture-facts.ts'

export type InstagramFake = FakeNetwork & {
  processing: Processing
  consent: MetaConsent
  comments: { post: string; text: string }[]
}

const ACCOUNT = '17841400000000001'
const SCOPES = ['instagram_business_basic', 'instagram_business_content_publish', 'instagram_business_manage_comments']

export const createFakeInstagram = (options: { declined?: readonly string[]; now?(): number } = {}): InstagramFake => {
  const now = options.now ?? Date.now
  const processing: Processing = { questions: 0, failure: null, isExpired: false }
  const consent = createMetaConsent({
    ...options,
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/access_token',
    knownScopes: SCOPES,
    grantType: 'authorization_code',
    answer: (token, scopes) => ({ access_token: token, user_id: ACCOUNT, permissions: scopes.join(',') }),
  })
  const authorize: Parameters<typeof createContainers>[0]['authorize'] = (call) => {
    const token = consent.tokens.get(consent.tokenOf(call))
    if (call.method === 'POST' && !token?.scopes.includes('instagram_business_content_publish'))
      throw graphError({ message: 'Application does not have permission for this action', code: 10 }, 403)
  }
  const fake = createContainers({
    version: 'v25.0',
    account: ACCOUNT,
    edge: 'media',
    publishEdge: 'media_publish',
    stateMember: 'status_code',
    reasonMember: 'status',
    captionMember: 'caption',
    processing,
    permalink: (id) => `https://www.instagram.com/p/${id}/`,
    authorize,
    check: checkMedium,
    carouselMax: 10,
    now,
  })

  return {
    processing,
    consent,
    comments: fake.comments,
    overrides: { authorizeUrl: '/oauth/authorize', tokenUrl: '/oauth/access_token', apiBase: '/v25.0' },
    posts: () => fake.posts,
    routes: [
      ...consent.routes,
      ...longLivedRoutes(consent, 'ig', now),
      {
        call: 'profile',
        method: 'GET',
        path: '/v25.0/me',
        answer(call) {
          consent.tokenOf(call)
          return { body: { user_id: ACCOUNT, username: 'acme', name: 'Acme', account_type: 'BUSINESS', id: '1' } }
        },
      },
      {
        call: 'comment',
        method: 'POST',
        path: '/v25.0/:id/comments',
        answer(call) {
          authorize(call)
          const post = fake.posts.find((known: LivePost) => known.id === call.params.id)
          const text = formOf(call).get('message')
          if (!post || !text) throw graphError({ message: 'Unsupported post request', code: 100, error_subcode: 33 })
          fake.comments.push({ post: post.id, text })
          return { body: { id: `${post.id}1` } }
        },
      },
      ...fake.routes,
    ],
  }
}

const checkMedium = async (form: Record<string, string>): Promise<void> => {
  if ((form.caption ?? '').length > 2200)
    throw graphError({ message: 'The caption is too long', code: 36004, error_subcode: 2207010 })
  if (form.video_url) {
    if (form.media_type !== 'REELS') throw graphError({ message: 'Only REELS are supported', code: 100 })
    if (form.alt_text) throw graphError({ message: 'alt_text is for images only', code: 100 })
    if (!isMp4(await download(form.video_url)))
      throw graphError({ message: 'Unsupported video format', code: 352, error_subcode: 2207026 })
    return
  }
  if (!form.image_url) throw graphError({ message: 'The parameter image_url is required', code: 100 })
  const bytes = await download(form.image_url)
  const picture = readPicture(bytes)
  if (picture?.type !== 'image/jpeg')
    throw graphError({ message: 'Only JPEG is supported', code: 36001, error_subcode: 2207005 })
  if (bytes.length > 8 * 2 ** 20) throw graphError({ message: 'Image too large', code: 36000, error_subcode: 2207004 })
  const aspect = picture.width / picture.height
  if (aspect < 0.795 || aspect > 1.92 || picture.width < 320 || picture.width > 1440)
    throw graphError({ message: 'The aspect ratio is not supported', code: 36003, error_subcode: 2207009 })
}

const download = async (url: string): Promise<Buffer> => {
  const response = await fetch(url).catch(() => null)
  if (!response?.ok) throw graphError({ message: 'The media could not be fetched', code: 9004, error_subcode: 2207052 })
  return Buffer.from(await response.arrayBuffer())
}
