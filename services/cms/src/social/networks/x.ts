import type { Secret } from '@stoa/kit/secret.ts'
import type { NetworkHttp } from './http/http.ts'
import { besideTokenUrl, exchangeCode, refreshTokens, type TokenFacts, withClient } from './http/oauth.ts'
import { addressOf, memberOf, objectOf, textOf } from './http/read-reply.ts'
import { type Capabilities, type Draft, defineNetwork, type Endpoints, type PostProblem } from './network.ts'
import { requireId, succeed } from './x-api.ts'
import { type Progress, xPublisher } from './x-publisher.ts'

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
  linkNote: 'X charges about $0.20 for a post with a link, $0.015 without one.',
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
    consoleUrl: 'https://console.x.com',
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
        body: 'Enter {callback} as Callback URI, exactly as shown here, and the URL of your site as Website URL.',
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
    'How X words its response to a duplicate post',
    'The price of a post with and without a link',
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

  publisher: xPublisher,
})

/** `$` before one to six letters; X takes one of them in a post. */
const CASHTAG = /(?<![\p{L}\p{N}$])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?![\p{L}\p{N}_])/giu

const cashtagProblems = ({ caption }: Draft): PostProblem[] => {
  const count = caption.match(CASHTAG)?.length ?? 0
  return count > 1 ? [{ key: 'caption', message: `X allows one cashtag in a post; this one has ${count}.` }] : []
}

const gifProblems = ({ media }: Draft): PostProblem[] =>
  media.length > 1 && media.some(({ type }) => type === 'image/gif')
    ? [
        {
          key: 'media',
          message: "X doesn't allow a GIF together with other files. Remove the other files, or the GIF.",
        },
      ]
    : []

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
  const user = objectOf(memberOf(succeed(reply, reach.now()).json, 'data'))
  const handle = textOf(user.username)
  const hasLongPosts = user.verified === true && ['blue', 'business'].includes(String(user.verified_type))
  return {
    remoteId: requireId(reply),
    name: textOf(user.name) ?? handle ?? 'X',
    handle,
    avatarUrl: addressOf(user.profile_image_url),
    profileUrl: handle && `https://x.com/${handle}`,
    capabilities: hasLongPosts ? { captionMax: LONG_CAPTION_MAX } : {},
  }
}
