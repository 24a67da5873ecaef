import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { indexesOf } from '../../content/types/indexes.ts'
import { announce, type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

const COUNT = 90
const LIMIT = 12

let site: DeliverySite
let reader: Reader
before(async () => {
  site = await startDelivery({ env: { DELIVERY_CACHE_BYTES: '0' } })
  const fields = [
    { key: 'price', type: 'number', indexed: true },
    { key: 'name', type: 'text', indexed: true },
    { key: 'size', type: 'number' },
  ]
  await site.addType('thing', fields)
  await site.addTaxonomy('tag', ['red'])
  await site.cms.database.tx(async (tx) => {
    // Many equal values and many missing ones, in no order.
    await tx.query({
      text: `insert into entry (id, type, slug, title, data, status, locale, live_version, live_updated_at, published_at, created_at, updated_at)
        select gen_random_uuid(), 'thing', 'thing-' || n, 'Title ' || (n * 7 % 10), jsonb_strip_nulls(jsonb_build_object(
          'price', case when n % 3 > 0 then n * 31 % 11 end, 'name', case when n % 4 > 0 then 'name ' || n * 17 % 5 end,
          'size', case when n % 5 > 0 then n % 4 end)),
          case when n % 10 = 0 then 'draft' else 'published' end, case when n % 6 = 0 then 'de' else 'en' end, 1, moment, moment, moment, moment
        from generate_series(1, $1) n, lateral (select timestamptz '2026-01-01' + (n * 13 % 20) * interval '1 day') m (moment)`,
      values: [COUNT],
    })
    await tx.query({
      text: `insert into entry_count select type, locale, count(*) from entry where type = 'thing' and status = 'published' group by 1, 2`,
    })
    await tx.query({
      text: `insert into entry_term select e.id, t.id from entry e, term t where e.type = 'thing' and e.slug like '%1'`,
    })
    for (const { name, definition } of indexesOf({ name: 'thing', fields: fields as never }))
      await tx.query({ text: `create index ${name} ${definition}` })
    await tx.query({ text: `update content_type set search_synced = search_version, misfits = '{}'` })
  })
  await announce(site, 'type.updated')
  reader = await site.reader()
})
after(() => site.close())

const ORDERS: [string, string][] = [
  ['', 'published_at desc, id'],
  ['publishedAt', 'published_at, id desc'],
  ['title', 'title, id'],
  ['-title', 'title desc, id desc'],
  ['-updatedAt', 'live_updated_at desc, id desc'],
  ['createdAt', 'created_at, id'],
  ['slug', 'slug, id'],
  ['price', `(data ->> 'price')::numeric nulls last, id`],
  ['-price', `(data ->> 'price')::numeric desc nulls last, id desc`],
  ['-price,title', `(data ->> 'price')::numeric desc nulls last, title, id desc`],
  ['name', `data ->> 'name' nulls last, id`],
  ['-name', `data ->> 'name' desc nulls last, id desc`],
  ['-size', `(data ->> 'size')::numeric desc nulls last, id desc`],
]
const CONDITIONS: [string, string][] = [
  ['', 'true'],
  ['locale=de', `locale = 'de'`],
  ['term=red', `slug like '%1'`],
  ['filter[price][gte]=3', `(data ->> 'price')::numeric >= 3`],
]

describe('the pages of a list', () => {
  for (const [sort, order] of ORDERS)
    test(`by ${sort || 'default'}, put together, are all entries in that order, each once`, async () => {
      for (const [condition, where] of CONDITIONS) {
        const rows = await site.cms.database.db.query<{ id: string }>({
          text: `select id from entry where type = 'thing' and status = 'published' and deleted_at is null and ${where} order by ${order}`,
        })
        const expected = rows.map(({ id }) => id)
        const query = [sort && `sort=${sort}`, condition, `limit=${LIMIT}`].filter(Boolean).join('&')
        const found: string[] = []
        // One page more than there are: it is empty, and knows the total.
        const pages = Math.ceil(expected.length / LIMIT) + 1
        // Twice: statements that are prepared have a plan of their own from the sixth time on.
        for (let page = 1; page <= 2 * pages; page += 1) {
          const number = 1 + ((page - 1) % pages)
          const { items, meta } = await reader.read(`/content/thing?${query}&depth=0&page=${number}`)
          assert.equal(meta.total, expected.length, query)
          found.push(...items.map(({ id }: { id: string }) => id))
        }
        assert.deepEqual(found, [...expected, ...expected], `${sort} ${condition}`)
      }
    })

  test('are the same whichever was read before, and after what is before them has changed', async () => {
    const all = async (sort: string) => (await reader.read(`/content/thing?sort=${sort}&limit=100&depth=0`)).items
    const change = (price: number) =>
      site.cms.database.tx(async (tx) => {
        await tx.query({
          text: `update entry set data = jsonb_set(data, '{price}', $1) where type = 'thing' and slug = 'thing-1'`,
          values: [price],
        })
        const data = { id: '', type: 'thing', isPublic: true }
        tx.changes.push({ topic: 'entry', event: 'entry.published', data })
      })
    for (const sort of ['price', '-price', 'name', '-name'])
      for (const price of [-1, 100, 5]) {
        await change(price)
        const expected = await all(sort)
        for (const [page, limit] of [5, 2, 12, 9, 3, 14, 7, 1, 13, 8, 4, 11, 6, 10].flatMap((at) => [
          [at, 6],
          [Math.ceil(at / 2), 12],
        ]) as [number, number][]) {
          const { items } = await reader.read(`/content/thing?sort=${sort}&limit=${limit}&page=${page}&depth=0`)
          assert.deepEqual(
            items,
            expected.slice((page - 1) * limit, page * limit),
            `${sort} ${price} ${page} of ${limit}`,
          )
        }
      }
  })
})
