import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, PASSWORD, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { contextFor } from '../../context.ts'
import { recordChange } from '../../events/events.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import type { Principal } from '../../principal.ts'

const HOUR = 3_600_000

let service: CmsService
let owner: Person
let viewer: Person
before(async () => {
  service = await startCms()
  owner = await service.person('owner', { name: 'Olive' })
  viewer = await service.person('viewer')
})
after(() => service.close())

const account = (person: Person, name: string) => ({
  id: person.id,
  email: person.email,
  name,
  role: person.role,
  avatar: null,
  hasTotp: false,
  version: 1,
  createdAt: service.clock.now(),
  updatedAt: service.clock.now(),
})
const record = (principal: Principal, action: string, id: string, changed: string[] = []) =>
  service.cms.database.tx((tx) =>
    recordChange(contextFor(service.cms.services, principal), tx, {
      action,
      target: { kind: action.split('.')[0] ?? '', id, label: `The ${id}` },
      changed,
    }),
  )
const session = (person: Person, name: string): Principal => ({
  kind: 'session',
  sessionId: person.sessionId,
  account: account(person, name),
})
type Item = { action: string; target: { id: string } }
const list = async (person: Pick<Person, 'client'>, query = '') => {
  const answer = await person.client.get(`/api/activity${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const actions = async (person: Pick<Person, 'client'>, query = '') =>
  (await list(person, query)).items.map(({ action, target }: Item) => `${action} ${target.id}`)

describe('an Activity record', () => {
  test('says who did what, through what and to what, as the contract has it', async () => {
    await record(session(owner, 'Olive'), 'entry.updated', 'one', ['title', 'data.price'])
    const [item] = (await list(owner, '?targetId=one')).items
    assert.match(item.id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(item, {
      id: item.id,
      at: '2026-03-01T12:00:00.000Z',
      actor: { kind: 'user', id: owner.id, name: 'Olive' },
      via: 'session',
      action: 'entry.updated',
      target: { kind: 'entry', id: 'one', label: 'The one' },
      changed: ['title', 'data.price'],
    })
  })

  test('of an agent names key and person, and of the service its work', async () => {
    const { id } = await agentFor(service, owner, { name: 'Importer' })
    const agent: Principal = {
      kind: 'agent',
      keyId: id,
      keyName: 'Importer',
      grants: ['content.write'],
      account: account(owner, 'Olive'),
    }
    await record(agent, 'entry.created', 'two')
    await record({ kind: 'system', name: 'scheduler' }, 'entry.published', 'two')
    const { items } = await list(viewer, '?targetId=two')
    assert.deepEqual(
      items.map(({ actor, via }: { actor: unknown; via: string }) => ({ actor, via })),
      [
        { actor: { kind: 'system', id: null, name: 'scheduler' }, via: 'system' },
        { actor: { kind: 'agent', id, name: 'Importer (Olive)' }, via: 'agent' },
      ],
    )
  })
})

describe('who sees what', () => {
  test('content actions for everybody who reads content, the rest for users.manage', async () => {
    const all = [
      'entry.created',
      'media.updated',
      'type.updated',
      'taxonomy.updated',
      'menu.updated',
      'settings.updated',
      'webhook.created',
      'plugin.updated',
      'entryx.created',
      'user.updated',
    ]
    for (const action of all) await record(session(owner, 'Olive'), action, 'seen')
    const admin = await service.person('admin')
    assert.deepEqual(
      await actions(admin, '?targetId=seen'),
      all.toReversed().map((action) => `${action} seen`),
    )
    const robot = await agentFor(service, owner)
    for (const reader of [viewer, await service.person('editor'), robot]) {
      const seen = all.slice(0, 6).toReversed()
      assert.deepEqual(
        await actions(reader, '?targetId=seen'),
        seen.map((action) => `${action} seen`),
      )
      assert.equal((await list(reader, '?targetId=seen')).meta.total, 6)
      for (const query of ['action=user.updated', 'action=webhook', 'targetKind=plugin'])
        assert.deepEqual(await actions(reader, `?targetId=seen&${query}`), [])
    }
  })

  test('an agent key without content.read sees nothing', async () => {
    const robot = await agentFor(service, owner, { grants: ['menus.manage'] })
    assert.equal((await robot.client.get('/api/activity')).body.code, 'FORBIDDEN')
  })
})

describe('filters', () => {
  test('by person with their agent keys, by one key, action, area, target and time; several narrow together', async () => {
    const ada = await service.person('editor', { name: 'Ada' })
    const { id: keyId } = await agentFor(service, ada, { name: 'Sync' })
    const agent: Principal = { kind: 'agent', keyId, keyName: 'Sync', grants: [], account: account(ada, 'Ada') }
    service.clock.advance(HOUR)
    const start = service.clock.now()
    await record(session(ada, 'Ada'), 'entry.created', 'f1')
    service.clock.advance(HOUR)
    await record(agent, 'entry.published', 'f1')
    service.clock.advance(HOUR)
    await record(session(owner, 'Olive'), 'entry.published', 'f2')
    await record(session(ada, 'Ada'), 'menu.updated', 'f3')
    const at = (hours: number) => encodeURIComponent(new Date(start.getTime() + hours * HOUR).toISOString())
    const cases: [query: string, expected: string[]][] = [
      [`actor=${ada.id}`, ['menu.updated f3', 'entry.published f1', 'entry.created f1']],
      [`actor=${keyId}`, ['entry.published f1']],
      [`actor=${owner.id}&targetId=f2`, ['entry.published f2']],
      [`action=entry.published&since=${at(0)}`, ['entry.published f2', 'entry.published f1']],
      [`action=menu&actor=${ada.id}`, ['menu.updated f3']],
      ['targetKind=entry&targetId=f1', ['entry.published f1', 'entry.created f1']],
      [`actor=${ada.id}&since=${at(1)}`, ['menu.updated f3', 'entry.published f1']],
      [`actor=${ada.id}&until=${at(1)}`, ['entry.created f1']],
      [`actor=${ada.id}&since=${at(1)}&until=${at(2)}`, ['entry.published f1']],
      [`actor=${viewer.id}`, []],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await actions(viewer, `?${query}`), expected, query)
  })

  test('pages are stable, the newest first, also within one moment', async () => {
    for (let n = 0; n < 5; n += 1) await record(session(owner, 'Olive'), `entry.step${n}`, 'paged')
    const pages: string[] = []
    for (const page of [1, 2, 3]) pages.push(...(await actions(viewer, `?targetId=paged&limit=2&page=${page}`)))
    assert.deepEqual(
      pages,
      [4, 3, 2, 1, 0].map((n) => `entry.step${n} paged`),
    )
    assert.deepEqual((await list(viewer, '?targetId=paged&limit=2&page=9')).meta, {
      total: 5,
      page: 9,
      limit: 2,
      pages: 3,
    })
  })

  for (const query of [
    'actor=me',
    'since=yesterday',
    'until=2026-13-01T00:00:00Z',
    'action=',
    'sort=at',
    'limit=0',
    `targetId=${'x'.repeat(201)}`,
    'actor=00000000-0000-7000-8000-000000000000&actor=x',
  ])
    test(`C2: ${query.slice(0, 40)} is refused`, async () => {
      assert.equal((await viewer.client.get(`/api/activity?${query}`)).body.code, 'VALIDATION_FAILED')
    })

  test('C2: text that looks like SQL is text', async () => {
    for (const text of ["entry' or '1'='1", "entry.x'; select pg_sleep(5)--", '%', '_', '\\'])
      assert.deepEqual(await actions(owner, `?action=${encodeURIComponent(text)}`), [])
  })

  test('a page costs two statements, and one more for a person', async () => {
    const count = async (query: string) => {
      const watch = service.cms.database.watchStatements()
      await list(viewer, query)
      watch.stop()
      return watch.texts.filter((text) => !/from session s/.test(text)).length
    }
    assert.equal(await count('?limit=100'), 2)
    assert.equal(await count(`?limit=100&actor=${owner.id}`), 3)
  })
})

describe('what happens to accounts is recorded, and never a secret of it', () => {
  const newcomer = { email: 'newcomer@example.test', name: 'Newcomer', role: 'viewer', password: PASSWORD }

  test('creating, changing and deactivating someone; a refusal or no change is not', async () => {
    const { id } = (await owner.client.post('/api/users', newcomer)).body
    await owner.client.post('/api/users', newcomer)
    await owner.client.put(`/api/users/${id}`, { name: 'Newcomer' })
    await owner.client.put(`/api/users/${id}`, { role: 'editor', password: 'another long password' })
    await viewer.client.delete(`/api/users/${id}`)
    await owner.client.delete(`/api/users/${id}`)
    const { items } = await list(owner, `?targetKind=user&targetId=${id}`)
    const listed = items.map(({ action, actor, changed, target }: Record<string, never>) => ({
      action,
      by: Reflect.get(actor ?? {}, 'id'),
      changed,
      label: Reflect.get(target ?? {}, 'label'),
    }))
    const by = owner.id
    assert.deepEqual(listed, [
      { action: 'user.deactivated', by, changed: [], label: 'Newcomer' },
      { action: 'user.updated', by, changed: ['role', 'password'], label: 'Newcomer' },
      { action: 'user.created', by, changed: [], label: 'Newcomer' },
    ])
    assert.ok(!JSON.stringify(items).includes('another long password'))
  })

  test('a new password of one’s own', async () => {
    const person = await service.person('viewer')
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' }
    await person.client.post('/api/auth/password', { ...body, currentPassword: 'not the password' })
    await person.client.post('/api/auth/password', body)
    assert.deepEqual(await actions(owner, `?targetId=${person.id}`), [`user.password.changed ${person.id}`])
  })

  test('the claim, by who became the owner; the bootstrap, by the start', async () => {
    const claimed = await startCms()
    const first = await claimed.claim()
    const [item] = (await list(first)).items
    assert.equal(item.action, 'user.created')
    assert.deepEqual(item.actor, { kind: 'user', id: first.id, name: 'Olive Owner' })
    await claimed.close()
    const env = { BOOTSTRAP_EMAIL: 'boot@example.test', BOOTSTRAP_PASSWORD: PASSWORD }
    const booted = await startCms({ env })
    const rows = await booted.cms.database.db.selectFrom('activity').selectAll().execute()
    assert.deepEqual(
      rows.map(({ action, actor_kind, actor_name }) => `${action} ${actor_kind} ${actor_name}`),
      ['user.created system start'],
    )
    await booted.close()
  })
})
