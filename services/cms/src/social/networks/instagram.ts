import { createGraph, type GraphRules } from './meta.ts'
import { type ContainerProgress, containerPublisher } from './meta-containers.ts'
import { profileConsent } from './meta-profile.ts'
import { type Draft, defineNetwork, type Outgoing, type PostProblem } from './network.ts'
import { firstCommentOption } from './posting/first-comment.ts'
import { booleanOption, numberOption, tagsOption } from './posting/option-values.ts'

const LABEL = 'Instagram'
const MENTIONS_MAX = 20
const COLLABORATORS_MAX = 3

const rules: GraphRules = {
  label: LABEL,
  subcodes: {
    transient: [2207001, 2207003, 2207008, 2207020, 2207027, 2207032, 2207053, 2207082],
    rate: [2207042],
    auth: [33],
    policy: [2207050, 2207051],
    invalid: [2207004, 2207005, 2207009, 2207010, 2207023, 2207026, 2207028, 2207052, 2207057],
  },
  authWords: /not an? (instagram )?business/i,
}
const graph = createGraph(rules)

export const instagram = defineNetwork<ContainerProgress>({
  label: LABEL,
  oauth: {
    endpoints: {
      authorizeUrl: 'https://www.instagram.com/oauth/authorize',
      tokenUrl: 'https://api.instagram.com/oauth/access_token',
      apiBase: 'https://graph.instagram.com/v25.0',
      uploadBase: 'https://rupload.facebook.com/ig-api-upload/v25.0',
      apiVersion: 'v25.0',
      scopes: ['instagram_business_basic', 'instagram_business_content_publish', 'instagram_business_manage_comments'],
    },
    scopeSeparator: ',',
    pkce: false,
    hasEnvironment: true,
    versionEndsOn: '2028-07-29',
  },
  limits: {
    captionMax: 2200,
    captionCount: 'utf16',
    textOnly: false,
    imagesMax: 10,
    imageTypes: ['image/jpeg'],
    imageMaxBytes: 8 * 2 ** 20,
    videoTypes: ['video/mp4', 'video/quicktime'],
    videoMaxBytes: 300 * 2 ** 20,
    videoSeconds: [3, 900],
    altText: { image: true, video: false, max: null },
    image: { delivery: 'url', maxWidth: 1440, aspect: [0.8, 1.91] },
    videoDelivery: 'url',
    link: 'caption',
    hashtagsMax: 30,
  },
  options: [
    firstCommentOption,
    {
      key: 'shareToFeed',
      type: 'boolean',
      label: 'Show the reel in the feed',
      help: 'When off, the video shows in the Reels tab only',
    },
    {
      key: 'collaborators',
      type: 'tags',
      label: 'Collaborators',
      help: `Up to ${COLLABORATORS_MAX} Instagram usernames to invite as co-authors`,
      max: COLLABORATORS_MAX,
    },
    {
      key: 'thumbOffsetMs',
      type: 'number',
      label: 'Cover frame (milliseconds)',
      help: 'Which moment of the video to use as its cover',
    },
  ],
  check: (draft) => [...checkMentions(draft), ...checkCollaborators(draft), ...checkCover(draft)],
  walkthrough: {
    consoleUrl: 'https://developers.facebook.com/apps',
    checkedOn: '2026-10',
    leadTime: 'Right away for accounts with a role in your app; Meta reviews the app before others can connect',
    steps: [
      {
        title: 'Add Instagram to your Meta app',
        body: 'At developers.facebook.com/apps, open your app (or create one), add the product Instagram and choose API setup with Instagram login.',
      },
      { title: 'Add the callback', body: 'In Business login settings, add {callback} as an OAuth redirect URI.' },
      {
        title: 'Invite a tester',
        body: 'Until Meta has reviewed the app: under App roles > Roles, add your account as Instagram Tester, then accept the invite in Instagram under Settings > Apps and websites.',
      },
      {
        title: 'Request permissions',
        body: 'Request instagram_business_basic, instagram_business_content_publish and instagram_business_manage_comments. Accounts with a role in the app can connect before the review.',
      },
      {
        title: 'Copy the app ID and secret',
        body: 'Copy the Instagram app ID and the Instagram app secret. They differ from the ID and secret of the Meta app.',
      },
      {
        title: 'Check your account and address',
        body: 'The Instagram account must be a Business or Creator account. Instagram downloads your images and videos, so this site must be reachable over https.',
      },
    ],
  },
  unverified: [
    'Instagram allows up to 20 mentions in a caption and 3 collaborators',
    'A prepared post lasts 24 hours',
    'Consent codes may end in #_, which is removed',
    'Videos of more than 300 MB are rejected',
    'The number of posts left for the day is read from content_publishing_limit',
  ],

  ...profileConsent({
    graph,
    label: LABEL,
    prefix: 'ig',
    idMember: 'user_id',
    pictureMember: 'profile_picture_url',
    profileUrlOf: (username) => `https://www.instagram.com/${username}/`,
  }),

  publisher: containerPublisher({
    rules,
    edge: 'media',
    publishEdge: 'media_publish',
    limitEdge: 'content_publishing_limit',
    stateMember: 'status_code',
    reasonMember: 'status',
    captionMember: 'caption',
    postForm: ({ options, media }) => {
      const collaborators = tagsOption(options, 'collaborators').map(bareUsername)
      return {
        ...(collaborators.length > 0 && { collaborators: JSON.stringify(collaborators) }),
        ...(isVideo(media) && {
          share_to_feed: booleanOption(options, 'shareToFeed')?.toString(),
          thumb_offset: numberOption(options, 'thumbOffsetMs')?.toString(),
        }),
      }
    },
    mediumForm: async (medium) =>
      medium.kind === 'video'
        ? { media_type: 'REELS', video_url: await medium.publicUrl() }
        : { image_url: await medium.publicUrl(), alt_text: medium.alt || undefined },
    comment: (publishing, posted, message) =>
      graph(publishing, {
        url: `${publishing.endpoints.apiBase}/${posted.remoteId}/comments`,
        body: { form: { message } },
      }),
  }),
})

const isVideo = (media: Outgoing['media']): boolean => media[0]?.kind === 'video'

const bareUsername = (name: string): string => name.trim().replace(/^@/, '')

const checkMentions = ({ caption }: Draft): PostProblem[] => {
  const mentions = caption.match(/(?<![\w@])@[\w.]+/g)?.length ?? 0
  if (mentions <= MENTIONS_MAX) return []
  return [{ key: 'caption', message: `Instagram allows ${MENTIONS_MAX} mentions; this caption has ${mentions}` }]
}

const checkCollaborators = ({ options }: Draft): PostProblem[] => {
  const names = tagsOption(options, 'collaborators').map(bareUsername)
  const wrong = names.find((name) => !/^[\w.]{1,30}$/.test(name))
  const key = 'options.collaborators'
  return [
    ...(names.length > COLLABORATORS_MAX
      ? [{ key, message: `Enter at most ${COLLABORATORS_MAX} collaborators` } as const]
      : []),
    ...(wrong === undefined ? [] : [{ key, message: `"${wrong}" is not an Instagram username` } as const]),
  ]
}

const checkCover = ({ options, media }: Draft): PostProblem[] => {
  const offset = numberOption(options, 'thumbOffsetMs')
  const seconds = media[0]?.seconds ?? null
  if (offset === null || (offset >= 0 && (seconds === null || offset <= seconds * 1000))) return []
  const message =
    seconds === null
      ? 'Enter 0 or more milliseconds'
      : `Choose a moment between 0 and ${Math.floor(seconds * 1000)} milliseconds`
  return [{ key: 'options.thumbOffsetMs', message }]
}
