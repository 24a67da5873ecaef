import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { findType, listAllTypes, lockTypeShared, requireType } from './content-type.ts'
import { makeType, stateOf, storeEntry, text } from './testing/types.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  admin = await service.person('admin')
})
after(() => service.close())

const activityOf = (id: string) =>
  service.cms.database.db.selectFrom('activity').selectAll().where('target_id', '=', id).orderBy('id').execute()

describe('a new type', () => {
  test('is answered with every member filled in, 201, its version as ETag, and written to Activity', async () => {
    const answer = await admin.client.post('/api/types', {
      name: 'article',
      label: 'Article',
      fields: [text('subTitle'), { key: 'author', type: 'reference', to: 'article', multiple: false }],
      previewUrl: '/blog/{slug}',
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    const { fields, ...rest } = answer.body
    const at = service.clock.now().toISOString()
    assert.deepEqual(rest, {
      name: 'article',
      label: 'Article',
      labelPlural: 'Article',
      description: '',
      icon: '',
      kind: 'collection',
      previewUrl: '/blog/{slug}',
      taxonomies: [],
      version: 1,
      createdAt: at,
      updatedAt: at,
    })
    assert.deepEqual(fields[0], {
      key: 'subTitle',
      type: 'text',
      label: 'Sub title',
      help: '',
      required: false,
      unique: false,
      indexed: false,
      hidden: false,
      default: null,
    })
    const read = await admin.client.get('/api/types/article')
    assert.deepEqual(read.body, answer.body)
    assert.equal(read.headers.get('etag'), '"v1"')
    const [row] = await activityOf('article')
    assert.equal(row?.action, 'type.created')
    assert.equal(row?.actor_id, admin.id)
  })

  test('with a name that is taken is 409 NAME_TAKEN and leaves the other as it is', async () => {
    await makeType(admin.client, 'taken')
    const before = await stateOf(service)
    const answer = await admin.client.post('/api/types', { name: 'taken', label: 'Other' })
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'NAME_TAKEN')
    assert.deepEqual(await stateOf(service), before)
  })

  test('of one name, asked for ten times at once, is made once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.client.post('/api/types', { name: 'race', label: 'Race' })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
    assert.equal((await activityOf('race')).length, 1)
  })

  test('notifies listeners that the public can see it', async () => {
    const changes: unknown[] = []
    const stop = service.cms.services.bus.subscribe(
      (change) => void changes.push(change),
      () => undefined,
    )
    await makeType(admin.client, 'announced')
    stop()
    assert.deepEqual(changes, [
      {
        topic: 'type',
        event: 'type.created',
        data: { id: 'announced', type: 'announced', title: 'announced', isPublic: true },
      },
    ])
  })

  test('beyond five hundred is refused with a reason, and a removed one makes room', async () => {
    const full = await startCms()
    const owner = await full.person('owner')
    await full.cms.database.tx((tx) =>
      tx.query({
        text: `insert into content_type (name, label, label_plural, description, icon, kind, fields, created_at, updated_at)
          select 't' || n, 'T', 'T', '', '', 'collection', '[]', now(), now() from generate_series(1, 500) n`,
      }),
    )
    const refused = await owner.client.post('/api/types', { name: 'more', label: 'More' })
    assert.equal(refused.status, 409)
    assert.match(refused.body.error, /500/)
    assert.equal((await owner.client.delete('/api/types/t1')).status, 204)
    assert.equal((await owner.client.post('/api/types', { name: 'more', label: 'More' })).status, 201)
    assert.equal((await listAllTypes(full.cms.database.db)).length, 500)
    await full.close()
  })
})

describe('reading', () => {
  test('an unknown, malformed or inherited name is the same 404', async () => {
    for (const name of ['nothing', 'constructor', 'toString', '__proto__', 'A', 'a_b', 'x'.repeat(64), '%00', '1']) {
      const answer = await admin.client.get(`/api/types/${name}`)
      assert.equal(answer.status, 404, name)
      assert.equal(answer.body.code, 'NOT_FOUND', name)
    }
  })

  test('a list is paged, searched and sorted, and costs the same however many there are', async () => {
    const list = await startCms()
    const { client } = await list.person('viewer')
    const maker = await list.person('owner')
    for (const name of ['pear', 'apple', 'plum']) await makeType(maker.client, name)
    await maker.client.post('/api/taxonomies', { name: 'tags', label: 'Tags', types: ['apple', 'plum'] })
    await maker.client.post('/api/taxonomies', { name: 'all', label: 'All' })
    const watch = list.cms.database.watchStatements()
    const { body } = await client.get('/api/types')
    watch.stop()
    assert.deepEqual(
      body.items.map((item: { name: string; taxonomies: string[] }) => [item.name, item.taxonomies]),
      [
        ['apple', ['all', 'tags']],
        ['pear', ['all']],
        ['plum', ['all', 'tags']],
      ],
    )
    assert.deepEqual(body.meta, { total: 3, page: 1, limit: 25, pages: 1 })
    // Session, count, types, taxonomies.
    assert.equal(watch.texts.length, 4, watch.texts.join('\n'))
    const second = await client.get('/api/types?sort=-name&limit=1&page=2')
    assert.deepEqual(
      [second.body.items.map((item: { name: string }) => item.name), second.body.meta],
      [['pear'], { total: 3, page: 2, limit: 1, pages: 3 }],
    )
    assert.equal((await client.get('/api/types?q=%25')).body.meta.total, 0)
    assert.equal((await client.get('/api/types?q=PL')).body.meta.total, 2)
    assert.deepEqual((await client.get('/api/types?page=9')).body.items, [])
    for (const query of ['sort=fields', 'limit=0', 'page=x', 'what=1'])
      assert.equal((await client.get(`/api/types?${query}`)).status, 400, query)
    const one = list.cms.database.watchStatements()
    await client.get('/api/types/apple')
    one.stop()
    assert.equal(one.texts.length, 3, one.texts.join('\n'))
    await list.close()
  })

  test('for other slices: found, required, held and listed with parsed fields', async () => {
    await makeType(admin.client, 'inner', [{ key: 'price', type: 'number', min: 0 }])
    const { db, tx } = service.cms.database
    const found = await findType(db, 'inner')
    assert.equal(found?.fields[0]?.key, 'price')
    assert.ok(found.createdAt instanceof Date)
    assert.deepEqual(await requireType(db, 'inner'), found)
    assert.deepEqual(await tx((open) => lockTypeShared(open, 'inner')), found)
    assert.equal(await findType(db, 'nothing'), null)
    await assert.rejects(requireType(db, 'nothing'), { code: 'NOT_FOUND' })
    await assert.rejects(
      tx((open) => lockTypeShared(open, 'nothing')),
      { code: 'NOT_FOUND' },
    )
    const names = (await listAllTypes(db)).map(({ name }) => name)
    assert.deepEqual(names, [...names].sort())
    assert.ok(names.includes('inner'))
  })
})

describe('permissions', () => {
  const writes = (client: Person['client']) => [
    () => client.post('/api/types', { name: 'mine', label: 'Mine' }),
    () => client.put('/api/types/guarded', { label: 'Mine' }),
    () => client.put('/api/types/guarded?dryRun=1', { label: 'Mine' }),
    () => client.delete('/api/types/guarded'),
  ]

  test('viewer, author and editor read, and are refused every write', async () => {
    await makeType(admin.client, 'guarded')
    const before = await stateOf(service)
    for (const role of ['viewer', 'author', 'editor'] as const) {
      const { client } = await service.person(role)
      assert.equal((await client.get('/api/types')).status, 200)
      assert.equal((await client.get('/api/types/guarded')).status, 200)
      for (const write of writes(client)) {
        const answer = await write()
        assert.equal(answer.status, 403)
        assert.deepEqual(answer.body.details, { permission: 'types.manage' })
      }
    }
    assert.deepEqual(await stateOf(service), before)
  })

  test('an agent key reads and writes within its grants only', async () => {
    const reader = await agentFor(service, admin, { grants: ['content.read'] })
    const before = await stateOf(service)
    assert.equal((await reader.client.get('/api/types/guarded')).status, 200)
    for (const write of writes(reader.client)) assert.equal((await write()).status, 403)
    assert.deepEqual((await stateOf(service)).types, before.types)
    const maker = await agentFor(service, admin, { grants: ['types.manage'], name: 'Builder' })
    assert.equal((await maker.client.get('/api/types/guarded')).status, 403)
    await makeType(maker.client, 'byAgent')
    const [row] = await activityOf('byAgent')
    assert.deepEqual([row?.actor_kind, row?.via, row?.actor_id], ['agent', 'agent', maker.id])
  })
})

describe('deleting', () => {
  test('is 204, notifies listeners, and the name is free again', async () => {
    await makeType(admin.client, 'brief')
    const events: string[] = []
    const stop = service.cms.services.bus.subscribe(
      ({ event }) => void events.push(event),
      () => undefined,
    )
    assert.equal((await admin.client.delete('/api/types/brief')).status, 204)
    stop()
    assert.deepEqual(events, ['type.deleted'])
    assert.equal((await admin.client.get('/api/types/brief')).status, 404)
    assert.equal((await admin.client.delete('/api/types/brief')).status, 404)
    assert.deepEqual(
      (await activityOf('brief')).map(({ action }) => action),
      ['type.created', 'type.deleted'],
    )
    await makeType(admin.client, 'brief')
  })

  test('is 409 TYPE_IN_USE while entries exist, and says which are in the trash', async () => {
    await makeType(admin.client, 'used')
    await storeEntry(service, 'used', { isTrashed: true })
    const before = await stateOf(service)
    const trashed = await admin.client.delete('/api/types/used')
    assert.equal(trashed.status, 409)
    assert.equal(trashed.body.code, 'TYPE_IN_USE')
    assert.match(trashed.body.error, /1 entry of this type is in the trash/)
    assert.deepEqual(trashed.body.details, { reason: 'entries', present: 0, trashed: 1 })
    assert.deepEqual(await stateOf(service), before)
    await storeEntry(service, 'used')
    await storeEntry(service, 'used')
    const both = await admin.client.delete('/api/types/used')
    assert.match(both.body.error, /2 entries of this type, and 1 more in the trash/)
    assert.deepEqual(both.body.details, { reason: 'entries', present: 2, trashed: 1 })
  })

  test('is 409 while a field of another type points to it, also inside of lists, and names the field', async () => {
    await makeType(admin.client, 'person', [{ key: 'boss', type: 'reference', to: 'person' }])
    const inner = { key: 'authors', type: 'reference', to: 'person' }
    await makeType(admin.client, 'book', [{ key: 'parts', type: 'list', fields: [inner] }])
    const answer = await admin.client.delete('/api/types/person')
    assert.equal(answer.status, 409)
    assert.match(answer.body.error, /parts\.authors of book/)
    assert.deepEqual(answer.body.details, {
      reason: 'referenced',
      references: [{ type: 'book', key: 'parts.authors' }],
    })
    assert.equal((await admin.client.get('/api/types/person')).status, 200)
    assert.equal((await admin.client.put('/api/types/book', { fields: [] })).status, 200)
    assert.equal((await admin.client.delete('/api/types/person')).status, 204)
  })

  test('takes the type out of taxonomies', async () => {
    await makeType(admin.client, 'kept')
    await makeType(admin.client, 'lost')
    await admin.client.post('/api/taxonomies', { name: 'topics', label: 'Topics', types: ['kept', 'lost'] })
    assert.deepEqual((await admin.client.get('/api/types/lost')).body.taxonomies, ['topics'])
    assert.equal((await admin.client.delete('/api/types/lost')).status, 204)
    assert.deepEqual((await admin.client.get('/api/taxonomies/topics')).body.types, ['kept'])
  })

  test('for another version is 409 VERSION_CONFLICT and deletes nothing', async () => {
    await makeType(admin.client, 'versioned')
    const answer = await admin.client.delete('/api/types/versioned', { 'if-match': '"v2"' })
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'VERSION_CONFLICT')
    assert.equal((await admin.client.get('/api/types/versioned')).status, 200)
    assert.equal((await admin.client.delete('/api/types/versioned', { 'if-match': '"v1"' })).status, 204)
  })
})
