import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { resyncTypes } from '../../content/entries/resync.ts'
import { contextFor } from '../../context.ts'
import { announce, type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
const ids: Record<string, string> = {}
const options = (...values: string[]) => values.map((value) => ({ value, label: value }))
const live = async (type: string, title: string, data: object, more: object = {}) => {
  const { id } = await site.live({ type, title, data, ...more })
  ids[title] = id
  return id
}
before(async () => {
  site = await startDelivery()
  await site.admin.client.put('/api/settings', { locales: ['en', 'de'] })
  await site.addType('group', [
    { key: 'rank', type: 'number' },
    { key: 'quiet', type: 'text', hidden: true },
    { key: 'above', type: 'reference', to: 'group', multiple: false },
    { key: 'rows', type: 'list', fields: [{ key: 'n', type: 'number' }] },
  ])
  await site.addType('closed', [{ key: 'word', type: 'text' }])
  await site.addType('item', [
    { key: 'note', type: 'textarea' },
    { key: 'source', type: 'markdown' },
    { key: 'body', type: 'richtext' },
    { key: 'web', type: 'url' },
    { key: 'mail', type: 'email' },
    { key: 'tags', type: 'multiselect', options: options('a', 'b') },
    { key: 'picture', type: 'media' },
    { key: 'pictures', type: 'gallery' },
    { key: 'document', type: 'json' },
    { key: 'group', type: 'reference', to: 'group', multiple: false },
    { key: 'groups', type: 'reference', to: 'group' },
    { key: 'closed', type: 'reference', to: 'closed' },
    {
      key: 'rows',
      type: 'list',
      fields: [
        { key: 'n', type: 'number' },
        { key: 'word', type: 'text' },
        { key: 'day', type: 'date' },
        { key: 'done', type: 'boolean' },
        { key: 'kind', type: 'select', options: options('x', 'y') },
        { key: 'who', type: 'reference', to: 'group', multiple: false },
        { key: 'secret', type: 'text', hidden: true },
        { key: 'cells', type: 'list', fields: [{ key: 'n', type: 'number' }] },
      ],
    },
  ])
  ids.file = await site.addMedia()
  ids.other = await site.addMedia()
  await live('group', 'Red', { rank: 1, quiet: 'hush' })
  await live('group', 'Blue', { rank: 2, above: ids.Red, rows: [{ n: 7 }] })
  const draft = await site.add(site.editor.client, { type: 'group', title: 'Draft', data: { rank: 9 } })
  ids.Draft = draft.id
  await live('closed', 'Closed', { word: 'w' })
  await live('item', 'One', {
    note: 'First line\nof 50% text',
    source: '# Head',
    body: '<p>Hello <em>wörld</em> &amp; all</p><p>second</p>',
    web: 'https://one.test/a',
    mail: 'one@x.test',
    tags: ['a'],
    picture: ids.file,
    pictures: [ids.file, ids.other],
    document: { a: 1 },
    group: ids.Red,
    groups: [ids.Red, ids.Blue],
    closed: [ids.Closed],
    rows: [
      { n: 1, word: 'ant', day: '2026-01-01', done: true, kind: 'x', who: ids.Blue, secret: 'hush', cells: [{ n: 3 }] },
      { n: 2, word: 'bee' },
    ],
  })
  await live('item', 'Two', { group: ids.Blue, groups: [ids.Blue], rows: [{ n: 5, kind: 'y' }], body: '<hr>' })
  await live('item', 'Three', { group: ids.Draft, groups: [ids.Draft], pictures: [ids.other] })
  await live('item', 'Vier', {}, { locale: 'de', translationOf: ids.Two })
  reader = await site.reader()
})
after(() => site.close())

const found = async (query: string, as = reader) =>
  (await as.titles(`/content/item?sort=createdAt&${query.replace(/@(\w+)/g, (_, name) => ids[name] ?? '')}`)).join(' ')
const refused = async (query: string, as = reader) => {
  const answer = await as.get(`/content/item?${query}`)
  assert.equal(answer.status, 400, query)
  return answer.body.details.fields
}
const all = async (cases: readonly (readonly [string, string])[]) => {
  for (const [query, titles] of cases) assert.equal(await found(query), titles, query)
}

describe('a filter of any field', () => {
  test('contains and starts are for every kind of text, whatever the case', () =>
    all([
      ['filter[note][contains]=LINE', 'One'],
      ['filter[note][contains]=50%25', 'One'],
      ['filter[note][starts]=first', 'One'],
      ['filter[note][starts]=line', ''],
      ['filter[source][contains]=head', 'One'],
      ['filter[source][starts]=%23', 'One'],
      ['filter[web][contains]=one.test', 'One'],
      ['filter[web][starts]=https://', 'One'],
      ['filter[mail][contains]=%40x', 'One'],
      ['filter[mail][starts]=one', 'One'],
      ['filter[locale][starts]=d', 'Vier'],
      ['filter[body][contains]=hello%20w%C3%B6rld%20%26%20all%20second', 'One'],
      ['filter[body][starts]=Hello', 'One'],
      ['filter[body][contains]=em', ''],
      ['filter[body][contains]=%3Cp', ''],
    ]))

  test('exists is for every field, and says whether it is shown empty', async () => {
    await all([
      ['filter[note][exists]=true', 'One'],
      ['filter[note][exists]=false', 'Two Three Vier'],
      ['filter[source][exists]=true', 'One'],
      ['filter[body][exists]=true', 'One Two'],
      ['filter[body][exists]=false', 'Three Vier'],
      ['filter[tags][exists]=true', 'One'],
      ['filter[picture][exists]=true', 'One'],
      ['filter[picture][exists]=false', 'Two Three Vier'],
      ['filter[pictures][exists]=true', 'One Three'],
      ['filter[document][exists]=true', 'One'],
      ['filter[document][exists]=false', 'Two Three Vier'],
      ['filter[rows][exists]=true', 'One Two'],
      ['filter[rows][exists]=false', 'Three Vier'],
      ['filter[translationOf][exists]=true', 'Vier'],
    ])
    const { items } = await reader.read('/content')
    const { fields } = items.find(({ name }: { name: string }) => name === 'item')
    for (const { key } of fields)
      assert.equal((await reader.get(`/content/item?filter[${key}][exists]=true`)).status, 200, key)
  })

  test('files and references take eq, ne, in and nin; ne means that none of them is it', () =>
    all([
      ['filter[picture][eq]=@file', 'One'],
      ['filter[picture][ne]=@file', 'Two Three Vier'],
      ['filter[pictures][in]=@file,@other', 'One Three'],
      ['filter[pictures][nin]=@file', 'Two Three Vier'],
      ['filter[group][eq]=@Red', 'One'],
      ['filter[group][ne]=@Red', 'Two Three Vier'],
      ['filter[groups][in]=@Red,@Blue', 'One Two'],
      ['filter[groups][ne]=@Red', 'Two Three Vier'],
      ['filter[groups][nin]=@Red,@Blue', 'Three Vier'],
      ['filter[translationOf][eq]=@Two', 'Vier'],
      ['filter[locale][ne]=en', 'Vier'],
      ['filter[locale][in]=en,de&filter[id][eq]=@Two', 'Two'],
    ]))

  test('a target that is not published is no target: nothing reveals that it exists', () =>
    all([
      ['filter[group][eq]=@Draft', ''],
      ['filter[group][ne]=@Draft', 'One Two Three Vier'],
      ['filter[group][exists]=true', 'One Two'],
      ['filter[groups][exists]=false', 'Three Vier'],
    ]))

  test('operators that make no sense are refused by key', async () => {
    for (const key of ['note', 'source', 'body', 'document', 'rows', 'tags'])
      assert.deepEqual(
        (await refused(`filter[${key}][eq]=1`)).map((problem: { key: string }) => problem.key),
        [`filter[${key}][eq]`],
      )
    for (const query of ['filter[picture][gt]=@file', 'filter[group][contains]=x', 'filter[picture][eq]=x'])
      await refused(query)
  })
})

describe('a filter of list members', () => {
  test('holds when one item fulfils it, with the values of its own kind', () =>
    all([
      ['filter[rows.n][eq]=2', 'One'],
      ['filter[rows.n][gte]=2', 'One Two'],
      ['filter[data.rows.n][in]=1,5', 'One Two'],
      ['filter[rows.word][starts]=B', 'One'],
      ['filter[rows.day][lt]=2026-02-01', 'One'],
      ['filter[rows.done][eq]=true', 'One'],
      ['filter[rows.done][eq]=false', 'One Two'],
      ['filter[rows.kind][eq]=y', 'Two'],
      ['filter[rows.word][exists]=true', 'One'],
      ['filter[rows.cells.n][eq]=3', 'One'],
      ['filter[rows.who][eq]=@Blue', 'One'],
      ['filter[rows.who.slug][eq]=blue', 'One'],
    ]))

  test('ne, nin and exists=false hold when no item says otherwise', () =>
    all([
      ['filter[rows.n][ne]=1', 'Two Three Vier'],
      ['filter[rows.n][nin]=2,9', 'Two Three Vier'],
      ['filter[rows.word][exists]=false', 'Two Three Vier'],
    ]))

  test('several conditions need not hold for the same item', () =>
    all([['filter[rows.n][eq]=2&filter[rows.word][eq]=ant', 'One']]))

  test('a hidden member is as unknown as one that is not there', async () => {
    const [hidden] = await refused('filter[rows.secret][eq]=hush')
    const [unknown] = await refused('filter[rows.nothing][eq]=hush')
    assert.equal(hidden.message, unknown.message)
    await refused('filter[rows.cells][eq]=1')
    await refused('filter[note.n][eq]=1')
  })
})

describe('a filter through a reference', () => {
  test('asks for members and fields of published targets', () =>
    all([
      ['filter[group.slug][eq]=red', 'One'],
      ['filter[group.title][contains]=BLU', 'Two'],
      ['filter[groups.slug][in]=red,blue', 'One Two'],
      ['filter[groups.slug][ne]=red', 'Two Three Vier'],
      ['filter[group.rank][gt]=1', 'Two'],
      ['filter[group.data.rank][exists]=true', 'One Two'],
      ['filter[group.rank][exists]=false', 'Three Vier'],
      ['filter[group.id][eq]=@Red', 'One'],
      ['filter[group.above][eq]=@Red', 'Two'],
      ['filter[group.rows.n][eq]=7', 'Two'],
      ['filter[group.locale][eq]=en', 'One Two'],
      ['filter[group.slug][eq]=draft', ''],
      ['filter[or][0][group.slug][eq]=red&filter[or][1][locale][eq]=de', 'One Vier'],
    ]))

  test('goes one level, and knows no hidden field and no type outside of the scope', async () => {
    const narrow = await site.reader(['item', 'group'])
    const messages = new Set<string>()
    for (const [as, key] of [
      [reader, 'group.nothing'],
      [reader, 'group.quiet'],
      [reader, 'group.data.quiet'],
      [reader, 'group.above.slug'],
      [reader, 'nothing.slug'],
      [reader, 'group.'],
      [reader, 'group..slug'],
      [narrow, 'closed.slug'],
      [narrow, 'closed.word'],
      [narrow, 'closed.id'],
    ] as const) {
      const [problem] = await refused(`filter[${key}][eq]=hush`, as)
      assert.equal(problem.key, `filter[${key}][eq]`)
      messages.add(problem.message)
    }
    assert.equal(messages.size, 1)
    assert.equal(await found('filter[closed.word][eq]=w'), 'One')
    assert.equal(await found('filter[closed][exists]=true'), 'One')
    assert.equal(await found('filter[closed][exists]=true', narrow), '')
    assert.equal(await found('filter[closed][ne]=@Closed', narrow), 'One Two Three Vier')
  })

  test('sees a target as it is live, at once when that changes', async () => {
    const path = `/api/entries/${ids.Blue}`
    await site.editor.client.put(path, { slug: 'navy', data: { rank: 20 }, mode: 'draft' })
    assert.equal(await found('filter[group.slug][eq]=navy'), '')
    assert.equal(await found('filter[group.rank][eq]=20'), '')
    await site.publish(site.editor.client, ids.Blue ?? '')
    assert.equal(await found('filter[group.slug][eq]=navy'), 'Two')
    await site.editor.client.post(`${path}/status`, { action: 'unpublish' })
    assert.equal(await found('filter[group.slug][eq]=navy'), '')
    assert.equal(await found('filter[group.slug][ne]=navy'), 'One Two Three Vier')
    await site.publish(site.editor.client, ids.Blue ?? '')
  })
})

test('values that are not right any more are empty to filters, also in lists, long texts and targets', async () => {
  const rows = (field: object) => ({ key: 'rows', type: 'list', fields: [field] })
  await site.addType('loose', [
    { key: 'long', type: 'textarea' },
    { key: 'rich', type: 'richtext' },
    rows({ key: 'code', type: 'text' }),
  ])
  await site.addType('user', [{ key: 'uses', type: 'reference', to: 'loose' }])
  const data = { long: 'long enough', rich: '<p>long enough</p>', rows: [{ code: 'abc' }, { code: 'long enough' }] }
  const { id } = await site.live({ type: 'loose', title: 'Loose', data })
  await site.live({ type: 'user', title: 'User', data: { uses: [id] } })
  const strict = { maxLength: 4 }
  await site.cms.database.tx((tx) =>
    tx
      .updateTable('content_type')
      .set((set) => ({
        fields: JSON.stringify([
          { key: 'long', type: 'textarea', ...strict },
          { key: 'rich', type: 'richtext', ...strict },
          rows({ key: 'code', type: 'text', ...strict }),
        ]),
        search_version: set('search_version', '+', 1),
      }))
      .where('name', '=', 'loose')
      .execute(),
  )
  await announce(site, 'type.updated')
  await resyncTypes(contextFor(site.cms.services, { kind: 'system', name: 'test' }), new AbortController().signal)
  await announce(site, 'type.resynced')
  for (const [query, count] of [
    ['loose?filter[long][exists]=true', 0],
    ['loose?filter[long][contains]=long', 0],
    ['loose?filter[rich][exists]=true', 0],
    ['loose?filter[rich][contains]=long', 0],
    ['loose?filter[rows.code][contains]=long', 0],
    ['loose?filter[rows.code][eq]=', 1],
    ['loose?filter[rows.code][eq]=abc', 1],
    ['user?filter[uses.long][contains]=long', 0],
    ['user?filter[uses.rows.code][starts]=abc', 1],
    ['user?filter[uses.rows.code][starts]=long', 0],
  ] as const)
    assert.equal((await reader.read(`/content/${query}`)).meta.total, count, query)
})
