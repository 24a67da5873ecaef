import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { insertEntry, insertType, listActivity, listenToChanges } from '../taxonomies/testing/queries.ts'
import { readMenu } from './menus.ts'

let service: CmsService
let editor: Person
before(async () => {
  service = await startCms()
  editor = await service.person('editor')
  await insertType(service, 'page')
})
after(() => service.close())

let made = 0
const newMenu = async (members: Record<string, unknown> = {}) => {
  made += 1
  const answer = await editor.client.post('/api/menus', { name: `menu-${made}`, ...members })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const rows = () => service.cms.database.db.selectFrom('menu').selectAll().orderBy('name').execute()

/** Runs an attempt that must be refused with this code and leave menus and Activity as they were. */
const refused = async (code: string, attempt: () => Promise<CmsAnswer>): Promise<CmsAnswer> => {
  const before = { rows: await rows(), activity: await listActivity(service) }
  const answer = await attempt()
  assert.equal(answer.body?.code, code, answer.text)
  assert.deepEqual({ rows: await rows(), activity: await listActivity(service) }, before)
  return answer
}
const keysOf = ({ body }: CmsAnswer): string[] => [
  ...new Set<string>(body.details.fields.map((field: { key: string }) => field.key)),
]
const home = { label: 'Home', url: '/' }

describe('making a menu', () => {
  test('answers the bare record with its version; a menu needs no more than a name', async () => {
    const answer = await editor.client.post('/api/menus', { name: 'main' })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    const now = service.clock.now().toISOString()
    assert.deepEqual(answer.body, {
      name: 'main',
      label: 'main',
      items: [],
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    assert.deepEqual((await editor.client.get('/api/menus/main')).body, answer.body)
  })

  test('a taken name is refused, and of ten racing ones one wins', async () => {
    const { name } = await newMenu()
    await refused('NAME_TAKEN', () => editor.client.post('/api/menus', { name }))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => editor.client.post('/api/menus', { name: 'racing' })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
  })

  for (const name of [
    '',
    'Main',
    '1main',
    'main menu',
    'main_menu',
    'a/b',
    '../x',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(64),
  ])
    test(`C63: "${name.slice(0, 20)}" is no name, and no menu of that name is found`, async () => {
      assert.deepEqual(keysOf(await refused('VALIDATION_FAILED', () => editor.client.post('/api/menus', { name }))), [
        'name',
      ])
      const path = `/api/menus/${encodeURIComponent(name)}`
      if (name !== '') assert.equal((await editor.client.get(path)).status, 404)
    })

  test('members that are not the caller’s to set are refused', async () => {
    for (const key of ['id', 'version', 'createdAt', 'updatedBy', 'constructor'])
      assert.deepEqual(
        keysOf(await refused('VALIDATION_FAILED', () => editor.client.post('/api/menus', { name: 'extra', [key]: 1 }))),
        [key],
      )
  })
})

describe('items', () => {
  test('keep the id they come with, get one otherwise, and hold nothing that says nothing', async () => {
    const entryId = await insertEntry(service, { type: 'page' })
    const { items } = await newMenu({
      items: [
        { id: 'kept-1', label: ' Home ', url: ' / ', entryId: null, target: null },
        { label: 'About', entryId, target: '_blank', children: [{ label: 'Team', url: '#team' }] },
      ],
    })
    assert.deepEqual(items[0], { id: 'kept-1', label: 'Home', url: '/', children: [] })
    const about = items[1]
    assert.match(about.id, /^[\w-]{36}$/)
    assert.match(about.children[0].id, /^[\w-]{36}$/)
    assert.deepEqual(about, {
      id: about.id,
      label: 'About',
      entryId,
      target: '_blank',
      children: [{ id: about.children[0].id, label: 'Team', url: '#team', children: [] }],
    })
  })

  const nested = (depth: number): unknown[] =>
    depth === 0 ? [] : [{ label: `Level ${depth}`, url: '/', children: nested(depth - 1) }]

  test('five levels are taken, six are not, and thirty are no trouble', async () => {
    const { items } = await newMenu({ items: nested(5) })
    assert.equal(items[0].children[0].children[0].children[0].children[0].label, 'Level 1')
    for (const depth of [6, 30]) {
      const answer = await refused('VALIDATION_FAILED', () =>
        editor.client.post('/api/menus', { name: 'deep', items: nested(depth) }),
      )
      assert.deepEqual(keysOf(answer), [`items.0${'.children.0'.repeat(5)}`])
    }
    const abuse = `{"name":"deep","items":${'[{"label":"x","url":"/","children":'.repeat(5000)}[]${'}]'.repeat(5000)}}`
    await refused('INVALID_JSON', () => editor.client.post('/api/menus', abuse))
  })

  test('five hundred are taken, one more is not, wherever they are', async () => {
    const many = (count: number) => Array.from({ length: count }, () => home)
    const { items } = await newMenu({ items: [{ ...home, children: many(499) }] })
    assert.equal(items[0].children.length, 499)
    const answer = await refused('VALIDATION_FAILED', () =>
      editor.client.post('/api/menus', { name: 'wide', items: [{ ...home, children: many(500) }] }),
    )
    assert.deepEqual(keysOf(answer), ['items'])
  })

  for (const [name, items, key] of [
    ['an item with url and entryId', [{ label: 'x', url: '/', entryId: newId() }], 'items.0.url'],
    ['an item with neither', [{ label: 'x' }], 'items.0.url'],
    ['an item with both null', [{ label: 'x', url: null, entryId: null }], 'items.0.url'],
    ['no label', [{ url: '/' }], 'items.0.label'],
    ['an empty label', [{ label: ' ', url: '/' }], 'items.0.label'],
    ['a label of two lines', [{ label: 'a\nb', url: '/' }], 'items.0.label'],
    ['a long label', [{ label: 'x'.repeat(201), url: '/' }], 'items.0.label'],
    ['an unknown member', [{ ...home, class: 'x' }], 'items.0.class'],
    ['an unknown target', [{ ...home, target: '_top' }], 'items.0.target'],
    [
      'a deep url',
      [{ ...home, children: [home, { label: 'x', url: 'javascript:alert(1)' }] }],
      'items.0.children.1.url',
    ],
    [
      'an id that comes twice',
      [
        { ...home, id: 'a' },
        { ...home, children: [{ ...home, id: 'a' }] },
      ],
      'items.1.children.0.id',
    ],
    ['an id that is no id', [{ ...home, id: '__proto__' }], 'items.0.id'],
    ['an entryId that is no id', [{ label: 'x', entryId: 'x' }], 'items.0.entryId'],
    ['an unknown entry', [home, { label: 'x', entryId: newId() }], 'items.1.entryId'],
    ['items that are no list', { 0: home }, 'items'],
    ['children that are no list', [{ ...home, children: {} }], 'items.0.children'],
  ] as [string, unknown, string][])
    test(`refuses ${name}, naming it`, async () => {
      const answer = await refused('VALIDATION_FAILED', () => editor.client.post('/api/menus', { name: 'bad', items }))
      assert.deepEqual(keysOf(answer), [key])
    })

  test('an entry in the trash is no target; each item that leads to it is named', async () => {
    const live = await insertEntry(service, { type: 'page', status: 'published' })
    const gone = await insertEntry(service, { type: 'page', isTrashed: true })
    const items = [
      { label: 'a', entryId: gone },
      { label: 'b', entryId: live, children: [{ label: 'c', entryId: gone }] },
    ]
    const answer = await refused('VALIDATION_FAILED', () => editor.client.post('/api/menus', { name: 'bad', items }))
    assert.deepEqual(keysOf(answer), ['items.0.entryId', 'items.1.children.0.entryId'])
  })

  test('however many entries it leads to, they are looked up in one statement', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => insertEntry(service, { type: 'page' })))
    const watch = service.cms.database.watchStatements()
    await newMenu({ items: ids.map((entryId) => ({ label: 'x', entryId })) })
    watch.stop()
    assert.equal(watch.texts.filter((text) => text.includes('from "entry"')).length, 1)
  })
})

describe('changing a menu', () => {
  test('changes only the members sent', async () => {
    const menu = await newMenu({ items: [home] })
    const answer = await editor.client.put(`/api/menus/${menu.name}`, { label: 'Main' })
    assert.equal(answer.headers.get('etag'), '"v2"')
    assert.deepEqual(answer.body, { ...menu, label: 'Main', version: 2 })
    const emptied = await editor.client.put(`/api/menus/${menu.name}`, { items: [] })
    assert.deepEqual(emptied.body, { ...menu, label: 'Main', items: [], version: 3 })
    assert.deepEqual((await readMenu(service.cms.database.db, menu.name))?.items, [])
  })

  test('what is as it was makes no new version and no Activity', async () => {
    const menu = await newMenu({ items: [{ ...home, target: '_self', children: [home] }] })
    const before = await listActivity(service)
    const answer = await editor.client.put(`/api/menus/${menu.name}`, { label: menu.label, items: menu.items })
    assert.deepEqual(answer.body, menu)
    assert.deepEqual(await listActivity(service), before)
  })

  test('of two changes for the same version one is rejected, with who made the other', async () => {
    const { name } = await newMenu()
    const other = await service.person('admin')
    const answers = await Promise.all(
      [editor, other].map((person) =>
        person.client.put(`/api/menus/${name}`, { label: person.id }, { 'if-match': '"v1"' }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const saved = answers.find(({ status }) => status === 200)?.body
    const conflict = answers.find(({ status }) => status === 409)?.body
    assert.equal(conflict.code, 'VERSION_CONFLICT')
    assert.equal(conflict.details.version, 2)
    assert.equal(conflict.details.updatedBy.id, saved.label)
    assert.deepEqual((await editor.client.get(`/api/menus/${name}`)).body, saved)
  })

  test('a body version counts, and If-Match beats it', async () => {
    const { name } = await newMenu()
    const put = (body: unknown, headers = {}) => editor.client.put(`/api/menus/${name}`, body, headers)
    await refused('VERSION_CONFLICT', () => put({ label: 'x', version: 2 }))
    await refused('VERSION_CONFLICT', () => put({ label: 'x', version: 1 }, { 'if-match': '"v2"' }))
    assert.equal((await put({ label: 'x', version: 9 }, { 'if-match': '"v1"' })).status, 200)
  })

  test('a missing menu is not made; its name never changes', async () => {
    await refused('NOT_FOUND', () => editor.client.put('/api/menus/missing', { items: [home] }))
    const { name } = await newMenu()
    const answer = await refused('VALIDATION_FAILED', () => editor.client.put(`/api/menus/${name}`, { name: 'other' }))
    assert.deepEqual(keysOf(answer), ['name'])
  })

  test('items are checked as when the menu is made', async () => {
    const { name } = await newMenu()
    const items = [{ label: 'x', entryId: newId() }]
    const answer = await refused('VALIDATION_FAILED', () => editor.client.put(`/api/menus/${name}`, { items }))
    assert.deepEqual(keysOf(answer), ['items.0.entryId'])
  })
})

describe('removing a menu', () => {
  test('is refused for another version, and done once', async () => {
    const { name } = await newMenu()
    await refused('VERSION_CONFLICT', () => editor.client.delete(`/api/menus/${name}`, { 'if-match': '"v2"' }))
    assert.equal((await editor.client.delete(`/api/menus/${name}`, { 'if-match': '"v1"' })).status, 204)
    await refused('NOT_FOUND', () => editor.client.delete(`/api/menus/${name}`))
    await refused('NOT_FOUND', () => editor.client.get(`/api/menus/${name}`))
  })
})

test('every change is recorded: who did it, and what the public must reload', async () => {
  const changes = listenToChanges(service)
  const { name } = await newMenu({ label: 'Footer' })
  await editor.client.put(`/api/menus/${name}`, { items: [home] })
  await editor.client.delete(`/api/menus/${name}`)
  const data = { id: name, slug: name, title: 'Footer', isPublic: true }
  assert.deepEqual(
    changes.map(({ event, data }) => ({ event, data })),
    ['menu.updated', 'menu.updated', 'menu.deleted'].map((event) => ({ event, data })),
  )
  const recorded = (await listActivity(service)).slice(-3)
  assert.deepEqual(
    recorded.map(({ action, actor_id, target_id, changed }) => [action, actor_id, target_id, changed.join()]),
    [
      ['menu.created', editor.id, name, ''],
      ['menu.updated', editor.id, name, 'items'],
      ['menu.deleted', editor.id, name, ''],
    ],
  )
})

test('below editor everybody reads and nobody changes', async () => {
  const { name } = await newMenu()
  for (const role of ['viewer', 'author'] as const) {
    const { client } = await service.person(role)
    assert.equal((await client.get('/api/menus')).status, 200)
    assert.equal((await client.get(`/api/menus/${name}`)).status, 200)
    for (const attempt of [
      () => client.post('/api/menus', { name: 'mine' }),
      () => client.put(`/api/menus/${name}`, { label: 'Mine' }),
      () => client.delete(`/api/menus/${name}`),
    ])
      assert.equal((await refused('FORBIDDEN', attempt)).body.details.permission, 'menus.manage')
  }
})

describe('the list of menus', () => {
  test('is sorted by name, pages, and costs the same for any number of menus', async () => {
    const cost = async () => {
      const watch = service.cms.database.watchStatements()
      const { body } = await editor.client.get('/api/menus?limit=100')
      watch.stop()
      return { statements: watch.texts.length, body }
    }
    const few = await cost()
    for (let count = 0; count < 5; count += 1) await newMenu({ items: [home, home] })
    const more = await cost()
    assert.equal(more.statements, few.statements)
    assert.equal(more.statements, 3)
    assert.equal(more.body.meta.total, few.body.meta.total + 5)
    const names = more.body.items.map((menu: { name: string }) => menu.name)
    assert.deepEqual(names, names.toSorted())
    const { body } = await editor.client.get('/api/menus?limit=2&page=2')
    assert.deepEqual(body.items, more.body.items.slice(2, 4))
    assert.equal(body.meta.limit, 2)
    assert.deepEqual(keysOf(await editor.client.get('/api/menus?sort=label')), ['sort'])
  })
})
