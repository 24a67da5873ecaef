import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
before(async () => {
  site = await startDelivery()
  await site.admin.client.put('/api/settings', { locales: ['en', 'de', 'fr'], url: 'https://example.test' })
  await site.addType('page', [], { previewUrl: '/{locale}/{slug}' })
  await site.addType('plain', [])
  reader = await site.reader()
})
after(() => site.close())

const page = (members: object) => site.live({ type: 'page', data: {}, ...members })
const slugOf = async (path: string) => {
  const { status, body } = await reader.get(path)
  return status === 200 ? body.slug : status
}

describe('translations of an entry', () => {
  test('are the other published ones of its family, with the addresses of the website', async () => {
    const origin = await page({ title: 'Pier' })
    await page({ title: 'Seebrücke', locale: 'de', translationOf: origin.id })
    const french = await site.add(site.editor.client, {
      type: 'page',
      title: 'Jetée',
      locale: 'fr',
      translationOf: origin.id,
    })
    const of = async (slug: string) => (await reader.read(`/content/page/${slug}?include=translations`)).translations
    const pier = { locale: 'en', slug: 'pier', url: 'https://example.test/en/pier' }
    const german = { locale: 'de', slug: 'seebruecke', url: 'https://example.test/de/seebruecke' }
    assert.deepEqual(await of('pier'), [german])
    assert.deepEqual(await of('seebruecke'), [pier])
    await site.publish(site.editor.client, french.id)
    const jetee = { locale: 'fr', slug: 'jetee', url: 'https://example.test/fr/jetee' }
    assert.deepEqual(await of('pier'), [german, jetee])
    assert.deepEqual(await of('seebruecke'), [pier, jetee])
    const { items } = await reader.read('/content/page?include=translations&locale=fr')
    assert.deepEqual(
      items[0].translations,
      [pier, german].toSorted((a, b) => (a.locale < b.locale ? -1 : 1)),
    )
    await site.editor.client.delete(`/api/entries/${origin.id}`)
    assert.deepEqual(await of('seebruecke'), [jetee])
    assert.equal((await reader.read('/content/page/jetee')).translations, undefined)
    await site.live({ type: 'plain', data: {}, title: 'Alone' })
    assert.deepEqual((await reader.read('/content/plain/alone?include=translations,terms')).translations, [])
  })
})

describe('terms', () => {
  before(async () => {
    const admin = site.admin.client
    await admin.post('/api/taxonomies', { name: 'topics', label: 'Topics', hierarchical: true, types: ['page'] })
    const add = async (name: string, parentId: string | null, description = '') =>
      (await admin.post('/api/taxonomies/topics/terms', { name, parentId, description })).body.id
    const land = await add('Land', null, 'Dry')
    const forest = await add('Forest', land)
    await add('Oak', forest)
    await add('Sea', null)
    await add('Unused', null)
    const tag = (...slugs: string[]) => ({ terms: slugs.map((slug) => ({ taxonomy: 'topics', slug })) })
    await page({ title: 'In oak', ...tag('oak') })
    await page({ title: 'On land', ...tag('land') })
    await page({ title: 'At sea', ...tag('sea') })
    await site.add(site.editor.client, { type: 'page', title: 'Unseen', ...tag('unused') })
  })

  test('of an entry have parent and description', async () => {
    const [term] = (await reader.read('/content/page/on-land?include=terms')).terms
    assert.deepEqual(Object.keys(term).toSorted(), ['description', 'id', 'name', 'parentId', 'slug', 'taxonomy'])
    assert.deepEqual([term.description, term.parentId], ['Dry', null])
    const [oak] = (await reader.read('/content/page/in-oak?include=terms')).terms
    assert.notEqual(oak.parentId, null)
  })

  test('taxonomy:slug/* is the term with those below it', async () => {
    for (const [term, titles] of [
      ['topics:land', ['On land']],
      ['topics:land/*', ['In oak', 'On land']],
      ['topics:forest/*', ['In oak']],
      ['topics:oak/*,sea', ['At sea', 'In oak']],
      ['topics:nothing/*', []],
      ['land/*', ['In oak', 'On land']],
    ] as const)
      assert.deepEqual(await reader.titles(`/content/page?sort=title&term=${term}`), titles, term)
    for (const wrong of ['topics:land/', 'topics:land/*/*', 'topics:*', '/*', 'topics:land*'])
      assert.equal((await reader.get(`/content/page?term=${encodeURIComponent(wrong)}`)).status, 400, wrong)
  })

  test('a taxonomy lists the terms of published entries, and those above them', async () => {
    const { terms, ...rest } = await reader.read('/site/taxonomies/topics')
    assert.deepEqual(rest, { name: 'topics', label: 'Topics', hierarchical: true })
    assert.deepEqual(Object.keys(terms[0]), ['id', 'slug', 'name', 'description', 'parentId', 'position', 'count'])
    assert.deepEqual(
      terms.map(({ slug, count }: { slug: string; count: number }) => [slug, count]),
      [
        ['land', 1],
        ['forest', 0],
        ['oak', 1],
        ['sea', 1],
      ],
    )
    assert.equal(terms[1].parentId, terms[0].id)
  })

  test('a taxonomy of types that the key may not read is answered as one that is not there', async () => {
    const narrow = await site.reader(['plain'])
    const missing = await narrow.get('/site/taxonomies/nothing')
    assert.equal(missing.status, 404)
    const closed = await narrow.get('/site/taxonomies/topics')
    assert.deepEqual([closed.status, closed.text], [missing.status, missing.text])
    assert.equal((await reader.get('/site/taxonomies/topics?x=1')).status, 400)
    await site.admin.client.put('/api/taxonomies/topics', { types: ['*'] })
    assert.deepEqual((await narrow.read('/site/taxonomies/topics')).terms, [])
  })
})

describe('a slug that an entry had', () => {
  const put = (id: string, body: object) => site.editor.client.put(`/api/entries/${id}`, body)
  const act = (id: string, action: string) => site.editor.client.post(`/api/entries/${id}/status`, { action })

  test('leads to it under its present one, and not in lists', async () => {
    const { id } = await page({ title: 'First', slug: 'first' })
    await put(id, { slug: 'second' })
    await put(id, { slug: 'third' })
    for (const slug of ['first', 'second', 'third']) {
      const entry = await reader.read(`/content/page/${slug}?include=terms`)
      assert.deepEqual([entry.id, entry.slug, entry.url], [id, 'third', 'https://example.test/en/third'])
    }
    assert.equal((await reader.read('/content/page?filter[slug][eq]=first')).meta.total, 0)
    assert.equal((await (await site.reader(['plain'])).get('/content/page/first')).status, 404)
    assert.equal((await reader.get('/content/plain/first')).status, 404)
  })

  test('was live: one that only a draft or unpublished changes had leads nowhere', async () => {
    const { id } = await site.add(site.editor.client, { type: 'page', title: 'Quiet', slug: 'quiet-one' })
    await put(id, { slug: 'quiet-two' })
    await site.publish(site.editor.client, id)
    await put(id, { slug: 'quiet-three', mode: 'draft' })
    await put(id, { slug: 'quiet-four', mode: 'draft' })
    assert.deepEqual([await slugOf('/content/page/quiet-one'), await slugOf('/content/page/quiet-three')], [404, 404])
    await site.publish(site.editor.client, id)
    assert.equal(await slugOf('/content/page/quiet-two'), 'quiet-four')
    assert.equal(await slugOf('/content/page/quiet-three'), 404)
  })

  test('belongs to a new holder, even a draft, and goes back when there is none', async () => {
    const { id } = await page({ title: 'Old', slug: 'shared' })
    await put(id, { slug: 'old' })
    const taker = await site.add(site.editor.client, { type: 'page', title: 'New', slug: 'shared' })
    assert.equal(await slugOf('/content/page/shared'), 404)
    await site.publish(site.editor.client, taker.id)
    assert.equal((await reader.read('/content/page/shared')).id, taker.id)
    await put(taker.id, { slug: 'new' })
    assert.equal(await slugOf('/content/page/shared'), 'new')
    await site.editor.client.delete(`/api/entries/${taker.id}`)
    assert.equal(await slugOf('/content/page/shared'), 'old')
  })

  test('leads to published entries only, also to one that was away meanwhile', async () => {
    const { id } = await page({ title: 'Away', slug: 'away' })
    await act(id, 'unpublish')
    await put(id, { slug: 'back' })
    assert.equal(await slugOf('/content/page/away'), 404)
    await site.publish(site.editor.client, id)
    assert.equal(await slugOf('/content/page/away'), 'back')
    await act(id, 'unpublish')
    assert.equal(await slugOf('/content/page/away'), 404)
  })
})
