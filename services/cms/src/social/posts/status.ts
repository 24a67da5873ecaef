import { rollUp } from '@stoa/cms-model/social.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { type ChangeRecord, recordChange } from '../../events/events.ts'
import { listTargets, type StoredPost, type StoredTarget, setPostStatus } from './queries.ts'

const LABEL_LENGTH = 80

/** What Activity calls a post. */
const labelOf = ({ caption }: Pick<StoredPost, 'caption'>): string => {
  const line = caption.trim().split('\n')[0] ?? ''
  return line.length > LABEL_LENGTH ? `${line.slice(0, LABEL_LENGTH).toWellFormed()}…` : line || 'Post without text'
}

/** Has sockets read the post again; no other listener is notified. */
export const notifyUpdated = (tx: CmsTx, postId: string): void => {
  tx.changes.push({ topic: 'social', event: 'social.updated', data: { id: postId, isPublic: false } })
}

type PostAction = 'created' | 'updated' | 'deleted' | 'scheduled' | 'published' | 'cancelled'

/** What a person did to a post, after its status was written. */
export const recordPost = (
  ctx: Ctx,
  tx: CmsTx,
  action: PostAction,
  post: Pick<StoredPost, 'id' | 'caption'>,
  changed: readonly string[] = [],
): Promise<void> =>
  recordChange(ctx, tx, {
    action: `social.post.${action}`,
    target: { kind: 'social', id: post.id, label: labelOf(post) },
    changed,
    events: [{ name: 'social.updated', data: { id: post.id }, isPublic: false, isInternal: true }],
  })

/** Writes the status that follows from the targets. The post is locked. */
export const rollUpPost = async (tx: CmsTx, postId: string): Promise<StoredTarget[]> => {
  const targets = await listTargets(tx, [postId])
  await setPostStatus(tx, postId, rollUp(targets))
  return targets
}

/** After a target has ended: the post's status, and webhooks when nothing goes on by itself. The post is locked. */
export const settlePost = async (ctx: Ctx, tx: CmsTx, post: StoredPost): Promise<void> => {
  const targets = await rollUpPost(tx, post.id)
  notifyUpdated(tx, post.id)
  const status = rollUp(targets)
  const isOver = targets.every(({ nextAttemptAt }) => nextAttemptAt === null)
  if (!isOver || post.deletedAt !== null || (status !== 'posted' && status !== 'partial' && status !== 'failed')) return
  const event = `social.post.${status}` as const
  const change: ChangeRecord = {
    action: event,
    target: { kind: 'social', id: post.id, label: labelOf(post) },
    events: [
      {
        name: event,
        data: {
          id: post.id,
          status,
          targets: targets.map(({ network, status: outcome, url, error }) => ({
            network,
            status: outcome,
            url,
            error,
          })),
        },
        isPublic: false,
      },
    ],
  }
  await recordChange(ctx, tx, change)
}
