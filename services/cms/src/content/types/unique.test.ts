import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms, untilWaiting } from '@stoa/tests/lib/cms.ts'
import { lockTypeShared, requireType } from './content-type.ts'
import { makeType, stateOf, storeEntry, text } from './testing/types.ts'
import { claimUniqueValues } from './unique.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  await service.cms.startBackground({ workers: false })
  admin = await service.person('admin')
})
after(() => service.close())

const claimed = async (type: string) => {
  const rows = await service.cms.database.db
    .selectFrom('entry_unique')
    .select(['key', 'value', 'entry_id'])
    .where('type', '=', type)
    .orderBy('key')
    .orderBy('value')
    .execute()
  return rows.map(({ key, value, entry_id: id }) => [key, value, id])
}
const put = (type: string, ...fields: unknown[]) => admin.client.put(`/api/types/${type}`, { fields })

describe('switching unique on', () => {
  test('claims the values there are, live and unpublished, of entries that are not in the trash', async () => {
    await makeType(admin.client, 'shop', [text('code'), { key: 'number', type: 'number' }])
    const first = await storeEntry(service, 'shop', { data: { code: 'A', number: 1.5 } })
    const second = await storeEntry(service, 'shop', { data: { code: 'B' }, pending: { code: 'C' } })
    const third = await storeEntry(service, 'shop', { data: { code: 'D' }, pending: { code: 'D' } })
    await storeEntry(service, 'shop', { data: { code: 'A' }, isTrashed: true })
    for (const code of ['', '  ', null, true, ['A']]) await storeEntry(service, 'shop', { data: { code } })
    const answer = await put('shop', text('code', { unique: true }), { key: 'number', type: 'number', unique: true })
    assert.equal(answer.status, 200)
    assert.deepEqual(
      answer.body.fields.map((field: { indexed: boolean }) => field.indexed),
      [true, true],
    )
    assert.deepEqual(await claimed('shop'), [
      ['code', 'A', first],
      ['code', 'B', second],
      ['code', 'C', second],
      ['code', 'D', third],
      ['number', '1.5', first],
    ])
  })

  test('with duplicates is 409 TYPE_IN_USE with up to twenty examples, and changes nothing', async () => {
    await makeType(admin.client, 'twins', [text('code')])
    for (let pair = 0; pair < 25; pair += 1)
      for (const title of ['One', 'Two']) await storeEntry(service, 'twins', { title, data: { code: `c${pair}` } })
    const before = await stateOf(service)
    const answer = await put('twins', text('code', { unique: true }))
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'TYPE_IN_USE')
    assert.match(answer.body.error, /code, for example "c0"/)
    const { reason, examples } = answer.body.details
    assert.equal(reason, 'duplicates')
    assert.equal(examples.length, 20)
    assert.deepEqual(Object.keys(examples[0]), ['key', 'value', 'entries'])
    assert.deepEqual(
      examples[0].entries.map(({ title }: { title: string }) => title),
      ['One', 'Two'],
    )
    assert.deepEqual(await stateOf(service), before)
  })

  test('counts a live value against the unpublished one of another entry', async () => {
    await makeType(admin.client, 'crossed', [text('code')])
    await storeEntry(service, 'crossed', { data: { code: 'A' } })
    await storeEntry(service, 'crossed', { data: { code: 'B' }, pending: { code: 'A' } })
    assert.equal((await put('crossed', text('code', { unique: true }))).status, 409)
    assert.deepEqual(await claimed('crossed'), [])
  })

  test('distinguishes long values without storing them whole', async () => {
    await makeType(admin.client, 'long', [text('code')])
    const long = 'é'.repeat(5_000)
    await storeEntry(service, 'long', { data: { code: `${long}1` } })
    await storeEntry(service, 'long', { data: { code: `${long}2` } })
    assert.equal((await put('long', text('code', { unique: true }))).status, 200)
    const rows = await claimed('long')
    assert.equal(rows.length, 2)
    for (const [, value] of rows) assert.match(value ?? '', /^sha256:[0-9a-f]{64}$/)
  })

  test('waits for an entry that is being written, and sees it', async () => {
    await makeType(admin.client, 'racing', [text('code')])
    await storeEntry(service, 'racing', { data: { code: 'A' } })
    let answer: ReturnType<typeof put> | undefined
    await service.cms.database.tx(async (tx) => {
      await lockTypeShared(tx, 'racing')
      await tx.query({
        text: `insert into entry (id, type, slug, title, data, status, locale, created_at, updated_at)
          values (gen_random_uuid(), 'racing', 'b', '', '{"code": "A"}', 'draft', 'en', now(), now())`,
      })
      answer = put('racing', text('code', { unique: true }))
      await untilWaiting(tx, 1)
    })
    assert.equal((await answer)?.status, 409)
    assert.deepEqual(await claimed('racing'), [])
  })
})

describe('switching unique off', () => {
  test('lets go of the values, also when the field is removed or holds another kind', async () => {
    await makeType(
      admin.client,
      'leaving',
      ['a', 'b', 'c', 'd'].map((key) => text(key, { unique: true })),
    )
    const id = await storeEntry(service, 'leaving', { data: { a: '1', b: '2', c: '3', d: '4' } })
    const { tx, db } = service.cms.database
    const type = await requireType(db, 'leaving')
    assert.deepEqual(await tx((open) => claimUniqueValues(open, type, [id])), [])
    assert.equal((await claimed('leaving')).length, 4)
    const kept = [text('a', { unique: true }), text('b'), { key: 'd', type: 'number', unique: true }]
    assert.equal((await put('leaving', ...kept)).status, 200)
    assert.deepEqual(await claimed('leaving'), [['a', '1', id]])
    assert.equal((await put('leaving', text('a', { unique: true, label: 'Other' }))).status, 200)
    assert.deepEqual(await claimed('leaving'), [['a', '1', id]])
  })

  test('and deleting the type leaves none', async () => {
    await makeType(admin.client, 'gone', [text('a', { unique: true })])
    assert.equal((await admin.client.delete('/api/types/gone')).status, 204)
    assert.deepEqual(await claimed('gone'), [])
  })
})

describe('claiming the values of an entry', () => {
  const update = (id: string, set: string) =>
    service.cms.database.tx((tx) => tx.query({ text: `update entry set ${set} where id = $1`, values: [id] }))
  const claim = async (type: string, ...ids: string[]) => {
    const found = await requireType(service.cms.database.db, type)
    return service.cms.database.tx((tx) => claimUniqueValues(tx, found, ids))
  }

  test('follows what is stored, and gives the ones that another entry has', async () => {
    await makeType(admin.client, 'claims', [text('code', { unique: true }), text('other')])
    const one = await storeEntry(service, 'claims', { data: { code: 'A', other: 'x' } })
    const two = await storeEntry(service, 'claims', { data: { code: 'A', other: 'x' } })
    assert.deepEqual(await claim('claims', one), [])
    assert.deepEqual(await claim('claims', one), [])
    assert.deepEqual(await claim('claims', two), [{ entryId: two, key: 'code', value: 'A' }])
    assert.deepEqual(await claimed('claims'), [['code', 'A', one]])
    await update(one, `data = '{"code": "B"}'`)
    assert.deepEqual(await claim('claims', one), [])
    assert.deepEqual(await claim('claims', two), [])
    assert.deepEqual(await claimed('claims'), [
      ['code', 'A', two],
      ['code', 'B', one],
    ])
  })

  test('frees those of an entry in the trash, and asks again when it comes back', async () => {
    await makeType(admin.client, 'bin', [text('code', { unique: true })])
    const one = await storeEntry(service, 'bin', { data: { code: 'A' } })
    await claim('bin', one)
    await update(one, 'deleted_at = now()')
    await claim('bin', one)
    assert.deepEqual(await claimed('bin'), [])
    const two = await storeEntry(service, 'bin', { data: { code: 'A' } })
    assert.deepEqual(await claim('bin', two), [])
    await update(one, 'deleted_at = null')
    assert.equal((await claim('bin', one)).length, 1)
    assert.deepEqual(await claimed('bin'), [['code', 'A', two]])
  })

  test('by two at once goes to one of them', async () => {
    await makeType(admin.client, 'rush', [text('code', { unique: true })])
    const ids = await Promise.all([1, 2, 3].map(() => storeEntry(service, 'rush', { data: { code: 'A' } })))
    const taken = await Promise.all(ids.map((id) => claim('rush', id)))
    assert.equal(taken.filter((values) => values.length === 0).length, 1)
    assert.equal((await claimed('rush')).length, 1)
  })

  test('costs nothing where no field is unique', async () => {
    await makeType(admin.client, 'plain')
    const id = await storeEntry(service, 'plain', { data: { subtitle: 'x' } })
    const type = await requireType(service.cms.database.db, 'plain')
    const watch = service.cms.database.watchStatements()
    await service.cms.database.tx((tx) => claimUniqueValues(tx, type, [id]))
    watch.stop()
    assert.deepEqual(watch.texts, [])
  })
})
