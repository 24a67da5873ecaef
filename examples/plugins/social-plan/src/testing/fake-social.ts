import type { NewSocialPost, Social, SocialPost, TargetStatus } from '@stoa/cms-plugin'
import { refusal } from '@stoa/cms-plugin/testing'

/** The posts of core, in memory. */
export const fakeSocial = (now: () => Date) => {
  const posts: SocialPost[] = []
  const find = (id: string): SocialPost => {
    const post = posts.find((one) => one.id === id)
    if (!post) throw refusal(404, 'NOT_FOUND', 'Not found')
    return post
  }
  const make = ({ caption = '', accountIds, note = null }: NewSocialPost): SocialPost => {
    const at = now().toISOString()
    const post: SocialPost = {
      id: `post${posts.length + 1}`,
      caption,
      captions: {},
      accountIds,
      media: [],
      options: {},
      link: null,
      note,
      status: 'draft',
      scheduledAt: null,
      authorId: null,
      targets: accountIds.map((accountId) => targetOf(accountId)),
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
      version: 1,
    }
    posts.unshift(post)
    return post
  }
  const social: Partial<Social> = {
    accounts: async () => ({ items: [] }),
    posts: async ({ page = 1, limit = 25 } = {}) => ({
      items: structuredClone(posts.slice((page - 1) * limit, page * limit)),
      meta: { total: posts.length, page, limit, pages: Math.ceil(posts.length / limit) },
    }),
    getPost: async (id) => structuredClone(find(id)),
    createPost: async (post) => structuredClone(make(post)),
  }
  return {
    social,
    posts,
    remove: (id: string) => posts.splice(posts.indexOf(find(id)), 1),
    fail: (id: string, message: string) => {
      const post = find(id)
      post.status = 'failed'
      for (const target of post.targets)
        Object.assign(target, {
          status: 'failed',
          error: { kind: 'permanent', code: 'X', message, at: post.createdAt },
        })
    },
  }
}

const targetOf = (accountId: string): SocialPost['targets'][number] => ({
  id: `target-${accountId}`,
  accountId,
  network: 'mastodon',
  account: { name: `Account ${accountId}`, handle: null, avatarUrl: null },
  status: 'draft' as TargetStatus,
  step: null,
  caption: '',
  url: null,
  postedAt: null,
  error: null,
  warnings: [],
  attempts: 0,
  nextAttemptAt: null,
})
