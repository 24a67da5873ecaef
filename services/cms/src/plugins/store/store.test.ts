import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, before, describe, test } from 'node:test'
import { type CmsService, startCms, untilWaiting } from '@stoa/tests/lib/cms.ts'
import type { Json } from '../sandbox/sandbox.ts'
import { createDocumentStore, type DocumentStore, MAX_DOCUMENTS, type StorePlugin } from './store.ts'
import { installPlugin } from './testing/installed.ts'

let service: CmsService
let store: DocumentStore
before(async () => {
  service = await startCms()
  store = createDocumentStore(service.cms.services)
})
after(() => service.close())

type Document = { id: string; version: number; value: Record<string, Json>; createdAt: string; updatedAt: string }
type Page = { items: Document[]; cursor: string | null }

let made = 0
const collections = [
  { name: 'plans', indexes: ['stage', 'dueOn', 'rank'] },
  { name: 'notes', indexes: [] },
]
const install = () => installPlugin(service.cms.services, { name: `plugin-${++made}`, collections })

const plansOf = (plugin: StorePlugin, collection = 'plans', from = store) => {
  const call =
    (method: string) =>
    (...args: Json[]) =>
      from(plugin, { method, args: [collection, ...args] })
  return {
    get: call('get') as (id: Json) => Promise<Document | null>,
    put: call('put') as (id: Json, value: Json, options?: Json) => Promise<{ id: string; version: number }>,
    delete: call('delete') as (id: Json, options?: Json) => Promise<boolean>,
    list: call('list') as (options?: Json) => Promise<Page>,
  }
}
const plans = async () => plansOf(await install())
const idsOf = ({ items }: Page) => items.map(({ id }) => id)
const statementsOf = async (act: () => Promise<unknown>): Promise<string[]> => {
  const watch = service.cms.database.watchStatements()
  await act()
  watch.stop()
  return watch.texts.filter((text) => !/^(begin|commit)$/.test(text))
}

describe('one document', () => {
  test('comes back as it was put, with its version and its times', async () => {
    const { put, get } = await plans()
    const value = { title: 'Été — 東京', stage: 'idea', nested: { list: [1, 2.5, null, true], text: '' } }
    assert.deepEqual(await put('a', value), { id: 'a', version: 1 })
    const at = service.clock.now().toISOString()
    assert.deepEqual(await get('a'), { id: 'a', version: 1, value, createdAt: at, updatedAt: at })
    service.clock.advance(1_000)
    assert.deepEqual(await put('a', { title: 'Other' }), { id: 'a', version: 2 })
    const changed = await get('a')
    assert.deepEqual(
      [changed?.value, changed?.createdAt, changed?.updatedAt],
      [{ title: 'Other' }, at, service.clock.now().toISOString()],
    )
    assert.equal(await get('b'), null)
  })

  test('is written for a version only: another one, or none, is a conflict', async () => {
    const { put, get, delete: remove } = await plans()
    await put('a', { n: 1 }, { ifVersion: 0 })
    for (const ifVersion of [0, 2, 7])
      await assert.rejects(put('a', { n: 2 }, { ifVersion }), { code: 'VERSION_CONFLICT' })
    await assert.rejects(put('b', { n: 2 }, { ifVersion: 1 }), { code: 'VERSION_CONFLICT' })
    assert.deepEqual((await get('a'))?.value, { n: 1 })
    assert.equal(await get('b'), null)
    assert.equal((await put('a', { n: 3 }, { ifVersion: 1 })).version, 2)
    for (const ifVersion of [0, 1, 3]) await assert.rejects(remove('a', { ifVersion }), { code: 'VERSION_CONFLICT' })
    assert.equal((await get('a'))?.version, 2)
    assert.equal(await remove('a', { ifVersion: 2 }), true)
    await assert.rejects(remove('a', { ifVersion: 2 }), { code: 'VERSION_CONFLICT' })
    assert.equal(await remove('a'), false)
    assert.equal(await get('a'), null)
  })

  test('of ten that are written for one version at once, one is', async () => {
    const { put, get } = await plans()
    await put('a', { n: 0 })
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => put('a', { n }, { ifVersion: 1 })))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await get('a'))?.version, 2)
  })

  test('a new one is three statements, a change and a read are one', async () => {
    const { put, get } = await plans()
    assert.equal((await statementsOf(() => put('a', {}))).length, 3)
    assert.equal((await statementsOf(() => put('a', {}))).length, 1)
    assert.equal((await statementsOf(() => get('a'))).length, 1)
  })
})

describe('what is refused, and leaves nothing', () => {
  const refused = async (value: Json, code = 'VALIDATION_FAILED') => {
    const { put, list } = await plans()
    await assert.rejects(put('a', value), { code })
    assert.deepEqual(await list(), { items: [], cursor: null })
  }

  test('ids that are empty, long, or could be a path', async () => {
    const { put, get, list, delete: remove } = await plans()
    for (const id of ['', 'a'.repeat(65), 'a/b', '../a', 'a b', 'é', 'a\u0000', '__proto__.x', 5, null, ['a']]) {
      await assert.rejects(put(id, {}), { code: 'VALIDATION_FAILED' })
      await assert.rejects(get(id), { code: 'VALIDATION_FAILED' })
      await assert.rejects(remove(id), { code: 'VALIDATION_FAILED' })
    }
    assert.deepEqual(await list(), { items: [], cursor: null })
  })

  test('values that are no object, too large, too deep, or hold what cannot be stored', async () => {
    for (const value of [null, 'text', 5, [], [{}]]) await refused(value)
    await refused({ text: 'é'.repeat(131_073) }, 'PAYLOAD_TOO_LARGE')
    await refused(JSON.parse(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`))
    for (const text of ['a\u0000b', '\ud800', 'x\udc00']) {
      await refused({ text })
      await refused({ [text]: 1 })
      await refused({ list: [{ text }] })
    }
    await refused(JSON.parse('{"__proto__": {"admin": true}}'))
    await refused(JSON.parse('{"a": [{"constructor": {"prototype": {}}}]}'))
  })

  test('an index that is a list, an object or a long text', async () => {
    for (const stage of [[], {}, 'x'.repeat(501)]) await refused({ stage })
  })

  test('collections, indexes and methods that the manifest does not declare', async () => {
    const plugin = await install()
    for (const name of ['other', '__proto__', 'toString', '', 'plans '])
      await assert.rejects(plansOf(plugin, name).put('a', {}), /The collection .* doesn't exist/)
    const { list } = plansOf(plugin)
    await assert.rejects(list({ where: { title: 'x' } }), /has no index "title"/)
    await assert.rejects(list({ where: JSON.parse('{"__proto__": 1}') }), { code: 'VALIDATION_FAILED' })
    for (const sort of ['title', '-title', '--dueOn', 'indexed; drop table plugin', '-'])
      await assert.rejects(list({ sort }), /has no index/)
    for (const options of [{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { what: 1 }, 'x', { where: { stage: {} } }])
      await assert.rejects(list(options), { code: 'VALIDATION_FAILED' })
    for (const method of ['constructor', 'drop', '__proto__'])
      await assert.rejects(store(plugin, { method, args: ['plans'] }), { code: 'VALIDATION_FAILED' })
  })

  test('256 KiB fit', async () => {
    const { put, get } = await plans()
    const value = { text: 'x'.repeat(256 * 1024 - '{"text":""}'.length) }
    await put('a', value)
    assert.deepEqual((await get('a'))?.value, value)
  })
})

test('a plugin reads and changes its own documents only, whatever their names', async () => {
  const [mine, theirs] = [await plans(), await plans()]
  await theirs.put('a', { stage: 'idea' })
  assert.equal(await mine.get('a'), null)
  assert.deepEqual(await mine.list({ where: { stage: 'idea' } }), { items: [], cursor: null })
  assert.equal(await mine.delete('a'), false)
  assert.equal((await mine.put('a', {})).version, 1)
  assert.equal((await theirs.get('a'))?.version, 1)
})

describe('a list', () => {
  test('is found by one index or several, by a list of values, and by nothing', async () => {
    const { put, list } = await plans()
    await put('a', { stage: 'idea', rank: 1 })
    await put('b', { stage: 'idea', rank: 2 })
    await put('c', { stage: 'review', rank: 1 })
    await put('d', { rank: true })
    assert.deepEqual(idsOf(await list()), ['a', 'b', 'c', 'd'])
    assert.deepEqual(idsOf(await list({ where: { stage: 'idea' } })), ['a', 'b'])
    assert.deepEqual(idsOf(await list({ where: { stage: 'idea', rank: 2 } })), ['b'])
    assert.deepEqual(idsOf(await list({ where: { stage: ['review', 'idea'], rank: 1 } })), ['a', 'c'])
    assert.deepEqual(idsOf(await list({ where: { stage: null } })), ['d'])
    assert.deepEqual(idsOf(await list({ where: { rank: '1' } })), [], 'a number is no text')
    assert.deepEqual(idsOf(await list({ where: { rank: true } })), ['d'])
    assert.deepEqual(idsOf(await list({ where: { stage: [] } })), [])
  })

  test('pages through equal values without a gap or a double, upwards and downwards, beside new documents', async () => {
    const { put, list } = await plans()
    for (let n = 0; n < 25; n += 1)
      await put(`d${String(n).padStart(2, '0')}`, n % 5 ? { dueOn: `2026-0${n % 3}` } : {})
    for (const sort of ['dueOn', '-dueOn', null]) {
      const whole = idsOf(await list({ sort, limit: 100 }))
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: Page = await list({ sort, limit: 4, cursor })
        seen.push(...idsOf(page))
        cursor = page.cursor
      } while (cursor !== null)
      assert.deepEqual(seen, whole)
      assert.equal(new Set(seen).size, 25)
    }
    const upwards = idsOf(await list({ sort: 'dueOn', limit: 100 }))
    assert.deepEqual(idsOf(await list({ sort: '-dueOn', limit: 100 })), upwards.reverse())
    assert.equal((await list()).items.length, 25)
  })

  test('a cursor is good for its own list only, and what was made up is refused', async () => {
    const plugin = await install()
    const { put, list } = plansOf(plugin)
    for (const id of ['a', 'b', 'c']) await put(id, { stage: 'idea', dueOn: id })
    const { cursor } = await list({ sort: 'dueOn', limit: 1 })
    for (const other of [{ sort: '-dueOn' }, {}, { sort: 'dueOn', where: { stage: 'idea' } }])
      await assert.rejects(list({ ...other, cursor }), /belongs to another list/)
    await assert.rejects(plansOf(plugin, 'notes').list({ cursor }), /belongs to another list/)
    for (const made of ['x', Buffer.from('[1]').toString('base64url'), Buffer.from('null').toString('base64url')])
      await assert.rejects(list({ sort: 'dueOn', cursor: made }), /belongs to another list/)
    assert.deepEqual(idsOf(await list({ sort: 'dueOn', cursor, limit: 1 })), ['b'])
  })

  test('ends a page where it would not fit through, and goes on behind it', async () => {
    const { put, list } = await plans()
    for (let n = 0; n < 8; n += 1) await put(`d${n}`, { text: 'x'.repeat(250_000) })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await list({ cursor })
      assert.ok(Buffer.byteLength(JSON.stringify(page)) <= 1024 * 1024)
      assert.ok(page.items.length > 0)
      seen.push(...idsOf(page))
      cursor = page.cursor
    } while (cursor !== null)
    assert.deepEqual(seen, ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'])
  })

  test('is one statement, which reads whole documents of its page only', async () => {
    const plugin = await install()
    const { put, list } = plansOf(plugin)
    for (let n = 0; n < 5; n += 1) await put(`d${n}`, { stage: 'idea', dueOn: `2026-0${n}` })
    const texts = await statementsOf(() => list({ where: { stage: 'idea' }, sort: '-dueOn', limit: 2 }))
    assert.equal(texts.length, 1)
    // The small copy alone says what is on the page: the documents beside it are not looked into.
    await service.cms.database.tx((tx) =>
      tx.query({
        text: `update plugin_document set value = '{}' where plugin = $1 and id <> all($2)`,
        values: [plugin.name, ['d4', 'd3']],
      }),
    )
    assert.deepEqual(idsOf(await list({ where: { stage: 'idea' }, sort: '-dueOn', limit: 2 })), ['d4', 'd3'])
    assert.deepEqual(idsOf(await list({ where: { stage: 'idea' }, sort: 'dueOn', limit: 1 })), ['d0'])
  })

  test('finds documents that were written before the index was declared', async () => {
    const plugin = await install()
    const before: StorePlugin = { ...plugin, manifest: { collections: [{ name: 'plans', indexes: [] }] } }
    await plansOf(before).put('a', { stage: 'idea', dueOn: '2026-02' })
    await plansOf(before).put('b', { stage: { odd: true }, dueOn: 'x'.repeat(9_000) })
    await plansOf(plugin).put('c', { stage: 'idea', dueOn: '2026-01' })
    const { list } = plansOf(plugin)
    assert.deepEqual(idsOf(await list({ where: { stage: 'idea' }, sort: 'dueOn' })), ['c', 'a'])
    const first = await list({ sort: 'dueOn', limit: 1 })
    assert.deepEqual(idsOf(first), ['b'], 'what is too long for an index is none')
    assert.deepEqual(idsOf(await list({ sort: 'dueOn', cursor: first.cursor })), ['c', 'a'])
  })
})

describe('a full collection', () => {
  const fill = (plugin: string, count: number) =>
    service.cms.database.tx((tx) =>
      tx.query({
        text: `insert into plugin_document (plugin, collection, id, value, indexed, created_at, updated_at)
          select $1, 'plans', 'd' || n, '{}', '{}', now(), now() from generate_series(1, $2::integer) n`,
        values: [plugin, count],
      }),
    )
  const countOf = async (plugin: string) => {
    const rows = await service.cms.database.db.query<{ n: number }>({
      text: `select count(*) as n from plugin_document where plugin = $1 and collection = 'plans'`,
      values: [plugin],
    })
    return rows[0]?.n
  }

  test('takes changes and no new document until one is deleted; other collections are not full', async () => {
    const plugin = await install()
    const { put, delete: remove } = plansOf(plugin)
    await fill(plugin.name, MAX_DOCUMENTS)
    await assert.rejects(put('new', {}), /is full/)
    assert.equal((await put('d5', { n: 1 })).version, 2)
    assert.equal((await plansOf(plugin, 'notes').put('new', {})).version, 1)
    assert.equal(await countOf(plugin.name), MAX_DOCUMENTS)
    await remove('d1')
    await put('new', {})
    assert.equal(await countOf(plugin.name), MAX_DOCUMENTS)
  })

  test('two processes that race for the last place: one gets it', async () => {
    const other = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
    try {
      const plugin = await install()
      await fill(plugin.name, MAX_DOCUMENTS - 1)
      const here = plansOf(plugin)
      const there = plansOf(plugin, 'plans', createDocumentStore(other.cms.services))
      const outside = AsyncLocalStorage.snapshot()
      const results = await service.cms.database.tx(async (tx) => {
        await tx.query({ text: 'select 1 from plugin where name = $1 for update', values: [plugin.name] })
        const racing = Promise.allSettled(
          ['a', 'b', 'c'].flatMap((id) => [outside(() => here.put(`x${id}`, {})), there.put(`y${id}`, {})]),
        )
        await untilWaiting(tx, 6)
        return { racing }
      })
      const outcomes = await results.racing
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal(await countOf(plugin.name), MAX_DOCUMENTS)
    } finally {
      await other.close()
    }
  })
})
