import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Role } from '@stoa/cms-model/permissions.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, PASSWORD, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { agentFor } from './testing/agents.ts'

const DAY = 86_400_000

let service: CmsService
let owner: Person
before(async () => {
  service = await startCms()
  owner = await service.person('owner', { name: 'Olive' })
})
after(() => service.close())

const keys = () => service.cms.database.db.selectFrom('agent_key').selectAll().orderBy('id').execute()
const rowOf = (id: string) =>
  service.cms.database.db.selectFrom('agent_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const me = async (key: string) => {
  const { status, body } = await service.client({ token: key }).get('/api/auth/me')
  return status === 200 ? 'ok' : `${status} ${body.code}`
}
const setRole = (id: string, role: Role) =>
  service.cms.database.tx((tx) => tx.updateTable('account').set({ role }).where('id', '=', id).execute())
const activityOf = (id: string) =>
  service.cms.database.db.selectFrom('activity').selectAll().where('target_id', '=', id).orderBy('id').execute()

describe('what an agent key reaches', () => {
  test('its grants and no more of its account', async () => {
    const { client } = await agentFor(service, owner, { grants: ['content.read', 'menus.manage'] })
    const { body } = await client.get('/api/auth/me')
    assert.equal(body.id, owner.id)
    assert.deepEqual(body.permissions, ['content.read', 'menus.manage'])
    const other = await agentFor(service, owner, { grants: ['menus.manage'] })
    const forbidden = await other.client.get('/api/activity')
    assert.equal(`${forbidden.status} ${forbidden.body.code}`, '403 FORBIDDEN')
    assert.deepEqual(forbidden.body.details, { permission: 'content.read' })
  })

  test('C12: a demotion narrows it on the next request, and a promotion never gives more than was ticked', async () => {
    const person = await service.person('editor')
    const { client } = await agentFor(service, person, { grants: ['content.read', 'content.write', 'content.publish'] })
    const held = async () => (await client.get('/api/auth/me')).body.permissions
    assert.deepEqual(await held(), ['content.read', 'content.write', 'content.publish'])
    await setRole(person.id, 'author')
    assert.deepEqual(await held(), ['content.read', 'content.write'])
    await setRole(person.id, 'viewer')
    assert.deepEqual(await held(), ['content.read'])
    await setRole(person.id, 'owner')
    assert.deepEqual(await held(), ['content.read', 'content.write', 'content.publish'])
  })

  test('rule 7: a grant that slipped into the database is still worth nothing', async () => {
    const { id, client } = await agentFor(service, owner, { grants: ['content.read'] })
    await service.cms.database.tx((tx) =>
      tx
        .updateTable('agent_key')
        .set({ grants: ['content.read', 'users.manage', 'keys.manage', '*'] })
        .where('id', '=', id)
        .execute(),
    )
    assert.deepEqual((await client.get('/api/auth/me')).body.permissions, ['content.read'])
    assert.equal((await client.get('/api/users')).body.code, 'AGENT_NOT_ALLOWED')
  })

  test('a request costs one statement, and its use is written down once a minute at most', async () => {
    const { id, key } = await agentFor(service, owner)
    await me(key)
    const first = (await rowOf(id)).last_used_at
    assert.deepEqual(first, service.clock.now())
    service.clock.advance(59_999)
    const watch = service.cms.database.watchStatements()
    await me(key)
    watch.stop()
    assert.equal(watch.texts.length, 1)
    assert.match(watch.texts[0] ?? '', /from agent_key k join account a/)
    assert.deepEqual((await rowOf(id)).last_used_at, first)
    service.clock.advance(1)
    await me(key)
    assert.deepEqual((await rowOf(id)).last_used_at, service.clock.now())
    assert.equal((await rowOf(id)).version, 1)
  })
})

describe('the end of an agent key', () => {
  test('comes at its moment', async () => {
    const person = await service.person('viewer')
    const { key } = await agentFor(service, person, { expiresInDays: 1 })
    service.clock.advance(DAY - 1)
    assert.equal(await me(key), 'ok')
    service.clock.advance(1)
    assert.equal(await me(key), '401 TOKEN_EXPIRED')
  })

  test('C38: comes at once when it is revoked, and signs nobody out; a second time changes nothing', async () => {
    const person = await service.person('viewer')
    const first = await agentFor(service, person)
    const second = await agentFor(service, person)
    assert.equal((await person.client.delete(`/api/agent-keys/${first.id}`)).status, 204)
    assert.equal(await me(first.key), '401 TOKEN_REVOKED')
    assert.equal(await me(second.key), 'ok')
    assert.equal((await person.client.get('/api/auth/me')).status, 200)
    const read = await person.client.get(`/api/agent-keys/${first.id}`)
    assert.equal(read.body.revokedAt, service.clock.now().toISOString())
    assert.equal(read.body.version, 2)
    service.clock.advance(1000)
    assert.equal((await person.client.delete(`/api/agent-keys/${first.id}`)).status, 204)
    assert.deepEqual((await person.client.get(`/api/agent-keys/${first.id}`)).body, read.body)
    assert.deepEqual(
      (await activityOf(first.id)).map(({ action }) => action),
      ['agentKey.created', 'agentKey.revoked'],
    )
  })

  test('C12: comes with the deactivation of its account, for good', async () => {
    const person = await service.person('viewer')
    const { id, key } = await agentFor(service, person)
    assert.equal((await owner.client.delete(`/api/users/${person.id}`)).status, 204)
    assert.equal(await me(key), '401 TOKEN_REVOKED')
    assert.ok((await owner.client.get(`/api/agent-keys/${id}`)).body.revokedAt)
    await owner.client.post('/api/users', { email: person.email, name: 'Next', role: 'owner', password: PASSWORD })
    assert.equal(await me(key), '401 TOKEN_REVOKED')
  })

  test('C13: does not come with signing out or a new password: it is a credential of its own', async () => {
    const person = await service.person('viewer')
    const { key } = await agentFor(service, person)
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' }
    assert.equal((await person.client.post('/api/auth/password', body)).status, 200)
    await person.client.post('/api/auth/logout')
    assert.equal(await me(key), 'ok')
  })

  test('a version that is not the present one is refused', async () => {
    const { id, key } = await agentFor(service, owner)
    const answer = await owner.client.delete(`/api/agent-keys/${id}`, { 'if-match': '"v7"' })
    assert.equal(`${answer.status} ${answer.body.code}`, '409 VERSION_CONFLICT')
    assert.deepEqual(Object.keys(answer.body.details), ['version', 'updatedAt', 'updatedBy'])
    assert.equal(await me(key), 'ok')
    assert.equal((await owner.client.delete(`/api/agent-keys/${id}`, { 'if-match': '"v1"' })).status, 204)
  })
})

describe('whose agent keys one sees', () => {
  test('one’s own, the newest first; with users.manage everybody’s', async () => {
    const person = await service.person('author')
    const older = await agentFor(service, person)
    service.clock.advance(1000)
    const newer = await agentFor(service, person)
    const ids = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)
    const own = await person.client.get('/api/agent-keys')
    assert.deepEqual(ids(own), [newer.id, older.id])
    assert.deepEqual(own.body.meta, { total: 2, page: 1, limit: 25, pages: 1 })
    assert.deepEqual(ids(await person.client.get(`/api/agent-keys?account=${person.id}&limit=1&page=2`)), [older.id])
    const admin = await service.person('admin')
    assert.deepEqual(ids(await admin.client.get('/api/agent-keys')), [])
    assert.deepEqual(ids(await admin.client.get(`/api/agent-keys?account=${person.id}`)), [newer.id, older.id])
    const all = await admin.client.get('/api/agent-keys?account=all&limit=100')
    assert.equal(all.body.meta.total, (await keys()).length)
  })

  test('nobody else’s without it: neither listed, read nor revoked', async () => {
    const person = await service.person('editor')
    const { id, key } = await agentFor(service, owner)
    for (const account of ['all', owner.id]) {
      const answer = await person.client.get(`/api/agent-keys?account=${account}`)
      assert.deepEqual(answer.body.details, { permission: 'users.manage' })
    }
    assert.equal((await person.client.get(`/api/agent-keys/${id}`)).status, 404)
    assert.equal((await person.client.delete(`/api/agent-keys/${id}`)).status, 404)
    assert.equal(await me(key), 'ok')
  })

  test('an admin revokes a key of an owner', async () => {
    const admin = await service.person('admin')
    const { id, key } = await agentFor(service, owner)
    assert.equal((await admin.client.delete(`/api/agent-keys/${id}`)).status, 204)
    assert.equal(await me(key), '401 TOKEN_REVOKED')
    assert.equal((await activityOf(id)).at(-1)?.actor_id, admin.id)
  })

  test('an id that is none, or nobody’s, is not found; other filters are refused', async () => {
    for (const id of ['1', newId()]) assert.equal((await owner.client.get(`/api/agent-keys/${id}`)).status, 404)
    for (const query of ['account=me', 'account=', 'owner=x'])
      assert.equal((await owner.client.get(`/api/agent-keys?${query}`)).status, 400)
  })
})
