import type { BlobLinkTable } from '../../tables/store.ts'
import type { MailDb, MailTx } from '../handles.ts'

export type BlobLinkKind = BlobLinkTable['kind']
export type BlobLink = {
  /** An address, or an account. */
  ownerId: string
  blob: { key: string; size: number }
  kind: BlobLinkKind
  /** The ID of the object that needs the blob. */
  refId: string
  now: Date
  expiresAt?: Date | null
}

/** Links a blob. Linking it again keeps the later expiry. */
export const upsertBlobLink = async (tx: MailTx, link: BlobLink): Promise<void> => {
  await tx.query({
    name: 'store-link-blob',
    text: `insert into blob_link as l (owner_id, blob_key, kind, ref_id, size, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (owner_id, blob_key, kind, ref_id) do update set expires_at =
        case when l.expires_at is null or excluded.expires_at is null then null
          else greatest(l.expires_at, excluded.expires_at) end`,
    values: [link.ownerId, link.blob.key, link.kind, link.refId, link.blob.size, link.now, link.expiresAt ?? null],
  })
}

/** Bytes of uploads that have not expired. Two uploads of one owner wait for each other. */
export const sumUploads = async (tx: MailTx, ownerId: string, now: Date): Promise<number> => {
  await tx.query({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`upload ${ownerId}`] })
  const [row] = await tx.query<{ bytes: number }>({
    name: 'store-sum-uploads',
    text: `select coalesce(sum(size), 0)::bigint as bytes from blob_link
      where owner_id = $1 and kind = 'upload' and expires_at > $2`,
    values: [ownerId, now],
  })
  return row?.bytes ?? 0
}

/** At most so many; gives how many. */
export const deleteExpiredLinks = async (tx: MailTx, now: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from blob_link where ctid = any(array(
        select ctid from blob_link where expires_at <= $1 limit $2 for update skip locked)) returning blob_key`,
    values: [now, limit],
  })
  return rows.length
}

export const findLinkedKeys = async (db: MailDb, keys: readonly string[]): Promise<Set<string>> => {
  const rows = await db.query<{ key: string }>({
    name: 'store-find-linked-keys',
    text: `select k.key from unnest($1::text[]) k (key)
      where exists (select from blob_link l where l.blob_key = k.key)`,
    values: [keys],
  })
  return new Set(rows.map(({ key }) => key))
}
