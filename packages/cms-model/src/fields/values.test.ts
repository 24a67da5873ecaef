import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { contentFields, type Field } from './field.ts'
import { checkData, checkSize, cleanData, defaultData, linksOf, mergeData, readData, searchTextOf } from './values.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const OTHER_ID = '01890a5d-ac96-774b-bcce-b302099a8058'
const THIRD_ID = '01890a5d-ac96-774b-bcce-b302099a8059'

const fieldsOf = (fields: unknown[]): Field[] => contentFields.parse(fields)

const fields = fieldsOf([
  { key: 'headline', type: 'text', required: true, maxLength: 20 },
  { key: 'body', type: 'richtext' },
  { key: 'price', type: 'number', min: 0, default: 5 },
  { key: 'notes', type: 'textarea', hidden: true },
  { key: 'colour', type: 'color' },
  { key: 'cover', type: 'media' },
  { key: 'related', type: 'reference', to: 'post' },
  {
    key: 'items',
    type: 'list',
    fields: [
      { key: 'url', type: 'url', required: true },
      { key: 'secret', type: 'text', hidden: true },
      { key: 'picture', type: 'media' },
      { key: 'tags', type: 'list', fields: [{ key: 'name', type: 'text', required: true }] },
    ],
  },
])

const keysOf = (data: Record<string, unknown>, options: { publishing?: boolean; only?: string[] } = {}): string[] =>
  checkData(fields, data, { publishing: false, ...options }).map(({ key }) => key)

describe('saving data', () => {
  test('a draft may be incomplete, a published entry may not', () => {
    assert.deepEqual(keysOf({}), [])
    assert.deepEqual(keysOf({}, { publishing: true }), ['headline'])
    assert.deepEqual(keysOf({ headline: '  ' }, { publishing: true }), ['headline'])
    assert.deepEqual(keysOf({ headline: 'a' }, { publishing: true }), [])
  })

  test('required fields of list items are asked for on publish, each by its path', () => {
    const data = { headline: 'a', items: [{ url: '/a' }, { tags: [{ name: 'x' }, {}] }] }
    assert.deepEqual(keysOf(data), [])
    assert.deepEqual(keysOf(data, { publishing: true }), ['items.1.url', 'items.1.tags.1.name'])
  })

  test('wrong values are refused by their path, also in drafts', () => {
    const data = { headline: 5, items: [{ url: '/a' }, { url: '//evil' }], price: -1 }
    assert.deepEqual(keysOf(data), ['headline', 'items.1.url', 'price'])
  })

  test('a wrong value is not reported as missing as well', () => {
    assert.deepEqual(keysOf({ headline: 5 }, { publishing: true }), ['headline'])
  })

  test('an unknown key is refused by its name', () => {
    assert.deepEqual(checkData(fields, { headlin: 'a' }, { publishing: false }), [
      { key: 'headlin', message: "isn't a field of this type" },
    ])
    for (const key of ['__proto__', 'constructor', 'toString'])
      assert.deepEqual(keysOf(JSON.parse(`{"${key}":1}`)), [key])
  })

  test('values that the write does not name are left alone', () => {
    const stored = { headline: 'much longer than twenty characters', gone: 1, price: 'five' }
    assert.deepEqual(keysOf({ ...stored, body: '<p>a</p>' }, { only: ['body'] }), [])
    assert.deepEqual(keysOf(stored, { only: ['price', 'gone'] }), ['gone', 'price'])
  })

  test('publishing takes a required value that does not fit any more as missing', () => {
    const stored = { headline: 'much longer than twenty characters', body: '' }
    assert.deepEqual(keysOf(stored, { publishing: true, only: ['body'] }), ['headline'])
  })

  test('publishing asks for what is read as empty: never for a boolean, and not for a list with one item that does not fit', () => {
    const asked = fieldsOf([
      { key: 'featured', type: 'boolean', required: true },
      { key: 'links', type: 'list', required: true, fields: [{ key: 'text', type: 'text', maxLength: 3 }] },
    ])
    const missing = (data: Record<string, unknown>) =>
      checkData(asked, data, { publishing: true, only: [] }).map(({ key }) => key)
    assert.deepEqual(missing({ links: [{ text: 'abc' }] }), [])
    assert.deepEqual(missing({ featured: 'yes', links: [{ text: 'longer than it may be now' }] }), [])
    assert.deepEqual(missing({ featured: true, links: [] }), ['links'])
  })

  test('problems are a hundred at most', () => {
    assert.equal(keysOf({ items: Array(1000).fill({ url: 5 }) }).length, 100)
  })

  test('null clears a field to its empty value', () => {
    const cleared = cleanData(fields, { headline: null, price: null, items: null, related: null, colour: null })
    assert.deepEqual(cleared, { headline: '', price: null, items: [], related: [], colour: null })
    assert.deepEqual(keysOf(cleared), [])
  })

  test('values are cleaned, also inside of lists', () => {
    assert.deepEqual(
      cleanData(fields, { body: '<script>1</script>a', colour: '#FFF', items: [{ url: ' /a ', picture: '' }] }),
      { body: '<p>a</p>', colour: '#fff', items: [{ url: '/a', picture: null }] },
    )
  })

  test('formatted fields keep text, i and br only', () => {
    const html = '<b>a</b><em onclick=x>b</em><br><img src=x>'
    assert.equal(cleanData(fields, { headline: html }, { formatted: ['headline'] }).headline, 'a<i>b</i>')
    assert.equal(cleanData(fields, { headline: html }).headline, html)
  })

  test('a text that is too long once it is clean is refused', () => {
    const data = cleanData(fields, { body: '&'.repeat(300_000) })
    assert.deepEqual(keysOf(data), ['body'])
  })

  test('a patch replaces whole members and leaves the others, also those of fields that are gone', () => {
    const stored = { headline: 'a', items: [{ url: '/a' }, { url: '/b' }], gone: 1 }
    assert.deepEqual(mergeData(stored, { items: [{ url: '/c' }] }), { headline: 'a', items: [{ url: '/c' }], gone: 1 })
    assert.deepEqual(stored.items.length, 2)
  })

  test('data of two megabytes is the most, in bytes', () => {
    assert.deepEqual(checkSize({ a: 'x'.repeat(2_097_152 - 8) }), [])
    assert.equal(checkSize({ a: 'x'.repeat(2_097_152 - 7) }).length, 1)
    assert.equal(checkSize({ a: 'ä'.repeat(1_048_576) }).length, 1)
    assert.deepEqual(checkSize({ a: '😀'.repeat(524_285) }), [])
  })

  test('a new entry starts with the defaults', () => assert.deepEqual(defaultData(fields), { price: 5 }))
})

describe('the layout', () => {
  test('is carried beside the fields', () => {
    const layout = { order: ['hero', 'team'], hidden: ['team'] }
    assert.deepEqual(keysOf({ __layout: layout }), [])
    assert.deepEqual(readData(fields, { __layout: layout }, 'visible').__layout, layout)
    assert.deepEqual(cleanData(fields, { __layout: { order: ['a'] } }).__layout, { order: ['a'], hidden: [] })
  })

  test('is removed by null and when it says nothing', () => {
    const stored = { headline: 'a', __layout: { order: ['a'], hidden: [] } }
    for (const __layout of [null, { order: [], hidden: [] }, {}])
      assert.deepEqual(mergeData(stored, cleanData(fields, { __layout })), { headline: 'a' })
  })

  for (const [wrong, key] of [
    [[], '__layout'],
    ['hero', '__layout'],
    [{ order: 'hero' }, '__layout.order'],
    [{ hidden: [1] }, '__layout.hidden.0'],
    [{ order: ['a', 'a'] }, '__layout.order'],
    [{ order: ['a'.repeat(101)] }, '__layout.order.0'],
    [{ order: Array.from({ length: 201 }, (_, index) => `s${index}`) }, '__layout.order'],
    [{ order: ['a'], extra: 1 }, '__layout'],
  ] as const)
    test(`is refused as ${JSON.stringify(wrong).slice(0, 40)}, naming ${key}`, () => {
      assert.deepEqual(keysOf(cleanData(fields, { __layout: wrong })), [key])
      assert.equal(readData(fields, { __layout: wrong }, 'all').__layout, undefined)
    })
})

describe('reading data', () => {
  test('gives every field a value and hides keys that are no fields', () => {
    assert.deepEqual(readData(fields, { headline: 'a', gone: 1 }, 'all'), {
      headline: 'a',
      body: '',
      price: null,
      notes: '',
      colour: null,
      cover: null,
      related: [],
      items: [],
    })
  })

  test('leaves hidden fields out for visitors, also inside of lists', () => {
    const stored = { notes: 'internal', items: [{ url: '/a', secret: 's' }] }
    const seen = readData(fields, stored, 'visible')
    assert.equal('notes' in seen, false)
    assert.deepEqual(seen.items, [{ url: '/a', picture: null, tags: [] }])
    assert.equal(readData(fields, stored, 'all').notes, 'internal')
  })

  test('a value that does not fit the type any more reads as empty, and the others stay', () => {
    const stored = { headline: true, price: 'five', related: [ID, 'x', 5], items: [{ url: 5, picture: ID }, 'x'] }
    const read = readData(fields, stored, 'all')
    assert.deepEqual([read.headline, read.price, read.related], ['', null, [ID]])
    assert.deepEqual(read.items, [{ url: '', secret: '', picture: ID, tags: [] }])
  })

  test('removing a field and adding it again brings its value back', () => {
    const stored = mergeData({ headline: 'kept' }, cleanData([], {}))
    assert.deepEqual(readData([], stored, 'all'), {})
    assert.equal(readData(fields, stored, 'all').headline, 'kept')
  })

  test('what is read is right, whatever is stored', () => {
    const stored = fc.dictionary(fc.constantFrom(...fields.map(({ key }) => key), 'gone', '__layout'), fc.jsonValue())
    fc.assert(
      fc.property(stored, (data) => {
        assert.deepEqual(checkData(fields, readData(fields, data, 'all'), { publishing: false }), [])
      }),
      { seed: 20260301, numRuns: 300 },
    )
  })
})

describe('links and words', () => {
  const data = {
    headline: 'Spring & sun',
    body: `<p>Warm <strong>da</strong>ys</p><p><img src="/a.png" data-media-id="${OTHER_ID}"></p>`,
    notes: 'internal',
    price: 12,
    cover: ID,
    related: [ID, THIRD_ID],
    items: [{ url: '/a', secret: 'hush', picture: ID, tags: [{ name: 'tagged' }] }],
    gone: THIRD_ID,
  }

  test('files and entries are found in values, lists and rich text, each once', () => {
    assert.deepEqual(linksOf(fields, data), {
      media: [OTHER_ID, ID],
      addressed: [],
      entries: [
        { to: 'post', id: ID },
        { to: 'post', id: THIRD_ID },
      ],
      linked: [],
    })
  })

  test('words are those of the values; visitors do not find hidden ones', () => {
    assert.equal(searchTextOf(fields, data, 'all'), 'Spring & sun Warm days 12 internal /a hush tagged')
    assert.equal(searchTextOf(fields, data, 'visible'), 'Spring & sun Warm days 12 /a tagged')
  })

  test('words are bounded', () => {
    const long = { body: `<p>${'word '.repeat(200_000)}</p>`, notes: 'a'.repeat(500_000) }
    assert.ok(searchTextOf(fields, long, 'all').length <= 200_000)
  })
})
