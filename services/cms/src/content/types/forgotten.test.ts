import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { makeType } from './testing/types.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
  admin = await service.person('admin')
})
after(() => service.close())

const mint = async (types: string[]) => (await admin.client.post('/api/delivery-keys', { name: 'Site', types })).body
const key = async (id: string) => (await admin.client.get(`/api/delivery-keys/${id}`)).body
const hook = async (types: string[]) => {
  const answer = await admin.client.post('/api/webhooks', { url: 'http://127.0.0.1:9/x', events: ['*'], types })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const readHook = async (id: string) => (await admin.client.get(`/api/webhooks/${id}`)).body

test('a deleted type leaves the scopes of delivery keys; one without another reads nothing, never everything', async () => {
  for (const name of ['gone', 'kept']) await makeType(admin.client, name)
  const [both, only, all] = [await mint(['gone', 'kept']), await mint(['gone']), await mint(['*'])]
  assert.equal((await admin.client.delete('/api/types/gone')).status, 204)
  assert.deepEqual([(await key(both.id)).types, (await key(both.id)).version], [['kept'], 2])
  assert.deepEqual([(await key(only.id)).types, (await key(only.id)).version], [[], 2])
  assert.deepEqual([(await key(all.id)).types, (await key(all.id)).version], [['*'], 1])
  const reader = service.client()
  const read = async (text: string, path: string) => (await reader.get(path, { 'x-api-key': text })).status
  assert.equal(await read(only.key, '/content/kept'), 404)
  const { items } = (await admin.client.get('/api/activity?action=deliveryKey.updated')).body
  assert.deepEqual(
    items.map(({ target, changed }: { target: { id: string }; changed: string[] }) => [target.id, changed]).sort(),
    [
      [both.id, ['types']],
      [only.id, ['types']],
    ].sort(),
  )
})

test('a deleted type leaves the lists of webhooks, but not an empty one, which would mean all types', async () => {
  for (const name of ['away', 'stays']) await makeType(admin.client, name)
  const [both, only, all] = [await hook(['away', 'stays']), await hook(['away']), await hook([])]
  assert.equal((await admin.client.delete('/api/types/away')).status, 204)
  assert.deepEqual((await readHook(both.id)).types, ['stays'])
  assert.deepEqual((await readHook(only.id)).types, ['away'])
  assert.deepEqual((await readHook(all.id)).types, [])
  const eventsOf = async (id: string) =>
    (await admin.client.get(`/api/webhooks/${id}/deliveries`)).body.items.map(({ event }: { event: string }) => event)
  for (const { id } of [both, only, all])
    assert.ok((await eventsOf(id)).includes('type.deleted'), 'it receives that event itself')
  const back = await admin.client.put(`/api/webhooks/${only.id}`, { name: 'Named', types: ['away'] })
  assert.equal(back.status, 200, 'what was read can be sent back')
  assert.equal((await admin.client.put(`/api/webhooks/${only.id}`, { types: ['nowhere'] })).status, 400)
})

test('a key that is minted while its type is deleted does not keep it', async () => {
  for (let round = 0; round < 5; round += 1) {
    await makeType(admin.client, `brief${round}`)
    const [minted, deleted] = await Promise.all([
      admin.client.post('/api/delivery-keys', { name: 'Racing', types: [`brief${round}`] }),
      admin.client.delete(`/api/types/brief${round}`),
    ])
    assert.equal(deleted.status, 204)
    if (minted.status === 201) assert.deepEqual((await key(minted.body.id)).types, [])
    else assert.equal(minted.status, 400)
  }
})
