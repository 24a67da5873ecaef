import type { ChangeTable } from '../../tables/store.ts'
import type { MailDb } from '../handles.ts'
import type { ChangeKind } from '../mailbox/mailbox.ts'

export type KindsSince = {
  /** How far the mailbox is now. */
  modseq: number
  kinds: ReadonlySet<ChangeKind>
  /** Messages came. */
  hasNewMessages: boolean
}

/**
 * Of which kinds something changed since a modseq; all of them if that was forgotten or never was. Null without a
 * mailbox.
 */
export const kindsSince = async (db: MailDb, addressId: string, since: number): Promise<KindsSince | null> => {
  const row = await findKindsSince(db, addressId, since)
  if (!row) return null
  const isKnown = since >= row.floor && since <= row.modseq
  return isKnown
    ? { ...row, kinds: new Set(row.kinds) }
    : { modseq: row.modseq, kinds: new Set(CHANGE_KINDS), hasNewMessages: true }
}

const CHANGE_KINDS: readonly ChangeTable['kind'][] = [
  'folder',
  'folder_counts',
  'message',
  'thread',
  'submission',
  'identity',
  'vacation',
  'script',
  'quota',
]

type KindsRow = {
  modseq: number
  floor: number
  kinds: ChangeTable['kind'][]
  hasNewMessages: boolean
}

/** Undefined without a mailbox. */
const findKindsSince = async (db: MailDb, addressId: string, since: number): Promise<KindsRow | undefined> => {
  const [row] = await db.query<KindsRow>({
    name: 'store-find-kinds-since',
    text: `select b.modseq, b.floor, array(
        select k.kind from unnest($3::text[]) k (kind) where exists (
          select from change c where c.address_id = $1 and c.kind = k.kind and c.modseq > $2)
      ) as kinds, exists (
        select from change c where c.address_id = $1 and c.kind = 'message' and c.modseq > $2 and c.op = 'created'
      ) as "hasNewMessages"
      from mailbox b where b.address_id = $1`,
    values: [addressId, since, CHANGE_KINDS],
  })
  return row
}
