import pg from 'pg'

/** Bookkeeping of the migrations, which is not part of what they make. */
const HIDDEN_TABLES = ['kysely_migration', 'kysely_migration_lock', 'migration_hash']

const HEADER = `-- What the migrations beside this file make, written by \`npm run schema\`. A test compares the two.

set check_function_bodies = off;`

/**
 * A database's public schema as SQL: the same text for the same schema, in whatever order it was made (but views).
 * It can be run on an empty database.
 */
export const dumpSchema = async (databaseUrl: string): Promise<string> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { before, after } = await readSchema(client, 'public', HIDDEN_TABLES)
    return `${[HEADER, ...before, ...after].join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

/** Statements before the rows are copied, and those that are faster, or only valid, after them. */
export type SchemaText = { before: string[]; after: string[] }

/** Leaves the schema as the connection's search path, in which the texts have to be run, too. */
export const readSchema = async (
  client: pg.Client,
  schema: string,
  hiddenTables: readonly string[] = [],
): Promise<SchemaText> => {
  await client.query(`set search_path = ${pg.escapeIdentifier(schema)}`)
  const read = async (sections: readonly string[]): Promise<string[]> => {
    const texts: string[] = []
    for (const text of sections) {
      const { rows } = await client.query<{ ddl: string }>(text, text.includes('$1') ? [hiddenTables] : [])
      if (rows.length > 0) texts.push(rows.map(({ ddl }) => ddl.trim()).join(text === TABLES ? '\n\n' : '\n'))
    }
    return texts
  }
  return { before: await read(BEFORE_ROWS), after: await read(AFTER_ROWS) }
}

/** Leaves out what an extension brought along. */
const notOfExtension = (catalog: string, oid: string): string =>
  `not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`

const EXTENSIONS = `
  select format('create extension if not exists %I;', extname) as ddl
  from pg_extension where extname <> 'plpgsql' order by extname`

const ENUMS = `
  select format(E'create type %I as enum (%s);', typname,
    (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid)) as ddl
  from pg_type t
  where typnamespace = current_schema()::regnamespace and typtype = 'e' and ${notOfExtension('pg_type', 't.oid')}
  order by typname`

const COMPOSITES = `
  select format('create type %I as (%s);', typname,
    (select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)
     from pg_attribute where attrelid = typrelid and attnum > 0 and not attisdropped)) as ddl
  from pg_type t join pg_class c on c.oid = typrelid
  where typnamespace = current_schema()::regnamespace and relkind = 'c' and ${notOfExtension('pg_type', 't.oid')}
  order by typname`

const DOMAINS = `
  select concat(format('create domain %I as %s', typname, format_type(typbasetype, typtypmod)),
    ' default ' || typdefault, case when typnotnull then ' not null' end,
    (select string_agg(format(' constraint %I %s', conname, pg_get_constraintdef(oid, true)), '' order by conname)
     from pg_constraint where contypid = t.oid and contype = 'c'), ';') as ddl
  from pg_type t
  where typnamespace = current_schema()::regnamespace and typtype = 'd' and ${notOfExtension('pg_type', 't.oid')}
  order by typname`

const FUNCTIONS = `
  select pg_get_functiondef(p.oid) || ';' as ddl from pg_proc p
  where pronamespace = current_schema()::regnamespace and prokind in ('f', 'p') and ${notOfExtension('pg_proc', 'p.oid')}
  order by proname, pg_get_function_identity_arguments(p.oid)`

/** Identity columns make their own ('i'). */
const SEQUENCES = `
  select format('create sequence %I as %s increment %s minvalue %s maxvalue %s start %s cache %s%s;', relname,
    format_type(seqtypid, null), seqincrement, seqmin, seqmax, seqstart, seqcache,
    case when seqcycle then ' cycle' else '' end) as ddl
  from pg_sequence join pg_class c on c.oid = seqrelid
  where relnamespace = current_schema()::regnamespace and not exists (
    select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('i', 'e'))
  order by relname`

const TABLES = `
  select concat('create ', case when relpersistence = 'u' then 'unlogged ' end, 'table ', quote_ident(relname),
    case when relispartition then
      format(' partition of %s', (select inhparent::regclass from pg_inherits where inhrelid = c.oid)) end,
    nullif(concat(E' (\\n  ', (select string_agg(line, E',\\n  ' order by kind, place, line) from (
      select 1 as kind, attnum as place, concat(quote_ident(attname), ' ', format_type(atttypid, atttypmod),
        case when attcollation <> typcollation then format(' collate %I', collname) end,
        case attidentity when 'a' then ' generated always as identity' when 'd' then ' generated by default as identity' end,
        case attgenerated when 's' then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid, true))
          when 'v' then format(' generated always as (%s) virtual', pg_get_expr(adbin, adrelid, true))
          else ' default ' || pg_get_expr(adbin, adrelid, true) end,
        case when attnotnull then ' not null' end) as line
      from pg_attribute a join pg_type t on t.oid = atttypid
        left join pg_collation l on l.oid = attcollation
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = c.oid and attnum > 0 and not attisdropped and not relispartition
      union all
      select 2, 0, format('constraint %I %s', conname, pg_get_constraintdef(oid, true))
      from pg_constraint
      where conrelid = c.oid and contype in ('p', 'u', 'c', 'x') and conparentid = 0 and conislocal
    ) as lines), E'\\n)'), E' (\\n  \\n)'),
    case when relispartition then ' ' || pg_get_expr(relpartbound, c.oid) end,
    ' partition by ' || pg_get_partkeydef(c.oid),
    ' with (' || array_to_string(reloptions, ', ') || ')', ';') as ddl
  from pg_class c
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> all ($1)
    and ${notOfExtension('pg_class', 'c.oid')}
  order by relispartition, relname`

const SEQUENCE_OWNERS = `
  select format('alter sequence %I owned by %s.%I;', c.relname, refobjid::regclass, attname) as ddl
  from pg_depend join pg_class c on c.oid = objid
    join pg_attribute on attrelid = refobjid and attnum = refobjsubid
  where relnamespace = current_schema()::regnamespace and relkind = 'S' and classid = 'pg_class'::regclass and deptype = 'a'
  order by c.relname`

/** Indexes of partitions come with the parent's, whose definition PostgreSQL prints with ONLY. */
const INDEXES = `
  select case c.relkind when 'I' then replace(pg_get_indexdef(indexrelid, 0, true), ' ON ONLY ', ' ON ')
    else pg_get_indexdef(indexrelid, 0, true) end || ';' as ddl
  from pg_index i join pg_class c on c.oid = indexrelid join pg_class t on t.oid = indrelid
  where c.relnamespace = current_schema()::regnamespace and t.relname <> all ($1) and not c.relispartition
    and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  order by t.relname, c.relname`

const FOREIGN_KEYS = `
  select format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(k.oid, true)) as ddl
  from pg_constraint k join pg_class t on t.oid = conrelid
  where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0
  order by t.relname, conname`

/** In the order they were made: one may read from another. */
const VIEWS = `
  select format(E'create %sview %I as\\n%s', case relkind when 'm' then 'materialized ' else '' end, relname,
    pg_get_viewdef(c.oid, true)) as ddl
  from pg_class c
  where relnamespace = current_schema()::regnamespace and relkind in ('v', 'm') and ${notOfExtension('pg_class', 'c.oid')}
  order by c.oid`

const TRIGGERS = `
  select pg_get_triggerdef(g.oid, true) || ';' as ddl
  from pg_trigger g join pg_class t on t.oid = tgrelid
  where relnamespace = current_schema()::regnamespace and not tgisinternal and tgparentid = 0
  order by t.relname, tgname`

const BEFORE_ROWS = [EXTENSIONS, ENUMS, COMPOSITES, DOMAINS, FUNCTIONS, SEQUENCES, TABLES]
const AFTER_ROWS = [SEQUENCE_OWNERS, INDEXES, FOREIGN_KEYS, VIEWS, TRIGGERS]
