import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsClient, type CmsService, startCms } from '@stoa/tests/lib/cms.ts'

let service: CmsService
let client: CmsClient
before(async () => {
  service = await startCms()
  client = (await service.person('owner')).client
})
after(() => service.close())

const PASSWORD = 'nine lanterns on the pier'

/** A fresh record of each kind that can be deleted, and where it is. */
const records: Record<string, () => Promise<string>> = {
  user: async () => {
    const { body } = await client.post('/api/users', {
      email: `v${Date.now()}${Math.random()}@example.test`,
      name: 'V',
      role: 'viewer',
      password: PASSWORD,
    })
    return `/api/users/${body.id}`
  },
  type: async () => {
    await client.post('/api/types', { name: 'gone', label: 'Gone', fields: [{ key: 'text', type: 'text' }] })
    return '/api/types/gone'
  },
  taxonomy: async () => {
    await client.post('/api/taxonomies', { name: 'gone', label: 'Gone' })
    return '/api/taxonomies/gone'
  },
  term: async () => {
    await client.post('/api/taxonomies', { name: 'kept', label: 'Kept' })
    await client.post('/api/taxonomies/kept/terms', { name: 'Gone' })
    return '/api/taxonomies/kept/terms/gone'
  },
  menu: async () => {
    await client.post('/api/menus', { name: 'gone', label: 'Gone', items: [] })
    return '/api/menus/gone'
  },
}

describe('deleting', () => {
  for (const [kind, make] of Object.entries(records))
    test(`a ${kind} of another version is refused, by If-Match and by body alike, and stays`, async () => {
      const path = await make()
      for (const attempt of [
        () => client.send('DELETE', path, { body: { version: 9 } }),
        () => client.delete(path, { 'if-match': '"v9"' }),
        () => client.send('DELETE', path, { body: { version: 1 }, headers: { 'if-match': '"v9"' } }),
      ]) {
        const answer = await attempt()
        assert.deepEqual([answer.status, answer.body.code], [409, 'VERSION_CONFLICT'])
        assert.equal(typeof answer.body.details.updatedBy.id, 'string')
        assert.equal((await client.get(path)).status, 200)
      }
      assert.equal((await client.send('DELETE', path, { body: { nonsense: 1 } })).status, 400)
      assert.equal((await client.send('DELETE', path, { body: { version: 1 } })).status, 204)
      assert.equal((await client.get(path)).status, 404)
    })

  test('a type with dryRun=1 counts what entries hold and deletes nothing', async () => {
    await client.post('/api/types', { name: 'trial', label: 'Trial', fields: [{ key: 'text', type: 'text' }] })
    await client.post('/api/entries', { type: 'trial', title: 'One', data: { text: 'held' } })
    const tried = await client.delete('/api/types/trial?dryRun=1')
    assert.deepEqual([tried.status, tried.body], [200, { affected: [{ key: 'text', count: 1 }] }])
    assert.equal((await client.get('/api/types/trial')).status, 200)
    assert.equal((await client.delete('/api/types/trial')).body.code, 'TYPE_IN_USE')
    const refused = await client.post('/api/types?dryRun=1', { name: 'none', label: 'None', fields: [] })
    assert.equal(refused.status, 400)
    assert.equal((await client.get('/api/types/none')).status, 404)
  })

  test('what changes without a new version is never answered from a cache', async () => {
    await client.post('/api/types', { name: 'fresh', label: 'Fresh', fields: [] })
    const before = await client.get('/api/types/fresh')
    await client.post('/api/taxonomies', { name: 'freshtax', label: 'Fresh', types: ['fresh'] })
    const after = await client.get('/api/types/fresh', { 'if-none-match': String(before.headers.get('etag')) })
    assert.equal(after.status, 200)
    assert.ok(after.body.taxonomies.includes('freshtax'))
  })
})

describe('If-Match', () => {
  const update = (value: string, label: string) => client.put('/api/menus/matched', { label }, { 'if-match': value })
  const label = async () => (await client.get('/api/menus/matched')).body.label

  test('may be a list, of which one must be the version; * is any version of what exists', async () => {
    await client.post('/api/menus', { name: 'matched', label: 'One', items: [] })
    assert.equal((await update('"v7", "v1"', 'Two')).status, 200)
    assert.equal((await update('*', 'Three')).status, 200)
    for (const none of ['"v1", "v2"', 'W/"v3"', '"x"', '"v1', '']) {
      const answer = await update(none, 'Four')
      assert.equal(answer.body?.code, 'VERSION_CONFLICT', none)
      assert.equal(await label(), 'Three')
    }
    assert.equal((await client.put('/api/menus/missing', { label: 'X' }, { 'if-match': '*' })).status, 404)
    const settings = (await client.get('/api/settings')).body
    const put = (value: string) => client.put('/api/settings', { title: 'New' }, { 'if-match': value })
    assert.equal((await put(`"v${settings.version + 5}"`)).status, 409)
    assert.equal((await put(`"v${settings.version + 5}", "v${settings.version}"`)).status, 200)
  })
})
