import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms, untilWaiting } from '@stoa/tests/lib/cms.ts'
import { lockTypeShared } from './content-type.ts'
import { makeType, stateOf, storeEntry, text } from './testing/types.ts'

let service: CmsService
let admin: Person
before(async () => {
  // Changed fields are brought to the entries in the background.
  service = await startCms({ background: true })
  admin = await service.person('admin', { name: 'Ada' })
})
after(() => service.close())

describe('an update', () => {
  test('changes only the members sent, and counts the version up', async () => {
    const made = await makeType(admin.client, 'partly', [text('a')], { description: 'Old', previewUrl: '/{slug}' })
    const answer = await admin.client.put('/api/types/partly', { label: 'New', previewUrl: null })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('etag'), '"v2"')
    assert.deepEqual(answer.body, { ...made, label: 'New', previewUrl: null, version: 2 })
    const rows = await service.cms.database.db
      .selectFrom('activity')
      .select(['action', 'changed'])
      .where('target_id', '=', 'partly')
      .orderBy('id')
      .execute()
    assert.deepEqual(rows[1], { action: 'type.updated', changed: ['label', 'previewUrl'] })
  })

  test('that changes nothing writes nothing, also with a whole record of fields sent back', async () => {
    const made = await makeType(admin.client, 'same', [
      text('a', { maxLength: 5 }),
      { key: 'items', type: 'list', fields: [text('b')], maxItems: 3 },
    ])
    const before = await stateOf(service)
    const answer = await admin.client.put('/api/types/same', { name: 'same', label: made.label, fields: made.fields })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.version, 1)
    assert.deepEqual(await stateOf(service), before)
  })

  test('never gives another name', async () => {
    await makeType(admin.client, 'named')
    const before = await stateOf(service)
    const answer = await admin.client.put('/api/types/named', { name: 'renamed', label: 'X' })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.details.fields[0].key, 'name')
    assert.deepEqual(await stateOf(service), before)
  })

  test('for another version is 409 with who made the present one; If-Match beats the body', async () => {
    await makeType(admin.client, 'stale')
    const answer = await admin.client.put('/api/types/stale', { label: 'X', version: 1 }, { 'if-match': '"v7"' })
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'VERSION_CONFLICT')
    assert.deepEqual(answer.body.details, {
      version: 1,
      updatedAt: service.clock.now().toISOString(),
      updatedBy: { id: admin.id, name: 'Ada' },
    })
    assert.equal((await admin.client.get('/api/types/stale')).body.label, 'stale')
    assert.equal(
      (await admin.client.put('/api/types/stale', { label: 'X', version: 9 }, { 'if-match': '"v1"' })).status,
      200,
    )
    assert.equal((await admin.client.put('/api/types/stale', { label: 'Y', version: 1 })).status, 409)
  })

  test('of one version, sent ten times at once, is made once', async () => {
    await makeType(admin.client, 'contested')
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        admin.client.put('/api/types/contested', { label: `L${index}` }, { 'if-match': '"v1"' }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)])
    const winner = answers.find(({ status }) => status === 200)
    assert.deepEqual((await admin.client.get('/api/types/contested')).body, winner?.body)
  })

  test('without a version keeps what others changed at the same time', async () => {
    await makeType(admin.client, 'together')
    await Promise.all([
      admin.client.put('/api/types/together', { label: 'L' }),
      admin.client.put('/api/types/together', { description: 'D' }),
    ])
    const { body } = await admin.client.get('/api/types/together')
    assert.deepEqual([body.label, body.description, body.version], ['L', 'D', 3])
  })

  test('waits for writers of entries of the type, and for nobody else', async () => {
    await makeType(admin.client, 'held')
    await makeType(admin.client, 'free')
    const { tx } = service.cms.database
    let waiting: Promise<{ status: number }> | undefined
    await tx(async (open) => {
      await lockTypeShared(open, 'held')
      assert.equal((await admin.client.put('/api/types/free', { label: 'X' })).status, 200)
      assert.equal((await admin.client.get('/api/types/held')).status, 200)
      waiting = admin.client.put('/api/types/held', { label: 'X' })
      await untilWaiting(open, 1)
    })
    assert.equal((await waiting)?.status, 200)
  })

  test('with a member that is not known, or of no such type, is refused', async () => {
    await makeType(admin.client, 'strict')
    for (const member of ['taxonomies', 'createdAt', 'constructor', 'whatever']) {
      const answer = await admin.client.put('/api/types/strict', { [member]: [] })
      assert.equal(answer.status, 400, member)
    }
    assert.equal((await admin.client.put('/api/types/strict?dryRun=yes', { label: 'X' })).status, 400)
    assert.equal((await admin.client.put('/api/types/missing', { label: 'X' })).status, 404)
    assert.equal((await admin.client.put('/api/types/missing?dryRun=1', { label: 'X' })).status, 404)
    assert.equal((await admin.client.get('/api/types/strict')).body.version, 1)
  })
})

describe('changing fields', () => {
  test('removing or retyping one leaves every stored value, and locks no entry', async () => {
    await makeType(admin.client, 'lasting', [text('a'), text('b')])
    const id = await storeEntry(service, 'lasting', {
      data: { a: 'one', b: 'two' },
      pending: { a: 'three', b: 'four' },
    })
    const before = await stateOf(service)
    await service.cms.database.tx(async (tx) => {
      // Others that write the entry at this moment are not in the way.
      await tx.query({ text: 'select id from entry where id = $1 for update', values: [id] })
      const answer = await admin.client.put('/api/types/lasting', { fields: [{ key: 'b', type: 'number' }] })
      assert.equal(answer.status, 200)
    })
    assert.deepEqual((await stateOf(service)).entries, before.entries)
    const back = await admin.client.put('/api/types/lasting', { fields: [text('a'), text('b')] })
    assert.equal(back.status, 200)
    assert.deepEqual((await stateOf(service)).entries, before.entries)
  })

  test('costs the same number of statements whatever the number of entries', async () => {
    const idle = await startCms()
    // It hands work to others only, so that nothing else is counted.
    await idle.cms.startBackground({ workers: false })
    const { client } = await idle.person('admin')
    await makeType(client, 'many')
    await storeEntry(idle, 'many')
    const cost = async (fields: unknown[]) => {
      const watch = idle.cms.database.watchStatements()
      assert.equal((await client.put('/api/types/many', { fields })).status, 200)
      watch.stop()
      return watch.texts.length
    }
    await cost([text('a')])
    const few = await cost([text('b')])
    for (let count = 0; count < 20; count += 1) await storeEntry(idle, 'many', { data: { a: String(count) } })
    assert.equal(await cost([text('c')]), few)
    assert.ok(few <= 18, `${few} statements`)
    await idle.close()
  })

  test('a reference must point to a type there is, or to its own', async () => {
    await makeType(admin.client, 'pointing')
    const before = await stateOf(service)
    const inner = { key: 'deep', type: 'reference', to: 'nowhere' }
    const answer = await admin.client.put('/api/types/pointing', {
      fields: [
        { key: 'self', type: 'reference', to: 'pointing' },
        { key: 'parts', type: 'list', fields: [text('x'), inner] },
      ],
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body.details.fields, [
      { key: 'fields.1.fields.1.to', message: "there is no content type 'nowhere'. Create it first." },
    ])
    assert.deepEqual(await stateOf(service), before)
    const post = await admin.client.post('/api/types', { name: 'fresh', label: 'F', fields: [inner] })
    assert.equal(post.body.details.fields[0].key, 'fields.0.to')
    assert.equal((await admin.client.get('/api/types/fresh')).status, 404)
  })

  test('a reference and the deletion of its target at the same time leave nothing that points nowhere', async () => {
    for (let round = 0; round < 5; round += 1) {
      await makeType(admin.client, `target${round}`)
      const [pointed, deleted] = await Promise.all([
        admin.client.post('/api/types', {
          name: `source${round}`,
          label: 'S',
          fields: [{ key: 'to', type: 'reference', to: `target${round}` }],
        }),
        admin.client.delete(`/api/types/target${round}`),
      ])
      assert.deepEqual(
        [
          [201, 409],
          [400, 204],
        ].filter(([made, gone]) => made === pointed.status && gone === deleted.status).length,
        1,
        `${pointed.status} ${deleted.status}`,
      )
    }
  })
})

describe('becoming single', () => {
  test('is 409 TYPE_IN_USE with more than one entry, those in the trash not counted', async () => {
    await makeType(admin.client, 'page')
    await storeEntry(service, 'page')
    await storeEntry(service, 'page')
    await storeEntry(service, 'page', { isTrashed: true })
    const before = await stateOf(service)
    for (const query of ['', '?dryRun=1']) {
      const answer = await admin.client.put(`/api/types/page${query}`, { kind: 'single' })
      assert.equal(answer.status, 409)
      assert.equal(answer.body.code, 'TYPE_IN_USE')
      assert.match(answer.body.error, /2 entries/)
      assert.deepEqual(answer.body.details, { reason: 'single', present: 2 })
    }
    assert.deepEqual(await stateOf(service), before)
  })

  test('and becoming a collection again is possible with one entry', async () => {
    await makeType(admin.client, 'home')
    await storeEntry(service, 'home')
    await storeEntry(service, 'home', { isTrashed: true })
    assert.equal((await admin.client.put('/api/types/home', { kind: 'single' })).body.kind, 'single')
    assert.equal((await admin.client.put('/api/types/home', { kind: 'collection' })).body.kind, 'collection')
  })
})
