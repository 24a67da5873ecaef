import { migrationsFolder } from '@stoa/cms/app.ts'
import { indexesOf } from '@stoa/cms/content/types/indexes.ts'
import { templateState } from '@stoa/cms/content/types/template-state.ts'
import { writeTemplate } from '@stoa/cms-model/delivery/template.ts'
import { type Field, fieldList } from '@stoa/cms-model/fields/field.ts'
import { readData } from '@stoa/cms-model/fields/values.ts'
import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { createLogger } from '@stoa/kit/log.ts'
import pg from 'pg'
import { durableDatabase } from '../durable.ts'
import { KEY } from './key.ts'
import { passage } from './text.ts'

const FIELDS = [
  { key: 'summary', type: 'text' },
  { key: 'body', type: 'richtext' },
  { key: 'price', type: 'number', indexed: true },
  { key: 'day', type: 'date', indexed: true },
  { key: 'picture', type: 'media' },
  { key: 'related', type: 'reference', to: 'post' },
]
/** The owner, and the author of everything. */
const PEOPLE = `00000000-0000-7000-8000-000000000001`

export const OWNER_EMAIL = 'a@example.test'

/** Entry, file and term of a number, as ids. */
const id = (kind: string, number: string) => `('00000000-0000-7000-${kind}-' || lpad(to_hex(${number}), 12, '0'))::uuid`

const PASSAGES = 997
/** The bytes of each are its number, from 1 on. */
export const PICTURES = 1_000

/** A site in a database of its own. */
export const seed = async (
  count: number,
  options: { passages: number },
): Promise<{ url: string; drop(): Promise<void> }> => {
  const database = await durableDatabase()
  await fillSite(database.url, count, options)
  return database
}

/**
 * A site of so many published posts, each with so many passages of half a kilobyte, three references, a picture and two of
 * twenty terms; with a twentieth as many drafts and a tenth as many pages beside them.
 */
export const fillSite = async (url: string, count: number, { passages }: { passages: number }): Promise<void> => {
  await migrate(url, migrationsFolder, createLogger({ name: 'bench', level: 'silent' }))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const fields = fieldList.parse(FIELDS)
  const pageFields = fieldList.parse([{ key: 'text', type: 'text' }])
  await client.query(
    `insert into account (id, email, name, role, password_hash, created_at, updated_at)
     values ($1, '${OWNER_EMAIL}', 'Ada Author', 'owner', 'x', now(), now())`,
    [PEOPLE],
  )
  await client.query(
    `insert into content_type (name, label, label_plural, description, icon, kind, preview_url, fields, created_at, updated_at)
     values ('post', 'Post', 'Posts', '', '', 'collection', '/blog/{slug}', $1, now(), now()),
       ('page', 'Page', 'Pages', '', '', 'collection', '/{slug}', $2, now(), now())`,
    [JSON.stringify(fields), JSON.stringify(pageFields)],
  )
  await client.query(
    `insert into delivery_key (id, name, key_hash, last4, types, created_at, last_used_at)
     values ($1, 'bench', $2, 'DEFG', '{*}', now(), now())`,
    [PEOPLE, hashToken(KEY)],
  )
  await client.query(`insert into media (id, filename, blob_key, mime_type, size, width, height, hash, alt, is_decorative,
      caption, folder, focal_x, focal_y, words, created_at, updated_at)
    select ${id('8001', 'n')}, 'picture-' || n || '.jpg', encode(sha256(n::text::bytea), 'hex'), 'image/jpeg', 120000, 1600, 900, md5(n::text), 'A picture', false,
      '', '', 0.5, 0.5, 'picture', now(), now() from generate_series(1, ${PICTURES}) n`)
  await client.query(`insert into taxonomy (id, name, label, hierarchical, types, created_at, updated_at)
    select ${id('8002', 'n')}, 'taxonomy-' || n, 'Taxonomy', false, '{*}', now(), now() from generate_series(1, 2) n`)
  await client.query(`insert into term (id, taxonomy_id, slug, name, description, position, created_at, updated_at)
    select ${id('8003', 'n')}, ${id('8002', '1 + n % 2')}, 'term-' || n, 'Term ' || n, '', n, now(), now() from generate_series(0, 19) n`)
  await client.query(
    'create temporary table passage as select * from unnest($1::int[], $2::text[]) as p (place, html)',
    [
      Array.from({ length: PASSAGES }, (_, place) => place),
      Array.from({ length: PASSAGES }, (_, place) => passage(place)),
    ],
  )
  await client.query('create unique index on passage (place)')
  await client.query('analyze passage')
  const insertPosts = (first: number, last: number, status: 'published' | 'draft') =>
    client.query(
      `insert into entry (id, type, slug, title, data, status, locale, author_id, version, live_version, live_updated_at,
       published_at, created_at, updated_at)
     select ${id('8004', 'n')}, 'post', 'post-' || n, 'Post number ' || n, jsonb_build_object('summary', 'Summary of ' || n,
       'body', (select string_agg(html, '' order by k) from generate_series(0, $3::int - 1) k join passage on place = (n * 7 + k * 131) % ${PASSAGES}),
       'price', (n * 7919) % 10007, 'day', to_char(date '2020-01-01' + ((n * 31) % 2000)::int, 'YYYY-MM-DD'),
       'picture', ${id('8001', `1 + n % ${PICTURES}`)},
       'related', jsonb_build_array(${id('8004', '1 + (n * 31) % $2::bigint')}, ${id('8004', '1 + (n * 37) % $2::bigint')}, ${id('8004', '1 + (n * 41) % $2::bigint')})),
       $5::text, 'en', $4, 1, case $5 when 'published' then 1 end, case $5 when 'published' then moment end,
       case $5 when 'published' then moment end, moment, moment
     from generate_series($1::bigint, $6::bigint) n, lateral (select timestamptz '2026-01-01' + n * interval '1 second') m (moment)`,
      [first, count, passages, PEOPLE, status, last],
    )
  await insertPosts(1, count, 'published')
  await insertPosts(count + 1, count + Math.ceil(count / 20), 'draft')
  await client.query(
    `insert into entry (id, type, slug, title, data, status, locale, author_id, version, live_version, live_updated_at,
       published_at, created_at, updated_at)
     select ${id('8005', 'n')}, 'page', 'page-' || n, 'Page number ' || n, jsonb_build_object('text', 'Text of ' || n),
       'published', 'en', $2, 1, 1, now(), now(), now(), now() from generate_series(1, $1::bigint) n`,
    [Math.ceil(count / 10), PEOPLE],
  )
  await client.query(
    `insert into entry_term (entry_id, term_id) select ${id('8004', 'n')}, ${id('8003', '(n + k) % 20')}
     from generate_series(1, $1::bigint) n, generate_series(0, 1) k`,
    [count],
  )
  await client.query(
    `insert into entry_count (type, locale, published) values ('post', 'en', $1), ('page', 'en', $2)`,
    [count, Math.ceil(count / 10)],
  )
  await writeTemplates(client, 'post', fields)
  await writeTemplates(client, 'page', pageFields)
  for (const { name, definition } of indexesOf({ name: 'post', fields }))
    await client.query(`create index ${name} ${definition}`)
  await client.query('vacuum analyze')
  await client.end()
}

/** What saving leaves for searches: titles and texts of published posts. */
export const fillSearch = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`insert into entry_search (entry_id, public_document, full_document, words)
    select id, document, document, lower(title) from entry, lateral (select to_tsvector('simple',
      title || ' ' || (data ->> 'summary') || ' ' || regexp_replace(data ->> 'body', '<[^>]*>', ' ', 'g'))) text (document)
    where type = 'post' and status = 'published'`)
  await client.query('vacuum analyze entry_search')
  await client.end()
}

const BATCH = 1_000

/** What saving leaves of published entries for delivery. */
const writeTemplates = async (client: pg.Client, type: string, fields: readonly Field[]): Promise<void> => {
  const state = templateState({ name: type, fields, searchVersion: 0 })
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await client.query(
      `select id, live_version, data from entry where type = $1 and status = 'published' and id > $2 order by id limit ${BATCH}`,
      [type, after],
    )
    await client.query(
      `insert into entry_template (entry_id, version, template, state)
       select *, $4 from unnest($1::uuid[], $2::integer[], $3::text[])`,
      [
        rows.map(({ id }) => id),
        rows.map(({ live_version }) => live_version),
        rows.map(({ data }) => writeTemplate(fields, readData(fields, data, 'visible'))),
        state,
      ],
    )
    if (rows.length < BATCH) return
    after = rows.at(-1).id
  }
}
