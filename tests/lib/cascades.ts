import type { Database } from '@stoa/kit/db/database.ts'

type WithPool = Pick<Database<unknown>, 'pool'>

/** Rows of a table that have the id of something in a column. */
export type Cascade = { table: string; column: string }

/** Why, by `table.column`. */
type Reasons = Readonly<Record<string, string>>

/**
 * What is deleted with a row of `root`, as the foreign keys of the database say, and is neither known to be `few` nor to
 * be gone by then (`none`). What hangs on such rows goes with each of them and is not looked at; what hangs on few rows may be
 * many. `unknown` are names that nothing leads to.
 */
export const cascadesFrom = async (
  { pool }: WithPool,
  root: string,
  { few, none = {} }: { few: Reasons; none?: Reasons },
): Promise<{ many: Cascade[]; unknown: string[] }> => {
  const { rows: keys } = await pool.query<{ from: string; to: string; columns: string[]; targets: string[] }>(
    `select f.conrelid::regclass::text as "from", f.confrelid::regclass::text as "to",
       array(select a.attname::text from unnest(f.conkey) with ordinality k (num, nth)
         join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.num order by k.nth) as columns,
       array(select a.attname::text from unnest(f.confkey) with ordinality k (num, nth)
         join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.num order by k.nth) as targets
     from pg_constraint f where f.contype = 'f' and f.confdeltype = 'c' and f.connamespace = 'public'::regnamespace`,
  )
  const found = new Map<string, Cascade>()
  const follow = ({ table, column }: Cascade): void => {
    for (const { from, columns, targets } of keys.filter(({ to }) => to === table)) {
      // Without the id that it began with, it is found by what it hangs on only.
      const next = columns[Math.max(targets.indexOf(column), 0)] ?? ''
      const name = `${from}.${next}`
      if (found.has(name)) continue
      found.set(name, { table: from, column: next })
      if (name in few) follow({ table: from, column: next })
    }
  }
  follow({ table: root, column: 'id' })
  return {
    many: [...found].flatMap(([name, cascade]) => (name in few || name in none ? [] : [cascade])),
    unknown: Object.keys({ ...few, ...none }).filter((name) => !found.has(name)),
  }
}

/** A sample expression for each column type, different for each `n` where the type allows it. */
const VALUES: Readonly<Record<string, string>> = {
  bigint: 'n',
  boolean: 'false',
  bytea: 'uuid_send(gen_random_uuid())',
  'bytea[]': `'{}'`,
  cidr: `set_masklen('10.0.0.0'::inet + n, 32)::cidr`,
  date: `'2026-01-01'::date + n`,
  integer: 'n',
  jsonb: `'{}'`,
  real: 'n',
  smallint: '0',
  text: `n || '@planted.test'`,
  'text[]': `'{}'`,
  'timestamp with time zone': 'now()',
  uuid: 'gen_random_uuid()',
}

/** Inserts so many rows with the id in the column. `values` are expressions for columns that can't have just anything. */
export const plantRows = async (
  { pool }: WithPool,
  { table, column }: Cascade,
  { id, rows, values = {} }: { id: string; rows: number; values?: Readonly<Record<string, string>> },
): Promise<void> => {
  const { rows: required } = await pool.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and attnotnull and not atthasdef and not attisdropped`,
    [table],
  )
  const given = { ...values, [column]: `'${id}'` }
  const all = { ...Object.fromEntries(required.map(({ name, type }) => [name, VALUES[type] ?? 'null'])), ...given }
  await pool.query(
    `insert into ${table} (${Object.keys(all).map((name) => `"${name}"`)})
     select ${Object.values(all)} from generate_series(1, ${rows}) n`,
  )
}

export const countRows = async ({ pool }: WithPool, { table, column }: Cascade, id: string): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where ${column} = $1`,
    [id],
  )
  return rows[0]?.count ?? -1
}

/** From now on a statement fails that deletes more rows of one of these tables than that; gives how to undo it. */
export const capDeletes = async (
  { pool }: WithPool,
  cascades: readonly Cascade[],
  most: number,
): Promise<() => Promise<void>> => {
  await pool.query(`create function refuse_large_delete() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > ${most} then raise exception 'too many rows of % at once', tg_table_name; end if;
      return null;
    end $$`)
  for (const table of new Set(cascades.map((cascade) => cascade.table)))
    await pool.query(`create trigger refuse_large_delete after delete on ${table} referencing old table as gone
      for each statement execute function refuse_large_delete()`)
  return async () => {
    await pool.query('drop function refuse_large_delete cascade')
  }
}
