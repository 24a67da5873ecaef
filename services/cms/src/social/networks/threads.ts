import { LONG_TIMEOUT_MS } from './http/http.ts'
import { requireText } from './http/read-reply.ts'
import { createGraph, type GraphRules } from './meta.ts'
import { type ContainerProgress, containerPublisher } from './meta-containers.ts'
import { profileConsent } from './meta-profile.ts'
import { type Draft, defineNetwork, type PostProblem } from './network.ts'
import { firstCommentOption } from './posting/first-comment.ts'
import { textOption } from './posting/option-values.ts'

const LABEL = 'Threads'
const TOPIC_MAX = 50

const rules: GraphRules = {
  label: LABEL,
  subcodes: { transient: [2207001, 2207008, 2207020], rate: [2207042], policy: [2207051, 4279013] },
  authWords: /^error validating access token/i,
}
const graph = createGraph(rules)

export const threads = defineNetwork<ContainerProgress>({
  label: LABEL,
  oauth: {
    endpoints: {
      authorizeUrl: 'https://threads.net/oauth/authorize',
      tokenUrl: 'https://graph.threads.net/oauth/access_token',
      apiBase: 'https://graph.threads.net/v1.0',
      uploadBase: '',
      apiVersion: 'v1.0',
      scopes: ['threads_basic', 'threads_content_publish', 'threads_manage_replies'],
    },
    scopeSeparator: ',',
    pkce: false,
    hasEnvironment: false,
  },
  limits: {
    captionMax: 500,
    captionCount: 'threads',
    textOnly: true,
    imagesMax: 20,
    imageTypes: ['image/jpeg', 'image/png'],
    imageMaxBytes: 8 * 2 ** 20,
    videoTypes: ['video/mp4', 'video/quicktime'],
    videoMaxBytes: 2 ** 30,
    videoSeconds: [0.1, 300],
    altText: { image: true, video: true, max: 1000 },
    image: { delivery: 'url', maxWidth: 1440, aspect: [0.1, 10] },
    videoDelivery: 'url',
    link: 'caption',
  },
  options: [
    {
      key: 'replyControl',
      type: 'select',
      label: 'Who can reply',
      values: [
        { value: 'everyone', label: 'Everyone' },
        { value: 'accounts_you_follow', label: 'Profiles you follow' },
        { value: 'mentioned_only', label: 'Mentioned profiles only' },
        { value: 'parent_post_author_only', label: 'Only you' },
        { value: 'followers_only', label: 'Your followers' },
      ],
    },
    { key: 'topicTag', type: 'text', label: 'Topic', help: 'One topic, without #', max: TOPIC_MAX },
    { ...firstCommentOption, label: 'First reply', help: 'Added as a reply right after the post goes out' },
  ],
  check: (draft) => checkTopic(draft),
  walkthrough: {
    consoleUrl: 'https://developers.facebook.com/apps',
    checkedOn: '2026-10',
    leadTime: 'Right away for profiles with a role in your app; Meta reviews the app before others can connect',
    steps: [
      {
        title: 'Create a Meta app for Threads',
        body: 'At developers.facebook.com/apps, create an app with the use case Access the Threads API.',
      },
      {
        title: 'Add permissions',
        body: 'In the use case, add threads_basic, threads_content_publish and threads_manage_replies.',
      },
      {
        title: 'Add the callback',
        body: 'In the settings of the use case, enter {callback} as redirect, uninstall and delete callback URL. The form needs all three.',
      },
      {
        title: 'Invite a tester',
        body: 'Until Meta has reviewed the app: under App roles, add your profile as Threads Tester, then accept the invite in Threads under Settings > Website permissions > Invites.',
      },
      {
        title: 'Copy the app ID and secret',
        body: 'Copy the Threads app ID and the Threads app secret. They differ from the ID and secret of the Meta app.',
      },
    ],
  },
  unverified: [
    'The values of “Who can reply”',
    'How topics are sent, and their rules',
    'Alt text may have up to 1,000 characters',
    'Access tokens are accepted in the Authorization header',
    'The number of posts left for the day is read from threads_publishing_limit',
  ],

  ...profileConsent({
    graph,
    label: LABEL,
    prefix: 'th',
    idMember: 'id',
    pictureMember: 'threads_profile_picture_url',
    profileUrlOf: (username) => `https://www.threads.net/@${username}`,
  }),

  publisher: containerPublisher({
    rules,
    edge: 'threads',
    publishEdge: 'threads_publish',
    limitEdge: 'threads_publishing_limit',
    stateMember: 'status',
    reasonMember: 'error_message',
    captionMember: 'text',
    postForm: ({ options }) => ({
      reply_control: textOption(options, 'replyControl') ?? undefined,
      topic_tag: textOption(options, 'topicTag') ?? undefined,
    }),
    mediumForm: async (medium) => ({
      ...(medium.kind === 'video'
        ? { media_type: 'VIDEO', video_url: await medium.publicUrl() }
        : { media_type: 'IMAGE', image_url: await medium.publicUrl() }),
      alt_text: medium.alt || undefined,
    }),
    textForm: { media_type: 'TEXT' },
    async comment(publishing, posted, text) {
      const own = `${publishing.endpoints.apiBase}/${publishing.account.remoteId}`
      const form = { media_type: 'TEXT', text, reply_to_id: posted.remoteId }
      const reply = await graph(publishing, { url: `${own}/threads`, body: { form } })
      const creation_id = requireText(reply, 'id', LABEL, 'transient')
      const publish = { url: `${own}/threads_publish`, body: { form: { creation_id } } }
      return graph(publishing, { ...publish, timeoutMs: LONG_TIMEOUT_MS })
    },
  }),
})

const checkTopic = ({ options }: Draft): PostProblem[] => {
  const topic = textOption(options, 'topicTag')
  if (topic === null || !/[.&]/.test(topic)) return []
  return [{ key: 'options.topicTag', message: 'Enter a topic without periods and ampersands' }]
}
