import { Secret } from '@stoa/kit/secret.ts'
import { graph, LABEL } from './facebook-graph.ts'
import { type FacebookProgress, publisher } from './facebook-publisher.ts'
import { NetworkFailure } from './http/failure.ts'
import { addressOf, type JsonObject, listOf, memberOf, objectOf, textOf } from './http/read-reply.ts'
import { exchangeMetaCode, fetchMetaToken, isToken, type MetaToken } from './meta.ts'
import { type AppReach, type Draft, defineNetwork, type FoundAccount, type PostProblem } from './network.ts'
import { firstCommentOption } from './posting/first-comment.ts'
import { booleanOption, isWebAddress, textOption } from './posting/option-values.ts'

const REEL = { minWidth: 540, minHeight: 960, aspect: 9 / 16, seconds: [3, 90] } as const
const PAGES_PER_CALL = 100
const MAX_CALLS = 20

export const facebook = defineNetwork<FacebookProgress>({
  label: 'Facebook Page',
  oauth: {
    endpoints: {
      authorizeUrl: 'https://www.facebook.com/v25.0/dialog/oauth',
      tokenUrl: 'https://graph.facebook.com/v25.0/oauth/access_token',
      apiBase: 'https://graph.facebook.com/v25.0',
      uploadBase: 'https://graph-video.facebook.com/v25.0',
      apiVersion: 'v25.0',
      scopes: [
        'pages_show_list',
        'pages_manage_posts',
        'pages_read_engagement',
        'pages_manage_engagement',
        'business_management',
      ],
    },
    scopeSeparator: ',',
    pkce: false,
    hasEnvironment: true,
    versionEndsOn: '2028-07-29',
  },
  limits: {
    captionMax: 63_206,
    captionCount: 'utf16',
    textOnly: true,
    imagesMax: 10,
    imageTypes: ['image/jpeg', 'image/png', 'image/gif'],
    imageMaxBytes: 10 * 2 ** 20,
    videoTypes: ['video/mp4', 'video/quicktime'],
    videoMaxBytes: 2 ** 30,
    videoSeconds: [1, 14_400],
    altText: { image: true, video: false, max: null },
    image: { delivery: 'upload', maxWidth: null, aspect: null },
    videoDelivery: 'upload',
    link: 'field',
  },
  options: [
    { key: 'link', type: 'text', label: 'Link', help: "Used on Facebook in place of the post's link", max: 2048 },
    firstCommentOption,
    {
      key: 'asReel',
      type: 'boolean',
      label: 'Publish the video as a reel',
      help: 'Reels are upright (9:16), at least 540 × 960 pixels and 3 to 90 seconds long',
    },
  ],
  check: (draft) => [...checkLink(draft), ...checkReel(draft)],
  walkthrough: {
    consoleUrl: 'https://developers.facebook.com/apps',
    checkedOn: '2026-10',
    leadTime: 'Right away for people with a role in your app; Meta reviews the app before others can connect',
    steps: [
      {
        title: 'Create a Meta app',
        body: 'At developers.facebook.com/apps, choose Create app > Other > Business and pick your business portfolio.',
      },
      {
        title: 'Add Facebook Login for Business',
        body: 'Add the product Facebook Login for Business. In its settings, add {callback} under Valid OAuth Redirect URIs.',
      },
      {
        title: 'Request permissions',
        body: 'Under App review > Permissions, request pages_show_list, pages_manage_posts, pages_read_engagement, pages_manage_engagement and business_management. You can skip this while only people with a role in the app connect.',
      },
      {
        title: 'Go live',
        body: 'Switch App Mode to Live. Until then, only people with a role in the app can see the posts.',
      },
      { title: 'Copy the app ID and secret', body: 'Under App settings > Basic, copy the App ID and the App secret.' },
    ],
  },
  unverified: [
    'Alt text of images is sent as alt_text_custom',
    'Videos are uploaded in parts with upload_phase start, transfer and finish',
    'Only Pages whose tasks include CREATE_CONTENT can be posted to',
    'Videos may be 1 second to 4 hours long',
    'After a lost response, the post is looked up among the newest published posts',
    'The status of a video shows whether it was published',
    'A link is kept when a post also has images',
    'Disconnecting a Page revokes access with the token of that Page only',
    "The daily check of a connection (debug_token) accepts the app's credentials in the Authorization header",
  ],

  async connect(reach, grant) {
    const first = await exchangeMetaCode(graph, reach, { code: grant.code }, LABEL)
    const { apiBase, scopes } = reach.endpoints
    const user = await fetchMetaToken(
      graph,
      reach,
      {
        url: `${apiBase}/oauth/access_token`,
        query: {
          grant_type: 'fb_exchange_token',
          client_id: reach.clientId,
          client_secret: reach.clientSecret.reveal(),
          fb_exchange_token: first.accessToken.reveal(),
        },
      },
      LABEL,
    )
    const granted = (await grantedScopes(reach, user)) ?? scopes
    const pages = await listPages(reach, user)
    const accounts = pages.filter(canPost).map((page) => toAccount(page, granted))
    if (accounts.length > 0) return accounts
    throw new NetworkFailure({
      kind: 'auth',
      code: 'NO_PAGES',
      message:
        pages.length === 0
          ? 'Facebook shared no Page. Connect again and choose the Pages to post to.'
          : 'Facebook shared no Page you can post to. Connect again, choose the Pages and allow creating content on them.',
    })
  },

  async probe(reach, tokens) {
    const app = new Secret(`${reach.clientId}|${reach.clientSecret.reveal()}`)
    const url = `${reach.endpoints.apiBase}/debug_token`
    const query = { input_token: tokens.accessToken.reveal() }
    const { data } = await graph({ ...reach, accessToken: app }, { url, query }).catch((error: unknown) => {
      // A refusal of the call is about the app's id and secret, not about the account.
      const isOfApp = error instanceof NetworkFailure && error.facts.kind === 'auth'
      throw isOfApp ? new NetworkFailure({ ...error.facts, kind: 'config' }) : error
    })
    const found = objectOf(data)
    if (found.is_valid !== false) return
    const error = objectOf(found.error)
    throw new NetworkFailure({
      kind: 'auth',
      code: textOf(error.code) ?? 'TOKEN_INVALID',
      message: textOf(error.message) ?? 'Facebook no longer accepts this connection. Connect the Page again.',
    })
  },

  async revoke(reach, tokens) {
    const url = `${reach.endpoints.apiBase}/me/permissions`
    await graph({ ...reach, accessToken: tokens.accessToken }, { method: 'DELETE', url })
  },

  publisher,
})

/** People may take permissions out of what is asked for. */
const grantedScopes = async (reach: AppReach, user: MetaToken): Promise<string[] | null> => {
  const asked = { ...reach, accessToken: user.accessToken }
  try {
    const answer = await graph(asked, { url: `${reach.endpoints.apiBase}/me/permissions` })
    if (!Array.isArray(answer.data)) return null
    const granted = answer.data.map(objectOf)
    return granted.filter(({ status }) => status === 'granted').flatMap(({ permission }) => textOf(permission) ?? [])
  } catch (error) {
    if (error instanceof NetworkFailure) return null
    throw error
  }
}

const listPages = async (reach: AppReach, user: MetaToken): Promise<JsonObject[]> => {
  const asked = { ...reach, accessToken: user.accessToken }
  const pages: JsonObject[] = []
  let query: Record<string, string> = {
    fields: 'id,name,username,access_token,tasks,picture.type(large)',
    limit: String(PAGES_PER_CALL),
  }
  for (let call = 0; call < MAX_CALLS; call += 1) {
    const answer = await graph(asked, { url: `${reach.endpoints.apiBase}/me/accounts`, query })
    pages.push(...listOf(answer.data).map(objectOf))
    const next = URL.parse(textOf(objectOf(answer.paging).next) ?? '')
    if (next === null) break
    // Only what it asks for is taken over: its address has the token in it, and need not be Facebook's.
    next.searchParams.delete('access_token')
    query = Object.fromEntries(next.searchParams)
  }
  return pages
}

const canPost = (page: JsonObject): boolean =>
  textOf(page.id) !== null && isToken(page.access_token) && listOf(page.tasks).includes('CREATE_CONTENT')

/** A Page's token has no end of its own, if the person's token was a long one. */
const toAccount = (page: JsonObject, scopes: readonly string[]): FoundAccount => {
  const id = textOf(page.id) ?? ''
  const username = textOf(page.username)
  return {
    remoteId: id,
    name: textOf(page.name) ?? username ?? id,
    handle: username,
    avatarUrl: addressOf(memberOf(page.picture, 'data', 'url')),
    profileUrl: `https://www.facebook.com/${username ?? id}`,
    kind: 'page',
    tokens: {
      accessToken: new Secret(textOf(page.access_token) ?? ''),
      refreshToken: null,
      accessExpiresAt: null,
      refreshExpiresAt: null,
      scopes,
    },
    capabilities: {},
  }
}

const checkLink = ({ options }: Draft): PostProblem[] => {
  const link = textOption(options, 'link')
  if (link === null || isWebAddress(link)) return []
  return [{ key: 'options.link', message: 'Enter a link like https://example.com/page' }]
}

const checkReel = ({ options, media }: Draft): PostProblem[] => {
  if (!booleanOption(options, 'asReel')) return []
  const [video] = media
  if (video?.kind !== 'video') return [{ key: 'options.asReel', message: 'A reel needs a video' }]
  const { width, height, seconds } = video
  const problems: PostProblem[] = []
  const [shortest, longest] = REEL.seconds
  if (seconds !== null && (seconds < shortest || seconds > longest))
    problems.push({
      key: 'media',
      message: `A reel must be ${shortest} to ${longest} seconds long; this video has ${Math.round(seconds)} seconds`,
    })
  if (width === null || height === null) return problems
  const isUpright = Math.abs(width / height - REEL.aspect) < 0.01
  if (!isUpright || width < REEL.minWidth || height < REEL.minHeight)
    problems.push({
      key: 'media',
      message: `A reel must be 9:16 and at least ${REEL.minWidth} × ${REEL.minHeight} pixels; this video is ${width} × ${height}`,
    })
  return problems
}
