import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { unreadableAfter } from '@stoa/tests/lib/fail-on.ts'
import { loseNotifications } from '@stoa/tests/lib/lose-notifications.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { createPluginWork } from '../events/events.ts'
import { openPluginDir, type PluginDir } from '../folder/testing/plugin-dir.ts'
import { ownSettings } from '../records/records.ts'
import { SandboxFailure } from '../sandbox/sandbox.ts'
import type { PluginCall, RunningPlugins } from './running.ts'
import { type ModuleSandboxes, moduleSandboxes } from './testing/module-sandbox.ts'

const MANIFEST = {
  routes: [
    { method: 'GET', path: '/say', auth: 'public' },
    { method: 'GET', path: '/wait', auth: 'public' },
  ],
  events: ['entry.published', 'settings.updated'],
  schedules: [{ name: 'tidy', every: '1h' }],
  settings: [
    { key: 'token', type: 'secret', label: 'Token' },
    { key: 'count', type: 'number', label: 'Count', default: 3 },
    { key: 'note', type: 'text', label: 'Note' },
  ],
}
const serverOf = (word: string) => `
const log = (tools, text, times = 1) => { for (let n = 0; n < times; n += 1) tools.onLog({ level: 'info', text }) }
export const routes = {
  'GET /say': (input, tools) => {
    if (input?.log) log(tools, input.log, input.times)
    if (input?.fail) throw new Error(input.fail)
    return '${word}'
  },
  'GET /wait': async () => {
    await new Promise((resolve) => { globalThis.endWaiting = resolve })
    return '${word}'
  },
}
export const events = { 'entry.published': () => undefined, 'settings.updated': () => undefined }
export const schedules = { tidy: () => undefined }
`

const HOUR_MS = 3_600_000

let dir: PluginDir
let sandboxes: ModuleSandboxes
let others: ModuleSandboxes
let site: CmsService
let other: CmsService
let admin: Person
before(async () => {
  dir = await openPluginDir()
  sandboxes = moduleSandboxes()
  others = moduleSandboxes()
  const env = { PLUGIN_DIR: dir.path }
  site = await startCms({ env, createSandbox: sandboxes.create })
  const { databaseUrl, clock } = site
  other = await startCms({ env, databaseUrl, clock, createSandbox: others.create })
  admin = await site.person('admin')
  await Promise.all([site.cms.services.bus.ready(), other.cms.services.bus.ready()])
})
after(async () => {
  await other.close()
  await site.close()
  await dir.close()
})
beforeEach(async () => {
  await dir.write('echo', MANIFEST, { 'server.js': serverOf('one') })
  await enable()
  await until(() => there().find('echo') !== undefined)
})
afterEach(async () => {
  await admin.client.send('DELETE', '/api/plugins/echo', { body: { name: 'echo' } })
  await until(() => there().find('echo') === undefined)
})

const here = (): RunningPlugins => site.cms.services.plugins
const there = (): RunningPlugins => other.cms.services.plugins
const sql = async (text: string) => (await site.cms.database.pool.query(text)).rows
const enable = async () => {
  const answer = await admin.client.put('/api/plugins/echo/state', { enabled: true })
  assert.equal(answer.status, 200, answer.text)
}
const disable = () => admin.client.put('/api/plugins/echo/state', { enabled: false })
const shown = async () => (await admin.client.get('/api/plugins/echo')).body
const runs = async () => (await admin.client.get('/api/plugins/echo/runs')).body.items
const callOf = (name: string, input: PluginCall['input'] = null): PluginCall => ({
  kind: 'route',
  name,
  input,
  caller: { kind: 'visitor' },
})
const say = (plugins: RunningPlugins, input: PluginCall['input'] = null) =>
  plugins.run('echo', callOf('GET /say', input))
const stopped = (error: unknown) => error instanceof SandboxFailure && error.kind === 'stopped'

describe('the plugins of a process', () => {
  test('start at their first call, and stop when they are switched off', async () => {
    assert.equal(sandboxes.running('echo'), 0)
    assert.equal(await say(here()), 'one')
    assert.equal(sandboxes.running('echo'), 1)
    await disable()
    assert.deepEqual(here().enabled(), [])
    await assert.rejects(say(here()), stopped)
    await until(() => sandboxes.running('echo') === 0)
    await assert.rejects(here().run('nothing', callOf('GET /say')), stopped)
  })

  test('follow a switch and new files of another process', async () => {
    assert.equal(await say(there()), 'one')
    await dir.write('echo', MANIFEST, { 'server.js': serverOf('two') })
    assert.equal((await admin.client.post('/api/plugins/echo/reload')).status, 200)
    assert.equal(await say(here()), 'two')
    await until(async () => (await say(there())) === 'two')
    await until(() => others.running('echo') === 1)
    await disable()
    await until(() => there().find('echo') === undefined && others.running('echo') === 0)
    await enable()
    await until(() => there().find('echo') !== undefined)
    assert.equal(await say(there()), 'two')
  })

  test('follow what was missed while notifications did not arrive', async () => {
    // No commit hook publishes this change: it is only seen at the next connect.
    await sql(`update plugin set enabled = false`)
    assert.ok(there().find('echo'))
    await loseNotifications(site.cms.database, 'stoa-cms-events')
    await until(() => there().find('echo') === undefined)
    await sql(`update plugin set enabled = true`)
    await until(async () => {
      await there().load()
      return there().find('echo') !== undefined
    })
  })

  test('follow a switch that could not be read at first', async (t) => {
    const undo = await unreadableAfter(site.cms.database, 'plugin', async (tx) => {
      await tx.query({ text: 'update plugin set enabled = false' })
      tx.changes.push({ topic: 'plugin', event: 'plugin.disabled', data: { id: 'echo' } })
    })
    t.after(undo)
    await until(() => other.logs.some((line) => line.includes('\\"plugin\\" does not exist')))
    assert.ok(there().find('echo'))
    await undo()
    await until(() => there().find('echo') === undefined)
  })

  test('let calls of replaced files finish, and end those of a plugin that is switched off', async () => {
    const waiting = here().run('echo', callOf('GET /wait'))
    await until(() => 'endWaiting' in globalThis)
    await dir.write('echo', MANIFEST, { 'server.js': serverOf('two') })
    await admin.client.post('/api/plugins/echo/reload')
    assert.equal(await say(here()), 'two')
    assert.equal(sandboxes.running('echo'), 2)
    const { endWaiting } = globalThis as unknown as { endWaiting: () => void }
    endWaiting()
    assert.equal(await waiting, 'one')
    await until(() => sandboxes.running('echo') === 1)
    Reflect.deleteProperty(globalThis, 'endWaiting')
  })

  test('run what is stored, whatever the disk of the process holds', async () => {
    await dir.write('echo', MANIFEST, { 'server.js': serverOf('disk') })
    const third = await startCms({
      env: { PLUGIN_DIR: dir.path },
      databaseUrl: site.databaseUrl,
      clock: site.clock,
      createSandbox: moduleSandboxes().create,
    })
    assert.equal(await say(third.cms.services.plugins), 'one')
    await third.close()
  })

  test('run on a machine without PLUGIN_DIR, too: routes, events and schedules', async () => {
    const createSandbox = moduleSandboxes().create
    const third = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock, createSandbox })
    const work = createPluginWork(third.cms.services)
    const person = third.client({ token: admin.token })
    for (const { url } of [site, third]) assert.equal(await (await fetch(`${url}/ext/echo/say`)).json(), 'one')
    assert.equal((await person.put('/api/settings', { title: 'Other' })).status, 200)
    site.clock.advance(HOUR_MS)
    await work.runDue()
    assert.deepEqual(
      (await runs()).map(({ kind, name, outcome }: Record<string, string>) => [kind, name, outcome]),
      [
        ['schedule', 'tidy', 'done'],
        ['event', 'settings.updated', 'done'],
        ['start', 'sandbox', 'done'],
      ],
    )
    const { enabled, error, health, changed } = (await person.get('/api/plugins/echo')).body
    assert.deepEqual([enabled, error, health.state, changed], [true, null, 'running', false])
    await work.stop(0)
    await third.close()
  })

  test('whose folder is broken on this machine are off here, which is logged once, and left to the others', async () => {
    const broken = await openPluginDir()
    await broken.write('echo', '{')
    const env = { PLUGIN_DIR: broken.path, LOG_LEVEL: 'warn' }
    const third = await startCms({ env, databaseUrl: site.databaseUrl, clock: site.clock })
    const { plugins } = third.cms.services
    await plugins.load()
    assert.deepEqual(plugins.enabled(), [])
    assert.equal(third.logs.filter((line) => line.includes("can't run here")).length, 1)
    const [elsewhere, work] = [third, site].map(({ cms }) => createPluginWork(cms.services))
    site.clock.advance(HOUR_MS)
    const due = () => sql(`select due_at from plugin_schedule where plugin = 'echo'`)
    const before = await due()
    await elsewhere?.runDue()
    assert.deepEqual(await due(), before)
    await work?.runDue()
    assert.deepEqual((await runs())[0].name, 'tidy')
    await Promise.all([elsewhere?.stop(0), work?.stop(0)])
    await third.close()
    await broken.close()
  })
})

describe('runs', () => {
  const names = async () =>
    (await runs()).map(({ kind, name, outcome }: Record<string, string>) => [kind, name, outcome])

  test('are written for events, schedules, starts and failures, and for calls that logged', async () => {
    await say(here())
    await here().run('echo', { ...callOf('entry.published'), kind: 'event' })
    await here().run('echo', { ...callOf('tidy'), kind: 'schedule' })
    await assert.rejects(say(here(), { fail: 'No such luck' }))
    await say(here(), { log: 'Hello' })
    assert.deepEqual(await names(), [
      ['route', 'GET /say', 'done'],
      ['route', 'GET /say', 'failed'],
      ['schedule', 'tidy', 'done'],
      ['event', 'entry.published', 'done'],
      ['start', 'sandbox', 'done'],
    ])
    const [logged, failed] = await runs()
    assert.deepEqual(logged.lines, [{ level: 'info', text: 'Hello' }])
    assert.equal(failed.message, 'No such luck')
    const { health, recordVersion } = await shown()
    assert.deepEqual([health.state, health.lastError, recordVersion], ['running', 'No such luck', 1])
  })

  test('keep 50 lines and 10,000 characters of a flood, and what cannot be stored', async () => {
    await say(here(), { log: 'x', times: 5_000 })
    await say(here(), { log: 'y'.repeat(8_000), times: 5 })
    await say(here(), { log: 'a\u0000b\ud800' })
    const [odd, long, many] = await runs()
    assert.equal(many.lines.length, 50)
    assert.equal(long.lines.map(({ text }: { text: string }) => text).join('').length, 10_000)
    assert.equal(odd.lines[0].text, 'a\ufffdb\ufffd')
  })

  test('of a flood are a few a second, and a hundred at most', async () => {
    await Promise.all(Array.from({ length: 60 }, () => say(here(), { log: 'flood' })))
    const [{ count }] = await sql(`select count(*)::int from plugin_run where kind = 'route'`)
    assert.ok(count >= 1 && count <= 15, `${count} rows`)
    await sql(`insert into plugin_run (id, plugin, at, kind, name, ms, outcome)
      select '00' || n, 'echo', now(), 'route', 'old', 1, 'done' from generate_series(100, 400) n`)
    await until(async () => {
      await say(here(), { log: 'last' })
      return (await runs()).length === 100
    })
    assert.equal((await runs())[0].lines[0].text, 'last')
  })
})

describe('a sandbox that dies', () => {
  test('is counted over processes, and the fifth time in ten minutes switches the plugin off everywhere', async () => {
    await say(here())
    await say(there())
    for (const [index, where] of [sandboxes, others, sandboxes, others].entries()) {
      where.kill('echo', `death ${index}`)
      await until(async () => (await shown()).health.restarts === index + 1)
      site.clock.advance(60_000)
    }
    const alive = await shown()
    assert.deepEqual([alive.enabled, alive.health.state, alive.health.lastError], [true, 'running', 'death 3'])
    sandboxes.kill('echo', 'the last death')
    await until(async () => !(await shown()).enabled)
    const dead = await shown()
    assert.deepEqual([dead.health.state, dead.health.restarts, dead.health.lastError], ['failed', 5, 'the last death'])
    assert.equal(dead.recordVersion, alive.recordVersion + 1)
    await until(() => here().find('echo') === undefined && there().find('echo') === undefined)
    await until(() => sandboxes.running('echo') + others.running('echo') === 0)
    const [activity] = await sql(`select * from activity where action = 'plugin.failed'`)
    assert.deepEqual(
      [activity.actor_kind, activity.target_id, activity.target_label],
      ['system', 'echo', 'The echo plugin'],
    )

    await enable()
    const again = await shown()
    assert.deepEqual([again.health.state, again.health.restarts, again.health.lastError], ['running', 0, null])
  })

  test('now and then is started again and stays on', async () => {
    await say(here())
    for (let count = 0; count < 6; count += 1) {
      sandboxes.kill('echo', `death ${count}`)
      await until(async () => (await shown()).health.lastError === `death ${count}`)
      site.clock.advance(3 * 60_000)
    }
    assert.deepEqual([(await shown()).enabled, (await shown()).health.restarts], [true, 3])
  })
})

describe('its own settings', () => {
  test('are every declared key, with secrets in clear and defaults', async () => {
    const ctx = { db: site.cms.database.db, config: site.cms.services.config }
    assert.deepEqual(await ownSettings(ctx, 'echo'), { token: null, count: 3, note: null })
    await admin.client.put('/api/plugins/echo/settings', { settings: { token: 'sesame', note: 'Hello' } })
    assert.deepEqual(await ownSettings(ctx, 'echo'), { token: 'sesame', count: 3, note: 'Hello' })
    assert.deepEqual(await ownSettings(ctx, 'nothing'), {})
    // Moved to another key or plugin, a sealed value cannot be opened.
    await sql(`update plugin set settings = jsonb_build_object('token', jsonb_build_object('sealed',
      replace(settings->'token'->>'sealed', 'v1.', 'v1.x'), 'last4', ''))`)
    assert.deepEqual((await ownSettings(ctx, 'echo')).token, null)
  })
})
