import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { contextFor } from '../../context.ts'
import { forgetType, taxonomiesOfTypes } from './taxonomies.ts'
import { type Ground, keysOf, startGround } from './testing/ground.ts'
import {
  insertEntry,
  insertType,
  listActivity,
  listAttachments,
  listenToChanges,
  listRows,
  moveToTrash,
} from './testing/queries.ts'

let ground: Ground
before(async () => {
  ground = await startGround()
  for (const name of ['article', 'page', 'product']) await insertType(ground.service, name)
})
after(() => ground.close())

const post = (body: unknown) => ground.client.post('/api/taxonomies', body)
const get = (name: string) => ground.client.get(`/api/taxonomies/${name}`)
const put = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  ground.client.put(`/api/taxonomies/${name}`, body, headers)

describe('making a taxonomy', () => {
  test('answers the bare record with its version; it is flat and for all types by default', async () => {
    const answer = await post({ name: 'tags', label: 'Tags' })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    assert.deepEqual(answer.body, {
      id: answer.body.id,
      name: 'tags',
      label: 'Tags',
      hierarchical: false,
      types: ['*'],
      terms: [],
      termCount: 0,
      version: 1,
    })
    assert.deepEqual((await get('tags')).body, answer.body)
  })

  test('a taken name is refused, and of ten racing ones one wins', async () => {
    const name = await ground.newTaxonomy()
    await ground.refused('NAME_TAKEN', () => post({ name, label: 'Other' }))
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ name: 'racing', label: 'R' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
  })

  test('types are types that exist; one that is named twice counts once', async () => {
    const answer = await ground.refused('VALIDATION_FAILED', () =>
      post({ name: 'x', label: 'X', types: ['page', 'nope', 'article', 'none'] }),
    )
    assert.deepEqual(keysOf(answer), ['types.1', 'types.3'])
    const { body } = await post({ name: 'sections', label: 'X', types: ['page', 'article', 'page'] })
    assert.deepEqual(body.types, ['page', 'article'])
  })

  for (const [key, body] of [
    ['name', { label: 'X' }],
    ['label', { name: 'x' }],
    ['label', { name: 'x', label: ' ' }],
    ['label', { name: 'x', label: 'a\nb' }],
    ['label', { name: 'x', label: 'x'.repeat(201) }],
    ['hierarchical', { name: 'x', label: 'X', hierarchical: 'yes' }],
    ['types', { name: 'x', label: 'X', types: 'page' }],
    ['types', { name: 'x', label: 'X', types: ['*', 'page'] }],
    ['types.0', { name: 'x', label: 'X', types: ['__proto__'] }],
    ['types.0', { name: 'x', label: 'X', types: ['constructor'] }],
    ['types', { name: 'x', label: 'X', types: Array(501).fill('page') }],
    ['terms', { name: 'x', label: 'X', terms: [] }],
    ['id', { name: 'x', label: 'X', id: 'x' }],
    ['version', { name: 'x', label: 'X', version: 1 }],
  ] as [string, unknown][])
    test(`refuses ${JSON.stringify(body).slice(0, 60)}, naming ${key}`, async () => {
      assert.deepEqual(keysOf(await ground.refused('VALIDATION_FAILED', () => post(body))), [key])
    })

  for (const name of ['', 'Tags', 'a b', 'a_b', '-a', 'a--b', '../a', '__proto__', 'constructor', 'x'.repeat(64)])
    test(`C63: "${name.slice(0, 20)}" is no name, and no taxonomy of that name is found`, async () => {
      assert.deepEqual(keysOf(await ground.refused('VALIDATION_FAILED', () => post({ name, label: 'X' }))), ['name'])
      if (name !== '') assert.equal((await get(encodeURIComponent(name))).status, 404)
    })
})

describe('changing a taxonomy', () => {
  test('changes only the members sent, the name too', async () => {
    const name = await ground.newTaxonomy({ hierarchical: true, types: ['page'] })
    const term = await ground.newTerm(name, { name: 'News' })
    const before = (await get(name)).body
    const labelled = await put(name, { label: 'Labelled' })
    assert.deepEqual(labelled.body, { ...before, label: 'Labelled', version: 2 })
    assert.equal(labelled.headers.get('etag'), '"v2"')
    const renamed = await put(name, { name: `${name}-new`, types: [] })
    assert.deepEqual(renamed.body, { ...before, name: `${name}-new`, label: 'Labelled', types: [], version: 3 })
    assert.equal(renamed.body.terms[0].id, term.id)
    assert.equal((await get(name)).status, 404)
  })

  test('to a taken name, an unknown type or an unknown member is refused', async () => {
    const [name, other] = [await ground.newTaxonomy(), await ground.newTaxonomy()]
    await ground.refused('NAME_TAKEN', () => put(name, { name: other }))
    assert.deepEqual(keysOf(await ground.refused('VALIDATION_FAILED', () => put(name, { types: ['nope'] }))), [
      'types.0',
    ])
    assert.deepEqual(keysOf(await ground.refused('VALIDATION_FAILED', () => put(name, { slug: 'x' }))), ['slug'])
    await ground.refused('NOT_FOUND', () => put('missing', { label: 'X' }))
  })

  test('what is as it was makes no new version and no Activity', async () => {
    const name = await ground.newTaxonomy({ types: ['page', 'article'] })
    const before = { record: (await get(name)).body, activity: await listActivity(ground.service) }
    const { label, hierarchical, types } = before.record
    assert.deepEqual((await put(name, { name, label, hierarchical, types })).body, before.record)
    assert.deepEqual(await listActivity(ground.service), before.activity)
  })

  test('of two changes for the same version one is rejected, with who made the other', async () => {
    const name = await ground.newTaxonomy()
    const answers = await Promise.all(['a', 'b'].map((label) => put(name, { label }, { 'if-match': '"v1"' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const conflict = answers.find(({ status }) => status === 409)?.body
    assert.equal(conflict.code, 'VERSION_CONFLICT')
    assert.equal(conflict.details.version, 2)
    assert.equal(conflict.details.updatedBy.id, ground.editor.id)
    assert.deepEqual((await get(name)).body, answers.find(({ status }) => status === 200)?.body)
  })

  test('a body version counts, and If-Match beats it', async () => {
    const name = await ground.newTaxonomy()
    await ground.refused('VERSION_CONFLICT', () => put(name, { label: 'x', version: 2 }))
    await ground.refused('VERSION_CONFLICT', () => put(name, { label: 'x', version: 1 }, { 'if-match': '"v2"' }))
    assert.equal((await put(name, { label: 'x', version: 9 }, { 'if-match': '"v1"' })).status, 200)
  })

  test('it becomes flat only when no term is below another', async () => {
    const name = await ground.newTaxonomy({ hierarchical: true })
    const parent = await ground.newTerm(name, { name: 'Parent' })
    await ground.newTerm(name, { name: 'Child', parentId: parent.id })
    const answer = await ground.refused('INVALID_STATE', () => put(name, { hierarchical: false }))
    assert.equal(answer.status, 409)
    assert.equal(answer.body.details.nested, 1)
    await ground.client.put(`/api/taxonomies/${name}/terms/child`, { parentId: null })
    assert.equal((await put(name, { hierarchical: false })).body.hierarchical, false)
  })
})

describe('removing a taxonomy', () => {
  test('removes its terms and that entries have them, and nothing else', async () => {
    const [name, kept] = [await ground.newTaxonomy({ hierarchical: true }), await ground.newTaxonomy()]
    const parent = await ground.newTerm(name, { name: 'Parent' })
    const child = await ground.newTerm(name, { name: 'Child', parentId: parent.id })
    const other = await ground.newTerm(kept, { name: 'Other' })
    const entryId = await insertEntry(ground.service, { type: 'page' })
    await ground.attach(entryId, parent, child, other)
    await ground.refused('VERSION_CONFLICT', () =>
      ground.client.delete(`/api/taxonomies/${name}`, { 'if-match': '"v2"' }),
    )
    assert.equal((await ground.client.delete(`/api/taxonomies/${name}`)).status, 204)
    const { taxonomies, terms } = await listRows(ground.service)
    assert.ok(taxonomies.every((row) => row.name !== name))
    assert.ok(terms.every(({ id }) => id !== parent.id && id !== child.id))
    assert.deepEqual(await listAttachments(ground.service), [{ entry_id: entryId, term_id: other.id }])
    await ground.refused('NOT_FOUND', () => ground.client.delete(`/api/taxonomies/${name}`))
    await ground.refused('NOT_FOUND', () => get(name))
  })
})

describe('the list of taxonomies', () => {
  test('has the terms of each with their counts, and costs the same for any number of either', async () => {
    const cost = async () => {
      const watch = ground.service.cms.database.watchStatements()
      const { body } = await ground.client.get('/api/taxonomies?limit=100')
      watch.stop()
      return { statements: watch.texts.length, body }
    }
    const few = await cost()
    const name = await ground.newTaxonomy({ hierarchical: true })
    for (let count = 0; count < 3; count += 1) await ground.newTaxonomy()
    const parent = await ground.newTerm(name, { name: 'Parent' })
    const child = await ground.newTerm(name, { name: 'Child', parentId: parent.id })
    const unused = await ground.newTerm(name, { name: 'Unused' })
    const published = await insertEntry(ground.service, { type: 'page', status: 'published' })
    const draft = await insertEntry(ground.service, { type: 'page' })
    await ground.attach(published, parent, child)
    await ground.attach(draft, parent)
    const more = await cost()
    assert.equal(more.statements, few.statements)
    assert.equal(more.statements, 5)
    assert.equal(more.body.meta.total, few.body.meta.total + 4)
    const found = more.body.items.find((taxonomy: { name: string }) => taxonomy.name === name)
    assert.deepEqual(
      found.terms.map((term: { id: string; count: number }) => [term.id, term.count]),
      [
        [parent.id, 1],
        [child.id, 1],
        [unused.id, 0],
      ],
    )
    assert.equal(found.termCount, 3)
    await moveToTrash(ground.service, published)
    const { body } = await get(name)
    assert.deepEqual(
      body.terms.map((term: { count: number }) => term.count),
      [0, 0, 0],
    )
    const names = more.body.items.map((taxonomy: { name: string }) => taxonomy.name)
    assert.deepEqual(names, names.toSorted())
    assert.deepEqual(keysOf(await ground.client.get('/api/taxonomies?sort=label')), ['sort'])
  })

  test('counts change without a new version, so that no answer is "not modified"', async () => {
    const name = await ground.newTaxonomy()
    const headers = { 'if-none-match': '"v1"' }
    assert.equal((await ground.client.get(`/api/taxonomies/${name}`, headers)).status, 200)
  })
})

test('every change is recorded: who did it, and what the public must reload', async () => {
  const changes = listenToChanges(ground.service)
  const name = await ground.newTaxonomy({ label: 'Topics' })
  const { body } = await put(name, { name: `${name}-x` })
  await ground.newTerm(body.name, { name: 'News' })
  await ground.client.put(`/api/taxonomies/${body.name}/terms/news`, { description: 'What is new' })
  await ground.client.delete(`/api/taxonomies/${body.name}/terms/news`)
  await ground.client.delete(`/api/taxonomies/${body.name}`)
  assert.deepEqual(
    changes.map(({ event, data }) => [event, data.id, data.slug, data.isPublic]),
    [name, ...Array(5).fill(body.name)].map((slug) => ['taxonomy.updated', body.id, slug, true]),
  )
  const recorded = (await listActivity(ground.service)).slice(-6)
  assert.deepEqual(
    recorded.map(({ action, actor_id, target_label, changed }) => [action, actor_id, target_label, changed.join()]),
    [
      ['taxonomy.created', ground.editor.id, 'Topics', ''],
      ['taxonomy.updated', ground.editor.id, 'Topics', 'name'],
      ['term.created', ground.editor.id, 'News', ''],
      ['term.updated', ground.editor.id, 'News', 'description'],
      ['term.deleted', ground.editor.id, 'News', ''],
      ['taxonomy.deleted', ground.editor.id, 'Topics', ''],
    ],
  )
})

test('below editor everybody reads and nobody changes', async () => {
  const name = await ground.newTaxonomy()
  await ground.newTerm(name, { name: 'News' })
  const path = `/api/taxonomies/${name}`
  for (const role of ['viewer', 'author'] as const) {
    const { client } = await ground.service.person(role)
    for (const read of ['/api/taxonomies', path, `${path}/terms`, `${path}/terms/news`])
      assert.equal((await client.get(read)).status, 200)
    for (const attempt of [
      () => client.post('/api/taxonomies', { name: 'mine', label: 'Mine' }),
      () => client.put(path, { label: 'Mine' }),
      () => client.delete(path),
      () => client.post(`${path}/terms`, { name: 'Mine' }),
      () => client.put(`${path}/terms/news`, { name: 'Mine' }),
      () => client.delete(`${path}/terms/news`),
    ])
      assert.equal((await ground.refused('FORBIDDEN', attempt)).body.details.permission, 'taxonomy.manage')
  }
})

describe('for types', () => {
  test('each type has the taxonomies that name it or all, and loses none when another type is forgotten', async () => {
    const { database, services } = ground.service.cms
    await insertType(ground.service, 'event')
    const named = await ground.newTaxonomy({ types: ['event', 'product'] })
    const none = await ground.newTaxonomy({ types: [] })
    const all = await ground.newTaxonomy()
    const byType = await taxonomiesOfTypes(database.db, ['event', 'product', 'constructor'])
    for (const type of ['event', 'product']) {
      assert.ok(byType.get(type)?.includes(named))
      assert.ok(byType.get(type)?.includes(all))
      assert.ok(!byType.get(type)?.includes(none))
    }
    assert.ok(!byType.get('constructor')?.includes(named))

    const { id, email, role } = ground.editor
    const now = ground.service.clock.now()
    const account = {
      id,
      email,
      role,
      name: 'Ed',
      avatar: null,
      hasTotp: false,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    const ctx = contextFor(services, { kind: 'session' as const, sessionId: ground.editor.sessionId, account })
    const before = (await get(named)).body
    await database.tx((tx) => forgetType(ctx, tx, 'event'))
    assert.deepEqual((await get(named)).body, { ...before, types: ['product'], version: before.version + 1 })
    assert.deepEqual((await get(all)).body.types, ['*'])
    await database.tx((tx) => forgetType(ctx, tx, 'product'))
    assert.deepEqual((await get(named)).body.types, [])
  })
})
