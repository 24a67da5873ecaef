import { type FakeCall, type FakeNetwork, type FakeRoute, formOf } from './fake-network.ts'
import { createMetaConsent, graphError, longLivedRoutes, type MetaConsent } from './meta.ts'
import { type ContainerRules, createContainers, type Processing } from './meta-containers.ts'

export type ProfileFake = FakeNetwork & {
  processing: Processing
  consent: MetaConsent
  comments: { post: string; text: string }[]
  /** How many posts a day may have, and how many went out; a test changes it. */
  quota: { used: number; total: number }
}

export type ProfileOptions = {
  declined?: readonly string[]
  /** How many posts it takes in 24 hours. */
  perDay?: number
  now?(): number
}

type ProfileFacts = Pick<
  ContainerRules,
  | 'version'
  | 'account'
  | 'edge'
  | 'publishEdge'
  | 'stateMember'
  | 'reasonMember'
  | 'captionMember'
  | 'permalink'
  | 'check'
  | 'carouselMax'
> & {
  scopes: readonly string[]
  publishScope: string
  prefix: 'ig' | 'th'
  limitEdge: 'content_publishing_limit' | 'threads_publishing_limit'
  /** Beside token and account. */
  tokenAnswer(scopes: string[]): object
  profile: object
  /** Comments that are not containers. */
  hasComments: boolean
}

/** Instagram or Threads: a consent for one profile, a token of 60 days, containers, and a number of posts a day. */
export const createProfileFake = (facts: ProfileFacts, options: ProfileOptions): ProfileFake => {
  const now = options.now ?? Date.now
  const processing: Processing = { questions: 0, failure: null, isExpired: false }
  const quota = { used: 0, total: options.perDay ?? 100 }
  const consent = createMetaConsent({
    ...options,
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/access_token',
    knownScopes: facts.scopes,
    grantType: 'authorization_code',
    answer: (token, scopes) => ({ access_token: token, user_id: facts.account, ...facts.tokenAnswer(scopes) }),
  })
  const authorize = (call: FakeCall): void => {
    const token = consent.tokens.get(consent.tokenOf(call))
    if (call.method === 'POST' && !token?.scopes.includes(facts.publishScope))
      throw graphError({ message: 'Application does not have permission for this action', code: 10 }, 403)
  }
  const fake = createContainers({ ...facts, processing, quota, authorize, now })

  const comment: FakeRoute = {
    call: 'comment',
    method: 'POST',
    path: `/${facts.version}/:id/comments`,
    answer(call) {
      authorize(call)
      const post = fake.posts.find(({ id }) => id === call.params.id)
      const text = formOf(call).get('message')
      if (!post || !text) throw graphError({ message: 'Unsupported post request', code: 100, error_subcode: 33 })
      fake.comments.push({ post: post.id, text })
      return { body: { id: `${post.id}1` } }
    },
  }

  return {
    processing,
    consent,
    quota,
    comments: fake.comments,
    overrides: { authorizeUrl: '/oauth/authorize', tokenUrl: '/oauth/access_token', apiBase: `/${facts.version}` },
    posts: () => fake.posts,
    routes: [
      ...consent.routes,
      ...longLivedRoutes(consent, facts.prefix, now),
      {
        call: 'profile',
        method: 'GET',
        path: `/${facts.version}/me`,
        answer(call) {
          consent.tokenOf(call)
          return { body: facts.profile }
        },
      },
      {
        call: 'quota',
        method: 'GET',
        path: `/${facts.version}/${facts.account}/${facts.limitEdge}`,
        answer(call) {
          consent.tokenOf(call)
          if (call.query.get('fields')?.split(',').sort().join() !== 'config,quota_usage')
            throw graphError({ message: 'Tried accessing nonexisting field', code: 100 })
          const config = { quota_total: quota.total, quota_duration: 86_400 }
          return { body: { data: [{ quota_usage: quota.used, config }] } }
        },
      },
      ...(facts.hasComments ? [comment] : []),
      ...fake.routes,
    ],
  }
}

/** Reads a file as the network would: from its address. */
export const download = async (url = '', subcode?: number): Promise<Buffer> => {
  const response = await fetch(url).catch(() => null)
  if (response?.ok) return Buffer.from(await response.arrayBuffer())
  const message = 'The media could not be fetched'
  throw graphError(subcode ? { message, code: 9004, error_subcode: subcode } : { message, code: 100 })
}
