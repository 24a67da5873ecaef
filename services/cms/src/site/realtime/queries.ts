import type { Role } from '@stoa/cms-model/permissions.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Holder } from './holders.ts'

export type NewTicket = { tokenHash: Buffer; holder: { kind: Holder['kind']; id: string }; expiresAt: Date }

export const insertTicket = async (tx: CmsTx, { tokenHash, holder, expiresAt }: NewTicket): Promise<void> => {
  await tx
    .insertInto('realtime_ticket')
    .values({
      token_hash: tokenHash,
      kind: holder.kind,
      session_id: holder.kind === 'session' ? holder.id : null,
      delivery_key_id: holder.kind === 'delivery' ? holder.id : null,
      expires_at: expiresAt,
    })
    .execute()
}

/** Columns of sessions `s` with their accounts `a`. */
const SESSION_COLUMNS = `'session' as kind, s.id, s.account_id, a.name, a.role, s.expires_at, null::text[] as types,
  s.revoked_at is not null or a.deactivated_at is not null as is_ended`
/** Columns of delivery keys `k`, in the same order. */
const KEY_COLUMNS = `'delivery', k.id, null, null, null, null, k.types, k.revoked_at is not null`

/** The holder of a ticket that has not expired; nobody takes it a second time, whichever process they ask. */
export const takeTicket = async (tx: CmsTx, tokenHash: Buffer, now: Date): Promise<Holder | null> => {
  const [row] = await tx.query<HolderRow>({
    name: 'take-ticket',
    text: `with taken as (
        delete from realtime_ticket where token_hash = $1 returning session_id, delivery_key_id, expires_at)
      select ${SESSION_COLUMNS} from taken t join session s on s.id = t.session_id join account a on a.id = s.account_id
      where t.expires_at > $2
      union all
      select ${KEY_COLUMNS} from taken t join delivery_key k on k.id = t.delivery_key_id where t.expires_at > $2`,
    values: [tokenHash, now],
  })
  return row ? toHolder(row) : null
}

export const deleteExpiredTickets = async (tx: CmsTx, now: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from realtime_ticket where ctid = any (array(
             select ctid from realtime_ticket where expires_at <= $1 limit $2 for update skip locked))
           returning 1`,
    values: [now, limit],
  })
  return gone.length
}

type HolderRow =
  | { kind: 'session'; id: string; account_id: string; name: string; role: Role; expires_at: Date; is_ended: boolean }
  | { kind: 'delivery'; id: string; types: string[]; is_ended: boolean }

/** Sessions with their accounts, and delivery keys, as they are now, in one statement. Who is gone is left out. */
export const readHolders = async (
  db: CmsDb,
  { sessions, keys }: { sessions: readonly string[]; keys: readonly string[] },
): Promise<Holder[]> => {
  const rows = await db.query<HolderRow>({
    name: 'read-holders',
    text: `select ${SESSION_COLUMNS} from session s join account a on a.id = s.account_id where s.id = any($1::uuid[])
      union all
      select ${KEY_COLUMNS} from delivery_key k where k.id = any($2::uuid[])`,
    values: [sessions, keys],
  })
  return rows.map(toHolder)
}

const toHolder = (row: HolderRow): Holder =>
  row.kind === 'session'
    ? {
        kind: 'session',
        id: row.id,
        accountId: row.account_id,
        name: row.name,
        role: row.role,
        expiresAt: row.expires_at,
        isEnded: row.is_ended,
      }
    : { kind: 'delivery', id: row.id, types: row.types, isEnded: row.is_ended }

export const hasType = async (db: CmsDb, name: string): Promise<boolean> => {
  const rows = await db.query({ name: 'has-type', text: 'select 1 from content_type where name = $1', values: [name] })
  return rows.length > 0
}

export type EntryRef = { id: string; slug: string; type: string }

/** Entries outside of the trash. */
export const listEntryRefs = (db: CmsDb, ids: readonly string[]): Promise<EntryRef[]> =>
  db.query<EntryRef>({
    name: 'list-entry-refs',
    text: 'select id, slug, type from entry where id = any($1::uuid[]) and deleted_at is null',
    values: [ids],
  })

export type ActivityRow = {
  action: string
  targetId: string | null
  /** Set for entries that still exist. */
  slug: string | null
  type: string | null
  wasPublished: boolean
  /** The public sees something else of it since then. */
  isShownAnew: boolean
}

/** What was done to content since then, in its order, with what the entries are now. */
export const listActivitySince = (
  db: CmsDb,
  { since, limit }: { since: Date; limit: number },
): Promise<ActivityRow[]> =>
  db.query<ActivityRow>({
    text: `select a.action, a.target_id as "targetId", e.slug, e.type, coalesce(e.status = 'published', false) as "wasPublished",
        coalesce(e.live_updated_at >= $1, false) as "isShownAnew"
      from activity a left join entry e on a.target_kind = 'entry' and e.id::text = a.target_id
      where a.at >= $1 and a.target_kind in
        ('entry', 'settings', 'menu', 'type', 'media', 'taxonomy', 'term', 'design', 'plugin', 'social')
      order by a.at, a.id limit $2`,
    values: [since, limit],
  })
