import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { everyMs, pluginEvents, pluginManifest } from './plugin-manifest.ts'

const LEAST = { name: 'plan', label: 'Plan', version: '1.0.0', api: 1, server: 'server.js' }
const session = { method: 'GET', path: '/plans', auth: 'session', permission: 'social.write' }
const pathsOf = (members: object): string[] => {
  const issues = pluginManifest.safeParse({ ...LEAST, ...members }).error?.issues ?? []
  return [...new Set(issues.map(({ path }) => path.join('.')))]
}

describe('plugin.json', () => {
  test('needs little, and lists are empty where it says nothing', () => {
    const { permissions, routes, pages, description } = pluginManifest.parse(LEAST)
    assert.deepEqual([permissions, routes, pages, description], [[], [], [], ''])
  })

  test('can declare all that there is', () => {
    const all = {
      ...LEAST,
      description: 'Plans client work',
      permissions: ['content.read', 'social.write'],
      hosts: ['api.example.com'],
      settings: [
        {
          key: 'stage',
          type: 'select',
          label: 'First stage',
          options: [{ value: 'idea', label: 'Idea' }],
          default: 'idea',
        },
      ],
      events: ['entry.published', 'social.updated', 'design.updated'],
      schedules: [{ name: 'tidy', every: '1h' }],
      routes: [session, { method: 'POST', path: '/plans/:id/approve', auth: 'public' }],
      collections: [{ name: 'plans', indexes: ['stage', 'dueOn'] }],
      screens: [
        { id: 'plans', label: 'Plans', icon: 'kanban', file: 'screens/plans.html', permission: 'social.write' },
      ],
      panels: [{ place: 'entry', types: ['*'], label: 'Plan', file: 'screens/entry.html' }],
      pages: [{ path: 'approve', file: 'screens/approve.html' }],
    }
    assert.deepEqual(pluginManifest.parse(all), all)
  })

  const refused: [rule: string, members: object, path: string][] = [
    ['a name that is none', { name: 'Plan' }, 'name'],
    ['a version that is none', { version: 'latest' }, 'version'],
    ['a member that is unknown', { scripts: {} }, ''],
    ['rights over people', { permissions: ['content.read', 'users.manage'] }, 'permissions.1'],
    ['a right twice', { permissions: ['content.read', 'content.read'] }, 'permissions.1'],
    ['any host', { hosts: ['*'] }, 'hosts.0'],
    ['a host with a port', { hosts: ['example.com:8080'] }, 'hosts.0'],
    ['an address of a machine', { hosts: ['169.254.169.254'] }, 'hosts.0'],
    ['a name without a dot', { hosts: ['localhost'] }, 'hosts.0'],
    ['code outside of its folder', { server: '../server.js' }, 'server'],
    ['code that is hidden', { server: '.git/server.js' }, 'server'],
    [
      'a screen outside of screens',
      { screens: [{ id: 'a', label: 'A', file: 'server.js', permission: 'content.read' }] },
      'screens.0.file',
    ],
    ['a session route for anybody', { routes: [{ ...session, permission: undefined }] }, 'routes.0.permission'],
    ['a public route with a right', { routes: [{ ...session, auth: 'public' }] }, 'routes.0.permission'],
    ['a route where its screens are', { routes: [{ ...session, path: '/screens/a' }] }, 'routes.0.path'],
    ['a route that leaves its address', { routes: [{ ...session, path: '/../a' }] }, 'routes.0.path'],
    ['an event that is for webhooks only', { events: ['webhook.test'] }, 'events.0'],
    ['a schedule of seconds', { schedules: [{ name: 'tidy', every: '30s' }] }, 'schedules.0.every'],
    ['a schedule of no time', { schedules: [{ name: 'tidy', every: '0m' }] }, 'schedules.0.every'],
    ['a schedule of years', { schedules: [{ name: 'tidy', every: '99999d' }] }, 'schedules.0.every'],
    [
      'a secret with a default',
      { settings: [{ key: 'a', type: 'secret', label: 'A', default: 'x' }] },
      'settings.0.default',
    ],
    ['a choice of nothing', { settings: [{ key: 'a', type: 'select', label: 'A' }] }, 'settings.0.options'],
    [
      'a default that is no choice',
      { settings: [{ key: 'a', type: 'select', label: 'A', options: [{ value: 'b', label: 'B' }], default: 'c' }] },
      'settings.0.default',
    ],
    [
      'a number whose default is text',
      { settings: [{ key: 'a', type: 'number', label: 'A', default: '5' }] },
      'settings.0.default',
    ],
    ['a setting named __proto__', { settings: [{ key: '__proto__', type: 'text', label: 'A' }] }, 'settings.0.key'],
    ['a setting named constructor', { settings: [{ key: 'constructor', type: 'text', label: 'A' }] }, 'settings.0.key'],
    ['an index named toString', { collections: [{ name: 'a', indexes: ['toString'] }] }, 'collections.0.indexes.0'],
  ]
  for (const [rule, members, path] of refused) test(`refuses ${rule}`, () => assert.deepEqual(pathsOf(members), [path]))

  test('can name every event but the one that tests a webhook', () => {
    assert.ok(pluginEvents.includes('entry.published') && pluginEvents.includes('social.updated'))
    assert.ok(!pluginEvents.some((event) => String(event) === 'webhook.test'))
  })

  test('says times in minutes, hours and days', () => {
    assert.deepEqual(['15m', '2h', '3d'].map(everyMs), [900_000, 7_200_000, 259_200_000])
  })
})
