import type { SocialPost } from '@stoa/cms-model/social.ts'
import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import type { DraftRequest } from './draft.ts'
import { changeOf, given, openObject, proposed, reason, rehearse, roleToRehearse } from './proposing.ts'
import { type Reach, tool } from './tool.ts'

const ROUTE = '/api/social/posts'
const SCHEDULE = '/api/social/posts/:id/schedule'

/** The length of a caption that fits into a title. */
const MAX_TITLE = 60

export const proposeSocialPost = tool({
  name: 'propose_social_post',
  kind: 'propose',
  permission: 'social.write',
  description: 'Draft a post to connected accounts, optionally scheduled.',
  input: z.strictObject({
    caption: z.string(),
    accountIds: z.array(z.string()).min(1),
    mediaIds: z.array(z.string()).optional(),
    options: openObject('per network').optional(),
    at: z.string().describe('ISO 8601').optional(),
    reason,
  }),
  label: () => 'Preparing a post',
  run: async (reach, { caption, accountIds, mediaIds, options, at, reason: why }) => {
    const body = given({ caption, accountIds, media: mediaIds?.map((mediaId) => ({ mediaId })), options })
    const post = await rehearsePost(reach, body, at)
    const isScheduled = at !== undefined
    // With several requests, paths begin with the number of theirs.
    const path = (member: string) => (isScheduled ? `0.${member}` : member)
    const title = caption.length > MAX_TITLE ? `${caption.slice(0, MAX_TITLE)}…` : caption
    const requests: DraftRequest[] = [
      { method: 'POST', route: ROUTE, params: {}, body, version: null, record: null },
      ...(isScheduled
        ? [{ method: 'POST' as const, route: SCHEDULE, params: {}, body: { at }, version: null, record: null }]
        : []),
    ]
    return proposed({
      title: `${isScheduled ? 'Schedule' : 'Draft'} a post: “${title}”`,
      reason: why,
      risk: isScheduled ? 'live' : 'edit',
      verb: isScheduled ? 'Schedule post' : 'Create draft',
      permission: isScheduled ? 'social.publish' : 'social.write',
      target: { kind: 'post', id: null, label: title, screen: 'social_posts' },
      changes: [
        changeOf({ path: path('caption'), label: 'Caption', after: caption }),
        changeOf({
          path: path('accountIds'),
          label: 'Accounts',
          after: post.targets.map(({ account, network }) => `${account.name} (${network})`),
          view: 'list',
        }),
        ...(mediaIds === undefined || mediaIds.length === 0
          ? []
          : [changeOf({ path: path('media'), label: 'Media', after: mediaIds, view: 'media' })]),
        ...Object.entries(options ?? {}).map(([network, value]) =>
          changeOf({ path: path(`options.${network}`), label: `Options for ${network}`, after: value, view: 'json' }),
        ),
        ...(isScheduled ? [changeOf({ path: '1.at', label: 'Publish at', after: at })] : []),
      ],
      requests,
      base: { kind: 'post', id: null, version: null },
      anchors: null,
    })
  },
})

/** Someone who cannot schedule may still ask for it. */
const rehearsePost = (
  reach: Reach,
  body: { readonly [member: string]: Json },
  at: string | undefined,
): Promise<SocialPost> => {
  const create = { method: 'POST', path: ROUTE, body } as const
  if (at === undefined) return rehearse<SocialPost>(reach, create)
  return rehearse<SocialPost>(reach, create, {
    role: roleToRehearse(reach, 'social.publish'),
    next: (post) => ({ method: 'POST', path: SCHEDULE, params: { id: idOf(post) }, body: { at } }),
  })
}

const idOf = (post: Json | undefined): string => (post as unknown as SocialPost).id
