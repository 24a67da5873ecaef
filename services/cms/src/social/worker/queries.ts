import type { ClaimKey } from '@stoa/kit/queue/table.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Progress } from '../networks/networks.ts'
import type { PostMedia } from '../posts/posts.ts'

const MINE = "id = $1 and fence = $2 and status = 'publishing'"

/** Keeps what the network gave out; false when the claim is no longer the latest. */
export const saveProgress = async (tx: CmsTx, { id, fence }: ClaimKey, progress: Progress): Promise<boolean> => {
  const rows = await tx.query({
    name: 'save-social-progress',
    text: `update social_target set progress = progress || $3::jsonb where ${MINE} returning 1`,
    values: [id, fence, JSON.stringify(progress)],
  })
  return rows.length > 0
}

/** Writes how far a target has come; false when the claim is no longer the latest. */
export const saveStep = async (
  tx: CmsTx,
  { id, fence }: ClaimKey,
  set: Readonly<Record<string, unknown>>,
): Promise<boolean> => {
  const names = Object.keys(set)
  const rows = await tx.query({
    text: `update social_target set ${names.map((name, index) => `${name} = $${index + 3}`).join(', ')}
      where ${MINE} returning 1`,
    values: [id, fence, ...Object.values(set)],
  })
  return rows.length > 0
}

export const endAttempt = async (
  tx: CmsTx,
  targetId: string,
  { at, step, outcome, error }: { at: Date; step: string; outcome: string; error: unknown },
): Promise<void> => {
  await tx.query({
    name: 'end-social-attempt',
    text: `update social_attempt set ended_at = $2, step = $3, outcome = $4, error = $5
      where target_id = $1 and ended_at is null`,
    values: [targetId, at, step, outcome, error === null ? null : JSON.stringify(error)],
  })
}

export const touchAccount = async (tx: CmsTx, accountId: string, at: Date): Promise<void> => {
  await tx.query({
    name: 'touch-social-account',
    text: 'update social_account set last_used_at = $2 where id = $1',
    values: [accountId, at],
  })
}

/** What goes with the caption of a post. */
export const findPostParts = async (
  db: CmsDb,
  postId: string,
): Promise<{ media: PostMedia[]; link: string | null } | null> => {
  const [row] = await db.query<{ media: PostMedia[]; link: string | null }>({
    name: 'find-social-post-parts',
    text: 'select media, link from social_post where id = $1',
    values: [postId],
  })
  return row ?? null
}

export type StoredRendition = { blobKey: string; mimeType: string; size: number; width: number; height: number }

const RENDITION = 'blob_key as "blobKey", mime_type as "mimeType", size, width, height'

export const findRendition = async (db: CmsDb, tokenHash: Buffer): Promise<StoredRendition | null> => {
  const [row] = await db.query<StoredRendition>({
    name: 'find-social-rendition',
    text: `select ${RENDITION} from social_rendition where token_hash = $1`,
    values: [tokenHash],
  })
  return row ?? null
}

/** The picture at an address that has not ended. */
export const findServedRendition = async (db: CmsDb, tokenHash: Buffer, now: Date): Promise<StoredRendition | null> => {
  const [row] = await db.query<StoredRendition>({
    name: 'find-served-social-rendition',
    text: `select ${RENDITION} from social_rendition where token_hash = $1 and (expires_at is null or expires_at > $2)`,
    values: [tokenHash, now],
  })
  return row ?? null
}

export const putRendition = async (
  tx: CmsTx,
  tokenHash: Buffer,
  targetId: string,
  made: StoredRendition,
  at: Date,
): Promise<void> => {
  await tx.query({
    name: 'put-social-rendition',
    text: `insert into social_rendition (token_hash, target_id, blob_key, mime_type, size, width, height, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (token_hash) do update set blob_key = excluded.blob_key, mime_type = excluded.mime_type,
        size = excluded.size, width = excluded.width, height = excluded.height, expires_at = null`,
    values: [tokenHash, targetId, made.blobKey, made.mimeType, made.size, made.width, made.height, at],
  })
}

/** A picture that is used again does not end meanwhile. */
export const keepRendition = async (tx: CmsTx, tokenHash: Buffer): Promise<void> => {
  await tx.query({
    name: 'keep-social-rendition',
    text: 'update social_rendition set expires_at = null where token_hash = $1 and expires_at is not null',
    values: [tokenHash],
  })
}

export const expireRenditions = async (tx: CmsTx, targetId: string, at: Date): Promise<void> => {
  await tx.query({
    name: 'expire-social-renditions',
    text: 'update social_rendition set expires_at = $2 where target_id = $1 and expires_at is null',
    values: [targetId, at],
  })
}

/** Returns how many it deleted. */
export const deleteExpiredRenditions = async (tx: CmsTx, now: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from social_rendition where ctid = any (array(
        select ctid from social_rendition where expires_at <= $1 limit $2 for update skip locked)) returning 1`,
    values: [now, limit],
  })
  return gone.length
}

export type LookTarget = {
  id: string
  postId: string
  accountId: string
  network: string
  caption: string
  options: Record<string, unknown>
  progress: Progress
  startedAt: Date
  postedAt: Date
  remoteId: string
  url: string | null
  /** How many were made before. */
  looks: number
  idempotencyKey: string
}

/** Takes posted targets whose address may be known by now. What is not saved before `until` is taken again. */
export const takeLooks = (
  tx: CmsTx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<LookTarget[]> =>
  tx.query({
    name: 'take-social-looks',
    text: `update social_target t set look_again_at = $2
      where t.id = any (array(select id from social_target where look_again_at <= $1 order by look_again_at limit $3
        for update skip locked))
      returning t.id, t.post_id as "postId", t.account_id as "accountId", t.network, t.caption, t.options, t.progress,
        t.started_at as "startedAt", t.posted_at as "postedAt", t.remote_id as "remoteId", t.url, t.looks,
        t.idempotency_key as "idempotencyKey"`,
    values: [now, until, limit],
  })

/** Saves the result of a check and the time of the next one; failed checks count, too. */
export const saveLook = async (
  tx: CmsTx,
  id: string,
  { url, lookAgainAt }: { url: string | null; lookAgainAt: Date | null },
): Promise<void> => {
  await tx.query({
    name: 'save-social-look',
    text: `update social_target set url = coalesce($2, url), look_again_at = $3, looks = looks + 1 where id = $1`,
    values: [id, url, lookAgainAt],
  })
}
