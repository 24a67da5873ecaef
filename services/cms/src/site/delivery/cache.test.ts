import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runSchedule } from '../../content/entries/publish-due.ts'
import { type DeliverySite, type Reader, startDelivery, statementsOf } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
let article: { id: string; slug: string }
before(async () => {
  site = await startDelivery()
  await site.addType('pic', [{ key: 'image', type: 'media' }])
  await site.addTaxonomy('topic', ['news'])
  article = await site.live({ title: 'First', data: { summary: 's' }, terms: [{ taxonomy: 'topic', slug: 'news' }] })
  reader = await site.reader()
})
after(() => site.close())

const countOf = async (act: () => Promise<unknown>): Promise<number> => (await statementsOf(site, act)).length
const put = async (path: string, body: object) => {
  const answer = await site.admin.client.put(path, body)
  assert.equal(answer.status, 200, answer.text)
}

describe('the response cache', () => {
  test('answers the same question without the database, with the same bytes and validator', async () => {
    const first = await reader.get('/content/article?include=terms,author')
    assert.equal(await countOf(() => reader.get('/content/article?include=terms,author')), 0)
    const again = await reader.get('/content/article?include=terms,author')
    assert.deepEqual([again.text, again.headers.get('etag')], [first.text, first.headers.get('etag')])
  })

  test('another question has another answer', async () => {
    const all = await reader.get('/content/article?limit=1')
    const other = await reader.get('/content/article?limit=2')
    assert.notEqual(all.text, other.text)
  })

  test('C81: a key never gets the answer of another, nor does nobody', async () => {
    const narrow = await site.reader(['pic'])
    for (const path of ['/content', '/content/article', '/content/article/first']) {
      const wide = await reader.get(path)
      assert.equal(wide.status, 200)
      assert.notEqual((await narrow.get(path)).text, wide.text, path)
      assert.equal((await site.client().get(path)).status, 401)
      assert.equal((await site.client().get(path, { 'x-api-key': `cms_${'y'.repeat(43)}` })).status, 401)
      assert.equal((await reader.get(path)).text, wide.text)
    }
    const twin = await site.reader(['pic'])
    assert.equal((await twin.get('/content')).text, (await narrow.get('/content')).text)
  })

  test('every public change shows with the next request', async () => {
    const image = await site.addMedia()
    const pic = await site.live({ type: 'pic', title: 'Pic', data: { image } })
    const shown = async (path: string) => (await reader.get(path)).text
    const path = '/content/article/first?include=terms,author'
    const changes: [string, string, () => Promise<unknown>][] = [
      ['a live save', path, () => put(`/api/entries/${article.id}`, { data: { price: 5 } })],
      ['a title in a list', '/content/article', () => put(`/api/entries/${article.id}`, { title: 'Renamed' })],
      ['a term', path, () => put('/api/taxonomies/topic/terms/news', { name: 'Latest' })],
      ['the terms of an entry', path, () => put(`/api/entries/${article.id}/terms`, { taxonomy: 'topic', terms: [] })],
      ['the settings', '/site/settings', () => put('/api/settings', { title: 'New' })],
      ['the address of the site', path, () => put('/api/settings', { url: 'https://new.test' })],
      ['a type', '/content', () => put('/api/types/article', { label: 'Articles' })],
      ['a template', path, () => put('/api/types/article', { previewUrl: '/a/{slug}' })],
      ['the name of an author', path, () => put(`/api/users/${site.editor.id}`, { name: 'Edith' })],
      ['a file', '/content/pic/pic', () => put(`/api/media/${image}`, { alt: 'Described' })],
      [
        'unpublishing',
        '/content/pic',
        () => site.editor.client.post(`/api/entries/${pic.id}/status`, { action: 'unpublish' }),
      ],
      ['publishing', '/content/pic', () => site.publish(site.editor.client, pic.id)],
      ['deleting', '/content/pic/pic', () => site.editor.client.delete(`/api/entries/${pic.id}`)],
      [
        'a new entry in a filtered total',
        '/content/article?filter[price][exists]=true',
        () => site.live({ title: 'More', data: { summary: 's', price: 9 } }),
      ],
    ]
    for (const [name, address, change] of changes) {
      const before = await shown(address)
      assert.equal(await shown(address), before)
      await change()
      assert.notEqual(await shown(address), before, name)
    }
  })

  test('a menu that changes shows at once', async () => {
    await site.admin.client.post('/api/menus', { name: 'top', items: [{ label: 'A', url: '/a' }] })
    const before = await reader.read('/site/menus/top')
    await put('/api/menus/top', { items: [{ label: 'B', url: '/b' }] })
    assert.notDeepEqual(await reader.read('/site/menus/top'), before)
  })

  test('a scheduled publication shows without a request of the admin API', async () => {
    const later = await site.add(site.editor.client, { title: 'At noon', data: { summary: 's' } })
    assert.equal((await reader.get('/content/article/at-noon')).status, 404)
    const at = new Date(site.clock.now().getTime() + 60_000).toISOString()
    await site.editor.client.post(`/api/entries/${later.id}/status`, { action: 'publish', at })
    const version = site.cms.services.delivery.versions.content()
    site.clock.advance(61_000)
    await runSchedule(site.cms.services)
    assert.equal((await reader.get('/content/article/at-noon')).status, 200)
    assert.notEqual(site.cms.services.delivery.versions.content(), version)
  })

  test('drafts leave it alone, and change contentVersion', async () => {
    await reader.get('/content/article')
    const version = site.cms.services.delivery.versions.content()
    const draft = await site.add(site.editor.client, { title: 'Only a draft' })
    await put(`/api/entries/${draft.id}`, { title: 'Still' })
    assert.equal(await countOf(() => reader.get('/content/article')), 0)
    assert.ok(site.cms.services.delivery.versions.content() >= version + 2)
    assert.equal(site.cms.services.delivery.versions.content(), site.cms.services.delivery.versions.content())
  })

  test('what is read while something changes is not kept', async () => {
    const { delivery } = site.cms.services
    const made: string[] = []
    const slow = async () => {
      const text = `${made.length}`
      made.push(text)
      await put('/api/settings', { tagline: `changed ${made.length}` })
      // The next request starts the cache of the new content, in which this answer has no place
      await delivery.responses.answer('another key of the test', '/content', async () => 'another')
      return text
    }
    await delivery.responses.answer('a key of the test', '/content', slow)
    const second = await delivery.responses.answer('a key of the test', '/content', async () => 'new')
    assert.equal(second.plain.body.toString(), 'new')
  })

  test('a burst of the same question is answered by one read', async () => {
    await put('/api/settings', { tagline: 'burst' })
    const count = await countOf(() => Promise.all(Array.from({ length: 20 }, () => reader.get('/content/article'))))
    assert.ok(count <= 4, `${count} statements`)
  })

  test('errors are not kept', async () => {
    assert.equal((await reader.get('/content/article/not-yet')).status, 404)
    await site.live({ title: 'Not yet', data: { summary: 's' } })
    assert.equal((await reader.get('/content/article/not-yet')).status, 200)
  })
})
