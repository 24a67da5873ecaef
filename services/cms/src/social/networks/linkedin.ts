import type { SignedReach } from './http/api-call.ts'
import { NetworkFailure } from './http/failure.ts'
import { besideTokenUrl, exchangeCode, refreshTokens, type TokenFacts, withClient } from './http/oauth.ts'
import { addressOf, listOf, memberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import { call, LABEL, type Progress, succeed } from './linkedin-api.ts'
import { linkedinPublisher } from './linkedin-publisher.ts'
import { defineNetwork, type Endpoints, type FoundAccount, type Tokens } from './network.ts'
import { firstCommentOption } from './posting/first-comment.ts'

const endpoints: Endpoints = {
  authorizeUrl: 'https://www.linkedin.com/oauth/v2/authorization',
  tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
  apiBase: 'https://api.linkedin.com',
  uploadBase: '',
  apiVersion: '202606',
  scopes: ['openid', 'profile', 'w_member_social'],
}
const tokenFacts: TokenFacts = { scopeSeparator: ' ', clientAuth: 'form' }

export const linkedin = defineNetwork<Progress>({
  label: LABEL,
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
    { ...firstCommentOption, max: 1_250 },
    { key: 'disableReshare', type: 'boolean', label: 'Turn off reposts' },
  ],
  walkthrough: {
    consoleUrl: 'https://www.linkedin.com/developers/apps',
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
        body: 'Create a second app whose only product is "Community Management API": LinkedIn doesn\'t allow it together with other products. Enter these scopes here, under Advanced: r_basicprofile, w_member_social, w_organization_social, r_organization_social, rw_organization_admin.',
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
    'How LinkedIn words its response to a duplicate post',
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

  publisher: linkedinPublisher,
})

/** OpenID where it was granted, the older profile where not. */
const readMember = async (reach: SignedReach, tokens: Tokens): Promise<FoundAccount> => {
  const isOpenId = tokens.scopes.includes('openid')
  const { json } = await call(reach, { path: isOpenId ? '/v2/userinfo' : '/v2/me' })
  const person = objectOf(json)
  const older = [person.localizedFirstName, person.localizedLastName].map(textOf).filter(Boolean).join(' ')
  return {
    remoteId: `urn:li:person:${requireText(person, isOpenId ? 'sub' : 'id', LABEL, 'transient')}`,
    name: textOf(person.name) ?? (older || LABEL),
    handle: null,
    avatarUrl: addressOf(person.picture),
    profileUrl: null,
    kind: 'profile',
    tokens,
    capabilities: {},
  }
}

const ROLES: ReadonlySet<unknown> = new Set(['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR'])

const readPages = async (reach: SignedReach, tokens: Tokens): Promise<FoundAccount[]> => {
  const { json } = await call(reach, {
    path: '/rest/organizationAcls',
    query: { q: 'roleAssignee', state: 'APPROVED', count: 100 },
  })
  const roles = listOf(memberOf(json, 'elements')).map(objectOf)
  const urns = roles
    .filter(({ role }) => ROLES.has(role))
    .map((entry) => requireText(entry, 'organization', LABEL, 'transient'))
  const pages: FoundAccount[] = []
  for (const urn of new Set(urns)) {
    const id = urn.split(':').at(-1) ?? ''
    const page = objectOf((await call(reach, { path: `/rest/organizations/${encodeURIComponent(id)}` })).json)
    const handle = textOf(page.vanityName)
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
