import type { Page } from '@stoa/cms-model/lists.ts'
import type { PostStatus, TargetStatus, TargetStep } from '@stoa/cms-model/social.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'
import type { Options } from '../networks/networks.ts'

/** A file of a post; `alt` null takes that of the media record. */
export type PostMedia = { mediaId: string; alt: string | null; kind: 'image' | 'video' }

export type StoredPost = {
  id: string
  caption: string
  captions: Record<string, string>
  media: PostMedia[]
  options: Record<string, Options>
  link: string | null
  note: string | null
  status: PostStatus
  scheduledAt: Date | null
  authorId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** Columns of `social_post p`. */
export const POST = `p.id, p.caption, p.captions, p.media, p.options, p.link, p.note, p.status, p.scheduled_at as "scheduledAt",
  p.author_id as "authorId", p.version, p.created_at as "createdAt", p.updated_at as "updatedAt",
  p.deleted_at as "deletedAt"`

export const findPost = async (db: CmsDb, id: string): Promise<StoredPost | null> => {
  const [row] = await db.query<StoredPost>({
    name: 'find-social-post',
    text: `select ${POST} from social_post p where p.id = $1 and p.deleted_at is null`,
    values: [id],
  })
  return row ?? null
}

/** The post, which nobody else changes before the transaction ends. A change of targets locks it first. */
export const lockPost = async (tx: CmsTx, id: string): Promise<StoredPost | null> => {
  const [row] = await tx.query<StoredPost>({
    name: 'lock-social-post',
    text: `select ${POST} from social_post p where p.id = $1 for update`,
    values: [id],
  })
  return row ?? null
}

const WAITS_FOR_ACCOUNT = `account_id = $1 and (status = 'scheduled' or status = 'failed' and next_attempt_at is not null)`

/** The posts that are still to go out with this account, in the order in which everybody locks them. */
export const lockPostsWaitingFor = (tx: CmsTx, accountId: string): Promise<StoredPost[]> =>
  tx.query<StoredPost>({
    text: `select ${POST} from social_post p
           where p.id in (select post_id from social_target where ${WAITS_FOR_ACCOUNT}) order by p.id for update`,
    values: [accountId],
  })

/** Fails the targets that wait for this account. */
export const failWaitingTargets = async (
  tx: CmsTx,
  accountId: string,
  error: { kind: string; code: string; message: string; at: string },
): Promise<void> => {
  await tx.query({
    text: `update social_target set status = 'failed', error = $2, next_attempt_at = null, step = null, updated_at = $3
           where ${WAITS_FOR_ACCOUNT}`,
    values: [accountId, JSON.stringify(error), error.at],
  })
}

export const listPostRows = async (
  db: CmsDb,
  { page, limit, status }: Page & { status: PostStatus | undefined },
): Promise<{ posts: StoredPost[]; total: number }> => {
  const where = `p.deleted_at is null${status === undefined ? '' : ' and p.status = $1'}`
  const values: unknown[] = status === undefined ? [] : [status]
  const [counted] = await db.query<{ total: number }>({
    text: `select count(*) as total from social_post p where ${where}`,
    values,
  })
  const posts = await db.query<StoredPost>({
    text: `select ${POST} from social_post p where ${where} order by p.created_at desc, p.id desc
      limit $${values.length + 1} offset $${values.length + 2}`,
    values: [...values, limit, (page - 1) * limit],
  })
  return { posts, total: counted?.total ?? 0 }
}

export type StoredError = { kind: string; code: string; message: string; at: string }

export type StoredTarget = {
  id: string
  postId: string
  accountId: string
  network: string
  accountName: string
  accountHandle: string | null
  accountAvatarUrl: string | null
  status: TargetStatus
  caption: string
  options: Options
  dueAt: Date | null
  step: TargetStep | null
  attempts: number
  nextAttemptAt: Date | null
  url: string | null
  postedAt: Date | null
  error: StoredError | null
  warnings: string[]
}

/** Targets of these posts, each post's in the order in which they were chosen. */
export const listTargets = (db: CmsDb, postIds: readonly string[]): Promise<StoredTarget[]> =>
  db.query({
    name: 'list-social-targets',
    text: `select t.id, t.post_id as "postId", t.account_id as "accountId", t.network, a.name as "accountName",
        a.handle as "accountHandle", a.avatar_url as "accountAvatarUrl", t.status, t.caption, t.options,
        t.due_at as "dueAt", t.step, t.attempts, t.next_attempt_at as "nextAttemptAt", t.url,
        t.posted_at as "postedAt", t.error, t.warnings
      from social_target t join social_account a on a.id = t.account_id
      where t.post_id = any($1::text[]) order by t.post_id, t.id`,
    values: [postIds],
  })

export type StoredAttempt = {
  targetId: string
  n: number
  startedAt: Date
  endedAt: Date | null
  step: string | null
  outcome: string | null
  error: StoredError | null
}

export const listAttempts = (db: CmsDb, postId: string): Promise<StoredAttempt[]> =>
  db.query({
    name: 'list-social-attempts',
    text: `select a.target_id as "targetId", a.n, a.started_at as "startedAt", a.ended_at as "endedAt", a.step, a.outcome,
        a.error
      from social_attempt a join social_target t on t.id = a.target_id where t.post_id = $1 order by a.target_id, a.n`,
    values: [postId],
  })

export type PostMembers = Pick<StoredPost, 'caption' | 'captions' | 'media' | 'options' | 'link' | 'note'>
export type Stamp = { at: Date; by: string | null }

export const insertPost = async (tx: CmsTx, id: string, members: PostMembers, { at, by }: Stamp): Promise<void> => {
  await tx.query({
    name: 'insert-social-post',
    text: `insert into social_post
        (id, caption, captions, media, options, link, note, status, author_id, created_at, updated_at, updated_by)
      values ($1, $2, $3, $4, $5, $6, $7, 'draft', $8, $9, $9, $8)`,
    values: [id, ...valuesOf(members), by, at],
  })
  await linkMedia(tx, id, members)
}

/** Replaces what people wrote, as a new version. */
export const updatePost = async (tx: CmsTx, id: string, members: PostMembers, { at, by }: Stamp): Promise<void> => {
  await tx.query({
    name: 'update-social-post',
    text: `update social_post set caption = $2, captions = $3, media = $4, options = $5, link = $6, note = $7,
        version = version + 1, updated_at = $8, updated_by = $9 where id = $1`,
    values: [id, ...valuesOf(members), at, by],
  })
  await linkMedia(tx, id, members)
}

const valuesOf = ({ caption, captions, media, options, link, note }: PostMembers): unknown[] => [
  caption,
  JSON.stringify(captions),
  JSON.stringify(media),
  JSON.stringify(options),
  link,
  note,
]

const linkMedia = async (tx: CmsTx, postId: string, { media }: PostMembers): Promise<void> => {
  const ids = [...new Set(media.map(({ mediaId }) => mediaId))]
  await tx.query({
    name: 'unlink-social-media',
    text: 'delete from social_post_media where post_id = $1 and media_id <> all($2::uuid[])',
    values: [postId, ids],
  })
  await tx.query({
    name: 'link-social-media',
    text: `insert into social_post_media (post_id, media_id) select $1, id from media where id = any($2::uuid[])
      on conflict do nothing`,
    values: [postId, ids],
  })
}

/** What an action of a person leaves on the post: its time, and a new version. */
export const touchPost = async (
  tx: CmsTx,
  id: string,
  { scheduledAt }: { scheduledAt: Date | null },
  { at, by }: Stamp,
): Promise<void> => {
  await tx.query({
    name: 'touch-social-post',
    text: `update social_post set scheduled_at = $2, version = version + 1, updated_at = $3, updated_by = $4 where id = $1`,
    values: [id, scheduledAt, at, by],
  })
}

export const deletePost = async (tx: CmsTx, id: string, { at, by }: Stamp): Promise<void> => {
  await tx.query({
    name: 'delete-social-post',
    text: `update social_post set deleted_at = $2, version = version + 1, updated_at = $2, updated_by = $3 where id = $1`,
    values: [id, at, by],
  })
}

export const setPostStatus = async (tx: CmsTx, id: string, status: PostStatus): Promise<void> => {
  await tx.query({
    name: 'set-social-post-status',
    text: 'update social_post set status = $2 where id = $1 and status <> $2',
    values: [id, status],
  })
}

export type NewTarget = {
  id: string
  postId: string
  accountId: string
  network: string
  status: 'draft' | 'scheduled'
  dueAt: Date | null
  caption: string
  options: Options
  idempotencyKey: string
  contentHash: Buffer
}

export const insertTarget = async (tx: CmsTx, target: NewTarget, at: Date): Promise<void> => {
  await tx.query({
    name: 'insert-social-target',
    text: `insert into social_target (id, post_id, account_id, network, status, caption, options, due_at, next_attempt_at,
        idempotency_key, content_hash, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $11)`,
    values: [
      target.id,
      target.postId,
      target.accountId,
      target.network,
      target.status,
      target.caption,
      JSON.stringify(target.options),
      target.dueAt,
      target.idempotencyKey,
      target.contentHash,
      at,
    ],
  })
}

export type NewContent = Pick<NewTarget, 'caption' | 'options' | 'idempotencyKey' | 'contentHash'>

/** Another content: what the network got of the old one counts no more. */
export const rewriteTarget = async (tx: CmsTx, id: string, content: NewContent, at: Date): Promise<void> => {
  await tx.query({
    name: 'rewrite-social-target',
    text: `update social_target set caption = $2, options = $3, idempotency_key = $4, content_hash = $5, progress = '{}',
        step = null, started_at = null, waiting_since = null, polls = 0, is_unsure = false, updated_at = $6
      where id = $1`,
    values: [id, content.caption, JSON.stringify(content.options), content.idempotencyKey, content.contentHash, at],
  })
}

export const deleteTargets = async (tx: CmsTx, ids: readonly string[]): Promise<void> => {
  await tx.query({ text: 'delete from social_target where id = any($1::text[])', values: [ids] })
}

/**
 * Puts targets into the queue, or with an urgent one before its pauses. A new row of tries begins; where one may have
 * arrived, it is looked for with what the network gave out for it.
 */
export const queueTargets = async (
  tx: CmsTx,
  ids: readonly string[],
  { dueAt, isUrgent, at }: { dueAt: Date; isUrgent: boolean; at: Date },
): Promise<void> => {
  await tx.query({
    name: 'queue-social-targets',
    text: `update social_target set status = 'scheduled', due_at = $2, next_attempt_at = $2, is_urgent = $3, attempts = 0,
        error = null, step = null, progress = case when is_unsure then progress else '{}' end, waiting_since = null,
        polls = 0, updated_at = $4
      where id = any($1::text[])`,
    values: [ids, dueAt, isUrgent, at],
  })
}

/** Takes targets out of the queue; a worker that has one may not go on to post it. */
export const unqueueTargets = async (tx: CmsTx, ids: readonly string[], at: Date): Promise<void> => {
  await tx.query({
    name: 'unqueue-social-targets',
    text: `update social_target set status = 'draft', due_at = null, next_attempt_at = null, is_urgent = false,
        attempts = 0, error = null, step = null, progress = '{}', waiting_since = null, polls = 0, fence = fence + 1,
        updated_at = $2
      where id = any($1::text[])`,
    values: [ids, at],
  })
}

export const setWarnings = async (tx: CmsTx, id: string, warnings: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'set-social-warnings',
    text: 'update social_target set warnings = $2 where id = $1 and warnings <> $2',
    values: [id, warnings],
  })
}

/** Which of these targets has a duplicate: the same for the same account, waiting or gone out since then. */
export const listDuplicates = async (tx: CmsTx, postId: string, since: Date): Promise<Set<string>> => {
  const rows = await tx.query<{ id: string }>({
    name: 'list-social-duplicates',
    text: `select t.id from social_target t where t.post_id = $1 and exists (
        select from social_target o join social_post p on p.id = o.post_id
        where o.account_id = t.account_id and o.content_hash = t.content_hash and o.post_id <> t.post_id
          and p.deleted_at is null and (o.status in ('scheduled', 'publishing') or o.posted_at > $2))`,
    values: [postId, since],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Who changed the post last. */
export const findLastEditor = async (db: CmsDb, id: string): Promise<Editor | null> => {
  const [row] = await db.query<Editor>({
    name: 'find-social-post-editor',
    text: 'select a.id, a.name from social_post p join account a on a.id = p.updated_by where p.id = $1',
    values: [id],
  })
  return row ?? null
}

export type FileRow = {
  id: string
  filename: string
  blobKey: string
  mimeType: string
  size: number
  width: number | null
  height: number | null
  hash: string
  alt: string
}

const FILE = `id, filename, blob_key as "blobKey", mime_type as "mimeType", size, width, height, hash, alt`

export const listFiles = (db: CmsDb, ids: readonly string[]): Promise<FileRow[]> =>
  db.query({
    name: 'list-social-files',
    text: `select ${FILE} from media where id = any($1::uuid[])`,
    values: [ids],
  })
