import { callApi } from './http/api-call.ts'
import { NetworkFailure } from './http/failure.ts'
import { besideTokenUrl, exchangeCode, refreshTokens, type TokenFacts } from './http/oauth.ts'
import { addressOf, listOf, memberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import { type Draft, defineNetwork, type Endpoints, type PostProblem } from './network.ts'
import { tagsOption } from './posting/option-values.ts'
import { LABEL, succeed } from './youtube-api.ts'
import { type Progress, youtubePublisher } from './youtube-publisher.ts'

const endpoints: Endpoints = {
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  apiBase: 'https://www.googleapis.com/youtube/v3',
  uploadBase: 'https://www.googleapis.com/upload/youtube/v3',
  apiVersion: '',
  scopes: ['https://www.googleapis.com/auth/youtube.upload', 'https://www.googleapis.com/auth/youtube.readonly'],
}
const tokenFacts: TokenFacts = { scopeSeparator: ' ', clientAuth: 'form' }

const TAGS_MAX = 500

export const youtube = defineNetwork<Progress>({
  label: LABEL,
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
    consoleUrl: 'https://console.cloud.google.com',
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
    'That a description can have 5,000 bytes',
    'That unverified channels can upload videos of up to 15 minutes',
    'That chunks have to be a multiple of 256 KiB',
  ],

  async connect(reach, grant) {
    const { tokens } = await exchangeCode(reach, tokenFacts, grant)
    const signedIn = { ...reach, accessToken: tokens.accessToken }
    const reply = await callApi(signedIn, { path: '/channels', query: { part: 'snippet', mine: 'true' } })
    const channels = listOf(memberOf(succeed(reply, reach.now()).json, 'items')).map(objectOf)
    if (channels.length === 0)
      throw new NetworkFailure({
        kind: 'auth',
        code: 'NO_CHANNEL',
        message: 'This Google account has no YouTube channel. Create one on YouTube, then connect again.',
      })
    return channels.map((channel) => {
      const snippet = objectOf(channel.snippet)
      const id = requireText(channel, 'id', LABEL, 'transient')
      return {
        remoteId: id,
        name: textOf(snippet.title) ?? LABEL,
        handle: textOf(snippet.customUrl)?.replace(/^@/, '') ?? null,
        avatarUrl: addressOf(memberOf(snippet, 'thumbnails', 'default', 'url')),
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

  publisher: youtubePublisher,
})

const bracketProblems = ({ caption, options }: Draft): PostProblem[] => {
  const texts: [PostProblem['key'], string, string][] = [
    ['caption', 'The description', caption],
    ['options.title', 'The title', textOf(options.title) ?? ''],
    ['options.tags', 'A tag', tagsOption(options, 'tags').join(' ')],
  ]
  return texts
    .filter(([, , text]) => /[<>]/.test(text))
    .map(([key, name]) => ({ key, message: `${name} contains < or >, which YouTube doesn't allow.` }))
}

/** YouTube counts the commas between tags, and quotes around those with spaces. */
const tagProblems = ({ options }: Draft): PostProblem[] => {
  const tags = tagsOption(options, 'tags')
  const total = tags.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1))
  return total > TAGS_MAX
    ? [
        {
          key: 'options.tags',
          message: `The tags have ${total} characters in total; YouTube allows up to ${TAGS_MAX}.`,
        },
      ]
    : []
}
