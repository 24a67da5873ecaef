import { MAX_SNAPSHOTS, MAX_SNAPSHOTS_BYTES } from '@stoa/cms-model/preview.ts'
import { z } from 'zod'
import { ALIVE_BOOTS } from '../../boot.ts'
import type { Content } from '../../content/entries/entries.ts'
import type { CmsTx } from '../../context.ts'

/** Links to saved entries cost next to nothing; more of them in an hour is a mistake. */
const MAX_LINKS = 10_000

export type NewPreview = {
  tokenHash: Buffer
  entryId: string
  /** Null: the saved entry, as it is when the link is opened. */
  snapshot: string | null
  bytes: number
  bootId: string
  createdBy: string
  now: Date
  expiresAt: Date
}

/** Until the transaction ends, nobody else adds a preview: the limits hold for all processes together. */
export const lockPreviews = async (tx: CmsTx): Promise<void> => {
  await tx.query({ text: `select pg_advisory_xact_lock(hashtextextended('previews', 0))` })
}

export const insertPreview = async (tx: CmsTx, preview: NewPreview): Promise<void> => {
  await tx
    .insertInto('preview')
    .values({
      token_hash: preview.tokenHash,
      entry_id: preview.entryId,
      snapshot: preview.snapshot,
      bytes: preview.bytes,
      boot_id: preview.snapshot === null ? null : preview.bootId,
      created_by: preview.createdBy,
      created_at: preview.now,
      last_used_at: preview.now,
      expires_at: preview.expiresAt,
    })
    .execute()
}

/** Makes room for the snapshot that was just added: those of ended starts go first, then the least recently opened. */
export const evictSnapshots = async (
  tx: CmsTx,
  { kept, bootId }: { kept: Buffer; bootId: string },
): Promise<number> => {
  const evicted = await tx.query({
    text: `with ranked as (
        select token_hash, row_number() over latest as place, sum(bytes) over latest as total
        from preview where snapshot is not null
        window latest as (
          order by token_hash = $1 desc, (boot_id = $2 or boot_id::text in (${ALIVE_BOOTS})) desc, last_used_at desc,
            created_at desc, token_hash
          rows unbounded preceding)
      )
      delete from preview where token_hash = any (array(select token_hash from ranked where place > $3 or total > $4))
      returning 1`,
    values: [kept, bootId, MAX_SNAPSHOTS, MAX_SNAPSHOTS_BYTES],
  })
  return evicted.length
}

export const evictLinks = async (tx: CmsTx, kept: Buffer): Promise<void> => {
  await tx.query({
    text: `delete from preview where token_hash = any (array(
        select token_hash from preview where snapshot is null
        order by token_hash = $1 desc, last_used_at desc, token_hash offset ${MAX_LINKS}))`,
    values: [kept],
  })
}

/** Stays far below the statement timeout. */
export const EXPIRED_AT_ONCE = 1_000

export const deleteExpiredPreviews = async (tx: CmsTx, now: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from preview where ctid = any (array(
             select ctid from preview where expires_at <= $1 limit $2 for update skip locked))
           returning 1`,
    values: [now, limit],
  })
  return gone.length
}

export const deletePreview = async (tx: CmsTx, { tokenHash, entryId }: { tokenHash: Buffer; entryId: string }) => {
  await tx.deleteFrom('preview').where('token_hash', '=', tokenHash).where('entry_id', '=', entryId).execute()
}

export const deletePreviewsOf = async (tx: CmsTx, entryId: string): Promise<void> => {
  await tx.deleteFrom('preview').where('entry_id', '=', entryId).execute()
}

export const deleteSnapshotsOf = async (tx: CmsTx, bootId: string): Promise<void> => {
  await tx.deleteFrom('preview').where('boot_id', '=', bootId).execute()
}

export type OpenedPreview = {
  entryId: string
  type: string
  locale: string
  /** The slug of the shown content. */
  slug: string
  /** What the link shows: unsaved changes, else the unpublished ones, else (null) the entry itself. */
  content: Content | null
  createdBy: string
}

const contentShape = z.object({ title: z.string(), slug: z.string(), data: z.record(z.string(), z.unknown()) })

/** The preview, if everything that it depends on is as it was; opening it counts as use. */
export const openPreviewRow = async (
  tx: CmsTx,
  opening: { tokenHash: Buffer; now: Date; bootId: string; types: readonly string[]; allTypes: string },
): Promise<OpenedPreview | null> => {
  const [row] = await tx.query<Omit<OpenedPreview, 'content'> & { content: unknown }>({
    name: 'open-preview',
    text: `update preview p set last_used_at = greatest(p.last_used_at, $2)
      from entry e
      where p.token_hash = $1 and p.expires_at > $2 and e.id = p.entry_id and e.deleted_at is null
        and ($5 = any($4::text[]) or e.type = any($4::text[]))
        and (p.boot_id is null or p.boot_id = $3 or p.boot_id::text in (${ALIVE_BOOTS}))
        and not exists (select from account a where a.id = p.created_by and a.deactivated_at is not null)
      returning p.entry_id as "entryId", p.created_by as "createdBy", e.type, e.locale, e.slug,
        coalesce(p.snapshot, e.pending) as content`,
    values: [opening.tokenHash, opening.now, opening.bootId, opening.types, opening.allTypes],
  })
  if (!row) return null
  const content = row.content === null ? null : contentShape.parse(row.content)
  return { ...row, content, slug: content?.slug ?? row.slug }
}
