import type { SocialNetworks, SocialPost } from '@stoa/cms-model/social.ts'
import { z } from 'zod'
import { paging } from './inputs.ts'
import { countedOf, read, readRows, result } from './reading.ts'
import { tool } from './tool.ts'

export const listSocialPosts = tool({
  name: 'list_social_posts',
  kind: 'read',
  permission: 'social.write',
  description: 'Drafts, scheduled and sent posts.',
  input: z.strictObject({ status: z.string().optional(), ...paging }),
  label: () => 'Reading social posts',
  async run(reach, { status, limit, offset }) {
    const found = await readRows<SocialPost>(reach, '/api/social/posts', { query: { status }, limit, offset })
    const { items } = await read<SocialNetworks>(reach, '/api/social/networks')
    const posts = found.rows.map((post) => ({
      id: post.id,
      caption: post.caption,
      status: post.status,
      scheduledAt: post.scheduledAt,
      targets: post.targets.map((target) => ({
        id: target.id,
        network: target.network,
        account: target.account.name,
        status: target.status,
        error: target.error?.message ?? null,
        url: target.url,
      })),
    }))
    const accounts = items.flatMap(({ network, accounts }) =>
      accounts.map(({ id, name, status }) => ({ id, network, name, status })),
    )
    const { total, nextOffset } = found
    return result({ total, nextOffset, posts, accounts }, countedOf(found, 'post'))
  },
})
