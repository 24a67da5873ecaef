import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../delivery-keys/testing/keys.ts'

let site: Site
before(async () => {
  site = await startSite()
})
after(() => site.close())

const save = (body: object, headers = {}) => site.editor.client.put('/api/auth/me', body, headers)
const me = async () => (await site.editor.client.get('/api/auth/me')).body

describe('one’s own profile', () => {
  test('takes a name and a picture, which is then shown wherever one is', async () => {
    const avatarId = await site.addMedia('image/png')
    const version = (await me()).version
    const answer = await save({ name: 'Edith', avatarId })
    assert.deepEqual([answer.status, answer.body.name, answer.body.version], [200, 'Edith', version + 1], answer.text)
    assert.equal(answer.headers.get('etag'), `"v${version + 1}"`)
    const { avatarUrl } = answer.body
    assert.match(avatarUrl, new RegExp(`^http://cms\\.test/media/${avatarId}/`))
    assert.equal((await me()).avatarUrl, avatarUrl)
    const { id } = site.editor
    assert.equal((await site.admin.client.get(`/api/users/${id}`)).body.avatarUrl, avatarUrl)
    const { items } = (await site.admin.client.get('/api/users?q=Edith')).body
    assert.deepEqual(
      items.map((item: { avatarUrl: string }) => item.avatarUrl),
      [avatarUrl],
    )
    const entry = await site.add(site.editor.client, { title: 'Mine', data: { summary: 'x' } })
    assert.equal(entry.author.avatarUrl, avatarUrl)
    assert.equal((await site.read(entry.id)).author.avatarUrl, avatarUrl)
    await site.publish(site.editor.client, entry.id)
    const { key } = await deliveryKeyFor(site.admin)
    const read = async () =>
      (await site.client().get('/content/article/mine?include=author', { 'x-api-key': key })).body.author
    assert.deepEqual(await read(), { id, name: 'Edith', avatarUrl })
    assert.equal((await save({ avatarId: null })).body.avatarUrl, null)
    assert.deepEqual(await read(), { id, name: 'Edith', avatarUrl: null })
  })

  test('changes only what is sent, writes it down, and nothing at all when nothing differs', async () => {
    const avatarId = await site.addMedia('image/webp')
    const first = (await save({ avatarId })).body
    const named = (await save({ name: 'Edna' })).body
    assert.deepEqual([named.avatarUrl, named.name], [first.avatarUrl, 'Edna'])
    assert.equal((await save({ name: 'Edna', avatarId })).body.version, named.version)
    const { items } = (await site.admin.client.get('/api/activity?limit=2')).body
    assert.deepEqual(
      items.map(({ action, changed }: { action: string; changed: string[] }) => [action, changed]),
      [
        ['user.updated', ['name']],
        ['user.updated', ['avatarId']],
      ],
    )
    assert.equal((await site.editor.client.get('/api/auth/me')).status, 200, 'nobody is signed out')
  })

  test('takes a raster image of the library only', async () => {
    const before = await me()
    const refused = [await site.addMedia('image/svg+xml'), await site.addMedia('application/pdf'), newId(), 'x', 7]
    for (const avatarId of refused) {
      const answer = await save({ avatarId })
      assert.deepEqual([answer.status, answer.body.details.fields[0].key], [400, 'avatarId'], String(avatarId))
    }
    for (const [body, key] of [
      [{ name: ' ' }, 'name'],
      [{ role: 'owner' }, 'role'],
      [{ email: 'x@example.test' }, 'email'],
    ] as const) {
      const answer = await save(body)
      assert.deepEqual([answer.status, answer.body.details.fields[0].key], [400, key])
    }
    assert.deepEqual(await me(), before)
  })

  test('is refused for another version than the present one', async () => {
    const before = await me()
    const answer = await save({ name: 'Somebody else' }, { 'if-match': `"v${before.version + 1}"` })
    assert.deepEqual([answer.status, answer.body.code], [409, 'VERSION_CONFLICT'])
    assert.deepEqual(await me(), before)
  })

  test('has no picture once its file was deleted', async () => {
    const avatarId = await site.addMedia('image/jpeg')
    assert.notEqual((await save({ avatarId })).body.avatarUrl, null)
    assert.equal((await site.admin.client.delete(`/api/media/${avatarId}`)).status, 204)
    assert.equal((await me()).avatarUrl, null)
  })
})
