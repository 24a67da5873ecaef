import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { PluginAsks } from '@stoa/cms-model/plugins.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { openPluginDir, type PluginDir } from '../folder/testing/plugin-dir.ts'
import { type ModuleSandboxes, moduleSandboxes } from '../running/testing/module-sandbox.ts'

let dir: PluginDir
let sandboxes: ModuleSandboxes
let site: CmsService
let admin: Person
before(async () => {
  dir = await openPluginDir()
  sandboxes = moduleSandboxes()
  site = await startCms({ env: { PLUGIN_DIR: dir.path }, createSandbox: sandboxes.create })
  admin = await site.person('admin', { name: 'Ada Admin' })
})
after(async () => {
  await site.close()
  await dir.close()
})
beforeEach(() => dir.write('plan', PLAN, PLAN_FILES))
afterEach(async () => {
  await sql('truncate plugin cascade')
  await sql(`delete from activity where target_kind = 'plugin'`)
  await site.cms.services.plugins.load()
  for (const { name } of await list()) await dir.remove(name)
})

const PLAN = {
  label: 'Plan',
  permissions: ['content.read', 'social.write'],
  hosts: ['api.example.com'],
  settings: [
    { key: 'stage', type: 'select', label: 'Stage', options: [{ value: 'idea', label: 'Idea' }], default: 'idea' },
    { key: 'token', type: 'secret', label: 'Token' },
    { key: 'note', type: 'text', label: 'Note' },
    { key: 'long', type: 'textarea', label: 'Long' },
    { key: 'count', type: 'number', label: 'Count', default: 3 },
    { key: 'loud', type: 'boolean', label: 'Loud' },
    { key: 'home', type: 'url', label: 'Home' },
  ],
  routes: [{ method: 'GET', path: '/plans', auth: 'session', permission: 'content.read' }],
  collections: [{ name: 'plans', indexes: ['stage'] }],
  screens: [
    { id: 'plans', label: 'Plans', icon: 'kanban', file: 'screens/plans.html', permission: 'social.write' },
    { id: 'read', label: 'Read', file: 'screens/plans.html', permission: 'content.read' },
  ],
  panels: [{ place: 'entry', types: ['*'], label: 'Plan', file: 'screens/plans.html' }],
}
const SERVER = `export const routes = { 'GET /plans': () => ({ items: [] }) }`
const PLAN_FILES = { 'server.js': SERVER, 'screens/plans.html': '<p>Plans</p>' }

const sql = async (text: string, values: unknown[] = []) => (await site.cms.database.pool.query(text, values)).rows
const list = async () => (await admin.client.get('/api/plugins')).body.items
const get = async (name: string) => (await admin.client.get(`/api/plugins/${name}`)).body
const setState = (name: string, body: object, headers = {}) =>
  admin.client.put(`/api/plugins/${name}/state`, body, headers)
const enable = async (name: string) => {
  const answer = await setState(name, { enabled: true, approve: true })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const setSettings = (name: string, settings: object, more = {}) =>
  admin.client.put(`/api/plugins/${name}/settings`, { settings, ...more })
const reload = (name: string, body: object = {}) => admin.client.post(`/api/plugins/${name}/reload`, body)
const uninstall = (name: string, body: object) => admin.client.send('DELETE', `/api/plugins/${name}`, { body })
const actions = async () =>
  (await sql(`select action, changed from activity where target_kind = 'plugin' order by id`)).map(
    ({ action }) => action,
  )
const code = ({ status, body }: { status: number; body?: { code?: string } }) => `${status} ${body?.code ?? ''}`.trim()

describe('a plugin that was found', () => {
  test('is listed with what it is and asks for, not installed', async () => {
    await dir.write('broken', { permissions: ['users.manage'] })
    const [broken, plan, ...others] = await list()
    assert.deepEqual(others, [])
    assert.equal(broken.error, "permissions.0: users.manage can't be granted to a plugin")
    assert.deepEqual([broken.name, broken.label, broken.installed], ['broken', 'broken', false])
    assert.deepEqual(plan, {
      name: 'plan',
      label: 'Plan',
      version: '1.0.0',
      description: 'For tests',
      installed: false,
      enabled: false,
      settings: { stage: 'idea', token: null, note: null, long: null, count: 3, loud: null, home: null },
      settingKeys: PLAN.settings.map(({ key, type, label, options = null }) => ({
        key,
        type,
        label,
        secret: type === 'secret',
        help: null,
        options,
      })),
      error: null,
      permissions: PLAN.permissions,
      hosts: PLAN.hosts,
      collections: ['plans'],
      events: [],
      schedules: [],
      screens: [
        { id: 'plans', label: 'Plans', icon: 'kanban', permission: 'social.write' },
        { id: 'read', label: 'Read', icon: null, permission: 'content.read' },
      ],
      panels: [{ label: 'Plan', types: ['*'] }],
      pages: [],
      changed: false,
      approved: null,
      health: { state: 'stopped', restarts: 0, lastError: null, at: null },
      recordVersion: null,
    })
    assert.deepEqual(await get('plan'), plan)
    assert.deepEqual(await sql('select * from plugin'), [])
  })

  test('is known by its name only', async () => {
    for (const name of ['nothing', '..', '%2e%2e%2fplan', 'plan%00', 'constructor', '__proto__', 'x'.repeat(300)])
      assert.equal((await admin.client.get(`/api/plugins/${name}`)).status, 404, name)
    assert.equal(code(await setState('nothing', { enabled: true })), '404 NOT_FOUND')
    await dir.write('Bad Name')
    assert.match((await get('Bad%20Name')).error, /^The folder name must be/)
    assert.equal(code(await setState('Bad%20Name', { enabled: true })), '409 INVALID_STATE')
  })

  test('is the business of admins, and never of an agent key', async () => {
    const editor = await site.person('editor')
    const agent = await agentFor(site, admin)
    for (const [method, path, body] of [
      ['GET', '/api/plugins', undefined],
      ['PUT', '/api/plugins/plan/state', { enabled: true, approve: true }],
      ['PUT', '/api/plugins/plan/settings', { settings: { note: 'x' } }],
      ['POST', '/api/plugins/plan/reload', {}],
      ['DELETE', '/api/plugins/plan', { name: 'plan' }],
      ['GET', '/api/plugins/plan/runs', undefined],
    ] as const) {
      const sent = body === undefined ? {} : { body }
      assert.equal(code(await editor.client.send(method, path, sent)), '403 FORBIDDEN', path)
      assert.equal(code(await agent.client.send(method, path, sent)), '403 AGENT_NOT_ALLOWED', path)
    }
    assert.equal(code(await agent.client.get('/api/plugin-screens')), '403 AGENT_NOT_ALLOWED')
    assert.deepEqual(await sql('select * from plugin'), [])
  })
})

describe('switching on', () => {
  test('asks for consent first, and stores what was agreed to, by whom and when', async () => {
    const refused = await setState('plan', { enabled: true })
    assert.equal(code(refused), '409 APPROVAL_REQUIRED')
    const asks = { permissions: PLAN.permissions, hosts: PLAN.hosts, collections: ['plans'] }
    assert.deepEqual(refused.body.details, { ...asks, added: asks })
    assert.equal(code(await setState('plan', { enabled: true, approve: false })), '409 APPROVAL_REQUIRED')
    assert.deepEqual(await sql('select * from plugin'), [])
    assert.equal(sandboxes.running('plan'), 0)

    const on = await setState('plan', { enabled: true, approve: true })
    assert.equal(on.status, 200, on.text)
    assert.equal(on.headers.get('etag'), '"v1"')
    const { installed, enabled, approved, health, recordVersion } = on.body
    assert.deepEqual([installed, enabled, health.state, recordVersion], [true, true, 'running', 1])
    const by = { id: admin.id, name: 'Ada Admin' }
    assert.deepEqual(approved, { ...asks, at: site.clock.now().toISOString(), by })
    assert.deepEqual(await actions(), ['plugin.installed', 'plugin.enabled'])
    assert.deepEqual(await sql('select path from plugin_file order by path'), [
      { path: 'plugin.json' },
      { path: 'screens/plans.html' },
      { path: 'server.js' },
    ])
    assert.equal(site.cms.services.plugins.find('plan')?.manifest.label, 'Plan')
    assert.deepEqual((await setState('plan', { enabled: true })).body, on.body)
  })

  test('needs no word for a plugin that asks for nothing', async () => {
    await dir.write('modest', { settings: [{ key: 'a', type: 'text', label: 'A' }] })
    const { body } = await setState('modest', { enabled: true })
    assert.deepEqual([body.enabled, body.approved.permissions], [true, []])
  })

  test('refuses a broken plugin with what is wrong, and stores nothing', async () => {
    await dir.write('plan', { ...PLAN, api: 7 }, PLAN_FILES)
    const answer = await setState('plan', { enabled: true, approve: true })
    assert.equal(code(answer), '409 INVALID_STATE')
    assert.equal(answer.body.error, "The plugin can't run: api: must be 1")
    assert.equal(answer.body.details.error, 'api: must be 1')
    assert.deepEqual(await sql('select * from plugin'), [])
  })

  test('refuses code that lacks a declared handler or throws, and says so until it is fixed', async () => {
    await dir.write('plan', PLAN, { ...PLAN_FILES, 'server.js': 'export const routes = {}' })
    const answer = await setState('plan', { enabled: true, approve: true })
    assert.equal(code(answer), '409 INVALID_STATE')
    assert.match(answer.body.error, /The handler GET \/plans is missing/)
    const shown = await get('plan')
    assert.deepEqual([shown.installed, shown.enabled, shown.approved], [false, false, null])
    assert.equal(shown.error, 'The handler GET /plans is missing')
    assert.equal(shown.health.lastError, shown.error)
    const { items } = (await admin.client.get('/api/plugins/plan/runs')).body
    assert.deepEqual(
      [items.length, items[0].kind, items[0].outcome, items[0].message],
      [1, 'start', 'failed', shown.error],
    )
    assert.equal(sandboxes.running('plan'), 0)
    assert.deepEqual(await sql('select * from plugin_file'), [])

    await dir.write('plan', PLAN, PLAN_FILES)
    assert.equal((await get('plan')).error, null)
    const mended = await enable('plan')
    assert.deepEqual([mended.installed, mended.health.lastError], [true, null])
  })

  test('off keeps what it has, and on again needs no new consent', async () => {
    await enable('plan')
    await setSettings('plan', { note: 'kept' })
    const off = (await setState('plan', { enabled: false })).body
    assert.deepEqual([off.enabled, off.installed, off.health.state], [false, true, 'stopped'])
    assert.equal(site.cms.services.plugins.find('plan'), undefined)
    assert.equal((await setState('plan', { enabled: false })).body.recordVersion, off.recordVersion)
    const on = (await setState('plan', { enabled: true })).body
    assert.deepEqual([on.enabled, on.settings.note], [true, 'kept'])
    assert.deepEqual((await actions()).slice(1), [
      'plugin.enabled',
      'plugin.settings_updated',
      'plugin.disabled',
      'plugin.enabled',
    ])
  })

  test('is written for a version, as everywhere', async () => {
    assert.equal(code(await setState('plan', { enabled: true, approve: true, version: 4 })), '409 VERSION_CONFLICT')
    await enable('plan')
    for (const answer of [
      await setState('plan', { enabled: false, version: 9 }),
      await setState('plan', { enabled: false }, { 'if-match': '"v9"' }),
      await setSettings('plan', { note: 'x' }, { version: 9 }),
      await reload('plan', { version: 9 }),
      await uninstall('plan', { name: 'plan', version: 9 }),
    ]) {
      assert.equal(code(answer), '409 VERSION_CONFLICT')
      assert.deepEqual([answer.body.details.version, answer.body.details.updatedBy?.id], [1, admin.id])
    }
    const { enabled, recordVersion, settings } = await get('plan')
    assert.deepEqual([enabled, recordVersion, settings.note], [true, 1, null])
    assert.equal((await setState('plan', { enabled: false, version: 1 })).status, 200)
  })

  test('by two at once installs once', async () => {
    const answers = await Promise.all([1, 2].map(() => setState('plan', { enabled: true, approve: true })))
    assert.deepEqual(answers.map(code), ['200', '200'])
    assert.equal((await get('plan')).recordVersion, 1)
    assert.deepEqual(await actions(), ['plugin.installed', 'plugin.enabled'])
  })

  test('of two plugins with one route gives each its own', async () => {
    await dir.write('other', PLAN, { ...PLAN_FILES, 'server.js': SERVER.replace('[]', '["other"]') })
    await enable('plan')
    await enable('other')
    const call = { kind: 'route', name: 'GET /plans', input: null, caller: { kind: 'visitor' } } as const
    assert.deepEqual(await site.cms.services.plugins.run('plan', call), { items: [] })
    assert.deepEqual(await site.cms.services.plugins.run('other', call), { items: ['other'] })
  })

  test('takes nothing else in its body', async () => {
    for (const body of [
      {},
      { enabled: 'yes' },
      { enabled: true, approved: true },
      { enabled: true, approve: 'all' },
      [],
    ])
      assert.equal(code(await setState('plan', body)), '400 VALIDATION_FAILED', JSON.stringify(body))
    assert.deepEqual(await sql('select * from plugin'), [])
  })
})

describe('files that changed', () => {
  const more = { ...PLAN, version: '2.0.0', permissions: [...PLAN.permissions, 'content.write'] }

  test('show as changed, and run after Reload', async () => {
    const before = await enable('plan')
    await writeFile(join(dir.path, 'plan', 'server.js'), SERVER.replace('[]', '[2]'))
    const shown = await get('plan')
    assert.deepEqual([shown.changed, shown.version, shown.health.state], [true, '1.0.0', 'running'])
    const call = { kind: 'route', name: 'GET /plans', input: null, caller: { kind: 'visitor' } } as const
    assert.deepEqual(await site.cms.services.plugins.run('plan', call), { items: [] })
    const after = (await reload('plan')).body
    assert.deepEqual([after.changed, after.recordVersion], [false, before.recordVersion + 1])
    assert.deepEqual(await site.cms.services.plugins.run('plan', call), { items: [2] })
    assert.equal((await actions()).at(-1), 'plugin.reloaded')
    assert.equal((await reload('plan')).body.recordVersion, after.recordVersion)
  })

  test('that ask for more are held until that is agreed to', async () => {
    await enable('plan')
    await dir.write('plan', more, PLAN_FILES)
    const held = await reload('plan')
    assert.equal(code(held), '409 APPROVAL_REQUIRED')
    assert.deepEqual(held.body.details.permissions, more.permissions)
    assert.deepEqual(held.body.details.added, { permissions: ['content.write'], hosts: [], collections: [] })
    const running = await get('plan')
    assert.deepEqual([running.version, running.changed, running.permissions], ['1.0.0', true, PLAN.permissions])
    assert.deepEqual(site.cms.services.plugins.find('plan')?.grants, PLAN.permissions)
    const agreed = (await reload('plan', { approve: true })).body
    assert.deepEqual([agreed.version, agreed.approved.permissions], ['2.0.0', more.permissions])
    assert.deepEqual(site.cms.services.plugins.find('plan')?.grants, more.permissions)
  })

  test('that ask for more while somebody reads what they ask for are not agreed to', async () => {
    const asksOf = ({ permissions, hosts, collections }: PluginAsks) => ({ permissions, hosts, collections })
    const seen = asksOf(await get('plan'))
    await dir.write('plan', more, PLAN_FILES)
    const held = await setState('plan', { enabled: true, approve: seen })
    assert.equal(code(held), '409 APPROVAL_REQUIRED')
    assert.deepEqual(await sql('select * from plugin'), [])
    const on = await setState('plan', { enabled: true, approve: asksOf(held.body.details) })
    assert.deepEqual([on.body.enabled, on.body.approved.permissions], [true, more.permissions])

    await dir.write('plan', { ...more, hosts: [...more.hosts, 'other.example'] }, PLAN_FILES)
    assert.equal(code(await reload('plan', { approve: seen })), '409 APPROVAL_REQUIRED')
    assert.deepEqual(site.cms.services.plugins.find('plan')?.hosts, more.hosts)
  })

  test('that ask for more are asked about when switched on again', async () => {
    await enable('plan')
    await setState('plan', { enabled: false })
    await dir.write('plan', more, PLAN_FILES)
    const shown = await get('plan')
    assert.deepEqual([shown.version, shown.permissions, shown.changed], ['2.0.0', more.permissions, false])
    assert.equal(code(await setState('plan', { enabled: true })), '409 APPROVAL_REQUIRED')
    assert.equal((await get('plan')).enabled, false)
  })

  test('that ask for less just run', async () => {
    await enable('plan')
    await dir.write('plan', { ...PLAN, permissions: ['content.read'], hosts: [] }, PLAN_FILES)
    assert.equal((await reload('plan')).status, 200)
    const { grants, hosts } = site.cms.services.plugins.find('plan') ?? {}
    assert.deepEqual([grants, hosts], [['content.read'], []])
  })

  test('that do not start leave what ran before', async () => {
    await enable('plan')
    await writeFile(join(dir.path, 'plan', 'server.js'), 'export const routes = {}')
    const answer = await reload('plan')
    assert.equal(code(answer), '409 INVALID_STATE')
    const { error, enabled, health } = await get('plan')
    assert.deepEqual([error, enabled, health.state], [null, true, 'running'])
    assert.match(health.lastError, /GET \/plans is missing/)
    const call = { kind: 'route', name: 'GET /plans', input: null, caller: { kind: 'visitor' } } as const
    assert.deepEqual(await site.cms.services.plugins.run('plan', call), { items: [] })
  })

  test('of a plugin that is off are read when it is switched on', async () => {
    assert.equal(code(await reload('plan')), '409 INVALID_STATE')
    await enable('plan')
    await setState('plan', { enabled: false })
    assert.equal(code(await reload('plan')), '409 INVALID_STATE')
  })

  test('that are gone are an error, and the plugin does not run until they are back', async () => {
    await enable('plan')
    await dir.remove('plan')
    const gone = await get('plan')
    assert.deepEqual(
      [gone.enabled, gone.error, gone.health.state],
      [true, "The plugin's folder is missing from PLUGIN_DIR", 'failed'],
    )
    assert.equal(site.cms.services.plugins.find('plan'), undefined)
    assert.equal(code(await reload('plan')), '409 INVALID_STATE')
    assert.equal(code(await setState('plan', { enabled: true })), '409 INVALID_STATE')
  })

  test('that are broken are an error, and the plugin does not run until they are sound', async () => {
    await enable('plan')
    await dir.write('plan', '{')
    const broken = await get('plan')
    assert.deepEqual([broken.enabled, broken.health.state], [true, 'failed'])
    assert.match(broken.error, /plugin.json/)
    assert.equal(site.cms.services.plugins.find('plan'), undefined)
    assert.equal(code(await reload('plan')), '409 INVALID_STATE')
    assert.equal(code(await setState('plan', { enabled: true })), '409 INVALID_STATE')
    assert.deepEqual((await admin.client.get('/api/plugin-screens')).body, { items: [] })
    await dir.write('plan', PLAN, PLAN_FILES)
    assert.deepEqual(
      [(await list())[0].health.state, site.cms.services.plugins.find('plan')?.name],
      ['running', 'plan'],
    )
  })
})

describe('settings', () => {
  const SECRET = 'a very secret token 9876'

  test('are set within the declared keys, and a secret shows how it ends', async () => {
    await enable('plan')
    const values = {
      stage: 'idea',
      note: 'Hello',
      long: 'a\nb',
      count: 0.5,
      loud: false,
      home: 'https://example.com/x',
    }
    const { status, body, text } = await setSettings('plan', { ...values, token: SECRET })
    assert.equal(status, 200, text)
    assert.deepEqual(body.settings, { ...values, token: { last4: '9876' } })
    assert.deepEqual((await get('plan')).settings, body.settings)
    assert.deepEqual((await setSettings('plan', { note: 'Other' })).body.settings.token, { last4: '9876' })
    const [row] = await sql('select settings::text from plugin')
    assert.ok(!row.settings.includes(SECRET) && !site.logs.join().includes(SECRET))
    const activity = await sql(`select changed from activity where action = 'plugin.settings_updated' order by id`)
    assert.deepEqual(activity[1].changed, ['note'])
  })

  test('of a secret: absent keeps, empty clears, a short one shows nothing', async () => {
    await setSettings('plan', { token: SECRET })
    assert.deepEqual((await setSettings('plan', {})).body.settings.token, { last4: '9876' })
    assert.deepEqual((await setSettings('plan', { token: 'short' })).body.settings.token, { last4: '' })
    assert.equal((await setSettings('plan', { token: '' })).body.settings.token, null)
    const [row] = await sql('select settings from plugin')
    assert.deepEqual(row.settings, {})
  })

  test('of null, and of an address or choice that was emptied, are the default again', async () => {
    await setSettings('plan', { count: 7, home: 'https://example.com', note: '' })
    const { settings } = (await setSettings('plan', { count: null, home: '', stage: '' })).body
    assert.deepEqual([settings.count, settings.home, settings.stage, settings.note], [3, null, 'idea', ''])
  })

  const refused: [rule: string, settings: object, key: string][] = [
    ['not declared', { other: 1 }, 'settings.other'],
    ['constructor', { constructor: 'x' }, 'settings.constructor'],
    ['toString', { toString: 'x' }, 'settings.toString'],
    ['text that is a number', { note: 5 }, 'settings.note'],
    ['text of two lines', { note: 'a\nb' }, 'settings.note'],
    ['text that is long', { note: 'x'.repeat(501) }, 'settings.note'],
    ['a number that is text', { count: '5' }, 'settings.count'],
    ['a boolean that is text', { loud: 'true' }, 'settings.loud'],
    ['a choice that is none', { stage: 'later' }, 'settings.stage'],
    ['a script as address', { home: 'javascript:alert(1)' }, 'settings.home'],
    ['half an address', { home: 'example.com' }, 'settings.home'],
    ['the shown form of a secret', { token: { last4: '9876' } }, 'settings.token'],
    ['a list', { note: [] }, 'settings.note'],
  ]
  for (const [rule, settings, key] of refused)
    test(`that are ${rule} are refused, and nothing is stored`, async () => {
      const answer = await setSettings('plan', { long: 'fine', ...settings })
      assert.equal(code(answer), '400 VALIDATION_FAILED', answer.text)
      assert.deepEqual(
        answer.body.details.fields.map((field: { key: string }) => field.key),
        [key],
      )
      assert.deepEqual(await sql('select * from plugin'), [])
    })

  test('named __proto__ are refused', async () => {
    const body = '{"settings":{"__proto__":{"note":"x"}}}'
    assert.equal(code(await admin.client.put('/api/plugins/plan/settings', body)), '400 INVALID_JSON')
    assert.deepEqual(await sql('select * from plugin'), [])
  })

  test('can be set before the plugin is switched on, which is not to install it', async () => {
    const { body } = await setSettings('plan', { note: 'early' })
    assert.deepEqual([body.installed, body.enabled, body.settings.note, body.recordVersion], [false, false, 'early', 1])
    assert.equal((await enable('plan')).settings.note, 'early')
  })

  test('that a new version no longer takes have its default', async () => {
    await enable('plan')
    await setSettings('plan', { note: 'Hello', count: 9 })
    const settings = [
      { key: 'note', type: 'boolean', label: 'Note', default: true },
      { key: 'token', type: 'text', label: 'Token' },
    ]
    await dir.write('plan', { ...PLAN, settings }, PLAN_FILES)
    assert.deepEqual((await reload('plan')).body.settings, { note: true, token: null })
  })
})

describe('uninstalling', () => {
  test('removes everything that the plugin kept, after its name was typed', async () => {
    await enable('plan')
    await setSettings('plan', { note: 'x' })
    await sql(`insert into plugin_document (plugin, collection, id, value, indexed, created_at, updated_at)
      select 'plan', 'plans', n::text, '{}', '{}', now(), now() from generate_series(1, 6000) n`)
    await sql(`insert into plugin_event (id, plugin, record, event, payload, created_at)
      values ('e', 'plan', 'plan/x', 'entry.published', '{}', now())`)
    await sql(`insert into plugin_schedule (id, plugin, name, every_ms) values ('plan/tidy', 'plan', 'tidy', 60000)`)
    for (const body of [{}, { name: 'Plan' }, { name: 'other' }])
      assert.equal(code(await uninstall('plan', body)), '400 VALIDATION_FAILED')
    assert.equal((await get('plan')).enabled, true)

    assert.equal((await uninstall('plan', { name: 'plan' })).status, 204)
    for (const table of ['plugin', 'plugin_file', 'plugin_document', 'plugin_event', 'plugin_schedule', 'plugin_run'])
      assert.deepEqual(await sql(`select * from ${table}`), [], table)
    assert.equal(site.cms.services.plugins.find('plan'), undefined)
    const { installed, enabled, settings, approved } = await get('plan')
    assert.deepEqual([installed, enabled, settings.note, approved], [false, false, null, null])
    assert.equal((await actions()).at(-1), 'plugin.uninstalled')
    assert.equal(code(await uninstall('plan', { name: 'plan' })), '409 INVALID_STATE')
    assert.equal(code(await setState('plan', { enabled: true })), '409 APPROVAL_REQUIRED')
  })

  test('works for one whose folder is gone', async () => {
    await enable('plan')
    await dir.remove('plan')
    assert.equal((await uninstall('plan', { name: 'plan' })).status, 204)
    assert.equal((await admin.client.get('/api/plugins/plan')).status, 404)
  })
})

describe('screens of plugins', () => {
  test('are listed for those who may use them, while the plugin is on', async () => {
    const viewer = await site.person('viewer')
    assert.deepEqual((await viewer.client.get('/api/plugin-screens')).body, { items: [] })
    await enable('plan')
    const [item] = (await admin.client.get('/api/plugin-screens')).body.items
    const src = `/ext/plan/screens/plans.html?v=${item.hash.slice(0, 12)}`
    const read = { id: 'read', label: 'Read', icon: null, src, permission: 'content.read' }
    const panels = [{ label: 'Plan', types: ['*'], src, permission: null }]
    const plans = { id: 'plans', label: 'Plans', icon: 'kanban', src, permission: 'social.write' }
    assert.deepEqual(item, { plugin: 'plan', label: 'Plan', hash: item.hash, screens: [plans, read], panels })
    const [shown] = (await viewer.client.get('/api/plugin-screens')).body.items
    assert.deepEqual([shown.screens, shown.panels], [[read], panels])
    await setState('plan', { enabled: false })
    assert.deepEqual((await viewer.client.get('/api/plugin-screens')).body, { items: [] })
  })
})
