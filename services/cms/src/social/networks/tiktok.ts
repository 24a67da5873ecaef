import type { SignedReach } from './http/api-call.ts'
import { besideTokenUrl, exchangeCode, refreshTokens, type TokenFacts, withClient } from './http/oauth.ts'
import { addressOf, isSuccess, listOf, memberOf, numberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import { type Capabilities, type Draft, defineNetwork, type Endpoints, type PostProblem } from './network.ts'
import { call, failureOf, LABEL, type Progress, profileUrlOf } from './tiktok-api.ts'
import { tiktokPublisher } from './tiktok-publisher.ts'

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

export const tiktok = defineNetwork<Progress>({
  label: LABEL,
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
      help: 'Until TikTok has audited your app, only you can see its posts',
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
    consoleUrl: 'https://developers.tiktok.com/apps',
    checkedOn: '2026-10',
    leadTime: 'TikTok reviews the app, then audits it. Until the audit is done, only you can see its posts.',
    steps: [
      {
        title: 'Create an app',
        body: 'Open developers.tiktok.com/apps and create an app for the platform Web, with the URLs of your terms and your privacy policy.',
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
    'The names of the states while a post is processed, and that responses contain uploaded_bytes',
    'How long an upload URL stays valid (1 hour)',
  ],

  async connect(reach, grant) {
    const { tokens, answer } = await exchangeCode(reach, tokenFacts, grant)
    const signedIn = { ...reach, accessToken: tokens.accessToken }
    const fields = 'open_id,union_id,avatar_url,display_name,username'
    const { json } = await call(signedIn, { path: '/v2/user/info/', query: { fields } })
    const user = objectOf(memberOf(json, 'data', 'user'))
    const handle = textOf(user.username)
    return [
      {
        remoteId: requireText({ ...answer, ...user }, 'open_id', LABEL, 'transient'),
        name: textOf(user.display_name) ?? handle ?? LABEL,
        handle,
        avatarUrl: addressOf(user.avatar_url),
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

  publisher: tiktokPublisher,
})

const privacyProblems = ({ options, capabilities }: Draft): PostProblem[] => {
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

const lengthProblems = ({ media, capabilities: { maxVideoSec } }: Draft): PostProblem[] =>
  media
    .filter(({ kind, seconds }) => kind === 'video' && maxVideoSec !== undefined && (seconds ?? 0) > maxVideoSec)
    .map(() => ({ key: 'media', message: `This TikTok account only allows videos of up to ${maxVideoSec} seconds.` }))

const readCapabilities = async (reach: SignedReach): Promise<Capabilities> => {
  const { json } = await call(reach, { path: '/v2/post/publish/creator_info/query/', body: { json: {} } })
  const info = objectOf(memberOf(json, 'data'))
  const maxVideoSec = numberOf(info.max_video_post_duration_sec) ?? 0
  return {
    privacyLevels: listOf(info.privacy_level_options).filter((level) => typeof level === 'string'),
    ...(maxVideoSec > 0 && { maxVideoSec }),
  }
}
