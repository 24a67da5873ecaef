import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { contextFor } from '../../context.ts'
import { resyncTypes } from '../entries/resync.ts'
import { makeType, stateOf, text } from './testing/types.ts'

// It hands work to others only: a test says when the work is done.
let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  await service.cms.startBackground({ workers: false })
  admin = await service.person('admin')
})
after(() => service.close())

const resync = () =>
  resyncTypes(contextFor(service.cms.services, { kind: 'system', name: 'test' }), new AbortController().signal)

const addEntry = async (type: string, data: object): Promise<string> => {
  const answer = await admin.client.post('/api/entries', { type, title: 'An entry', data })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const publish = async (id: string): Promise<void> =>
  assert.equal((await admin.client.post(`/api/entries/${id}/status`, { action: 'publish' })).status, 200)
const readEntry = async (id: string) => (await admin.client.get(`/api/entries/${id}`)).body
const change = (type: string, body: object, query = '') => admin.client.put(`/api/types/${type}${query}`, body)
const choices = [{ value: 'red' }, { value: 'blue' }]

const stored = async (id: string) => {
  const [row] = await service.cms.database.db.query<Record<string, unknown>>({
    text: 'select data, pending, version, updated_at from entry where id = $1',
    values: [id],
  })
  return row ?? {}
}
const eventsSince = async (id: string) =>
  (
    await service.cms.database.db.query<{ action: string }>({
      text: 'select action from activity where id > $1::uuid order by id',
      values: [id],
    })
  ).map(({ action }) => action)
const lastActivity = async (): Promise<string> =>
  (await service.cms.database.db.query<{ id: string }>({ text: 'select id from activity order by id desc limit 1' }))[0]
    ?.id ?? ''

describe('a field that gets a type which takes its values', () => {
  const before = [
    { key: 'one', type: 'reference', to: 'target', multiple: false },
    { key: 'colour', type: 'select', options: choices },
    text('line'),
    text('body'),
    { key: 'price', type: 'number' },
    { key: 'cover', type: 'number' },
    { key: 'rows', type: 'list', fields: [{ key: 'n', type: 'number' }, text('gone')] },
  ]
  const after = [
    { key: 'one', type: 'reference', to: 'target' },
    { key: 'colour', type: 'multiselect', options: choices },
    { key: 'line', type: 'textarea' },
    { key: 'body', type: 'richtext' },
    text('price', { unique: true }),
    { key: 'cover', type: 'richtext' },
    { key: 'rows', type: 'list', fields: [text('n'), text('gone')] },
  ]
  let id: string
  let target: string
  let expected: object

  test('says in a dry run how many values stay and how many are lost, and saves nothing', async () => {
    await makeType(admin.client, 'target')
    await makeType(admin.client, 'converted', before)
    target = await addEntry('target', {})
    const data = {
      one: target,
      colour: 'red',
      line: 'A line',
      body: 'Fish & chips < 5\u00a0£',
      price: 12.5,
      cover: 3,
      rows: [{ n: 1, gone: 'x' }],
    }
    id = await addEntry('converted', data)
    await publish(id)
    await addEntry('converted', { line: 'Another' })
    const state = await stateOf(service)
    const fewer = after.map((field) => (field.key === 'colour' ? { ...field, options: [{ value: 'blue' }] } : field))
    const { body } = await change('converted', { fields: fewer }, '?dryRun=1')
    assert.deepEqual(body.converted, [
      { key: 'one', from: 'reference', to: 'reference', count: 1, lost: 0 },
      { key: 'colour', from: 'select', to: 'multiselect', count: 0, lost: 1 },
      { key: 'line', from: 'text', to: 'textarea', count: 2, lost: 0 },
      { key: 'body', from: 'text', to: 'richtext', count: 1, lost: 0 },
      { key: 'price', from: 'number', to: 'text', count: 1, lost: 0 },
      { key: 'cover', from: 'number', to: 'richtext', count: 1, lost: 0 },
      { key: 'rows.n', from: 'number', to: 'text', count: 1, lost: 0 },
    ])
    assert.deepEqual(
      body.affected.filter(({ count }: { count: number }) => count > 0),
      [{ key: 'colour', count: 1 }],
    )
    assert.deepEqual(await stateOf(service), state)
  })

  test('shows them converted at once, and no entry gets another version or date', async () => {
    // Unpublished changes are converted as well.
    assert.equal((await admin.client.put(`/api/entries/${id}`, { data: { price: 7 }, mode: 'draft' })).status, 200)
    const untouched = await stored(id)
    const since = await lastActivity()
    assert.equal((await change('converted', { fields: after })).status, 200)
    expected = {
      one: [target],
      colour: ['red'],
      line: 'A line',
      body: '<p>Fish &amp; chips &lt; 5&nbsp;£</p>',
      price: '12.5',
      cover: '<p>3</p>',
      rows: [{ n: '1', gone: 'x' }],
    }
    const entry = await readEntry(id)
    assert.deepEqual(entry.live.data, expected)
    assert.deepEqual(entry.data, { ...expected, price: '7' })
    assert.deepEqual(await stored(id), untouched)
    assert.deepEqual(await eventsSince(since), ['type.updated'])
  })

  test('claims unique values before they are rewritten', async () => {
    const answer = await admin.client.post('/api/entries', { type: 'converted', title: 'x', data: { price: '12.5' } })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.details.fields[0].key, 'price')
  })

  test('stores them converted in the background: same version, same date, no event', async () => {
    const { version, updated_at } = await stored(id)
    const since = await lastActivity()
    await resync()
    const row = await stored(id)
    assert.deepEqual(row.data, expected)
    assert.deepEqual((row.pending as { data: unknown }).data, { ...expected, price: '7' })
    assert.deepEqual([row.version, row.updated_at], [version, updated_at])
    assert.deepEqual(await eventsSince(since), [])
    assert.deepEqual((await readEntry(id)).live.data, expected)
    const misfits = await service.cms.database.db.query<{ misfits: string[] }>({
      text: "select misfits from content_type where name = 'converted'",
    })
    assert.deepEqual(misfits[0]?.misfits, [])
  })
})

describe('a value of a field that was removed from a list', () => {
  test('stays through later edits of the list, and comes back with the field', async () => {
    const list = (...fields: object[]) => [{ key: 'rows', type: 'list', fields }]
    await makeType(admin.client, 'kept', list(text('name'), text('note')))
    const rows = [
      { name: 'a', note: 'first' },
      { name: 'b', note: 'second' },
    ]
    const id = await addEntry('kept', { rows })
    await change('kept', { fields: list(text('name')) })
    assert.deepEqual((await readEntry(id)).data, { rows: [{ name: 'a' }, { name: 'b' }] })
    const edit = { data: { rows: [{ name: 'b' }, { name: 'a, edited' }, { name: 'new' }] } }
    const edited = await admin.client.put(`/api/entries/${id}`, edit)
    assert.deepEqual([edited.status, edited.body.data], [200, edit.data])
    await change('kept', { fields: list(text('name'), text('note')) })
    assert.deepEqual((await readEntry(id)).data.rows.slice(0, 1), [{ name: 'b', note: 'second' }])
    const refused = await admin.client.put(`/api/entries/${id}`, { data: { rows: [{ name: 'x', other: 1 }] } })
    assert.deepEqual([refused.status, refused.body.details.fields[0].key], [400, 'rows.0.other'])
  })
})

describe('a key that is renamed', () => {
  const fields = [text('a', { unique: true }), text('other'), { key: 'rows', type: 'list', fields: [text('n')] }]
  const renames = { a: 'headline', 'rows.n': 'rows.name' }
  let id: string

  test('is tried without saving, and says how many entries have a value', async () => {
    await makeType(admin.client, 'renamed', fields)
    id = await addEntry('renamed', { a: 'first', rows: [{ n: 'x' }] })
    await admin.client.put(`/api/entries/${id}`, { data: { a: 'second' } })
    await publish(id)
    await addEntry('renamed', { other: 'x' })
    await admin.client.put(`/api/entries/${id}`, { data: { a: 'third' }, mode: 'draft' })
    const state = await stateOf(service)
    const { status, body } = await change('renamed', { renames }, '?dryRun=1')
    assert.equal(status, 200)
    assert.deepEqual(body.renamed, [
      { from: 'a', to: 'headline', count: 1 },
      { from: 'rows.n', to: 'rows.name', count: 1 },
    ])
    assert.deepEqual(body.affected, [])
    assert.deepEqual(await stateOf(service), state)
  })

  test('moves its values in one step: live, unpublished and unique ones', async () => {
    const { version, updated_at } = await stored(id)
    const since = await lastActivity()
    const answer = await change('renamed', { renames })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(
      answer.body.fields.map(({ key }: { key: string }) => key),
      ['headline', 'other', 'rows'],
    )
    const entry = await readEntry(id)
    assert.deepEqual(entry.data, { headline: 'third', other: '', rows: [{ name: 'x' }] })
    assert.equal(entry.live.data.headline, 'second')
    const row = await stored(id)
    assert.deepEqual([row.version, row.updated_at], [version, updated_at])
    assert.deepEqual(row.data, { headline: 'second', rows: [{ name: 'x' }] })
    assert.deepEqual(await eventsSince(since), ['type.updated'])
    const twice = await admin.client.post('/api/entries', { type: 'renamed', title: 'x', data: { headline: 'second' } })
    assert.equal(twice.status, 400)
  })

  test('keeps its history: revisions from before are read, compared and restored under the new key', async () => {
    const { items } = (await admin.client.get(`/api/entries/${id}/revisions`)).body
    const first = items.at(-1).id
    const revision = (await admin.client.get(`/api/entries/${id}/revisions/${first}`)).body
    assert.equal(revision.data.headline, 'first')
    const { changes } = (await admin.client.get(`/api/entries/${id}/revisions/${first}/diff?against=current`)).body
    assert.deepEqual(
      changes.map(({ path }: { path: string }) => path),
      ['data.headline'],
    )
    const restored = await admin.client.post(`/api/entries/${id}/revisions/${first}/restore`, { mode: 'draft' })
    assert.equal(restored.status, 200, restored.text)
    assert.equal(restored.body.data.headline, 'first')
  })

  test('and retyped at once is converted', async () => {
    await makeType(admin.client, 'both', [{ key: 'count', type: 'number' }])
    const entry = await addEntry('both', { count: 5 })
    const body = { fields: [text('amount')], renames: { count: 'amount' } }
    const trial = await change('both', body, '?dryRun=1')
    assert.deepEqual(trial.body.converted, [{ key: 'amount', from: 'number', to: 'text', count: 1, lost: 0 }])
    assert.deepEqual(trial.body.affected, [{ key: 'amount', count: 0 }])
    assert.equal((await change('both', body)).status, 200)
    assert.deepEqual((await readEntry(entry)).data, { amount: '5' })
  })

  for (const [what, body, key] of [
    ['is not there', { renames: { nothing: 'x' } }, 'renames.nothing'],
    ['would take the key of another field', { renames: { other: 'headline' } }, 'renames.other'],
    ['is missing from the fields sent', { fields: [text('headline')], renames: { other: 'more' } }, 'renames.other'],
    ['is no key', { renames: { other: 'Not a key' } }, 'renames.other'],
  ] as const)
    test(`and ${what} is refused, also in a dry run`, async () => {
      const state = await stateOf(service)
      for (const query of ['', '?dryRun=1']) {
        const answer = await change('renamed', body, query)
        assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'])
        assert.equal(answer.body.details.fields[0].key, key)
      }
      assert.deepEqual(await stateOf(service), state)
    })

  test('to one whose removed field still has values is refused: nothing is overwritten', async () => {
    await makeType(admin.client, 'occupied', [text('a'), text('b')])
    await addEntry('occupied', { a: 'x', b: 'y' })
    await change('occupied', { fields: [text('a')] })
    const state = await stateOf(service)
    for (const query of ['', '?dryRun=1']) {
      const answer = await change('occupied', { renames: { a: 'b' } }, query)
      assert.deepEqual([answer.status, answer.body.details.fields[0].key], [400, 'renames.a'])
    }
    assert.deepEqual(await stateOf(service), state)
  })

  test('while entries are being saved loses none of them', async () => {
    await makeType(admin.client, 'busy', [text('a')])
    const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => addEntry('busy', { a: `v${index}` })))
    const saves = ids.map((entry) => admin.client.put(`/api/entries/${entry}`, { title: 'Saved' }))
    const [renamed, ...answers] = await Promise.all([change('busy', { renames: { a: 'b' } }), ...saves])
    assert.deepEqual(
      [renamed, ...answers].map((answer) => answer?.status),
      [200, 200, 200, 200, 200, 200],
    )
    const values = await Promise.all(ids.map(async (entry) => (await readEntry(entry)).data.b))
    assert.deepEqual(values, ['v0', 'v1', 'v2', 'v3', 'v4'])
  })
})
