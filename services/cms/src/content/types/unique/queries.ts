import type { CmsTx } from '../../../context.ts'

/** A field whose values must differ, and what JSON calls its values. */
export type UniqueField = { key: string; kind: 'string' | 'number' | 'boolean' }
/** Another entry has this value already. */
export type TakenValue = { entryId: string; key: string; value: string }
export type Duplicate = { key: string; value: string; entries: { id: string; title: string }[] }

/** An index accepts no longer rows; a longer value is compared by its hash. */
const MAX_VALUE_BYTES = 1_000
/** A million values take longer than an ordinary statement may; entries of the type are not written meanwhile. */
const LONG_STATEMENT_MS = 300_000
const LONG_STATEMENT = { query_timeout: LONG_STATEMENT_MS }

/**
 * The values that entries claim ($1 type, $2 keys, $3 kinds): those of what the public sees, and others of unpublished
 * changes. Nothing and blank text are no values, nor is what an earlier type of the field left behind; a number counts as
 * the text that it is about to become.
 */
const claims = (which: string) => `select entry.id as entry_id, field.key,
    case when octet_length(found.text) <= ${MAX_VALUE_BYTES} then found.text
      else 'sha256:' || encode(sha256(convert_to(found.text, 'UTF8')), 'hex') end as value
  from entry
    cross join unnest($2::text[], $3::text[]) as field (key, kind)
    cross join lateral (values (entry.data -> field.key, true), (
      entry.pending -> 'data' -> field.key, entry.pending -> 'data' -> field.key <> coalesce(entry.data -> field.key, 'null')
    )) as held (value, is_another)
    cross join lateral (select held.value #>> '{}' as text) as found
  where entry.type = $1 and entry.deleted_at is null${which}
    and held.is_another and btrim(found.text) <> '' and (jsonb_typeof(held.value) = field.kind
      or field.kind = 'string' and jsonb_typeof(held.value) = 'number')`

/** Brings the claims of these entries up to what is stored of them. Gives those that other entries have already. */
export const replaceClaims = async (
  tx: CmsTx,
  type: string,
  fields: readonly UniqueField[],
  entryIds: readonly string[],
): Promise<TakenValue[]> => {
  await tx.query({
    name: 'drop-unique-values',
    text: `delete from entry_unique where entry_id = any ($4::uuid[]) and not exists (
      select from (${claims(' and entry.id = any ($4::uuid[])')}) as claim
      where claim.entry_id = entry_unique.entry_id and claim.key = entry_unique.key and claim.value = entry_unique.value)`,
    values: [...claimValues(type, fields), entryIds],
  })
  return tx.query<TakenValue>({
    name: 'add-unique-values',
    text: `with claim as (${claims(' and entry.id = any ($4::uuid[])')}),
      added as (
        insert into entry_unique (type, key, value, entry_id) select $1, key, value, entry_id from claim
        on conflict (type, key, value) do nothing returning key, value, entry_id)
      select claim.entry_id as "entryId", claim.key, claim.value from claim
      where not exists (
        select from added where (added.key, added.value, added.entry_id) = (claim.key, claim.value, claim.entry_id))
      and not exists (
        select from entry_unique as own where own.type = $1
          and (own.key, own.value, own.entry_id) = (claim.key, claim.value, claim.entry_id))
      order by claim.key, claim.entry_id`,
    values: [...claimValues(type, fields), entryIds],
  })
}

/** Claims every value of these fields for the entries there are. False if one of them is there twice. */
export const fillClaims = async (tx: CmsTx, type: string, fields: readonly UniqueField[]): Promise<boolean> => {
  await allowLongStatements(tx)
  const [row] = await tx.query<{ isComplete: boolean }>({
    ...LONG_STATEMENT,
    text: `with claim as materialized (${claims('')}),
      added as (
        insert into entry_unique (type, key, value, entry_id) select $1, key, value, entry_id from claim
        on conflict (type, key, value) do nothing returning key)
      select (select count(*) from claim) = (select count(*) from added) as "isComplete"`,
    values: claimValues(type, fields),
  })
  return row?.isComplete ?? false
}

export const clearClaims = async (tx: CmsTx, type: string, keys: readonly string[]): Promise<void> => {
  await tx.deleteFrom('entry_unique').where('type', '=', type).where('key', 'in', keys).execute()
}

/** Values that several entries have: so many examples, each with a few of the entries. */
export const listDuplicates = async (
  tx: CmsTx,
  type: string,
  fields: readonly UniqueField[],
  { limit, entries }: { limit: number; entries: number },
): Promise<Duplicate[]> => {
  await allowLongStatements(tx)
  return tx.query<Duplicate>({
    ...LONG_STATEMENT,
    text: `with twice as (
        select key, value, array_agg(entry_id order by entry_id) as ids from (${claims('')}) as claim
        group by key, value having count(*) > 1 order by key, value limit $4)
      select key, left(value, 200) as value, (
        select jsonb_agg(jsonb_build_object('id', entry.id, 'title', entry.title) order by entry.id)
        from entry where entry.id = any (twice.ids[1:$5])) as entries
      from twice order by key, value`,
    values: [...claimValues(type, fields), limit, entries],
  })
}

/** For each of these fields that has any, how many entries have a value that another one has, too. */
export const countDuplicates = async (
  tx: CmsTx,
  type: string,
  fields: readonly UniqueField[],
): Promise<{ key: string; count: number }[]> => {
  await allowLongStatements(tx)
  return tx.query<{ key: string; count: number }>({
    ...LONG_STATEMENT,
    text: `select key, count(distinct entry_id) as count from (
        select key, entry_id, count(*) over (partition by key, value) as holders from (${claims('')}) as claim
      ) as held where holders > 1 group by key order by key`,
    values: claimValues(type, fields),
  })
}

const allowLongStatements = (tx: CmsTx) => tx.query({ text: `set local statement_timeout = ${LONG_STATEMENT_MS}` })

const claimValues = (type: string, fields: readonly UniqueField[]): unknown[] => [
  type,
  fields.map(({ key }) => key),
  fields.map(({ kind }) => kind),
]
