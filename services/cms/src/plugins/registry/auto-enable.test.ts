import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type CmsOptions, type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { openPluginDir, type PluginDir } from '../folder/testing/plugin-dir.ts'
import { moduleSandboxes } from '../running/testing/module-sandbox.ts'

const ASKS = {
  permissions: ['content.read'],
  hosts: ['api.example.com'],
  collections: [{ name: 'things', indexes: [] }],
}

let dir: PluginDir
const open: CmsService[] = []
before(async () => {
  dir = await openPluginDir()
  await dir.write('asking', ASKS)
  await dir.write('modest')
  await dir.write('broken', { api: 9 })
  await dir.write('throws', {}, { 'server.js': 'throw new Error("not today")' })
})
after(() => dir.close())
afterEach(async () => {
  for (const site of open.splice(0).reverse()) await site.close()
})

const start = async (autoenable: string, options: CmsOptions = {}) => {
  const env = { PLUGIN_DIR: dir.path, PLUGIN_AUTOENABLE: autoenable, ...options.env }
  const site = await startCms({ createSandbox: moduleSandboxes().create, ...options, env })
  open.push(site)
  return site
}
const enabledIn = (site: CmsService) => site.cms.services.plugins.enabled().map(({ name }) => name)
const pluginsOf = async (site: CmsService) => {
  const { items } = (await (await site.person('admin')).client.get('/api/plugins')).body
  return new Map<string, Record<string, unknown>>(items.map((item: { name: string }) => [item.name, item]))
}

describe('PLUGIN_AUTOENABLE', () => {
  test('switches plugins on at a fresh install, with what they ask for', async () => {
    const site = await start('asking, modest', {
      env: { BOOTSTRAP_EMAIL: 'ada@example.test', BOOTSTRAP_PASSWORD: 'seven lanterns in the harbour' },
    })
    assert.deepEqual(enabledIn(site), ['asking', 'modest'])
    const { approved } = (await pluginsOf(site)).get('asking') ?? {}
    const at = site.clock.now().toISOString()
    assert.deepEqual(approved, {
      permissions: ['content.read'],
      hosts: ['api.example.com'],
      collections: ['things'],
      at,
      by: null,
    })
    const { rows } = await site.cms.database.pool.query(`select actor_kind, actor_name, action from activity
      where target_id = 'asking' order by id`)
    assert.deepEqual(rows, [
      { actor_kind: 'system', actor_name: 'start', action: 'plugin.installed' },
      { actor_kind: 'system', actor_name: 'start', action: 'plugin.enabled' },
    ])
  })

  test('logs names that are unknown, broken or do not start, and starts the service', async () => {
    const site = await start('nothing,broken,throws,../modest,modest')
    assert.deepEqual(enabledIn(site), ['modest'])
    const warned = site.logs.filter((line) => line.includes('PLUGIN_AUTOENABLE')).map((line) => JSON.parse(line).plugin)
    assert.deepEqual(warned, ['nothing', 'broken', 'throws', '../modest'])
    const plugins = await pluginsOf(site)
    assert.deepEqual([plugins.get('throws')?.enabled, plugins.get('throws')?.error], [false, 'not today'])
  })

  test('leaves a site alone that has an account', async () => {
    const first = await start('')
    await first.claim()
    const second = await start('asking,modest', { databaseUrl: first.databaseUrl, clock: first.clock })
    assert.deepEqual(enabledIn(second), [])
    assert.deepEqual((await first.cms.database.pool.query('select * from plugin')).rows, [])
  })

  test('by two processes that start at once installs once', async () => {
    const first = await start('')
    const { databaseUrl, clock } = first
    const both = await Promise.all([1, 2].map(() => start('asking', { databaseUrl, clock })))
    assert.deepEqual(both.map(enabledIn), [['asking'], ['asking']])
    const { rows } = await first.cms.database.pool.query('select name, version from plugin')
    assert.deepEqual(rows, [{ name: 'asking', version: 1 }])
  })
})
