import type {
  SocialAttempt,
  SocialOverview,
  SocialPost,
  SocialPostDetail,
  SocialTarget,
} from '@stoa/cms-model/social.ts'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { mediaUrl } from '../../content/media/media.ts'
import type { Overview } from './overview.ts'
import type { WholePost } from './posts.ts'
import type { StoredAttempt, StoredError, StoredTarget } from './queries.ts'

export const idParams = z.object({ id: z.uuid() })

export const postJson = (config: Pick<Config, 'publicUrl'>, { post, targets, files }: WholePost): SocialPost => ({
  id: post.id,
  caption: post.caption,
  captions: post.captions,
  accountIds: targets.map(({ accountId }) => accountId),
  media: post.media.map(({ mediaId, alt, kind }) => {
    const file = files.get(mediaId)
    return { mediaId, alt: alt ?? file?.alt ?? '', url: file ? mediaUrl(config, file) : null, kind }
  }),
  options: post.options as SocialPost['options'],
  link: post.link,
  note: post.note,
  status: post.status,
  scheduledAt: post.scheduledAt?.toISOString() ?? null,
  authorId: post.authorId,
  targets: targets.map(targetJson),
  createdAt: post.createdAt.toISOString(),
  updatedAt: post.updatedAt.toISOString(),
  deletedAt: post.deletedAt?.toISOString() ?? null,
  version: post.version,
})

const targetJson = (target: StoredTarget): SocialTarget => ({
  id: target.id,
  accountId: target.accountId,
  network: target.network,
  account: { name: target.accountName, handle: target.accountHandle, avatarUrl: target.accountAvatarUrl },
  status: target.status,
  step: target.step,
  caption: target.caption,
  url: target.url,
  postedAt: target.postedAt?.toISOString() ?? null,
  error: errorJson(target.error),
  warnings: target.warnings,
  attempts: target.attempts,
  // While a worker is active, the column holds the end of its lease, which clients must not see.
  nextAttemptAt: target.status === 'failed' ? (target.nextAttemptAt?.toISOString() ?? null) : null,
})

const errorJson = (error: StoredError | null): SocialTarget['error'] =>
  error && { kind: error.kind, code: error.code, message: error.message, at: error.at }

export const postDetailJson = (
  config: Pick<Config, 'publicUrl'>,
  whole: WholePost,
  attempts: readonly StoredAttempt[],
): SocialPostDetail => {
  const post = postJson(config, whole)
  const log = Map.groupBy(attempts, ({ targetId }) => targetId)
  return {
    ...post,
    targets: post.targets.map((target) => ({ ...target, attemptLog: (log.get(target.id) ?? []).map(attemptJson) })),
  }
}

const attemptJson = ({ n, startedAt, endedAt, step, outcome, error }: StoredAttempt): SocialAttempt => ({
  n,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  step,
  outcome,
  error: errorJson(error),
})

export const overviewJson = (config: Pick<Config, 'publicUrl'>, overview: Overview): SocialOverview => ({
  counts: overview.counts,
  next: overview.next.map((whole) => postJson(config, whole)),
  last: overview.last.map((whole) => postJson(config, whole)),
  attention: overview.attention.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })),
})
