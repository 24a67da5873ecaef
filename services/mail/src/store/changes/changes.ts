import type { ChangeTable } from '../../tables/store.ts'
import type { MailDb, MailTx } from '../handles.ts'
import { type ChangeKind, openMailbox } from '../mailbox/mailbox.ts'
import { refuse } from '../refusal.ts'
import { type ObjectChange, recordChanges } from './change-queries.ts'

export type ChangesQuery = {
  addressId: string
  /** Several are one list: `folder` and `folder_counts` are JMAP's Mailbox. */
  kinds: readonly ChangeKind[]
  since: ChangeCursor
  /** Objects, at most. */
  maxChanges?: number | null
}

export type Changes = {
  /** The cursor for the next call. */
  next: ChangeCursor
  hasMore: boolean
  created: string[]
  updated: string[]
  destroyed: string[]
  /** Kinds of all updates: only `folder_counts` means that nothing but counts changed (RFC 8621 §2.2). */
  updatedKinds: ChangeKind[]
}

/** Objects in one answer, whatever was asked for. */
const MAX_CHANGES = 5_000

/**
 * What changed since a state, each object once. `state_mismatch` when that was forgotten or never was: then everything
 * has to be read again.
 */
export const changesSince = async (db: MailDb, query: ChangesQuery): Promise<Changes> => {
  const max = Math.min(query.maxChanges ?? MAX_CHANGES, MAX_CHANGES)
  // An object may have as many rows as there are kinds; one more shows whether there are more.
  const limit = max * query.kinds.length + 1
  const page = await findChanges(db, { ...query, after: query.since, limit })
  if (!page) return refuse('no_such_folder', 'the mailbox does not exist')
  checkState(query.since.modseq, page)
  const { taken, isCut } = takeObjects(page.rows, max, page.rows.length < limit)
  const last = taken.at(-1)
  const next =
    isCut && last ? { modseq: last.modseq, objectId: last.objectId } : { modseq: page.modseq, objectId: null }
  return { next, hasMore: isCut, ...collapse(taken) }
}

/** Notes changes to what belongs to a mailbox but is kept elsewhere: identities, scripts, submissions. Gives their modseq. */
export const recordObjectChanges = async (
  tx: MailTx,
  addressId: string,
  changes: readonly ObjectChange[],
): Promise<number> => {
  const box = await openMailbox(tx, addressId)
  await recordChanges(tx, box, changes)
  return box.modseq
}

/** UIDs of a folder that were expunged since a modseq (RFC 7162 §3.2.10). */
export const expungedSince = async (
  db: MailDb,
  query: { addressId: string; folderId: string; since: number },
): Promise<{ modseq: number; uids: number[] }> => {
  const found = await findExpunged(db, query)
  if (!found) return refuse('no_such_folder', 'the mailbox does not exist')
  checkState(query.since, found)
  return { modseq: found.modseq, uids: found.uids }
}

const checkState = (since: number, { modseq, floor }: { modseq: number; floor: number }): void => {
  if (since < floor || since > modseq) refuse('state_mismatch', 'changes since then are no longer known')
}

const takeObjects = (
  rows: readonly ChangeRow[],
  max: number,
  isComplete: boolean,
): { taken: ChangeRow[]; isCut: boolean } => {
  const objects = new Set<string>()
  const taken: ChangeRow[] = []
  for (const row of rows) {
    objects.add(row.objectId)
    if (objects.size > max) return { taken, isCut: true }
    taken.push(row)
  }
  if (isComplete) return { taken, isCut: false }
  // The last object may have rows of other kinds at this modseq that were not read.
  const last = taken.at(-1)
  const whole = taken.filter((row) => row.modseq !== last?.modseq || row.objectId !== last.objectId)
  return { taken: whole, isCut: true }
}

const collapse = (rows: readonly ChangeRow[]) => {
  const objects = new Map<string, { wasThere: boolean; isThere: boolean; kinds: Set<ChangeKind> }>()
  for (const { objectId, op, kind } of rows) {
    const known = objects.get(objectId) ?? { wasThere: op !== 'created', isThere: true, kinds: new Set() }
    // Counts of a folder that goes change with it.
    if (kind !== 'folder_counts') known.isThere = op !== 'destroyed'
    known.kinds.add(kind)
    objects.set(objectId, known)
  }
  const having = (wasThere: boolean, isThere: boolean) =>
    [...objects].filter(([, object]) => object.wasThere === wasThere && object.isThere === isThere)
  const ids = (found: readonly [string, unknown][]) => found.map(([id]) => id)
  const updated = having(true, true)
  return {
    created: ids(having(false, true)),
    updated: ids(updated),
    destroyed: ids(having(true, false)),
    updatedKinds: [...new Set(updated.flatMap(([, { kinds }]) => [...kinds]))],
  }
}

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
type ChangeRow = { kind: ChangeKind; modseq: number; objectId: string; op: ChangeTable['op'] }
type ChangePage = { modseq: number; floor: number; rows: ChangeRow[] }

/** Rows in order, and the state of the mailbox at the same moment. Undefined without a mailbox. */
const findChanges = async (
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

const findExpunged = async (
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
