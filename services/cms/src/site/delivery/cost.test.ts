import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { announce, readerOf, statementsOf } from './testing/site.ts'

/** Levels of entries, each referring to the next one. */
const LEVELS = ['one', 'two', 'three', 'four', 'five']
const EACH = 30

let service: CmsService
before(async () => {
  service = await startCms({ env: { DELIVERY_CACHE_BYTES: '0' } })
  await service.cms.services.bus.ready()
  const author = await service.person('editor')
  await service.cms.database.tx(async (tx) => {
    const now = service.clock.now()
    const ids = new Map(LEVELS.map((name) => [name, Array.from({ length: EACH }, () => newId())]))
    const picture = newId()
    await tx.query({
      text: `insert into media (id, filename, blob_key, mime_type, size, hash, alt, is_decorative, caption, folder, focal_x,
        focal_y, words, created_at, updated_at) values ($1, 'a.png', 'a', 'image/png', 1, 'hash', '', false, '', '', 0.5, 0.5, '', $2, $2)`,
      values: [picture, now],
    })
    await tx.query({
      text: `insert into taxonomy (id, name, label, hierarchical, types, created_at, updated_at) values ($1, 'topic', 'Topic', false, '{*}', $2, $2)`,
      values: [picture, now],
    })
    await tx.query({
      text: `insert into term (id, taxonomy_id, slug, name, description, position, created_at, updated_at) values ($1, $1, 'news', 'News', '', 0, $2, $2)`,
      values: [picture, now],
    })
    for (const [index, name] of LEVELS.entries()) {
      const next = LEVELS[index + 1] ?? 'one'
      const fields = [
        { key: 'next', type: 'reference', to: next },
        { key: 'picture', type: 'media' },
        { key: 'price', type: 'number' },
        { key: 'size', type: 'number', indexed: true },
      ]
      await tx.query({
        text: `insert into content_type (name, label, label_plural, description, icon, kind, fields, created_at, updated_at)
          values ($1, $1, $1, '', '', 'collection', $2, $3, $3)`,
        values: [name, JSON.stringify(fields), now],
      })
    }
    for (const [index, name] of LEVELS.entries()) {
      const targets = ids.get(LEVELS[index + 1] ?? '') ?? []
      const data = JSON.stringify({ next: targets.slice(0, 3), picture, price: 1 })
      await tx.query({
        text: `insert into entry (id, type, slug, title, data, status, locale, author_id, live_version, live_updated_at, published_at,
            created_at, updated_at)
          select id, $2, id::text, id::text, $3, 'published', 'en', $4, 1, $5, $5, $5, $5 from unnest($1::uuid[]) id`,
        values: [ids.get(name), name, data, author.id, now],
      })
      await tx.query({
        text: 'insert into entry_term select id, $2 from unnest($1::uuid[]) id',
        values: [ids.get(name), picture],
      })
      await tx.query({ text: `insert into entry_count values ($1, 'en', $2)`, values: [name, EACH] })
    }
  })
})
after(() => service.close())

/** Statements of one request with nothing in memory: neither the key, nor types and settings, nor the answer. */
const coldStatements = async (path: string): Promise<number> => {
  const { id, key } = await deliveryKeyFor(await service.person('admin'))
  await announce(service, 'type.updated')
  const reader = readerOf(service, id, key)
  return (await statementsOf(service, () => reader.read(path))).length
}

describe('what a request costs, whatever the data', () => {
  // Key; types and settings; entries of the type, where no index helps; filtered total; page with total, terms and author; one per level; ends of the branches with all files.
  const snapshot: [string, number][] = [
    ['/content', 2],
    ['/content/one?depth=0', 4],
    ['/content/one?depth=1&include=terms,author', 5],
    ['/content/one?depth=2&include=terms,author', 6],
    ['/content/one?depth=3&include=terms,author', 7],
    ['/content/one?limit=1', 5],
    ['/content/one?limit=100&depth=1', 5],
    ['/content/one?sort=-size&include=terms,author', 5],
    ['/content/one?filter[size][exists]=false&include=terms,author', 6],
    ['/content/one?q=nothing', 3],
    ['/content/one?term=news&include=terms,author', 6],
    ['/content/one?term=topic:news/*', 6],
    ['/content/one?include=terms,author,translations', 5],
    ['/content/one?filter[next.slug][starts]=0&filter[next.price][eq]=1&fields=title', 5],
    ['/content/one?filter[picture][exists]=true&filter[next][exists]=true&fields=title', 5],
    ['/content/one?page=99', 4],
    ['/content/one?fields=title', 3],
    ['/content/five', 4],
    ['/site/settings', 2],
    ['/site/taxonomies/topic', 4],
  ]
  for (const [path, count] of snapshot)
    test(`${path} is ${count} statements, all caches cold`, async () => {
      assert.equal(await coldStatements(path), count)
    })

  test('an entry by its slug is five, and two fewer once the key and the types are known', async () => {
    const { id, key } = await deliveryKeyFor(await service.person('admin'))
    const reader = readerOf(service, id, key)
    const { items } = await reader.read('/content/one?limit=1')
    const path = `/content/one/${items[0].slug}?include=terms,author`
    assert.equal(await coldStatements(path), 5)
    assert.equal((await statementsOf(service, () => reader.read(path))).length, 3)
  })

  test('a slug that no entry has is one statement more, for who had it', async () => {
    const { id, key } = await deliveryKeyFor(await service.person('admin'))
    const reader = readerOf(service, id, key)
    await reader.read('/content/one?limit=1')
    assert.equal((await statementsOf(service, () => reader.get('/content/one/nobody'))).length, 2)
  })

  test('a search that finds something is two, one that finds nothing is one, and none when it is asked for again', async () => {
    const { id, key } = await deliveryKeyFor(await service.person('admin'))
    const reader = readerOf(service, id, key)
    await service.cms.database.tx((tx) =>
      tx.query({
        text: `insert into entry_search (entry_id, public_document, full_document, words)
          select id, to_tsvector('simple', 'harbor'), '', '' from entry where type = 'five'`,
      }),
    )
    const cost = async (query: string) => {
      const path = `/content/five?${query}&fields=title`
      return (await statementsOf(service, () => reader.read(path))).length
    }
    await reader.read('/content/one?limit=1')
    assert.deepEqual([await cost('q=harbor'), await cost('q=harbors'), await cost('q=harbors')], [2, 1, 0])
    assert.equal((await reader.read('/content/five?q=harbor&limit=7&page=2')).meta.total, EACH)
  })

  test('a filtered total is counted once per public version', async () => {
    const { id, key } = await deliveryKeyFor(await service.person('admin'))
    const reader = readerOf(service, id, key)
    const counts = async () => {
      const watch = service.cms.database.watchStatements()
      const { meta } = await reader.read('/content/one?term=news&limit=1')
      watch.stop()
      assert.equal(meta.total, EACH)
      return watch.texts.filter((text) => text.includes('count(*)')).length
    }
    assert.deepEqual([await counts(), await counts()], [1, 0])
    await announce(service, 'entry.published')
    assert.equal(await counts(), 1)
  })

  test('a narrowed list is read by its ids once it is asked for again, until something in it changes', async () => {
    const { id, key } = await deliveryKeyFor(await service.person('admin'))
    const reader = readerOf(service, id, key)
    const searches = async (query: string) => {
      const texts = await statementsOf(service, () => reader.read(`/content/one?${query}&depth=0&limit=7`))
      return texts.filter((text) => /row_number|count\(\*\)|select id from \(select \* from entry/.test(text)).length
    }
    for (const query of ['term=news', 'term=news&sort=title', 'filter[picture][exists]=true']) {
      await announce(service, 'entry.published')
      await searches(query)
      assert.equal(await searches(`${query}&page=2`), 1, query)
      assert.deepEqual([await searches(query), await searches(`${query}&page=5&include=terms`)], [0, 0], query)
    }
  })

  test('C65: what leads to too many entries is refused, and can be asked for with less depth', async () => {
    const { id, key } = await deliveryKeyFor(await service.person('admin'))
    const wide = newId()
    await service.cms.database.tx(async (tx) => {
      const insert = `insert into entry (id, type, slug, title, data, status, locale, live_version, live_updated_at, published_at, created_at, updated_at)`
      const live = `'published', 'en', 1, $1, $1, $1, $1`
      const now = service.clock.now()
      await tx.query({
        text: `${insert} select gen_random_uuid(), 'three', 'many-' || n, 'many', '{}', ${live} from generate_series(1, 5001) n`,
        values: [now],
      })
      await tx.query({
        text: `${insert} select $2, 'two', 'wide', 'Wide', jsonb_build_object('next', jsonb_agg(id)), ${live} from entry where title = 'many'`,
        values: [now, wide],
      })
    })
    const reader = readerOf(service, id, key)
    const answer = await reader.get('/content/two/wide')
    assert.deepEqual([answer.status, answer.body.details.fields[0].key], [400, 'depth'])
    assert.equal((await reader.read('/content/two/wide?depth=0')).data.next.length, 5001)
    assert.deepEqual((await reader.read('/content/two/wide?fields=title')).title, 'Wide')
  })

  test('above 50,000 entries a key without an index is refused by name, and others are not', async () => {
    const { id, key } = await deliveryKeyFor(await service.person('admin'))
    const reader = readerOf(service, id, key)
    const count = (published: number) =>
      service.cms.database.tx((tx) =>
        tx.updateTable('entry_count').set({ published }).where('type', '=', 'one').execute(),
      )
    const slow = [
      'sort=price',
      'sort=-price',
      'sort=title,price',
      'filter[price][eq]=1',
      'filter[title][contains]=x',
      'filter[or][0][price][lt]=1',
      'filter[next.price][eq]=1',
      'filter[picture][exists]=true',
      `filter[next][ne]=${newId()}`,
    ]
    const fast = [
      'sort=size',
      'sort=-size',
      'filter[size][lt]=1',
      'sort=title',
      'filter[title][eq]=x',
      'filter[locale][eq]=en',
      'filter[translationOf][exists]=false',
      `filter[next][eq]=${newId()}`,
      `filter[picture][in]=${newId()}`,
      'q=x',
      'term=news',
    ]
    await count(50_000)
    await announce(service, 'entry.published')
    for (const query of [...slow, ...fast]) assert.equal((await reader.get(`/content/one?${query}`)).status, 200, query)
    await count(50_001)
    await announce(service, 'entry.published')
    for (const query of slow) {
      const answer = await reader.get(`/content/one?${query}`)
      assert.equal(answer.status, 400, query)
      const [key = ''] = /(?:title|next|picture)(?=[.\]])/.exec(query) ?? ['price']
      assert.match(JSON.stringify(answer.body.details.fields), new RegExp(key))
    }
    for (const query of fast) assert.equal((await reader.get(`/content/one?${query}`)).status, 200, query)
  })
})
