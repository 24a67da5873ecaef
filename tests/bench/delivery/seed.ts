import { migrationsFolder } from '@stoa/cms/app.ts'
import { indexesOf } from '@stoa/cms/content/types/indexes.ts'
import { fieldList } from '@stoa/cms-model/fields/field.ts'
import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import pg from 'pg'
import { KEY } from './key.ts'

const FIELDS = [
  { key: 'summary', type: 'text' },
  { key: 'body', type: 'richtext' },
  { key: 'price', type: 'number', indexed: true },
  { key: 'picture', type: 'media' },
  { key: 'related', type: 'reference', to: 'post' },
]
const PEOPLE = `00000000-0000-7000-8000-000000000001`

/** Entry, file and term of a number, as ids. */
const id = (kind: string, number: string) => `('00000000-0000-7000-${kind}-' || lpad(to_hex(${number}), 12, '0'))::uuid`

/** A site of so many published posts, each with three references, a picture and two of twenty terms. */
export const seed = async (count: number): Promise<{ url: string; drop(): Promise<void> }> => {
  const database = await freshDatabase()
  await migrate(database.url, migrationsFolder, createLogger({ name: 'bench', level: 'silent' }))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const fields = fieldList.parse(FIELDS)
  await client.query(
    `insert into account (id, email, name, role, password_hash, created_at, updated_at)
     values ($1, 'a@example.test', 'Ada Author', 'owner', 'x', now(), now())`,
    [PEOPLE],
  )
  await client.query(
    `insert into content_type (name, label, label_plural, description, icon, kind, preview_url, fields, created_at, updated_at)
     values ('post', 'Post', 'Posts', '', '', 'collection', '/blog/{slug}', $1, now(), now())`,
    [JSON.stringify(fields)],
  )
  await client.query(
    `insert into delivery_key (id, name, key_hash, last4, types, created_at, last_used_at)
     values ($1, 'bench', $2, 'DEFG', '{*}', now(), now())`,
    [PEOPLE, hashToken(KEY)],
  )
  await client.query(`insert into media (id, filename, blob_key, mime_type, size, width, height, hash, alt, is_decorative,
      caption, folder, focal_x, focal_y, words, created_at, updated_at)
    select ${id('8001', 'n')}, 'picture-' || n || '.jpg', n::text, 'image/jpeg', 120000, 1600, 900, md5(n::text), 'A picture', false,
      '', '', 0.5, 0.5, 'picture', now(), now() from generate_series(1, 1000) n`)
  await client.query(`insert into taxonomy (id, name, label, hierarchical, types, created_at, updated_at)
    select ${id('8002', 'n')}, 'taxonomy-' || n, 'Taxonomy', false, '{*}', now(), now() from generate_series(1, 2) n`)
  await client.query(`insert into term (id, taxonomy_id, slug, name, description, position, created_at, updated_at)
    select ${id('8003', 'n')}, ${id('8002', '1 + n % 2')}, 'term-' || n, 'Term ' || n, '', n, now(), now() from generate_series(0, 19) n`)
  const words = 'The quick brown fox jumps over the lazy dog. '.repeat(8)
  await client.query(
    `insert into entry (id, type, slug, title, data, status, locale, author_id, version, live_version, live_updated_at,
       published_at, created_at, updated_at)
     select ${id('8004', 'n')}, 'post', 'post-' || n, 'Post number ' || n, jsonb_build_object('summary', 'Summary of ' || n,
       'body', '<p>' || $2::text || n || '</p>', 'price', (n * 7919) % 10007, 'picture', ${id('8001', '1 + n % 1000')},
       'related', jsonb_build_array(${id('8004', '1 + (n * 31) % $1')}, ${id('8004', '1 + (n * 37) % $1')}, ${id('8004', '1 + (n * 41) % $1')})),
       'published', 'en', $3, 1, 1, timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second',
       timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second'
     from generate_series(1, $1::bigint) n`,
    [count, words, PEOPLE],
  )
  await client.query(
    `insert into entry_term (entry_id, term_id) select ${id('8004', 'n')}, ${id('8003', '(n + k) % 20')}
     from generate_series(1, $1::bigint) n, generate_series(0, 1) k`,
    [count],
  )
  await client.query(`insert into entry_count (type, locale, published) values ('post', 'en', $1)`, [count])
  for (const { name, definition } of indexesOf({ name: 'post', fields }))
    await client.query(`create index ${name} ${definition}`)
  await client.query('vacuum analyze')
  await client.end()
  return database
}
