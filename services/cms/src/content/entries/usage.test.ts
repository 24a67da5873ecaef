import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
  await site.addType('page', [
    { key: 'related', type: 'reference', to: 'page', multiple: true },
    { key: 'lead', type: 'reference', to: 'page', multiple: false },
  ])
})
after(() => site.close())

const page = (title: string, data: object = {}) => site.add(site.editor.client, { type: 'page', title, data })
const usage = async (id: string, query = '') => {
  const answer = await site.viewer.client.get(`/api/entries/${id}/usage${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const namesIn = async (id: string): Promise<string[]> =>
  (await usage(id)).items.map((use: { title?: string; label?: string }) => use.title ?? use.label)
const trash = (id: string) => site.editor.client.delete(`/api/entries/${id}`)

describe('where an entry is used', () => {
  test('is in menus at any depth and in other entries, the latest change first, page by page', async () => {
    const target = await page('Target')
    const first = await page('First', { related: [target.id] })
    await site.publish(site.editor.client, first.id)
    site.clock.advance(1000)
    const second = await page('Second', { related: [target.id, first.id], lead: target.id })
    const items = [{ label: 'Home', url: '/', children: [{ label: 'T', entryId: target.id }] }]
    const foot = [{ label: 'F', entryId: first.id }]
    for (const menu of [
      { name: 'main', label: 'Main menu', items },
      { name: 'foot', items: foot },
    ])
      assert.equal((await site.admin.client.post('/api/menus', menu)).status, 201)

    const { items: uses, meta } = await usage(target.id)
    const common = { kind: 'entry', type: 'page', locale: 'en' }
    assert.deepEqual(uses, [
      { kind: 'menu', name: 'main', label: 'Main menu' },
      { ...common, id: second.id, slug: 'second', title: 'Second', status: 'draft', live: false },
      { ...common, id: first.id, slug: 'first', title: 'First', status: 'published', live: true },
    ])
    assert.deepEqual(meta, { total: 3, page: 1, limit: 25, pages: 1 })
    assert.deepEqual((await usage(target.id, '?limit=2&page=2')).items, uses.slice(2))
    assert.deepEqual((await usage(target.id.toUpperCase())).items, uses)
    assert.deepEqual((await usage(target.id, '?limit=1&page=2')).items, uses.slice(1, 2))
  })

  test('is what is live as well as what is edited, outside of the trash', async () => {
    const target = await page('Aim')
    const pending = await page('Pending', { lead: target.id })
    await site.publish(site.editor.client, pending.id)
    await site.editor.client.put(`/api/entries/${pending.id}`, {
      title: 'Changed',
      data: { lead: null },
      mode: 'draft',
    })
    assert.deepEqual(await namesIn(target.id), ['Changed'])
    assert.equal((await usage(target.id)).items[0].live, true)
    await site.publish(site.editor.client, pending.id)
    assert.deepEqual(await namesIn(target.id), [])
    const gone = await page('Gone', { lead: target.id })
    assert.deepEqual(await namesIn(target.id), ['Gone'])
    await trash(gone.id)
    assert.deepEqual(await namesIn(target.id), [])
  })

  test('is nowhere when only the entry itself names it', async () => {
    const { id } = await page('Self')
    await site.editor.client.put(`/api/entries/${id}`, { data: { related: [id] } })
    assert.deepEqual(await namesIn(id), [])
  })

  test('is returned for an entry in the trash to those who can restore it, and 404 for a missing one', async () => {
    const target = await page('Binned')
    await page('Still here', { lead: target.id })
    await trash(target.id)
    const path = `/api/entries/${target.id}/usage`
    assert.equal((await site.viewer.client.get(path)).body.code, 'FORBIDDEN')
    assert.equal((await site.editor.client.get(path)).body.meta.total, 1)
    for (const id of [newId(), 'x'])
      assert.equal((await site.viewer.client.get(`/api/entries/${id}/usage`)).status, 404)
  })

  test('costs the same number of statements, however many use it', async () => {
    const target = await page('Popular')
    const cost = async () => {
      const watch = site.cms.database.watchStatements()
      await usage(target.id)
      watch.stop()
      return watch.texts.length
    }
    const none = await cost()
    for (let index = 0; index < 5; index += 1) await page(`Fan ${index}`, { lead: target.id })
    assert.equal(await cost(), none)
  })
})
