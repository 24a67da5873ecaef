import type { Page } from '@stoa/cms-model/lists.ts'
import { sql } from 'kysely'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

/** A delivery key as people see it. */
export type DeliveryKeyRecord = {
  id: string
  name: string
  last4: string
  types: string[]
  version: number
  createdAt: Date
  updatedAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/** A delivery key as authentication needs it. */
export type FoundDeliveryKey = {
  id: string
  name: string
  /** Type names, or `*` alone. */
  types: readonly string[]
  version: number
  lastUsedAt: Date | null
  isRevoked: boolean
}

type Row = {
  id: string
  name: string
  last4: string
  types: string[]
  version: number
  created_at: Date
  updated_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}
const columns = [
  'id',
  'name',
  'last4',
  'types',
  'version',
  'created_at',
  'updated_at',
  'last_used_at',
  'revoked_at',
] as const satisfies (keyof Row)[]

/** One prepared statement: a request to delivery may run it. */
export const findKeyByHash = async (db: CmsDb, keyHash: Buffer): Promise<FoundDeliveryKey | null> => {
  const [row] = await db.query<Pick<Row, 'id' | 'name' | 'types' | 'version' | 'last_used_at' | 'revoked_at'>>({
    name: 'find-delivery-key',
    text: 'select id, name, types, version, last_used_at, revoked_at from delivery_key where key_hash = $1',
    values: [keyHash],
  })
  if (!row) return null
  const { id, name, types, version } = row
  return { id, name, types, version, lastUsedAt: row.last_used_at, isRevoked: row.revoked_at !== null }
}

/** Notes the use unless one was noted since `before`. */
export const updateLastUsed = async (
  tx: CmsTx,
  { id, now, before }: { id: string; now: Date; before: Date },
): Promise<void> => {
  await tx
    .updateTable('delivery_key')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
    .execute()
}

export const findKey = async (db: CmsDb, id: string): Promise<DeliveryKeyRecord | null> => {
  const row = await db.selectFrom('delivery_key').select(columns).where('id', '=', id).executeTakeFirst()
  return row ? toRecord(row) : null
}

/** The key as it is, unchanged until the transaction ends. */
export const lockKey = async (tx: CmsTx, id: string): Promise<DeliveryKeyRecord | null> => {
  const row = await tx.selectFrom('delivery_key').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? toRecord(row) : null
}

/** The newest first. */
export const listKeys = async (
  db: CmsDb,
  { page, limit }: Page,
): Promise<{ keys: DeliveryKeyRecord[]; total: number }> => {
  const { count } = await db
    .selectFrom('delivery_key')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('delivery_key')
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { keys: rows.map(toRecord), total: count }
}

export type NewDeliveryKey = {
  id: string
  name: string
  keyHash: Buffer
  last4: string
  types: readonly string[]
}
/** `by` is null for the start of the service. */
type Change = { at: Date; by: string | null }

export const insertKey = async (tx: CmsTx, key: NewDeliveryKey, { at, by }: Change): Promise<DeliveryKeyRecord> => {
  const row = await tx
    .insertInto('delivery_key')
    .values({
      id: key.id,
      name: key.name,
      key_hash: key.keyHash,
      last4: key.last4,
      types: [...key.types],
      created_at: at,
      created_by: by,
      updated_at: at,
      updated_by: by,
      last_used_at: null,
      revoked_at: null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toRecord(row)
}

export type KeyChanges = { name?: string; types?: readonly string[]; revokedAt?: Date }

export const updateKey = async (
  tx: CmsTx,
  id: string,
  changes: KeyChanges,
  { at, by }: Change,
): Promise<DeliveryKeyRecord> => {
  const row = await tx
    .updateTable('delivery_key')
    .set((set) => ({
      ...(changes.name === undefined ? {} : { name: changes.name }),
      ...(changes.types === undefined ? {} : { types: [...changes.types] }),
      ...(changes.revokedAt === undefined ? {} : { revoked_at: changes.revokedAt }),
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toRecord(row)
}

export const findKeyEditor = async (db: CmsDb, id: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('delivery_key')
    .innerJoin('account', 'account.id', 'delivery_key.updated_by')
    .select(['account.id', 'account.name'])
    .where('delivery_key.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Takes a type out of the scopes of every key. One that had no other reads nothing. */
export const removeTypeFromKeys = async (tx: CmsTx, type: string, { at, by }: Change): Promise<DeliveryKeyRecord[]> => {
  const rows = await tx
    .updateTable('delivery_key')
    .set((set) => ({
      types: sql<string[]>`array_remove(types, ${type})`,
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where(sql<boolean>`${type} = any(types)`)
    .returning(columns)
    .execute()
  return rows.map(toRecord)
}

/** Returns the names that are no content type; the types that exist are locked until the transaction ends. */
export const listMissingTypes = async (db: CmsDb, names: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('content_type')
    .select('name')
    .where(sql<boolean>`name = any(${[...names]}::text[])`)
    .forKeyShare()
    .execute()
  const known = new Set(rows.map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}

const toRecord = (row: Row): DeliveryKeyRecord => ({
  id: row.id,
  name: row.name,
  last4: row.last4,
  types: row.types,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
})
