import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
let ada: { id: string }
before(async () => {
  site = await startDelivery()
  await site.admin.client.put('/api/settings', { locales: ['en', 'de'], url: 'https://example.test' })
  await site.addType(
    'book',
    [
      { key: 'price', type: 'number' },
      { key: 'isbn', type: 'text', indexed: true },
      { key: 'outOn', type: 'date' },
      { key: 'readAt', type: 'datetime' },
      { key: 'sold', type: 'boolean' },
      { key: 'kinds', type: 'multiselect', options: ['a', 'b', 'c'].map((value) => ({ value, label: value })) },
      { key: 'body', type: 'richtext' },
      { key: 'note', type: 'text', hidden: true },
      { key: 'title', type: 'text' },
      { key: 'see', type: 'reference', to: 'book' },
    ],
    { previewUrl: '/{locale}/books/{slug}' },
  )
  await site.addTaxonomy('genre', ['crime', 'love'])
  await site.addTaxonomy('mood', ['love', 'dark'])
  const add = async (title: string, data: object, more: object = {}) => {
    site.clock.advance(1000)
    return site.live({ type: 'book', title, data, ...more })
  }
  ada = await add(
    'Ada',
    { price: 10, isbn: 'x-1', outOn: '2026-01-01', sold: true, kinds: ['a', 'b'], body: '<p>hello wörld</p>' },
    { terms: [{ taxonomy: 'genre', slug: 'love' }] },
  )
  await add('Bob', {
    price: 2,
    isbn: 'x-2',
    outOn: '2026-02-01',
    kinds: ['c'],
    note: 'hiddenword',
    title: 'zzz',
    see: [ada.id],
  })
  await add(
    'Cyd',
    { isbn: 'y%3' },
    {
      terms: [
        { taxonomy: 'mood', slug: 'love' },
        { taxonomy: 'genre', slug: 'crime' },
      ],
    },
  )
  await add('Dan', { price: 30, readAt: '2026-03-01T10:00:00Z' }, { locale: 'de' })
  await site.add(site.editor.client, { type: 'book', title: 'Draft', data: { price: 1 } })
  reader = await site.reader()
})
after(() => site.close())

const titles = async (query: string) => (await reader.titles(`/content/book${query}`)).join('')
const refused = async (query: string): Promise<string[]> => {
  const answer = await reader.get(`/content/book${query}`)
  assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], query)
  return answer.body.details.fields.map(({ key }: { key: string }) => key)
}

describe('a list of published entries', () => {
  test('has items and meta, and entries exactly the members of the contract', async () => {
    const { items, meta } = await reader.read('/content/book?sort=title&limit=1')
    assert.deepEqual(meta, { total: 4, page: 1, limit: 1, pages: 4 })
    assert.deepEqual(Object.keys(items[0]), [
      'id',
      'slug',
      'type',
      'title',
      'data',
      'status',
      'locale',
      'translationOf',
      'url',
      'publishedAt',
      'createdAt',
      'updatedAt',
      'version',
    ])
    assert.equal(items[0].url, 'https://example.test/en/books/ada')
    assert.equal(items[0].status, 'published')
    assert.match(items[0].publishedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(items[0].data.note, undefined)
  })

  test('is sorted by -publishedAt unless the request says otherwise, with the id as the last key', async () => {
    assert.equal(await titles(''), 'DanCydBobAda')
    assert.equal(await titles('?sort=publishedAt'), 'AdaBobCydDan')
    assert.equal(await titles('?sort=-title'), 'DanCydBobAda')
    assert.equal(await titles('?sort=title:desc'), 'DanCydBobAda')
    assert.equal(await titles('?sort=slug&limit=2&page=2'), 'CydDan')
    assert.equal(await titles('?sort=-createdAt,title'), 'DanCydBobAda')
    assert.equal(await titles('?sort=updatedAt'), 'AdaBobCydDan')
  })

  test('sorts by scalar fields, bare or as data.key, what is empty always last', async () => {
    assert.equal(await titles('?sort=price'), 'BobAdaDanCyd')
    assert.equal(await titles('?sort=-price'), 'DanAdaBobCyd')
    assert.equal(await titles('?sort=data.price:desc'), 'DanAdaBobCyd')
    assert.equal(await titles('?sort=isbn'), 'AdaBobCydDan')
    assert.equal(await titles('?sort=-isbn'), 'CydBobAdaDan')
    assert.equal(await titles('?sort=-isbn&limit=2&page=2'), 'AdaDan')
    assert.equal((await titles('?sort=-data.title')).slice(0, 3), 'Bob')
  })

  test('limit is 25, at most 100, and echoed; page 1; past the end there is nothing', async () => {
    assert.equal((await reader.read('/content/book')).meta.limit, 25)
    assert.equal((await reader.read('/content/book?limit=5000')).meta.limit, 100)
    assert.deepEqual(await reader.read('/content/book?page=9'), {
      items: [],
      meta: { total: 4, page: 9, limit: 25, pages: 1 },
    })
    assert.deepEqual((await reader.read('/content/book?page=9&filter[price][gt]=2')).meta.total, 2)
    for (const wrong of ['0', '-1', '1.5', 'x', '', '1e3', '%201']) {
      assert.deepEqual(await refused(`?limit=${wrong}`), ['limit'])
      assert.deepEqual(await refused(`?page=${wrong}`), ['page'])
    }
    assert.deepEqual(await refused('?page=40002'), ['page'])
    assert.deepEqual(await refused(`?page=${'9'.repeat(60)}`), ['page'])
    assert.equal((await reader.read('/content/book?page=40001')).items.length, 0)
  })

  test('term takes a slug of any taxonomy, taxonomy:slug, and commas for any of them', async () => {
    assert.equal(await titles('?term=love&sort=title'), 'AdaCyd')
    assert.equal(await titles('?term=genre:love'), 'Ada')
    assert.equal(await titles('?term=genre:love,crime&sort=title'), 'AdaCyd')
    assert.equal(await titles('?term=nothing'), '')
    assert.equal((await reader.read('/content/book?term=love&limit=1')).meta.total, 2)
    for (const wrong of ['', 'A', 'a:b:c', "x'", 'a,,b']) assert.deepEqual(await refused(`?term=${wrong}`), ['term'])
  })

  test('locale is an exact match, with a total of its own', async () => {
    assert.equal(await titles('?locale=de'), 'Dan')
    assert.equal((await reader.read('/content/book?locale=en&limit=1')).meta.total, 3)
    assert.equal((await reader.read('/content/book?locale=en&sort=price&limit=1')).meta.total, 3)
    assert.equal(await titles('?locale=EN'), '')
    assert.equal(await titles('?locale=fr'), '')
  })

  test('include attaches terms and the author, of whom only id, name and avatarUrl', async () => {
    const { items } = await reader.read('/content/book?include=terms,author&sort=title&limit=1')
    assert.deepEqual(Object.keys(items[0].author), ['id', 'name', 'avatarUrl'])
    assert.deepEqual(
      items[0].terms.map(({ id: _id, ...rest }: { id: string }) => rest),
      [{ slug: 'love', name: 'love', taxonomy: 'genre', parentId: null, description: '' }],
    )
    assert.deepEqual((await reader.read('/content/book/bob?include=terms')).terms, [])
    assert.equal((await reader.read('/content/book/bob')).author, undefined)
    for (const wrong of ['', 'terms,', 'revisions', 'author.email', 'Terms'])
      assert.deepEqual(await refused(`?include=${wrong}`), ['include'])
  })

  test('q finds words of visible fields of live entries, without accents, the last one also begun', async () => {
    assert.equal(await titles('?q=hello%20wor'), 'Ada')
    assert.equal(await titles('?q=hiddenword'), '')
    assert.equal(await titles('?q=Draft'), '')
    assert.equal(await titles('?q=%27%20%7C%20!%26:*'), '')
    assert.equal((await titles('?q=')).length, 12)
    assert.deepEqual(await refused(`?q=${'x'.repeat(201)}`), ['q'])
  })

  test('pages of a search have its total, in any order, also past the last one and after a change', async () => {
    await site.addType('memo', [{ key: 'text', type: 'text' }])
    for (const title of ['Mia', 'Ned', 'Oda', 'Pia', 'Quin']) {
      site.clock.advance(1000)
      await site.live({ type: 'memo', title, data: { text: title === 'Quin' ? 'without' : 'shared word' } })
    }
    const pages = async (query: string) => {
      const read = [1, 2, 3].map((page) => reader.read(`/content/memo?q=shared&limit=3&page=${page}${query}`))
      const found = await Promise.all(read)
      assert.equal(new Set(found.map(({ meta }) => meta.total)).size, 1)
      const shown = found.map(({ items }) => items.map(({ title }: { title: string }) => title).join(''))
      return [...shown, found[0].meta.total]
    }
    assert.deepEqual(await pages(''), ['PiaOdaNed', 'Mia', '', 4])
    assert.deepEqual(await pages('&sort=title'), ['MiaNedOda', 'Pia', '', 4])
    const late = await site.live({ type: 'memo', title: 'Ron', data: { text: 'shared' } })
    assert.deepEqual(await pages('&sort=title'), ['MiaNedOda', 'PiaRon', '', 5])
    await site.editor.client.post(`/api/entries/${late.id}/status`, { action: 'unpublish' })
    assert.deepEqual(await pages('&sort=-title'), ['PiaOdaNed', 'Mia', '', 4])
    assert.equal((await reader.read('/content/memo?q=nowhere')).meta.total, 0)
    await site.live({ type: 'memo', title: 'Sue', data: { text: 'nowhere' } })
    assert.deepEqual(await reader.titles('/content/memo?q=nowhere'), ['Sue'])
  })

  test('fields narrows the members and the data; the id is always there', async () => {
    const one = await reader.read('/content/book/ada?fields=title,data.price')
    assert.deepEqual(one, { id: ada.id, title: 'Ada', data: { price: 10 } })
    assert.deepEqual(await reader.read('/content/book/ada?fields=slug'), { id: ada.id, slug: 'ada' })
    assert.deepEqual(await reader.read('/content/book/ada?fields=isbn'), { id: ada.id, data: { isbn: 'x-1' } })
    for (const wrong of ['note', 'data.note', 'data.', 'authorId', 'pending', ''])
      assert.deepEqual(await refused(`?fields=${wrong}`), ['fields'])
  })

  test('what is unknown or given twice is refused by name', async () => {
    assert.deepEqual(await refused('?status=draft'), ['status'])
    assert.deepEqual(await refused('?preview=1&static=1'), ['preview', 'static'])
    assert.deepEqual(await refused('?page=1&page=2'), ['page'])
    assert.deepEqual(await refused('?sort[]=title'), ['sort[]'])
    assert.deepEqual(await refused('?filter=x'), ['filter'])
    assert.deepEqual(await refused('?depth=4'), ['depth'])
    assert.deepEqual(await refused('?constructor=1&__proto__=2'), ['constructor', '__proto__'])
    const one = await reader.get('/content/book/ada?sort=title')
    assert.deepEqual(one.body.details.fields[0].key, 'sort')
    for (const path of ['/content', '/site/settings', '/site/menus/x'])
      assert.equal((await reader.get(`${path}?x=1`)).status, 400)
  })
})

describe('a filter', () => {
  const cases: [string, string][] = [
    ['filter[price][eq]=10', 'Ada'],
    ['filter[price][ne]=10', 'BobCydDan'],
    ['filter[price][lt]=10', 'Bob'],
    ['filter[price][lte]=10', 'AdaBob'],
    ['filter[data.price][gt]=10', 'Dan'],
    ['filter[price][gte]=10&filter[price][lt]=30', 'Ada'],
    ['filter[price][in]=2,30', 'BobDan'],
    ['filter[price][nin]=2,30', 'AdaCyd'],
    ['filter[price][exists]=false', 'Cyd'],
    ['filter[price][exists]=true', 'AdaBobDan'],
    ['filter[isbn][eq]=x-1', 'Ada'],
    ['filter[isbn][in]=x-1,y%253', 'AdaCyd'],
    ['filter[isbn][starts]=X-', 'AdaBob'],
    ['filter[isbn][contains]=%25', 'Cyd'],
    ['filter[isbn][contains]=_', ''],
    ['filter[isbn][exists]=false', 'Dan'],
    ['filter[outOn][gt]=2026-01-15', 'Bob'],
    ['filter[readAt][gte]=2026-03-01T11:00:00%2B01:00', 'Dan'],
    ['filter[sold][eq]=true', 'Ada'],
    ['filter[kinds][contains]=a', 'Ada'],
    ['filter[kinds][in]=b,c', 'AdaBob'],
    ['filter[kinds][nin]=a', 'BobCydDan'],
    ['filter[title][starts]=a', 'Ada'],
    ['filter[title][eq]=Bob', 'Bob'],
    ['filter[data.title][eq]=zzz', 'Bob'],
    ['filter[slug][in]=ada,dan', 'AdaDan'],
    ['filter[publishedAt][lt]=2020-01-01', ''],
    ['filter[or][0][price][eq]=2&filter[or][1][isbn][eq]=x-1', 'AdaBob'],
    ['filter[or][0][price][eq]=2&filter[or][0][isbn][eq]=x-1&filter[or][1][price][eq]=30', 'Dan'],
    ['filter[price][gt]=1&filter[or][0][title][eq]=Ada&filter[or][1][title][eq]=Cyd', 'Ada'],
  ]
  for (const [query, expected] of cases)
    test(`${query} gives ${expected || 'nothing'}, and its total`, async () => {
      const { items, meta } = await reader.read(`/content/book?sort=title&${query}`)
      assert.equal(items.map(({ title }: { title: string }) => title).join(''), expected)
      assert.equal(meta.total, items.length)
    })

  test('by a reference finds who refers to what can be shown', async () => {
    assert.equal(await titles(`?filter[see][eq]=${ada.id}`), 'Bob')
    assert.equal(await titles(`?filter[see][in]=${ada.id},${ada.id}`), 'Bob')
  })

  test('takes declared keys, operators of their type and values of their form only', async () => {
    for (const key of ['nope', 'note', 'data.note', 'body', 'constructor', 'authorId', 'status', 'data'])
      assert.deepEqual(await refused(`?filter[${key}][eq]=1`), [`filter[${key}][eq]`])
    for (const wrong of [
      'filter[price][like]=1',
      'filter[price][contains]=1',
      'filter[sold][lt]=true',
      'filter[price][eq]=x',
      'filter[price][in]=1,x',
      'filter[sold][eq]=1',
      'filter[outOn][eq]=2026-02-30',
      'filter[readAt][eq]=today',
      'filter[price][exists]=1',
      'filter[id][eq]=1',
      'filter[see][eq]=1',
      'filter[kinds][eq]=a',
      'filter[price]=1',
      'filter[][eq]=1',
      'filter[price][eq][eq]=1',
      'filter[or][x][price][eq]=1',
    ])
      assert.deepEqual(await refused(`?${wrong}`), [wrong.slice(0, wrong.lastIndexOf('='))])
    const many = Array.from({ length: 21 }, (_, at) => `filter[or][${at}][price][eq]=1`).join('&')
    assert.deepEqual(await refused(`?${many}`), ['filter'])
    assert.equal((await reader.get(`/content/book?${many.split('&').slice(1).join('&')}`)).status, 200)
  })
})
