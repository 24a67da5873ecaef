import type { Me } from '@stoa/cms-model/accounts.ts'
import { scopeOf } from '@stoa/cms-model/permissions.ts'
import type { SocialPost } from '../wire.ts'

type Rights = { edit: boolean; schedule: boolean; publish: boolean; retry: boolean; cancel: boolean; remove: boolean }

/** What this person may do with a post as it is now. The service decides by itself in any case. */
export const rightsOn = (
  post: Pick<SocialPost, 'status' | 'authorId' | 'targets'>,
  me: Pick<Me, 'id' | 'role'>,
): Rights => {
  const publishes = scopeOf(me.role, 'social.publish') !== null
  const isGoingOut = post.targets.some(({ status }) => status === 'publishing')
  const waits = post.targets.some(({ status, nextAttemptAt }) => status === 'scheduled' || nextAttemptAt !== null)
  const isOpen = post.targets.some(({ status }) => status !== 'posted' && status !== 'publishing')
  // Without the right to publish one may change own posts that are not scheduled
  const mayWrite = publishes || (post.authorId === me.id && !waits && scopeOf(me.role, 'social.write') !== null)
  return {
    edit: mayWrite && !isGoingOut && isOpen,
    schedule: publishes && isOpen && !isGoingOut,
    publish: publishes && isOpen && !isGoingOut && ['draft', 'scheduled'].includes(post.status),
    retry: publishes,
    cancel: publishes && waits,
    remove: mayWrite && !isGoingOut,
  }
}
