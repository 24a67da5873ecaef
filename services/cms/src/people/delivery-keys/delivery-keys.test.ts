import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newKey } from '@stoa/kit/crypto/tokens.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { findDeliveryKey, touchDeliveryKey } from './key-cache.ts'

const MINUTE = 60_000

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  admin = await service.person('admin', { name: 'Ada' })
  await service.cms.database.tx((tx) =>
    tx
      .insertInto('content_type')
      .values(
        ['article', 'page', 'event'].map((name) => ({
          name,
          label: name,
          label_plural: name,
          description: '',
          icon: '',
          kind: 'collection' as const,
          preview_url: null,
          fields: '[]',
          created_at: service.clock.now(),
          updated_at: service.clock.now(),
          updated_by: null,
        })),
      )
      .execute(),
  )
})
after(() => service.close())

const keys = () => service.cms.database.db.selectFrom('delivery_key').selectAll().orderBy('id').execute()
const rowOf = (id: string) =>
  service.cms.database.db.selectFrom('delivery_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const mint = (members: Record<string, unknown> = {}) =>
  admin.client.post('/api/delivery-keys', { name: 'Website', types: ['*'], ...members })
const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  admin.client.put(`/api/delivery-keys/${id}`, body, headers)
const activityOf = async (id: string) => {
  const rows = await service.cms.database.db
    .selectFrom('activity')
    .selectAll()
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ action, actor_name, changed }) => `${action} by ${actor_name} ${changed.join()}`.trim())
}

/** Runs an attempt that must be refused with this answer and leave every key as it was. */
const refused = async (expected: string, attempt: () => Promise<CmsAnswer>, field?: string) => {
  const before = await keys()
  const answer = await attempt()
  assert.equal(`${answer.status} ${answer.body.code}`, expected)
  if (field !== undefined) assert.equal(answer.body.details.fields[0].key, field)
  assert.deepEqual(await keys(), before)
}

describe('minting a delivery key', () => {
  test('rule 5: answers the record with the key, which is shown this once', async () => {
    const answer = await mint({ name: ' Shop ', types: ['page', 'article', 'page'] })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    const { id, key, ...rest } = answer.body
    assert.match(key, /^cms_[0-9A-Za-z]{43}$/)
    assert.deepEqual(rest, {
      name: 'Shop',
      prefix: 'cms_',
      last4: key.slice(-4),
      createdAt: '2026-03-01T12:00:00.000Z',
      lastUsedAt: null,
      revokedAt: null,
      version: 1,
      types: ['page', 'article'],
    })
    const read = await admin.client.get(`/api/delivery-keys/${id}`)
    assert.deepEqual(read.body, { id, ...rest })
    assert.equal(read.headers.get('etag'), '"v1"')
    assert.ok(!(await admin.client.get('/api/delivery-keys')).text.includes(key))
    assert.deepEqual(await activityOf(id), ['deliveryKey.created by Ada'])
  })

  test('rule 5: only its SHA-256 is stored, and nothing of it is logged', async () => {
    const { id, key } = (await mint()).body
    await service.client().get('/api/auth/me', { 'x-api-key': key })
    await service.client({ token: key }).get('/api/auth/me')
    const row = await rowOf(id)
    assert.deepEqual(row.key_hash, createHash('sha256').update(key).digest())
    assert.ok(!JSON.stringify(row).includes(key.slice(4)))
    assert.ok(!service.logs.join('').includes(key.slice(4, -4)))
  })

  test('two with one name have different keys', async () => {
    const [first, second] = [(await mint()).body, (await mint()).body]
    assert.notEqual(first.key, second.key)
    assert.notEqual(first.id, second.id)
  })

  test('types must exist, or be * alone', async () => {
    for (const types of [['article', 'ghost'], [], ['*', 'article'], ['Article'], 'article', [1], [''], null])
      await refused('400 VALIDATION_FAILED', () => mint({ types }), Array.isArray(types) ? undefined : 'types')
    const answer = await mint({ types: ['ghost', 'article'] })
    assert.equal(answer.body.details.fields[0].key, 'types')
    assert.match(answer.body.details.fields[0].message, /ghost/)
    assert.doesNotMatch(answer.body.details.fields[0].message, /article/)
    await refused('400 VALIDATION_FAILED', () => mint({ types: undefined }), 'types')
  })

  test('C14: members that the service decides are refused', async () => {
    for (const extra of [
      { key: newKey('cms_') },
      { id: newId() },
      { revokedAt: null },
      { last4: 'abcd' },
      { name: '' },
    ])
      await refused('400 VALIDATION_FAILED', () => mint(extra))
  })

  test('needs keys.manage', async () => {
    const editor = await service.person('editor')
    await refused('403 FORBIDDEN', () => editor.client.post('/api/delivery-keys', { name: 'x', types: ['*'] }))
    assert.equal((await editor.client.get('/api/delivery-keys')).body.details.permission, 'keys.manage')
  })
})

describe('changing a delivery key', () => {
  test('only the members sent change, under a new version', async () => {
    const { id, createdAt } = (await mint({ types: ['article'] })).body
    service.clock.advance(1000)
    const renamed = await put(id, { name: 'Shop' })
    assert.equal(renamed.status, 200)
    assert.equal(renamed.headers.get('etag'), '"v2"')
    assert.deepEqual(renamed.body.types, ['article'])
    const rescoped = await put(id, { types: ['*'] })
    assert.equal(rescoped.body.name, 'Shop')
    assert.deepEqual(rescoped.body.types, ['*'])
    assert.equal(rescoped.body.version, 3)
    assert.equal(rescoped.body.createdAt, createdAt)
    assert.deepEqual(await activityOf(id), [
      'deliveryKey.created by Ada',
      'deliveryKey.updated by Ada name',
      'deliveryKey.updated by Ada types',
    ])
  })

  test('to what it is already changes nothing', async () => {
    const { id } = (await mint({ types: ['article', 'page'] })).body
    const answer = await put(id, { name: 'Website', types: ['article', 'page'] })
    assert.equal(answer.body.version, 1)
    assert.equal((await put(id, {})).body.version, 1)
    assert.deepEqual(await activityOf(id), ['deliveryKey.created by Ada'])
  })

  test('made for another version is refused, with who made the present one', async () => {
    const { id } = (await mint()).body
    const owner = await service.person('owner', { name: 'Olive' })
    await owner.client.put(`/api/delivery-keys/${id}`, { name: 'By Olive' })
    const attempts: (() => Promise<CmsAnswer>)[] = [
      () => put(id, { name: 'x' }, { 'if-match': '"v1"' }),
      () => put(id, { name: 'x', version: 1 }),
      () => put(id, { name: 'x', version: 2 }, { 'if-match': '"other"' }),
      () => admin.client.delete(`/api/delivery-keys/${id}`, { 'if-match': '"v1"' }),
    ]
    for (const attempt of attempts) await refused('409 VERSION_CONFLICT', attempt)
    assert.deepEqual((await put(id, { version: 1 })).body.details, {
      version: 2,
      updatedAt: service.clock.now().toISOString(),
      updatedBy: { id: owner.id, name: 'Olive' },
    })
    assert.equal((await put(id, { name: 'x', version: 1 }, { 'if-match': '"v2"' })).status, 200)
  })

  test('of twenty racing writes for one version one wins', async () => {
    const { id } = (await mint()).body
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => put(id, { name: `n${n}`, version: 1 })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await rowOf(id)).version, 2)
  })

  test('to types that do not exist, to no type, or with members that cannot change, is refused', async () => {
    const { id } = (await mint()).body
    for (const body of [
      { types: ['ghost'] },
      { types: [] },
      { name: '' },
      { last4: 'x' },
      { revokedAt: null },
      { key: 'x' },
    ])
      await refused('400 VALIDATION_FAILED', () => put(id, body))
  })

  test('an id that is none, or nobody’s, is not found', async () => {
    for (const id of ['1', 'null', newId()]) {
      assert.equal((await admin.client.get(`/api/delivery-keys/${id}`)).body.code, 'NOT_FOUND')
      assert.equal((await put(id, { name: 'x' })).body.code, 'NOT_FOUND')
      assert.equal((await admin.client.delete(`/api/delivery-keys/${id}`)).body.code, 'NOT_FOUND')
    }
  })
})

describe('revoking a delivery key', () => {
  test('keeps the record, and a second time changes nothing', async () => {
    const { id } = (await mint()).body
    service.clock.advance(1000)
    assert.equal((await admin.client.delete(`/api/delivery-keys/${id}`)).status, 204)
    const revoked = (await admin.client.get(`/api/delivery-keys/${id}`)).body
    assert.equal(revoked.revokedAt, service.clock.now().toISOString())
    assert.equal(revoked.version, 2)
    service.clock.advance(1000)
    assert.equal((await admin.client.delete(`/api/delivery-keys/${id}`)).status, 204)
    assert.deepEqual((await admin.client.get(`/api/delivery-keys/${id}`)).body, revoked)
    assert.deepEqual(await activityOf(id), ['deliveryKey.created by Ada', 'deliveryKey.revoked by Ada'])
  })

  test('a revoked key cannot be changed back to life', async () => {
    const { id } = (await mint()).body
    await admin.client.delete(`/api/delivery-keys/${id}`)
    await refused('409 INVALID_STATE', () => put(id, { name: 'x' }))
    await refused('400 VALIDATION_FAILED', () => put(id, { revokedAt: null }))
  })
})

test('the list has every key, the newest first, in pages', async () => {
  const total = (await keys()).length
  service.clock.advance(1000)
  const { id } = (await mint({ name: 'Newest' })).body
  const { body } = await admin.client.get('/api/delivery-keys?limit=2')
  assert.equal(body.items[0].id, id)
  assert.deepEqual(body.meta, { total: total + 1, page: 1, limit: 2, pages: Math.ceil((total + 1) / 2) })
  assert.equal((await admin.client.get('/api/delivery-keys?sort=name')).status, 400)
})

describe('what delivery finds', () => {
  test('a key by its text in one prepared statement, with its scopes; a revoked one marked; others not at all', async () => {
    const { db } = service.cms.database
    const { id, key } = (await mint({ types: ['article'] })).body
    const watch = service.cms.database.watchStatements()
    const found = await findDeliveryKey(db, key)
    watch.stop()
    assert.equal(watch.texts.length, 1)
    assert.deepEqual(found, {
      id,
      name: 'Website',
      types: ['article'],
      version: 1,
      lastUsedAt: null,
      isRevoked: false,
    })
    await admin.client.delete(`/api/delivery-keys/${id}`)
    assert.equal((await findDeliveryKey(db, key))?.isRevoked, true)
    for (const other of [newKey('cms_'), key.slice(0, -1), `${key} `, key.toUpperCase(), ''])
      assert.equal(await findDeliveryKey(db, other), null)
  })

  test('use is written down once a minute at most, and is no change of the record', async () => {
    const { id } = (await mint()).body
    const touch = () => service.cms.database.tx((tx) => touchDeliveryKey(tx, id, service.clock.now()))
    await touch()
    const first = service.clock.now()
    service.clock.advance(MINUTE - 1)
    await touch()
    assert.deepEqual((await rowOf(id)).last_used_at, first)
    service.clock.advance(1)
    await touch()
    const { last_used_at, version } = await rowOf(id)
    assert.deepEqual(last_used_at, service.clock.now())
    assert.equal(version, 1)
    const { lastUsedAt } = (await admin.client.get(`/api/delivery-keys/${id}`)).body
    assert.equal(lastUsedAt, service.clock.now().toISOString())
  })

  test('other processes are notified of a change once it is committed, so that no stale copy is used', async () => {
    const events: string[] = []
    service.cms.database.onCommit({
      after: (changes) => void events.push(...changes.map(({ event, data }) => `${event} ${data.id}`)),
    })
    const { id } = (await mint()).body
    await put(id, { name: 'Shop' })
    await refused('400 VALIDATION_FAILED', () => put(id, { types: ['ghost'] }))
    await admin.client.delete(`/api/delivery-keys/${id}`)
    assert.deepEqual(events, [`deliveryKey.created ${id}`, `deliveryKey.updated ${id}`, `deliveryKey.revoked ${id}`])
  })
})
