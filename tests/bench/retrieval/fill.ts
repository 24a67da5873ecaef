import { resyncTypes } from '@stoa/cms/content/entries/resync.ts'
import { contextFor } from '@stoa/cms/context.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsService } from '@stoa/tests/lib/cms.ts'
import type { SmallPage } from './sites/site.ts'

export type Pool = CmsService['cms']['database']['pool']

export const print = (line: string): void => void process.stdout.write(`retrieval: ${line}\n`)

export const fillDemo = async (service: CmsService): Promise<void> => {
  const owner = await service.claim()
  const { status, text } = await owner.client.post('/api/demo')
  if (status !== 201) throw new Error(text)
}

/** Rows as an import would leave them; the job that catches up after an update cuts them into pieces. */
export const fill = async (
  service: CmsService,
  locales: readonly string[],
  entries: readonly SmallPage[],
): Promise<void> => {
  const { client } = await service.person('admin')
  await client.put('/api/settings', { locales })
  const type = { name: 'page', label: 'Page', previewUrl: '/{slug}', fields: [{ key: 'body', type: 'richtext' }] }
  const made = await client.post('/api/types', type)
  if (made.status !== 201) throw new Error(made.text)
  const { database } = service.cms
  await database.pool.query(
    `insert into entry (id, type, slug, title, data, status, locale, version, live_version, live_updated_at, published_at, created_at, updated_at)
      select id, 'page', slug, title, jsonb_build_object('body', body), 'published', locale, 1, 1, now(), now(), now(), now()
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) as e (id, slug, title, body, locale)`,
    [
      entries.map(() => newId()),
      entries.map(({ slug }) => slug),
      entries.map(({ title }) => title),
      entries.map(({ body }) => body),
      entries.map(({ locale }) => locale),
    ],
  )
  await database.pool.query('update content_type set search_version = search_version + 1')
  await resyncTypes(
    contextFor(service.cms.services, { kind: 'system', name: 'bench' } as const),
    new AbortController().signal,
  )
  await unhurried(database.pool, 'vacuum analyze')
  print(`${entries.length} pages`)
}

/** Takes longer than any statement of the service may. */
export const unhurried = async (pool: Pool, text: string): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const statement = { text, query_timeout: 600_000 }
    await client.query(statement)
  } finally {
    client.release(true)
  }
}
