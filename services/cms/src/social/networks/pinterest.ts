import { boundedWords } from './http/failure.ts'
import { exchangeCode, refreshTokens, type TokenFacts } from './http/oauth.ts'
import { addressOf, listOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import { type Capabilities, type Draft, defineNetwork, type PostProblem } from './network.ts'
import { callPinterest, LABEL } from './pinterest-call.ts'
import { type PinterestProgress, publisher } from './pinterest-publisher.ts'
import { isWebAddress, numberOption, textOption } from './posting/option-values.ts'

const TITLE_MAX = 100
const LINK_MAX = 2048
const BOARDS_PER_CALL = 250
const MAX_CALLS = 20
const BOARD_NAME_MAX = 200

const tokenFacts: TokenFacts = { scopeSeparator: ',', clientAuth: 'basic' }

export const pinterest = defineNetwork<PinterestProgress>({
  label: LABEL,
  oauth: {
    endpoints: {
      authorizeUrl: 'https://www.pinterest.com/oauth/',
      tokenUrl: 'https://api.pinterest.com/v5/oauth/token',
      apiBase: 'https://api.pinterest.com/v5',
      uploadBase: '',
      apiVersion: 'v5',
      scopes: ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'],
    },
    scopeSeparator: ',',
    pkce: false,
    hasEnvironment: false,
  },
  limits: {
    captionMax: 800,
    captionCount: 'utf16',
    textOnly: false,
    imagesMax: 5,
    imageTypes: ['image/jpeg', 'image/png'],
    imageMaxBytes: 20 * 2 ** 20,
    videoTypes: ['video/mp4', 'video/quicktime', 'video/x-m4v'],
    videoMaxBytes: 2 * 2 ** 30,
    videoSeconds: [4, 900],
    altText: { image: true, video: true, max: 500 },
    image: { delivery: 'upload', maxWidth: null, aspect: null, isSameSize: true },
    videoDelivery: 'upload',
    link: 'field',
  },
  options: [
    { key: 'boardId', type: 'board', label: 'Board', required: true },
    {
      key: 'boardSectionId',
      type: 'text',
      label: 'Board section ID',
      help: 'Leave empty to pin to the board itself',
    },
    { key: 'title', type: 'text', label: 'Title', max: TITLE_MAX },
    { key: 'link', type: 'text', label: 'Link', help: "Used on Pinterest in place of the post's link", max: LINK_MAX },
    {
      key: 'coverKeyFrameSeconds',
      type: 'number',
      label: 'Cover frame (seconds)',
      help: 'Which moment of the video to use as its cover. Leave empty for the first frame.',
    },
  ],
  check: (draft) => [...checkBoard(draft), ...checkLink(draft), ...checkCover(draft)],
  walkthrough: {
    consoleUrl: 'https://developers.pinterest.com/apps',
    checkedOn: '2026-10',
    leadTime: 'Trial access within a few days; with it, only you see your pins. Standard access after a review',
    steps: [
      {
        title: 'Register an app',
        body: 'Convert your Pinterest account to a business account. Then, at developers.pinterest.com/apps, choose Connect app.',
      },
      {
        title: 'Request Standard access',
        body: 'Your app starts with Trial access, and only you see its pins. Request Standard access; Pinterest asks for a demo video.',
      },
      { title: 'Add the callback', body: 'In the settings of the app, add {callback} under Redirect URIs.' },
      { title: 'Copy the app ID and secret', body: 'Copy the App ID and the App secret key.' },
    ],
  },
  unverified: [
    'Access tokens last 30 days',
    'Videos may be 4 seconds to 15 minutes long and have up to 2 GB',
    'Images may have up to 20 MB',
    'The numbers of error codes',
    'Board sections are chosen by their ID',
  ],

  async connect(reach, grant) {
    const { tokens } = await exchangeCode(reach, tokenFacts, grant, { continuous_refresh: 'true' })
    const asked = { ...reach, accessToken: tokens.accessToken }
    const user = await callPinterest(asked, { path: '/user_account' })
    const username = textOf(user.username)
    return [
      {
        remoteId: requireText(user, 'id', LABEL, 'transient'),
        name: textOf(user.business_name) ?? username ?? LABEL,
        handle: username,
        avatarUrl: addressOf(user.profile_image),
        profileUrl: username && `https://www.pinterest.com/${username}/`,
        kind: 'profile',
        tokens,
        capabilities: { boards: await listBoards(asked) },
      },
    ]
  },

  refresh: {
    when: 'early',
    run: async (reach, tokens) => (await refreshTokens(reach, tokenFacts, tokens)).tokens,
  },

  capabilities: async (reach) => ({ boards: await listBoards(reach) }),

  publisher,
})

const listBoards = async (reach: Parameters<typeof callPinterest>[0]): Promise<NonNullable<Capabilities['boards']>> => {
  const boards: { id: string; name: string }[] = []
  let bookmark: string | undefined
  for (let call = 0; call < MAX_CALLS; call += 1) {
    const answer = await callPinterest(reach, { path: '/boards', query: { page_size: BOARDS_PER_CALL, bookmark } })
    for (const board of listOf(answer.items).map(objectOf)) {
      const id = textOf(board.id)
      if (id !== null) boards.push({ id, name: boundedWords(textOf(board.name) ?? id, BOARD_NAME_MAX) })
    }
    bookmark = textOf(answer.bookmark) ?? undefined
    if (bookmark === undefined) break
  }
  return boards
}

const checkBoard = ({ options, capabilities: { boards } }: Draft): PostProblem[] => {
  const id = textOption(options, 'boardId')
  if (id === null || !boards || boards.some((board) => board.id === id)) return []
  return [{ key: 'options.boardId', message: 'Choose a board of this account' }]
}

const checkLink = ({ options, link: postLink }: Draft): PostProblem[] => {
  const own = textOption(options, 'link')
  if (own !== null && !isWebAddress(own))
    return [{ key: 'options.link', message: 'Enter a link like https://example.com/page' }]
  const length = (own ?? postLink ?? '').length
  if (length <= LINK_MAX) return []
  return [{ key: 'options.link', message: `Pinterest allows links of ${LINK_MAX} characters; this one has ${length}` }]
}

const checkCover = ({ options, media }: Draft): PostProblem[] => {
  const moment = numberOption(options, 'coverKeyFrameSeconds')
  const seconds = media[0]?.seconds ?? null
  if (moment === null || (moment >= 0 && (seconds === null || moment <= seconds))) return []
  const message =
    seconds === null ? 'Enter 0 or more seconds' : `Choose a moment between 0 and ${Math.floor(seconds)} seconds`
  return [{ key: 'options.coverKeyFrameSeconds', message }]
}
