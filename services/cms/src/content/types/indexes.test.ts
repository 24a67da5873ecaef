import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { requireType } from './content-type.ts'
import { fieldExpression, indexesOf } from './indexes.ts'
import { syncIndexes } from './jobs.ts'
import { makeType, storeEntry, text } from './testing/types.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms({ background: true })
  admin = await service.person('admin')
})
after(() => service.close())

type Found = { name: string; isValid: boolean }
const indexes = () =>
  service.cms.database.db.query<Found>({
    text: `select indexrelid::regclass::text as name, indisvalid as "isValid" from pg_index
      where indrelid = 'entry'::regclass and indexrelid::regclass::text like 'entry\\_field\\_%' order by 1`,
  })
const wantedBy = async (...types: string[]) => {
  const found = await Promise.all(types.map((name) => requireType(service.cms.database.db, name)))
  return found
    .flatMap(indexesOf)
    .map(({ name }) => ({ name, isValid: true }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
const untilIndexed = async (...types: string[]) => {
  const wanted = JSON.stringify(await wantedBy(...types))
  await until(async () => JSON.stringify(await indexes()) === wanted, wanted)
}
const queued = async () => {
  const [row] = await service.cms.database.db.query<{ count: number }>({
    text: `select count(*) as count from jobs.job where name = 'types.index'`,
  })
  return row?.count ?? 0
}
const sync = (signal = new AbortController().signal) => syncIndexes(service.cms.services, signal)

describe('indexed fields', () => {
  test('get an index by a job when the type is saved, lose it with the option, and with the type', async () => {
    await makeType(admin.client, 'product', [
      text('code', { indexed: true }),
      { key: 'price', type: 'number', indexed: true },
      text('name'),
    ])
    await untilIndexed('product')
    assert.equal((await indexes()).length, 2)
    await admin.client.put('/api/types/product', {
      fields: [text('code', { indexed: true }), { key: 'price', type: 'number' }],
    })
    await untilIndexed('product')
    assert.equal((await indexes()).length, 1)
    assert.equal((await admin.client.delete('/api/types/product')).status, 204)
    await untilIndexed()
  })

  test('are left alone by a change of anything else', async () => {
    await makeType(admin.client, 'calm', [text('code', { indexed: true })])
    await untilIndexed('calm')
    const before = await queued()
    const { body } = await admin.client.get('/api/types/calm')
    await admin.client.put('/api/types/calm', { label: 'Other', fields: [...body.fields, text('more')] })
    assert.equal(await queued(), before)
    await admin.client.put('/api/types/calm?dryRun=1', { fields: [] })
    assert.equal(await queued(), before)
    await admin.client.delete('/api/types/calm')
    await untilIndexed()
  })
})

describe('building indexes', () => {
  const kinds = [
    text('word', { indexed: true }),
    { key: 'amount', type: 'number', indexed: true },
    { key: 'flag', type: 'boolean', indexed: true },
    { key: 'day', type: 'date', indexed: true },
    { key: 'moment', type: 'datetime', indexed: true },
  ]

  test('takes values of any kind and length, which entries may have from before', async () => {
    await makeType(admin.client, 'mixed', kinds)
    const odd = ['x'.repeat(9_000), 'ü'.repeat(9_000), 1e300, -1, true, null, [], { a: 1 }, '']
    for (const value of odd)
      await storeEntry(service, 'mixed', { data: Object.fromEntries(kinds.map(({ key }) => [key, value])) })
    await untilIndexed('mixed')
    assert.equal((await indexes()).length, 5)
    for (const value of odd) await storeEntry(service, 'mixed', { data: { word: value, amount: value } })
  })

  test('serves sorting and filtering by the expression of the field', async () => {
    await service.cms.database.tx((tx) =>
      tx.query({
        text: `insert into entry (id, type, slug, title, data, status, locale, created_at, updated_at)
          select gen_random_uuid(), 'mixed', 's' || n, '', jsonb_build_object('amount', n, 'word', 'w' || n), 'published',
            'en', now(), now() from generate_series(1, 3000) n`,
      }),
    )
    await service.cms.database.tx((tx) => tx.query({ text: 'analyze entry' }))
    const amount = fieldExpression('number', 'amount')
    const explain = async (sql: string) =>
      JSON.stringify(await service.cms.database.db.query({ text: `explain ${sql}` }))
    const from = "select id from entry where type = 'mixed' and deleted_at is null and status = 'published'"
    const [index] = indexesOf(await requireType(service.cms.database.db, 'mixed')).filter(({ definition }) =>
      definition.includes('amount'),
    )
    assert.ok(index)
    assert.ok((await explain(`${from} order by ${amount}, id limit 10`)).includes(index.name))
    assert.ok((await explain(`${from} and ${amount} between 5 and 7`)).includes(index.name))
    const rows = await service.cms.database.db.query<{ amount: string }>({
      text: `select ${amount} as amount from entry where type = 'mixed' and deleted_at is null
        order by ${amount} nulls last, id limit 3`,
    })
    assert.deepEqual(
      rows.map((row) => Number(row.amount)),
      [-1, -1, 1],
    )
  })

  test('twice changes nothing, and two at once do not disturb each other', async () => {
    const before = await indexes()
    await sync()
    assert.deepEqual(await indexes(), before)
    const [dropped] = before
    assert.ok(dropped)
    await service.cms.database.pool.query(`drop index ${dropped.name}`)
    await service.cms.database.pool.query("create index entry_field_stray on entry (slug) where type = 'nothing'")
    await Promise.all([sync(), sync()])
    assert.deepEqual(await indexes(), before)
  })

  test('goes on behind one that cannot be dropped or built, and fails at the end, so that it is tried again', async () => {
    const { pool } = service.cms.database
    const before = await indexes()
    const [unbuilt, missing] = before
    assert.ok(unbuilt && missing)
    await pool.query(`drop index ${unbuilt.name}, ${missing.name}`)
    await pool.query(`create sequence ${unbuilt.name}`)
    await pool.query('create unique index entry_field_held on entry (id)')
    await pool.query('alter table entry add constraint held unique using index entry_field_held')
    await pool.query('alter index held rename to entry_field_held')
    await pool.query("create index entry_field_stray on entry (slug) where type = 'nothing'")
    await assert.rejects(sync(), /entry_field_held/)
    const names = new Set((await indexes()).map(({ name }) => name))
    assert.deepEqual([names.has('entry_field_stray'), names.has(missing.name)], [false, true])
    await pool.query(`drop sequence ${unbuilt.name}`)
    await pool.query('alter table entry drop constraint entry_field_held')
    await sync()
    assert.deepEqual(await indexes(), before)
  })

  test('blocks no write, ends when aborted, and what it left half-built is rebuilt', async () => {
    const { pool } = service.cms.database
    const [first] = await indexes()
    await pool.query(`drop index ${first?.name}`)
    const blocker = await pool.connect()
    await blocker.query('begin')
    await blocker.query("update entry set title = 'x' where type = 'mixed'")
    const stop = new AbortController()
    const building = assert.rejects(sync(stop.signal))
    await until(async () => {
      const { rows } = await pool.query(
        "select 1 from pg_stat_activity where query like 'create index concurrently%' and state = 'active'",
      )
      return rows.length > 0
    }, 'the build')
    await storeEntry(service, 'mixed', { data: { word: 'meanwhile' } })
    stop.abort()
    await building
    await blocker.query('rollback')
    blocker.release()
    assert.deepEqual(
      await indexes(),
      (await wantedBy('mixed')).map(({ name }) => ({ name, isValid: name !== first?.name })),
    )
    await sync()
    assert.deepEqual(await indexes(), await wantedBy('mixed'))
    const { rows } = await pool.query('show statement_timeout')
    assert.notEqual(rows[0].statement_timeout, '0')
  })
})
