import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { permissionsOf, roles } from '@stoa/cms-model/permissions.ts'
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
const mint = (person: Person, members: Record<string, unknown> = {}) =>
  person.client.post('/api/agent-keys', { name: 'Robot', grants: ['content.read'], password: PASSWORD, ...members })
const me = async (key: string) => {
  const { status, body } = await service.client({ token: key }).get('/api/auth/me')
  return status === 200 ? 'ok' : `${status} ${body.code}`
}

/** Runs an attempt that must be refused with this answer and leave every key as it was. */
const refused = async (expected: string, attempt: () => ReturnType<typeof mint>, field?: string) => {
  const before = await keys()
  const answer = await attempt()
  assert.equal(`${answer.status} ${answer.body.code}`, expected)
  if (field !== undefined) assert.equal(answer.body.details.fields[0].key, field)
  assert.deepEqual(await keys(), before)
}

describe('minting an agent key', () => {
  test('answers the record with the key, which is shown this once', async () => {
    const answer = await mint(owner, { name: ' Importer ', grants: ['content.write', 'content.read', 'content.read'] })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    const { id, key, ...rest } = answer.body
    assert.match(key, /^cmsagt_[0-9A-Za-z]{43}$/)
    assert.deepEqual(rest, {
      name: 'Importer',
      prefix: 'cmsagt_',
      last4: key.slice(-4),
      createdAt: '2026-03-01T12:00:00.000Z',
      lastUsedAt: null,
      revokedAt: null,
      version: 1,
      grants: ['content.write', 'content.read'],
      expiresAt: '2026-05-30T12:00:00.000Z',
      account: { id: owner.id, name: 'Olive' },
    })
    const read = await owner.client.get(`/api/agent-keys/${id}`)
    assert.deepEqual(read.body, { id, ...rest })
    assert.ok(!(await owner.client.get('/api/agent-keys')).text.includes(key))
  })

  test('only its SHA-256 is stored, and nothing of it is logged', async () => {
    const { id, key } = (await mint(owner)).body
    await me(key)
    const row = await rowOf(id)
    assert.deepEqual(row.key_hash, createHash('sha256').update(key).digest())
    assert.ok(!JSON.stringify(row).includes(key.slice(7)))
    assert.ok(!service.logs.join('').includes(key.slice(7, -4)))
    assert.ok(!service.logs.join('').includes(PASSWORD))
  })

  for (const role of roles)
    test(`a ${role} mints what the role holds and an agent may, and nothing above it`, async () => {
      const person = await service.person(role)
      const { key } = await agentFor(service, person)
      assert.equal(await me(key), 'ok')
      for (const grant of ['content.write', 'content.publish', 'types.manage', 'social.publish']) {
        if (permissionsOf(role).some((held) => held === grant)) continue
        const before = await keys()
        const answer = await mint(person, { grants: ['content.read', grant] })
        assert.equal(`${answer.status} ${answer.body.code}`, '403 FORBIDDEN')
        assert.deepEqual(answer.body.details, { permission: grant })
        assert.deepEqual(await keys(), before)
      }
    })

  test('rule 7: an administrative or unknown grant is refused whatever the role', async () => {
    for (const grant of [
      'users.manage',
      'keys.manage',
      'plugins.manage',
      'webhooks.manage',
      'social.manage',
      'ai.use',
      '*',
      'content.*',
      '',
      'CONTENT.READ',
      '__proto__',
    ])
      await refused('400 VALIDATION_FAILED', () => mint(owner, { grants: ['content.read', grant] }), 'grants')
    await refused('400 VALIDATION_FAILED', () => mint(owner, { grants: [] }), 'grants')
    await refused('400 VALIDATION_FAILED', () => mint(owner, { grants: 'content.read' }), 'grants')
  })

  test('C38: one to 365 days, 90 if not said', async () => {
    for (const expiresInDays of [0, -1, 366, 1.5, '90', null, 1e9])
      await refused('400 VALIDATION_FAILED', () => mint(owner, { expiresInDays }), 'expiresInDays')
    for (const expiresInDays of [1, 365]) {
      const { body } = await mint(owner, { expiresInDays })
      assert.equal(Date.parse(body.expiresAt) - Date.parse(body.createdAt), expiresInDays * DAY)
    }
  })

  test('C14: members that the service decides are refused', async () => {
    for (const extra of [{ accountId: owner.id }, { id: newId() }, { expiresAt: '2036-01-01' }, { key: 'x' }])
      await refused('400 VALIDATION_FAILED', () => mint(owner, extra))
  })

  test('C38: without the password, or with a wrong one, there is no key', async () => {
    const person = await service.person('editor')
    await refused('400 VALIDATION_FAILED', () => mint(person, { password: undefined }), 'password')
    await refused('403 REAUTH_REQUIRED', () => mint(person, { password: 'not the password' }))
  })

  test('ten wrong passwords in a quarter of an hour, then even the right one waits, but not at sign-in', async () => {
    const person = await service.person('editor')
    for (let n = 0; n < 10; n += 1)
      assert.equal((await mint(person, { password: 'not the password' })).body.code, 'REAUTH_REQUIRED', `guess ${n}`)
    await refused('429 LOGIN_LIMITED', () => mint(person))
    assert.equal((await mint(person)).headers.get('retry-after'), '900')
    const signIn = await service
      .client({ ip: person.client.ip })
      .post('/api/auth/login', { email: person.email, password: PASSWORD })
    assert.equal(signIn.status, 200)
  })

  test('wrong passwords at sign-in keep nobody who is signed in from minting', async () => {
    const person = await service.person('editor')
    const client = service.client({ ip: person.client.ip })
    for (let n = 0; n < 6; n += 1)
      await client.post('/api/auth/login', { email: person.email, password: 'wrong guess' })
    const signIn = await client.post('/api/auth/login', { email: person.email, password: PASSWORD })
    assert.equal(signIn.body.code, 'LOGIN_LIMITED')
    assert.equal((await mint(person)).status, 201)
  })

  test('an agent key mints no other', async () => {
    const { key, client } = await agentFor(service, owner)
    assert.equal(await me(key), 'ok')
    await refused('403 AGENT_NOT_ALLOWED', () =>
      client.post('/api/agent-keys', { name: 'Robot', grants: ['content.read'], password: PASSWORD }),
    )
  })

  test('is recorded', async () => {
    const { id } = (await mint(owner, { name: 'Recorded' })).body
    const [row] = await service.cms.database.db.selectFrom('activity').selectAll().where('target_id', '=', id).execute()
    assert.equal(row?.action, 'agentKey.created')
    assert.equal(row?.actor_id, owner.id)
    assert.equal(row?.target_label, 'Recorded')
  })
})
