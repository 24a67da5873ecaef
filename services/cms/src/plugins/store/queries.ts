import type { CmsDb, CmsTx } from '../../context.ts'
import type { Json } from '../sandbox/sandbox.ts'

/** The key of a document. */
export type DocumentKey = { plugin: string; collection: string; id: string }

export type StoredDocument = { id: string; version: number; value: Json; createdAt: Date; updatedAt: Date }

const COLUMNS = 'd.id, d.version, d.value, d.created_at as "createdAt", d.updated_at as "updatedAt"'
const BY_KEY = 'plugin = $1 and collection = $2 and id = $3'

export const findDocument = async (
  db: CmsDb,
  { plugin, collection, id }: DocumentKey,
): Promise<StoredDocument | null> => {
  const [row] = await db.query<StoredDocument>({
    name: 'find-plugin-document',
    text: `select ${COLUMNS} from plugin_document d where ${BY_KEY}`,
    values: [plugin, collection, id],
  })
  return row ?? null
}

export type Written = { value: string; indexed: string; at: Date }

/** The new version; null when there is no such document, or none of that version. */
export const updateDocument = async (
  tx: CmsTx,
  { plugin, collection, id }: DocumentKey,
  { value, indexed, at }: Written,
  ifVersion: number | null,
): Promise<number | null> => {
  const [row] = await tx.query<{ version: number }>({
    name: 'update-plugin-document',
    text: `update plugin_document set value = $4, indexed = $5, updated_at = $6, version = version + 1
      where ${BY_KEY} and ($7::integer is null or version = $7) returning version`,
    values: [plugin, collection, id, value, indexed, at, ifVersion],
  })
  return row?.version ?? null
}

/** Until the transaction ends nobody else adds documents of this plugin, nor uninstalls it; false when it is not there. */
export const lockPlugin = async (tx: CmsTx, plugin: string): Promise<boolean> => {
  const rows = await tx.query({
    name: 'lock-plugin-for-documents',
    text: 'select 1 from plugin where name = $1 for no key update',
    values: [plugin],
  })
  return rows.length > 0
}

/**
 * Adds a document, or writes over the one that somebody else has added meanwhile unless it must be new: `version` is null
 * then. No row at all: the collection is full.
 */
export const insertDocument = async (
  tx: CmsTx,
  { plugin, collection, id }: DocumentKey,
  { value, indexed, at }: Written,
  { max, mustBeNew }: { max: number; mustBeNew: boolean },
): Promise<{ version: number | null } | null> => {
  const [row] = await tx.query<{ hasRoom: boolean; version: number | null }>({
    name: 'insert-plugin-document',
    text: `with room as (
        select count(*) < $7 as "hasRoom" from plugin_document where plugin = $1 and collection = $2 and id <> $3
      ),
      written as (
        insert into plugin_document as d (plugin, collection, id, value, indexed, created_at, updated_at)
        select $1, $2, $3, $4, $5, $6, $6 from room where "hasRoom"
        on conflict (plugin, collection, id) do update
          set value = excluded.value, indexed = excluded.indexed, updated_at = excluded.updated_at, version = d.version + 1
          where not $8
        returning version
      )
      select "hasRoom", (select version from written) as version from room`,
    values: [plugin, collection, id, value, indexed, at, max, mustBeNew],
  })
  return row?.hasRoom ? { version: row.version } : null
}

/** False when there is no such document, or none of that version. */
export const deleteDocument = async (
  tx: CmsTx,
  { plugin, collection, id }: DocumentKey,
  ifVersion: number | null,
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'delete-plugin-document',
    text: `delete from plugin_document where ${BY_KEY} and ($4::integer is null or version = $4) returning 1`,
    values: [plugin, collection, id, ifVersion],
  })
  return rows.length > 0
}

export type Condition = { index: string; values: readonly Json[] }
export type Order = { index: string | null; isDescending: boolean }
/** The last document of the page before: its value of the index that sorts, and its id. */
export type After = { key: Json; id: string }

export type Wanted = {
  plugin: string
  collection: string
  where: readonly Condition[]
  order: Order
  after: After | null
  limit: number
  /** The page ends where its documents would come to more. */
  maxBytes: number
}

export type DocumentPage = { documents: StoredDocument[]; next: After | null }

/** Longer values cannot be written to an index; before it was declared one may have been. */
const MAX_KEY_BYTES = 4_096

/**
 * The member that a query sorts or filters by, from the copy of indexed members. Documents written before their
 * collection declared the index lack it there, so their value is read.
 */
const keyOf = (name: string): string =>
  `coalesce(d.indexed -> ${name}, case when octet_length((d.value -> ${name})::text) <= ${MAX_KEY_BYTES} then d.value -> ${name} end, 'null')`

/** One page. Only the documents of the page are read whole, and of these only as many as may be answered. */
export const listDocuments = async (db: CmsDb, wanted: Wanted): Promise<DocumentPage> => {
  const values: unknown[] = []
  const bind = (value: unknown, type: string): string => `$${values.push(value)}::${type}`
  const conditions = [
    `d.plugin = ${bind(wanted.plugin, 'text')}`,
    `d.collection = ${bind(wanted.collection, 'text')}`,
    ...wanted.where.map(
      ({ index, values: allowed }) =>
        `${keyOf(bind(index, 'text'))} = any(${bind(
          allowed.map((value) => JSON.stringify(value)),
          'jsonb[]',
        )})`,
    ),
  ]
  const { index, isDescending } = wanted.order
  const key = index === null ? `'null'::jsonb` : keyOf(bind(index, 'text'))
  if (wanted.after !== null) {
    const { key: lastKey, id } = wanted.after
    const last = `(${bind(JSON.stringify(lastKey), 'jsonb')}, ${bind(id, 'text')})`
    conditions.push(`(${key}, d.id) ${isDescending ? '<' : '>'} ${last}`)
  }
  const direction = isDescending ? 'desc' : 'asc'
  const rows = await db.query<StoredDocument & { key: Json; found: number }>({
    text: `with page as materialized (
        select d.id, ${key} as key from plugin_document d where ${conditions.join(' and ')}
        order by key ${direction}, d.id ${direction} limit ${bind(wanted.limit + 1, 'integer')}
      ),
      placed as (
        select id, key, row_number() over (order by key ${direction}, id ${direction}) as place, count(*) over () as found
        from page
      ),
      sized as (
        select ${COLUMNS}, p.key, p.place, p.found,
          sum(octet_length(d.value::text)) over (order by p.place) as bytes
        from placed p join plugin_document d on d.plugin = $1 and d.collection = $2 and d.id = p.id
        where p.place <= ${bind(wanted.limit, 'integer')}
      )
      select id, version, value, "createdAt", "updatedAt", key, found from sized
      where place = 1 or bytes <= ${bind(wanted.maxBytes, 'integer')} order by place`,
    values,
  })
  const last = rows.at(-1)
  const documents = rows.map(({ key: _key, found: _found, ...document }) => document)
  return { documents, next: last && last.found > rows.length ? { key: last.key, id: last.id } : null }
}
