import type { ChangeTable } from '../../tables/store.ts'
import type { MailDb } from '../handles.ts'
import type { ChangeKind } from '../mailbox/mailbox.ts'

/** After which change a page begins; a transaction may change more objects than one page has. */
export type ChangeCursor = { modseq: number; objectId: string | null }

type Row = {
  box: number
  floor: number
  kind: ChangeKind | null
  modseq: number | null
  objectId: string | null
  op: ChangeTable['op'] | null
}
export type ChangeRow = { kind: ChangeKind; modseq: number; objectId: string; op: ChangeTable['op'] }
export type ChangePage = { modseq: number; floor: number; rows: ChangeRow[] }

/** Rows in order, and the state of the mailbox at the same moment. Undefined without a mailbox. */
export const findChanges = async (
  db: MailDb,
  {
    addressId,
    kinds,
    after,
    limit,
  }: { addressId: string; kinds: readonly ChangeKind[]; after: ChangeCursor; limit: number },
): Promise<ChangePage | undefined> => {
  const rows = await db.query<Row>({
    name: 'store-find-changes',
    text: `select b.modseq as box, b.floor, c.kind, c.modseq, c.object_id as "objectId", c.op
      from mailbox b left join lateral (
        select k.kind, k.modseq, k.object_id, k.op from unnest($2::text[]) w (kind) cross join lateral (
          select kind, modseq, object_id, op from change
          where address_id = $1 and kind = w.kind and (modseq, object_id) > ($3::bigint, $4::uuid)
          order by modseq, object_id limit $5
        ) k order by k.modseq, k.object_id, k.kind limit $5
      ) c on true
      where b.address_id = $1 order by c.modseq, c.object_id, c.kind`,
    values: [addressId, kinds, after.modseq, after.objectId ?? LAST_ID, limit],
  })
  const [first] = rows
  if (!first) return undefined
  return { modseq: first.box, floor: first.floor, rows: rows.flatMap(toChange) }
}

/** After all objects of a modseq. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const toChange = ({ kind, modseq, objectId, op }: Row): ChangeRow[] =>
  kind === null || modseq === null || objectId === null || op === null ? [] : [{ kind, modseq, objectId, op }]

export const findExpunged = async (
  db: MailDb,
  { addressId, folderId, since }: { addressId: string; folderId: string; since: number },
): Promise<{ modseq: number; floor: number; uids: number[] } | undefined> => {
  const [row] = await db.query<{ modseq: number; floor: number; uids: string | null }>({
    name: 'store-find-expunged',
    text: `select b.modseq, b.floor, (
        select string_agg(e.uid::text, ',' order by e.uid) from expunged e
        where e.address_id = $1 and e.folder_id = $2 and e.modseq > $3
      ) as uids from mailbox b where b.address_id = $1`,
    values: [addressId, folderId, since],
  })
  return row && { ...row, uids: row.uids ? row.uids.split(',').map(Number) : [] }
}
