import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { openPluginDir, type PluginDir } from '../folder/testing/plugin-dir.ts'

const MANIFEST = {
  permissions: ['content.read'],
  settings: [{ key: 'token', type: 'secret', label: 'Token' }],
  collections: [{ name: 'things', indexes: [] }],
  routes: [{ method: 'GET', path: '/token', auth: 'session', permission: 'content.read' }],
}
const SERVER = `import { settings, store } from 'stoa'
export const routes = { 'GET /token': async () => {
  await store('things').put('one', { seen: true })
  return await settings.own()
} }`

let dir: PluginDir
let site: CmsService
let admin: Person
before(async () => {
  dir = await openPluginDir()
  await dir.write('keeper', MANIFEST, { 'server.js': SERVER })
  await dir.write('loops', {}, { 'server.js': 'for (;;) {}' })
  await dir.write('lacks', MANIFEST, { 'server.js': 'export const routes = {}' })
  site = await startCms({ env: { PLUGIN_DIR: dir.path } })
  admin = await site.person('admin')
})
after(async () => {
  await site.close()
  await dir.close()
})

const enable = (name: string) => admin.client.put(`/api/plugins/${name}/state`, { enabled: true, approve: true })

test('what is switched on answers at its address with its own settings, until it is off', async () => {
  assert.equal((await admin.client.get('/ext/keeper/token')).status, 404)
  const on = await enable('keeper')
  assert.equal(on.status, 200, on.text)
  await admin.client.put('/api/plugins/keeper/settings', { settings: { token: 'sesame' } })
  assert.deepEqual((await admin.client.get('/ext/keeper/token')).body, { token: 'sesame' })
  assert.equal((await admin.client.put('/api/plugins/keeper/state', { enabled: false })).status, 200)
  assert.equal((await admin.client.get('/ext/keeper/token')).status, 404)
  const { rows } = await site.cms.database.pool.query('select plugin, id from plugin_document')
  assert.deepEqual(rows, [{ plugin: 'keeper', id: 'one' }])
})

test('code that loops for ever or lacks a handler cannot be switched on, and stays off', async () => {
  for (const name of ['loops', 'lacks']) {
    const answer = await enable(name)
    assert.deepEqual([answer.status, answer.body.code], [409, 'INVALID_STATE'], answer.text)
    const shown = (await admin.client.get(`/api/plugins/${name}`)).body
    assert.deepEqual([shown.enabled, shown.installed, shown.error === null], [false, false, false])
  }
  assert.match((await admin.client.get('/api/plugins/lacks')).body.error, /GET \/token/)
})
