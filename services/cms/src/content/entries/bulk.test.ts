import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { fieldsOf, type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
  await site.addTaxonomy('topics', ['news', 'art'])
})
after(() => site.close())

const bulk = (body: object, client = site.editor.client) => client.post('/api/entries/bulk', body)
const draft = (client = site.editor.client) => site.add(client, { title: 'One of many', data: { summary: 's' } })
const outcome = async (body: object, client = site.editor.client) => {
  const answer = await bulk(body, client)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results.map(({ ok, code }: { ok: boolean; code?: string }) => (ok ? 'ok' : code))
}

describe('changing many entries', () => {
  test('has a result for each, and what one is refused for does not stop the others', async () => {
    const [a, b] = [await draft(), await draft()]
    const incomplete = await site.add(site.editor.client, { title: 'No summary' })
    const ids = [a.id, incomplete.id, newId(), b.id]
    assert.deepEqual(await outcome({ action: 'publish', ids }), ['ok', 'VALIDATION_FAILED', 'NOT_FOUND', 'ok'])
    assert.equal((await site.read(b.id)).status, 'published')
    assert.equal((await site.read(incomplete.id)).status, 'draft')
    assert.deepEqual(await outcome({ action: 'unpublish', ids: [a.id, incomplete.id] }), ['ok', 'INVALID_STATE'])
    assert.deepEqual(await outcome({ action: 'draft', ids: [b.id] }), ['ok'])
    assert.deepEqual(await outcome({ action: 'trash', ids: [a.id, b.id] }), ['ok', 'ok'])
    assert.deepEqual(await outcome({ action: 'restore', ids: [a.id, incomplete.id] }), ['ok', 'INVALID_STATE'])
    const terms = [
      { taxonomy: 'topics', slug: 'news' },
      { taxonomy: 'topics', slug: 'art' },
    ]
    assert.deepEqual(await outcome({ action: 'terms', ids: [a.id, b.id], terms }), ['ok', 'INVALID_STATE'])
    assert.equal((await site.read(a.id)).terms.length, 2)
    assert.deepEqual(await outcome({ action: 'terms', ids: [a.id], terms: [{ taxonomy: 'topics', slug: 'x' }] }), [
      'VALIDATION_FAILED',
    ])
  })

  test('reaches as far as changing one: an author has own drafts only, and publishes nothing', async () => {
    const [mine, foreign] = [await draft(site.author.client), await draft()]
    const ids = [mine.id, foreign.id]
    const terms = [{ taxonomy: 'topics', slug: 'art' }]
    const before = [await site.read(mine.id), await site.read(foreign.id)]
    assert.deepEqual(await outcome({ action: 'publish', ids }, site.author.client), ['FORBIDDEN', 'FORBIDDEN'])
    assert.deepEqual([await site.read(mine.id), await site.read(foreign.id)], before)
    assert.deepEqual(await outcome({ action: 'terms', ids, terms }, site.author.client), ['ok', 'FORBIDDEN'])
    assert.deepEqual(await outcome({ action: 'trash', ids }, site.author.client), ['ok', 'FORBIDDEN'])
    await site.editor.client.delete(`/api/entries/${foreign.id}`)
    assert.deepEqual(await outcome({ action: 'restore', ids }, site.author.client), ['ok', 'FORBIDDEN'])
    assert.deepEqual(await outcome({ action: 'trash', ids }, site.viewer.client), ['FORBIDDEN', 'FORBIDDEN'])
  })

  test('takes 1 to 100 ids, each once, and terms with their action only', async () => {
    const { id } = await draft()
    assert.deepEqual(await outcome({ action: 'draft', ids: [id, id] }), ['ok'])
    const ids = Array.from({ length: 101 }, newId)
    for (const [body, key] of [
      [{ action: 'trash', ids }, 'ids'],
      [{ action: 'trash', ids: [] }, 'ids'],
      [{ action: 'trash', ids: ['x'] }, 'ids.0'],
      [{ action: 'burn', ids: [id] }, 'action'],
      [{ action: 'terms', ids: [id] }, 'terms'],
      [{ action: 'trash', ids: [id], terms: [{ taxonomy: 'topics', slug: 'art' }] }, 'terms'],
    ] as const) {
      const answer = await bulk(body)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [key]])
    }
    assert.equal((await site.read(id)).deletedAt, null)
  })
})
