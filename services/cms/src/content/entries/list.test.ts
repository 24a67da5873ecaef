import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { announce } from '../../site/delivery/testing/site.ts'
import { fieldsOf, type Site, startSite } from './testing/site.ts'

let site: Site
let goneId: string
before(async () => {
  site = await startSite()
  await site.addType('page', [])
  await site.addTaxonomy('topics', ['news', 'art'])
  await site.addTaxonomy('shelves', ['news'])
  await site.cms.database.tx((tx) =>
    tx
      .insertInto('site_settings')
      .values({ settings: JSON.stringify({ locales: ['en', 'de'] }), updated_at: new Date(), updated_by: null })
      .execute(),
  )
  const c = site.editor.client
  const topic = (slug: string, taxonomy = 'topics') => [{ taxonomy, slug }]
  const alpha = await site.add(c, { title: 'Alpha crème', data: { summary: 'harbour lights' }, terms: topic('news') })
  site.clock.advance(1000)
  await site.add(site.author.client, { title: 'beta 100%', terms: topic('art') })
  site.clock.advance(1000)
  await site.add(c, { title: 'Gamma', locale: 'de', data: { summary: 's' }, terms: topic('news', 'shelves') })
  site.clock.advance(1000)
  await site.add(c, { type: 'page', title: 'Delta' })
  const gone = await site.add(c, { title: 'Gone' })
  goneId = gone.id
  await c.delete(`/api/entries/${goneId}`)
  site.clock.advance(1000)
  await site.publish(c, alpha.id)
  await c.put(`/api/entries/${alpha.id}`, { title: 'Omega crème', mode: 'draft' })
})
after(() => site.close())

const list = async (query: string, client = site.viewer.client) => {
  const answer = await client.get(`/api/entries?${query}`)
  assert.equal(answer.status, 200, answer.text)
  const titles: string[] = answer.body.items.map(({ title }: { title: string }) => title)
  return { titles, meta: answer.body.meta }
}

describe('the list of entries', () => {
  test('has the latest changed first, without the trash, with the titles that are edited', async () => {
    const { titles, meta } = await list('')
    assert.deepEqual(titles, ['Omega crème', 'Delta', 'Gamma', 'beta 100%'])
    assert.deepEqual(meta, { total: 4, page: 1, limit: 25, pages: 1 })
  })

  test('is narrowed by type, status, language, author and term', async () => {
    const cases: [string, string[]][] = [
      ['type=page', ['Delta']],
      ['status=published', ['Omega crème']],
      ['status=pending', ['Omega crème']],
      ['status=draft', ['Delta', 'Gamma', 'beta 100%']],
      ['status=scheduled', []],
      ['locale=de', ['Gamma']],
      [`author=${site.author.id}`, ['beta 100%']],
      ['term=news', ['Omega crème', 'Gamma']],
      ['term=topics:news', ['Omega crème']],
      ['term=art,shelves:news', ['Gamma', 'beta 100%']],
      ['term=nothing', []],
      ['type=article&status=draft&locale=en', ['beta 100%']],
    ]
    for (const [query, expected] of cases) {
      const { titles, meta } = await list(query)
      assert.deepEqual([query, titles, meta.total], [query, expected, expected.length])
    }
    assert.deepEqual((await list('author=me', site.author.client)).titles, ['beta 100%'])
  })

  test('is narrowed to the entries of these ids, wherever they would be in the list', async () => {
    const all = (await site.viewer.client.get('/api/entries')).body.items
    const idOf = (title: string): string => all.find((item: { title: string }) => item.title === title).id
    const [gamma, delta] = [idOf('Gamma'), idOf('Delta')]
    assert.deepEqual((await list(`ids=${gamma},${delta.toUpperCase()},${gamma}`)).titles, ['Delta', 'Gamma'])
    assert.deepEqual((await list(`ids=${gamma},${delta}&type=page`)).titles, ['Delta'])
    assert.deepEqual((await list(`ids=${newId()}`)).titles, [])
    assert.deepEqual((await list(`ids=${goneId},${gamma}`)).titles, ['Gamma'])
    const many = (count: number) => Array.from({ length: count }, () => newId()).join(',')
    assert.deepEqual((await list(`ids=${many(99)},${gamma}`)).titles, ['Gamma'])
    for (const ids of ['', 'x', `${gamma},`, many(101)]) {
      const answer = await site.viewer.client.get(`/api/entries?ids=${ids}`)
      assert.deepEqual([ids.length, answer.status, fieldsOf(answer)], [ids.length, 400, ['ids']])
    }
  })

  test('is narrowed to an entry and its translations', async () => {
    const c = site.editor.client
    const origin = await site.add(c, { type: 'page', title: 'Pier' })
    const german = await site.add(c, { type: 'page', title: 'Seebrücke', locale: 'de', translationOf: origin.id })
    const family = async () => (await list(`translationOf=${origin.id}&sort=title`)).titles
    assert.deepEqual(await family(), ['Pier', 'Seebrücke'])
    assert.deepEqual((await list(`translationOf=${german.id}`)).titles, ['Seebrücke'])
    await c.delete(`/api/entries/${origin.id}`)
    assert.deepEqual(await family(), ['Seebrücke'])
    await c.delete(`/api/entries/${german.id}`)
    assert.deepEqual(await family(), [])
  })

  test('finds words without accents, beginnings of words, and parts of titles', async () => {
    const cases: [string, string[]][] = [
      ['harbour', ['Omega crème']],
      ['harb', ['Omega crème']],
      ['CREME', ['Omega crème']],
      ['crème omega', ['Omega crème']],
      ['meg', ['Omega crème']],
      ['alpha', ['Omega crème']],
      ['100%', ['beta 100%']],
      ['%', ['beta 100%']],
      ['_', []],
      ["' & | ! <-> ( :* \\ ½ ʼ", []],
      ['nothing at all', []],
    ]
    for (const [q, expected] of cases)
      assert.deepEqual([q, (await list(`q=${encodeURIComponent(q)}`)).titles], [q, expected])
  })

  test('is sorted by title, slug and times, with ties in a fixed order, and paged', async () => {
    assert.deepEqual((await list('sort=title')).titles, ['beta 100%', 'Delta', 'Gamma', 'Omega crème'])
    assert.deepEqual((await list('sort=-title')).titles, ['Omega crème', 'Gamma', 'Delta', 'beta 100%'])
    assert.deepEqual((await list('sort=publishedAt')).titles[0], 'Omega crème')
    assert.deepEqual((await list('sort=-publishedAt,title')).titles, ['Omega crème', 'beta 100%', 'Delta', 'Gamma'])
    const { titles, meta } = await list('sort=title&limit=3&page=2')
    assert.deepEqual([titles, meta], [['Omega crème'], { total: 4, page: 2, limit: 3, pages: 2 }])
    assert.deepEqual((await list('page=9')).titles, [])
    assert.equal((await list('limit=500')).meta.limit, 100)
  })

  test('is filtered and sorted by the fields of its type, hidden ones too, as they are edited', async () => {
    await site.addType('maker', [{ key: 'town', type: 'text', hidden: true }])
    await site.addType('tool', [
      { key: 'price', type: 'number' },
      { key: 'secret', type: 'text', hidden: true },
      { key: 'body', type: 'richtext' },
      { key: 'rows', type: 'list', fields: [{ key: 'n', type: 'number' }] },
      { key: 'maker', type: 'reference', to: 'maker', multiple: false },
    ])
    await announce(site, 'type.created')
    const c = site.editor.client
    const maker = await site.add(c, { type: 'maker', title: 'Smith', data: { town: 'Oslo' } })
    const saw = await site.add(c, { type: 'tool', title: 'Saw', data: { price: 3, secret: 'x', rows: [{ n: 1 }] } })
    await site.add(c, { type: 'tool', title: 'Axe', data: { price: 1, maker: maker.id, body: '<p>Sharp</p>' } })
    await site.add(c, { type: 'tool', title: 'Jig', data: {} })
    await site.publish(c, saw.id)
    await c.put(`/api/entries/${saw.id}`, { slug: 'big-saw', data: { price: 30, rows: [{ n: 2 }] }, mode: 'draft' })
    for (const [query, expected] of [
      ['sort=price', ['Axe', 'Saw', 'Jig']],
      ['sort=-data.price', ['Saw', 'Axe', 'Jig']],
      ['sort=secret,-title', ['Saw', 'Jig', 'Axe']],
      ['filter[price][gt]=3', ['Saw']],
      ['filter[price][eq]=3', []],
      ['filter[secret][eq]=x', ['Saw']],
      ['filter[slug][eq]=big-saw', ['Saw']],
      ['filter[rows.n][eq]=2', ['Saw']],
      ['filter[rows.n][eq]=1', []],
      ['filter[body][contains]=sharp', ['Axe']],
      ['filter[maker][exists]=true', ['Axe']],
      [`filter[maker][eq]=${maker.id}`, ['Axe']],
      ['filter[maker.town][eq]=Oslo', ['Axe']],
      ['filter[maker.slug][ne]=smith&sort=title', ['Jig', 'Saw']],
      ['filter[or][0][price][eq]=30&filter[or][1][title][eq]=Jig&sort=title', ['Jig', 'Saw']],
      ['filter[price][exists]=false&status=draft', ['Jig']],
    ] as const) {
      const { titles, meta } = await list(`type=tool&${query}`)
      assert.deepEqual([query, titles, meta.total], [query, expected, expected.length])
    }
    assert.deepEqual((await list('filter[title][eq]=Jig')).titles, ['Jig'])
  })

  test('refuses what it does not know', async () => {
    for (const [query, key] of [
      ['sort=price', 'sort'],
      ['type=article&sort=body', 'sort'],
      ['filter[price][eq]=1', 'filter[price][eq]'],
      ['type=article&filter[nothing][eq]=1', 'filter[nothing][eq]'],
      ['type=article&filter[price][like]=1', 'filter[price][like]'],
      ['type=article&filter=1', 'filter'],
      ['status=trash', 'status'],
      ['type=nothing', 'type'],
      ['author=nobody', 'author'],
      ['translationOf=pier', 'translationOf'],
      ['limit=0', 'limit'],
      ['page=2000000', 'page'],
      ['colour=red', 'colour'],
    ] as const) {
      const answer = await site.viewer.client.get(`/api/entries?${query}`)
      assert.deepEqual([query, answer.status, fieldsOf(answer)], [query, 400, [key]])
    }
  })

  test('costs the same number of statements, however many entries there are', async () => {
    const cost = async (query: string) => {
      const watch = site.cms.database.watchStatements()
      const { titles } = await list(query)
      watch.stop()
      return { titles: titles.length, statements: watch.texts.length }
    }
    const asked = 'type=article&q=a&term=news'
    const few = await cost(asked)
    const one = await cost(`ids=${goneId}`)
    const ids: string[] = []
    for (let index = 0; index < 10; index += 1) {
      const terms = [{ taxonomy: 'topics', slug: 'news' }]
      ids.push((await site.add(site.editor.client, { title: `A more ${index}`, terms })).id)
    }
    assert.equal((await cost(asked)).statements, few.statements)
    assert.ok(few.statements <= 8, `${few.statements} statements`)
    assert.deepEqual(await cost(`ids=${ids.join(',')}`), { titles: 10, statements: one.statements })
  })
})
