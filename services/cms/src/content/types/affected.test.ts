import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { makeType, stateOf, storeEntry, text } from './testing/types.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  admin = await service.person('admin')
})
after(() => service.close())

let types = 0
/** What a change of these fields would mean for entries with this data. */
const tried = async (before: unknown[], entries: unknown[], after: unknown[]) => {
  types += 1
  const name = `type${types}`
  await makeType(admin.client, name, before)
  for (const data of entries) await storeEntry(service, name, { data })
  const state = await stateOf(service)
  const answer = await admin.client.put(`/api/types/${name}?dryRun=1`, { fields: after })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['affected', 'converted'])
  assert.deepEqual(await stateOf(service), state)
  return answer.body.affected
}

describe('a dry run counts entries', () => {
  test('that have a value in a field that is removed or hidden', async () => {
    const entries = [{ a: 'x', b: 'x' }, { a: 'x' }, { a: '' }, { a: null }, {}]
    assert.deepEqual(
      await tried([text('a'), text('b'), text('c')], entries, [text('b', { hidden: true }), text('c')]),
      [
        { key: 'a', count: 2 },
        { key: 'b', count: 1 },
      ],
    )
  })

  test('whose value does not fit the new type, and was shown before', async () => {
    const entries = [{ a: '2026-03-01' }, { a: 'soon' }, { a: '' }, { a: 7 }, {}]
    assert.deepEqual(await tried([text('a')], entries, [{ key: 'a', type: 'date' }]), [{ key: 'a', count: 1 }])
  })

  test('whose value breaks a narrower option', async () => {
    const entries = [{ a: 'long text', n: 5 }, { a: 'x', n: 50 }, { a: 'long as well' }]
    const after = [text('a', { maxLength: 3 }), { key: 'n', type: 'number', max: 10 }]
    assert.deepEqual(await tried([text('a'), { key: 'n', type: 'number' }], entries, after), [
      { key: 'a', count: 2 },
      { key: 'n', count: 1 },
    ])
    const choice = (...values: string[]) => ({
      key: 'c',
      type: 'select',
      options: values.map((value) => ({ value, label: value })),
    })
    assert.deepEqual(await tried([choice('x', 'y')], [{ c: 'x' }, { c: 'y' }, { c: 'y' }], [choice('x')]), [
      { key: 'c', count: 2 },
    ])
  })

  test('that lack a value which becomes required, also in a new field', async () => {
    const after = [text('a', { required: true }), text('b', { required: true })]
    assert.deepEqual(await tried([text('a')], [{ a: 'x' }, { a: ' ' }, {}], after), [
      { key: 'a', count: 2 },
      { key: 'b', count: 3 },
    ])
  })

  test('once each for fields inside of lists', async () => {
    const list = (...fields: unknown[]) => [{ key: 'items', type: 'list', fields }]
    const entries = [
      { items: [{ a: 'x' }, { a: 'y' }] },
      { items: [{ b: 'x' }] },
      { items: ['no item', null] },
      { items: 'no list' },
      {},
    ]
    assert.deepEqual(await tried(list(text('a'), text('b')), entries, list(text('b', { maxLength: 0 }))), [
      { key: 'items.a', count: 1 },
      { key: 'items.b', count: 1 },
    ])
  })

  test('that point to entries of the type that a reference no longer names', async () => {
    await makeType(admin.client, 'person')
    await makeType(admin.client, 'firm')
    const to = (name: string) => [{ key: 'who', type: 'reference', to: name }]
    assert.deepEqual(await tried(to('person'), [{ who: [newId()] }, { who: [] }], to('firm')), [
      { key: 'who', count: 1 },
    ])
  })

  test('that share values of a field that becomes unique', async () => {
    const entries = [{ a: 'x' }, { a: 'x' }, { a: 'y' }, { a: '' }, { a: '' }, {}]
    assert.deepEqual(await tried([text('a')], entries, [text('a', { unique: true })]), [{ key: 'a', count: 2 }])
  })

  test('by their unpublished changes as well, and none in the trash', async () => {
    await makeType(admin.client, 'copies', [text('a')])
    await storeEntry(service, 'copies', { data: {}, pending: { a: 'x' } })
    await storeEntry(service, 'copies', { data: { a: 'x' }, pending: { a: 'x' } })
    await storeEntry(service, 'copies', { data: { a: 'x' }, isTrashed: true })
    const { body } = await admin.client.put('/api/types/copies?dryRun=true', { fields: [] })
    assert.deepEqual(body, { affected: [{ key: 'a', count: 2 }], converted: [] })
  })

  test('of any number', async () => {
    await makeType(admin.client, 'crowd', [text('a')])
    await service.cms.database.tx((tx) =>
      tx.query({
        text: `insert into entry (id, type, slug, title, data, status, locale, created_at, updated_at)
          select gen_random_uuid(), 'crowd', 's' || n, '', jsonb_build_object('a', n::text), 'draft', 'en', now(), now()
          from generate_series(1, 1500) n`,
      }),
    )
    const { body } = await admin.client.put('/api/types/crowd?dryRun=1', { fields: [text('a', { maxLength: 3 })] })
    assert.deepEqual(body, { affected: [{ key: 'a', count: 501 }], converted: [] })
  })

  test('and none for what harms nothing', async () => {
    const after = [text('a', { label: 'Other', maxLength: 10, indexed: true }), text('b')]
    assert.deepEqual(await tried([text('a', { maxLength: 5, hidden: true })], [{ a: 'x' }], after), [])
    const { body } = await admin.client.put(`/api/types/type${types}?dryRun=1`, { label: 'L' })
    assert.deepEqual(body, { affected: [], converted: [] })
  })
})

test('a dry run for another version, or with invalid fields, is refused like the update', async () => {
  await makeType(admin.client, 'refused')
  const conflict = await admin.client.put('/api/types/refused?dryRun=1', { fields: [], version: 3 })
  assert.equal(conflict.body.code, 'VERSION_CONFLICT')
  const invalid = await admin.client.put('/api/types/refused?dryRun=1', { fields: [text('snake_case')] })
  assert.equal(invalid.status, 400)
})
