import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { resyncTypes } from '../../content/entries/resync.ts'
import { contextFor } from '../../context.ts'
import { announce, type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
before(async () => {
  const poem = { sections: [], fields: {}, references: {}, formatted: ['line', 'verse'] }
  site = await startDelivery({ visual: { poem } })
  reader = await site.reader()
})
after(() => site.close())

const retype = async (name: string, fields: object[]): Promise<void> => {
  await site.cms.database.tx((tx) =>
    tx
      .updateTable('content_type')
      .set((set) => ({ fields: JSON.stringify(fields), search_version: set('search_version', '+', 1) }))
      .where('name', '=', name)
      .execute(),
  )
  await announce(site, 'type.updated')
}
/** What background work does some seconds after a change of fields. */
const resync = async (): Promise<void> => {
  await resyncTypes(contextFor(site.cms.services, { kind: 'system', name: 'test' }), new AbortController().signal)
  await announce(site, 'type.resynced')
}
const choices = (...values: string[]) => values.map((value) => ({ value, label: value }))
const titles = (query: string): Promise<string[]> =>
  reader.titles(`/content/${query}${query.includes('?') ? '&' : '?'}sort=title`)

describe('a field that was of another type', () => {
  test('what was plain text stays plain when it is read as rich text, also in lists and previews', async () => {
    const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script><a href="javascript:alert(3)">link</a>'
    await site.addType('note', [
      { key: 'text', type: 'text' },
      { key: 'source', type: 'markdown' },
      { key: 'document', type: 'json' },
      { key: 'rows', type: 'list', fields: [{ key: 'cell', type: 'textarea' }] },
      { key: 'words', type: 'text' },
      { key: 'body', type: 'richtext' },
    ])
    const body = '<h2>Kept</h2><p>as <em>it</em> is</p>'
    const data = { text: hostile, source: hostile, document: hostile, rows: [{ cell: hostile }], words: 'a < b', body }
    const { id } = await site.live({ type: 'note', title: 'Hostile', data })
    const rich = ['text', 'source', 'document', 'words', 'body'].map((key) => ({ key, type: 'richtext' }))
    await retype('note', [...rich, { key: 'rows', type: 'list', fields: [{ key: 'cell', type: 'richtext' }] }])
    const cleaned = `<p>${hostile.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`
    const expected = {
      text: cleaned,
      source: cleaned,
      document: cleaned,
      words: '<p>a &lt; b</p>',
      body,
      rows: [{ cell: cleaned }],
    }
    assert.deepEqual((await reader.read('/content/note/hostile')).data, expected)
    const { body: link } = await site.editor.client.post(`/api/entries/${id}/preview`)
    assert.deepEqual((await reader.read(`/preview/${link.token}`)).data, expected)
    assert.deepEqual((await site.read(id)).data, expected)
  })

  test('an entry is not found by a value that it is not shown with', async () => {
    await site.addType('part', [
      { key: 'size', type: 'select', options: choices('s', 'm', 'l') },
      { key: 'tags', type: 'multiselect', options: choices('a', 'b') },
      { key: 'mail', type: 'text' },
      { key: 'count', type: 'number' },
      { key: 'day', type: 'text' },
      { key: 'at', type: 'datetime' },
    ])
    await site.live({
      type: 'part',
      title: 'Now',
      data: { size: 's', tags: ['a'], mail: 'x@y.test', count: 5, day: '2026-01-01', at: '2026-01-01T00:00:00Z' },
    })
    await site.live({
      type: 'part',
      title: 'Old',
      data: { size: 'l', tags: ['b'], mail: 'nobody', count: 50, day: 'soon', at: '2025-12-31T23:59:59Z' },
    })
    await retype('part', [
      { key: 'size', type: 'select', options: choices('s', 'm') },
      { key: 'tags', type: 'multiselect', options: choices('a') },
      { key: 'mail', type: 'email' },
      { key: 'count', type: 'number', max: 10 },
      { key: 'day', type: 'date' },
      { key: 'at', type: 'datetime', min: '2026-01-01T00:00:00Z' },
    ])
    const old = await reader.read('/content/part/old')
    assert.deepEqual(old.data, { size: null, tags: [], mail: '', count: null, day: null, at: null })
    for (const found of [
      ...['size][eq]=l', 'size][in]=l,m', 'size][starts]=l', 'size][lt]=m', 'tags][contains]=b', 'tags][in]=b'],
      ...[
        'mail][eq]=nobody',
        'mail][in]=nobody',
        'count][eq]=50',
        'count][gt]=10',
        'day][gt]=2026-06-01',
        'at][lt]=2026-01-01',
      ],
    ])
      assert.deepEqual(await titles(`part?filter[${found}`), [], found)
    for (const key of ['size', 'tags', 'count', 'day', 'at']) {
      assert.deepEqual(await titles(`part?filter[${key}][exists]=true`), ['Now'], key)
      assert.deepEqual(await titles(`part?filter[${key}][exists]=false`), ['Old'], key)
    }
    for (const other of ['size][ne]=l', 'size][nin]=l,m', 'tags][nin]=b', 'mail][ne]=nobody', 'count][ne]=50'])
      assert.deepEqual(await titles(`part?filter[${other}`), ['Now', 'Old'], other)
  })

  test('a reference that was to another type is not found, even by who knows the id', async () => {
    await site.addType('vault', [])
    await site.addType('guest', [])
    await site.addType('visit', [{ key: 'whom', type: 'reference', to: 'vault', multiple: false }])
    const gold = await site.live({ type: 'vault', title: 'Gold', data: {} })
    await site.live({ type: 'visit', title: 'Visit', data: { whom: gold.id } })
    assert.deepEqual(await titles(`visit?filter[whom][eq]=${gold.id}`), ['Visit'])
    await retype('visit', [{ key: 'whom', type: 'reference', to: 'guest', multiple: false }])
    const narrow = await site.reader(['visit', 'guest'])
    assert.equal((await narrow.read('/content/visit/visit')).data.whom, null)
    assert.deepEqual(await narrow.titles(`/content/visit?filter[whom][eq]=${gold.id}`), [])
  })
})

describe('values that are not right for their field any more', () => {
  const right = { code: 'b2', mail: 'b@x.test', site: 'https://x.test', day: '2026-02-02', size: 'm', count: 5 }
  const wrong = { code: 'a much longer code', mail: 'a', site: 'a', day: 'a', size: 'a', count: 50 }
  const plain = ['code', 'mail', 'site', 'day', 'size'].map((key) => ({ key, type: 'text' }))
  const strict = (indexed: boolean) => [
    { key: 'code', type: 'text', maxLength: 4, pattern: '[a-z][0-9]', indexed },
    { key: 'mail', type: 'email', indexed },
    { key: 'site', type: 'url', indexed },
    { key: 'day', type: 'date', indexed },
    { key: 'size', type: 'select', options: choices('s', 'm'), indexed },
    { key: 'count', type: 'number', max: 10, indexed },
  ]
  const shown = { code: '', mail: '', site: '', day: null, size: null, count: null }

  for (const indexed of [false, true])
    test(`are sorted and filtered by as the empty values that they are shown as, ${indexed ? 'with' : 'without'} an index`, async () => {
      const type = indexed ? 'strict' : 'loose'
      await site.addType(type, [...plain, { key: 'count', type: 'number' }])
      await site.live({ type, title: 'Wrong', data: wrong })
      await site.live({ type, title: 'Right', data: right })
      await retype(type, strict(indexed))
      const check = async (keys: readonly string[]): Promise<void> => {
        for (const key of keys) {
          for (const sort of [key, `-${key}`])
            assert.deepEqual(await reader.titles(`/content/${type}?sort=${sort}`), ['Right', 'Wrong'], sort)
          assert.deepEqual(await titles(`${type}?filter[${key}][exists]=true`), ['Right'], key)
          assert.deepEqual(await titles(`${type}?filter[${key}][exists]=false`), ['Wrong'], key)
        }
      }
      await check(['day', 'size', 'count'])
      await resync()
      await check(Object.keys(right))
      assert.deepEqual((await reader.read(`/content/${type}/wrong`)).data, shown)
      for (const [query, found] of [
        ['code][contains]=much', []],
        ['code][starts]=a', []],
        ['code][starts]=b', ['Right']],
        ['code][gt]=a', ['Right']],
        ['mail][contains]=a', []],
        ['site][contains]=http', ['Right']],
        ['day][gt]=2026-01-01', ['Right']],
        ['count][gt]=1', ['Right']],
      ] as const)
        assert.deepEqual(await titles(`${type}?filter[${query}`), found, query)
    })

  test('count again as soon as they are right, and others as soon as they are written', async () => {
    await site.addType('changing', [{ key: 'code', type: 'text' }])
    const { id } = await site.live({ type: 'changing', title: 'One', data: { code: 'long enough' } })
    await retype('changing', [{ key: 'code', type: 'text', maxLength: 4 }])
    await resync()
    assert.deepEqual(await titles('changing?filter[code][exists]=true'), [])
    assert.equal((await site.editor.client.put(`/api/entries/${id}`, { data: { code: 'abc' } })).status, 200)
    assert.deepEqual(await titles('changing?filter[code][starts]=abc'), ['One'])
    await retype('changing', [{ key: 'code', type: 'text', maxLength: 2 }])
    await resync()
    assert.deepEqual(await titles('changing?filter[code][exists]=true'), [])
    await retype('changing', [{ key: 'code', type: 'text' }])
    await resync()
    assert.deepEqual(await titles('changing?filter[code][starts]=abc'), ['One'])
  })
})

describe('a value that nobody filled in', () => {
  before(async () => {
    await site.addType('plant', [
      { key: 'name', type: 'text' },
      { key: 'rare', type: 'boolean' },
      { key: 'tint', type: 'color' },
    ])
    await site.live({ type: 'plant', title: 'Absent', data: {} })
    await site.live({ type: 'plant', title: 'Empty', data: { name: '', rare: false } })
    await site.live({ type: 'plant', title: 'Full', data: { name: 'oak', rare: true, tint: '#0A0' } })
  })

  for (const indexed of [false, true])
    test(`is sorted by what it is shown as, empty texts last, ${indexed ? 'with' : 'without'} an index`, async () => {
      await retype('plant', [
        { key: 'name', type: 'text', indexed },
        { key: 'rare', type: 'boolean', indexed },
        { key: 'tint', type: 'color' },
      ])
      for (const [sort, sorted] of [
        ['name', ['Full', 'Absent', 'Empty']],
        ['-name', ['Full', 'Empty', 'Absent']],
        ['rare', ['Absent', 'Empty', 'Full']],
        ['-rare', ['Full', 'Empty', 'Absent']],
      ] as const)
        assert.deepEqual(await reader.titles(`/content/plant?sort=${sort}`), sorted, sort)
    })

  test('is found by what it is shown as', async () => {
    assert.deepEqual((await reader.read('/content/plant/absent')).data, { name: '', rare: false, tint: null })
    for (const [query, found] of [
      ['rare][eq]=false', ['Absent', 'Empty']],
      ['rare][ne]=true', ['Absent', 'Empty']],
      ['rare][eq]=true', ['Full']],
      ['rare][ne]=false', ['Full']],
      ['rare][exists]=true', ['Absent', 'Empty', 'Full']],
      ['rare][exists]=false', []],
      ['name][eq]=', ['Absent', 'Empty']],
      ['name][in]=,oak', ['Absent', 'Empty', 'Full']],
      ['name][ne]=', ['Full']],
      ['name][nin]=,elm', ['Full']],
      ['name][ne]=oak', ['Absent', 'Empty']],
      ['name][lt]=pine', ['Absent', 'Empty', 'Full']],
      ['name][contains]=', ['Absent', 'Empty', 'Full']],
      ['tint][eq]=%230A0', ['Full']],
      ['tint][lt]=z', ['Full']],
      ['tint][exists]=false', ['Absent', 'Empty']],
      ['name][exists]=true', ['Full']],
      ['name][exists]=false', ['Absent', 'Empty']],
    ] as const)
      assert.deepEqual(await titles(`plant?filter[${query}`), found, query)
  })
})

test('formatted text has no markup but i and br, also when it was saved before or beside the definition of the page', async () => {
  await site.addType('poem', [
    { key: 'line', type: 'text' },
    { key: 'verse', type: 'textarea' },
    { key: 'plain', type: 'text' },
  ])
  const { id } = await site.live({ type: 'poem', title: 'Poem', data: {} })
  const stored = {
    line: 'so <i>it</i> is<br>',
    verse: 'a<img src=x onerror=alert(1)><script>alert(2)</script><i onclick="x">b</i>',
    plain: '1 < 2 <script>',
  }
  await site.cms.database.tx((tx) =>
    tx.query({ text: 'update entry set data = $2 where id = $1', values: [id, JSON.stringify(stored)] }),
  )
  await announce(site, 'entry.updated')
  const { data } = await reader.read('/content/poem/poem')
  assert.deepEqual(data, { line: stored.line, verse: 'a<i>b</i>', plain: stored.plain })
})
