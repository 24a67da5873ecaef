import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import type { CreateSocialPostInput, PostStatus, UpdateSocialPostInput } from '@stoa/cms-model/social.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { requirePermission } from '../../people/access/access.ts'
import { personOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import {
  deletePost,
  deleteTargets,
  type FileRow,
  findLastEditor,
  findPost,
  insertPost,
  insertTarget,
  listAttempts,
  listDuplicates,
  listPostRows,
  listTargets,
  lockPost,
  type NewContent,
  type PostMembers,
  rewriteTarget,
  type StoredAttempt,
  type StoredPost,
  type StoredTarget,
  setWarnings,
  unqueueTargets,
  updatePost,
} from './queries.ts'
import { type Checked, checkPost, filesOf, type Wanted } from './save.ts'
import { recordPost, rollUpPost } from './status.ts'

export { type FileRow, listFiles, lockPost, type PostMedia, type StoredPost } from './queries.ts'
export { kindOf } from './save.ts'
export { notifyUpdated, settlePost } from './status.ts'

/** A post with all that is shown of it. */
export type WholePost = { post: StoredPost; targets: StoredTarget[]; files: Map<string, FileRow> }

export const listPosts = async (
  ctx: Ctx,
  query: Page & { status?: PostStatus | undefined },
): Promise<List<WholePost>> => {
  const { posts, total } = await listPostRows(ctx.db, { page: query.page, limit: query.limit, status: query.status })
  return toList(await wholePosts(ctx.db, posts), total, query)
}

/** Posts with their targets and files: two statements, however many. */
export const wholePosts = async (db: CmsDb, posts: readonly StoredPost[]): Promise<WholePost[]> => {
  if (posts.length === 0) return []
  const targets = await listTargets(
    db,
    posts.map(({ id }) => id),
  )
  const files = await filesOf(
    db,
    posts.flatMap(({ media }) => media),
  )
  const byPost = Map.groupBy(targets, ({ postId }) => postId)
  return posts.map((post) => ({ post, targets: byPost.get(post.id) ?? [], files }))
}

export const getPost = async (ctx: Ctx, id: string): Promise<WholePost> => {
  const post = (await findPost(ctx.db, id)) ?? fail('NOT_FOUND')
  const [whole] = await wholePosts(ctx.db, [post])
  return whole ?? fail('NOT_FOUND')
}

export const getAttempts = (ctx: Ctx, id: string): Promise<StoredAttempt[]> => listAttempts(ctx.db, id)

export const createPost = async (ctx: Ctx, input: CreateSocialPostInput): Promise<WholePost> => {
  const checked = await checkPost(ctx, input)
  const id = newId()
  await ctx.tx(async (tx) => {
    await insertPost(tx, id, membersOf(input, checked), changeOf(ctx))
    for (const target of checked.targets) await addTarget(ctx, tx, { postId: id, scheduledAt: null, target })
    await warnOfDuplicates(ctx, tx, id)
    await recordPost(ctx, tx, 'created', { id, caption: input.caption })
  })
  return getPost(ctx, id)
}

/** Changes the members sent. What is out keeps its copy and link; the rest is rewritten. */
export const updatePostOf = async (
  ctx: Ctx,
  id: string,
  input: UpdateSocialPostInput,
  wanted: WantedVersion,
): Promise<WholePost> => {
  const seen = await getPost(ctx, id)
  requirePost(ctx, seen.post, seen.targets)
  await refuseOtherVersion(wanted, seen.post, () => findLastEditor(ctx.db, id))
  refuseSending(seen.targets)
  const all = wantedOf(seen, input)
  const checked = await checkPost(ctx, all, postedAccounts(seen.targets))
  await ctx.tx(async (tx) => {
    const { post, targets } = await openPost(ctx, tx, id, wanted)
    // The version that was checked must still be the current one.
    if (post.version !== seen.post.version)
      await refuseOtherVersion(seen.post.version, post, () => findLastEditor(tx, id))
    refuseSending(targets)
    const members = membersOf(all, checked)
    const changed = changedMembers(post, targets, { ...members, accountIds: all.accountIds })
    if (changed.length === 0) return
    await updatePost(tx, id, members, changeOf(ctx))
    await rewriteTargets(ctx, tx, {
      post,
      targets,
      checked,
      isMediaNew: changed.includes('media') || changed.includes('link'),
    })
    await rollUpPost(tx, id)
    await warnOfDuplicates(ctx, tx, id)
    await recordPost(ctx, tx, 'updated', { id, caption: members.caption }, changed)
  })
  return getPost(ctx, id)
}

const refuseSending = (targets: readonly StoredTarget[]): void => {
  if (targets.some(({ status }) => status === 'publishing'))
    fail('INVALID_STATE', { message: "The post is being sent. Change it when that's done." })
}

type Rewrite = { post: StoredPost; targets: readonly StoredTarget[]; checked: Checked; isMediaNew: boolean }

const rewriteTargets = async (ctx: Ctx, tx: CmsTx, { post, targets, checked, isMediaNew }: Rewrite): Promise<void> => {
  const kept = new Set(checked.targets.map(({ account }) => account.id))
  const dropped = targets.filter(({ status, accountId }) => status !== 'posted' && !kept.has(accountId))
  await deleteTargets(
    tx,
    dropped.map(({ id }) => id),
  )
  for (const target of checked.targets) {
    const present = targets.find(({ accountId }) => accountId === target.account.id)
    // An account that joins a post which is scheduled goes out with the others.
    const scheduledAt = post.status === 'scheduled' ? post.scheduledAt : null
    if (!present) await addTarget(ctx, tx, { postId: post.id, scheduledAt, target })
    else if (isMediaNew || isOther(present, target.content))
      await rewriteTarget(tx, present.id, target.content, ctx.now())
  }
}

const isOther = (present: StoredTarget, content: NewContent): boolean =>
  present.caption !== content.caption || !isSame(present.options, content.options)

type Adding = { postId: string; scheduledAt: Date | null; target: Checked['targets'][number] }

const addTarget = (ctx: Ctx, tx: CmsTx, { postId, scheduledAt, target: { account, content } }: Adding): Promise<void> =>
  insertTarget(
    tx,
    {
      id: newId(),
      postId,
      accountId: account.id,
      network: account.network,
      status: scheduledAt === null ? 'draft' : 'scheduled',
      dueAt: scheduledAt,
      ...content,
    },
    ctx.now(),
  )

/** Deletes a post: targets that went out stay on the networks, the others are never sent. */
export const removePost = (ctx: Ctx, id: string, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    const { post, targets } = await openPost(ctx, tx, id, wanted)
    // Whether one that is being committed goes out is not ours to decide any more.
    const open = targets.filter(
      ({ status, step }) =>
        status === 'scheduled' ||
        status === 'failed' ||
        (status === 'publishing' && step !== 'committing' && step !== 'confirm'),
    )
    await unqueueTargets(
      tx,
      open.map((target) => target.id),
      ctx.now(),
    )
    await deletePost(tx, id, changeOf(ctx))
    await rollUpPost(tx, id)
    await recordPost(ctx, tx, 'deleted', post)
  })

/** The post for a change by the caller: it exists, has that version and is theirs to change. */
const openPost = async (
  ctx: Ctx,
  tx: CmsTx,
  id: string,
  wanted: WantedVersion,
): Promise<{ post: StoredPost; targets: StoredTarget[] }> => {
  const { post, targets } = await lockForChange(tx, id, wanted)
  requirePost(ctx, post, targets)
  return { post, targets }
}

/** The post for a change; the caller has asked whether it may be made. */
export const lockForChange = async (
  tx: CmsTx,
  id: string,
  wanted: WantedVersion,
): Promise<{ post: StoredPost; targets: StoredTarget[] }> => {
  const post = await lockPost(tx, id)
  if (post === null || post.deletedAt !== null) return fail('NOT_FOUND')
  await refuseOtherVersion(wanted, post, () => findLastEditor(tx, id))
  return { post, targets: await listTargets(tx, [id]) }
}

const postedAccounts = (targets: readonly StoredTarget[]): Set<string> =>
  new Set(targets.filter(({ status }) => status === 'posted').map(({ accountId }) => accountId))

const wantedOf = ({ post, targets }: WholePost, input: UpdateSocialPostInput): Wanted & { note: string | null } => ({
  caption: input.caption ?? post.caption,
  captions: input.captions ?? post.captions,
  accountIds: input.accountIds ?? targets.map(({ accountId }) => accountId),
  media: input.media ?? post.media,
  options: input.options ?? post.options,
  link: input.link === undefined ? post.link : input.link,
  note: input.note === undefined ? post.note : input.note,
})

const membersOf = (wanted: Wanted & { note: string | null }, { media }: Checked): PostMembers => ({
  caption: wanted.caption,
  captions: wanted.captions,
  media,
  options: wanted.options,
  link: wanted.link,
  note: wanted.note,
})

const memberNames = ['caption', 'captions', 'media', 'options', 'link', 'note'] as const

const changedMembers = (
  post: StoredPost,
  targets: readonly StoredTarget[],
  next: PostMembers & { accountIds: readonly string[] },
): string[] => {
  const before = new Set(targets.map(({ accountId }) => accountId))
  const kept = [...postedAccounts(targets)]
  const after = new Set([...next.accountIds, ...kept])
  const isSelectionNew = before.size !== after.size || [...after].some((id) => !before.has(id))
  return [...memberNames.filter((name) => !isSame(post[name], next[name])), ...(isSelectionNew ? ['accountIds'] : [])]
}

/** Also when the database has put members of records into another order. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

const DAY_MS = 86_400_000
const DUPLICATE = 'The same text and media are already scheduled for this account, or were posted within a day'

/** Duplicates cause a warning and are not blocked. */
export const warnOfDuplicates = async (ctx: Ctx, tx: CmsTx, postId: string): Promise<void> => {
  const duplicates = await listDuplicates(tx, postId, new Date(ctx.now().getTime() - DAY_MS))
  for (const { id, status, warnings } of await listTargets(tx, [postId]))
    if (status !== 'posted' && duplicates.has(id) !== warnings.includes(DUPLICATE))
      await setWarnings(tx, id, [
        ...warnings.filter((text) => text !== DUPLICATE),
        ...(duplicates.has(id) ? [DUPLICATE] : []),
      ])
}

export const changeOf = (ctx: Ctx) => ({ at: ctx.now(), by: personOf(ctx)?.id ?? null })

/** Goes out without anybody looking again. */
const isPending = ({ status, nextAttemptAt }: Pick<StoredTarget, 'status' | 'nextAttemptAt'>): boolean =>
  status === 'scheduled' || status === 'publishing' || nextAttemptAt !== null

/** Refuses callers that may not change this post: an author reaches own ones that nobody has scheduled or sent. */
const requirePost = (ctx: Ctx, { authorId }: Pick<StoredPost, 'authorId'>, targets: readonly StoredTarget[]): void => {
  const details = { permission: 'social.write' }
  if (requirePermission(ctx.principal, 'social.write') === 'any') return
  if (authorId === null || authorId !== personOf(ctx)?.id)
    fail('FORBIDDEN', { message: 'You can only change your own posts', details })
  if (targets.some(isPending))
    fail('FORBIDDEN', { message: 'This post is scheduled or being sent. Ask an editor to change it.', details })
}
