import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { operandOf, opsOf } from '../delivery/operands.ts'

import { type Field, fieldList } from './field.ts'
import { type FieldType, fieldTypeNames, fieldTypes, typeOf } from './types/index.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const OTHER_ID = '01890a5d-ac96-774b-bcce-b302099a8058'
const SITE = { embedHosts: [] }
const SEED = 20260301

type Samples = {
  options?: Record<string, unknown>
  right: unknown[]
  /** Values that cleaning makes right, and what it makes of them. */
  mended?: [from: unknown, to: unknown][]
  wrong: unknown[]
  /** Values that are wrong inside, with the keys of their problems. */
  wrongInside?: [value: unknown, keys: string][]
}

const choices = { options: [{ value: 'red', label: 'Red' }, { value: 'blue' }] }
/** Only the size of all data bounds it. */
const LONG = 'ä'.repeat(1_000_000)
const LONG_LOCAL_PART = `${'a'.repeat(65)}@b.cd`

const samples: Record<FieldType, Samples> = {
  text: {
    right: ['Hello', 'Ωλ ❤'],
    mended: [
      ['a\r\n\tb', 'a b'],
      ['a\u0000\u001b\ud800', 'a\ufffd'],
    ],
    wrong: [5, true, [], {}, 'a'.repeat(10_001)],
  },
  textarea: { right: ['a\nb', LONG], mended: [['a\r\nb\rc', 'a\nb\nc']], wrong: [5, ['a'], {}] },
  richtext: {
    right: ['<p>Hello</p>', '<h2>A</h2><ul><li>b</li></ul>', '<p><img src="/a.png"></p>'],
    mended: [['<b onclick=x>a</b><script>1</script>', '<p><strong>a</strong></p>']],
    wrong: [5, {}, ['<p>'], 'a'.repeat(1_048_577), '&'.repeat(300_000)],
  },
  markdown: { right: ['# A\r\n\r\n<b>raw</b>', LONG], wrong: [5, null, {}, '\u0000', '\ud800'] },
  number: {
    right: [0, -1.5, 1e300],
    mended: [
      ['', null],
      [-0, 0],
    ],
    wrong: ['1', true, Number.NaN, Number.POSITIVE_INFINITY, [1], {}],
  },
  boolean: { right: [true, false], wrong: ['true', 1, null, {}, []] },
  date: {
    right: ['2024-02-29', '0001-01-01', '9999-12-31'],
    mended: [
      [' 2024-01-31 ', '2024-01-31'],
      ['', null],
    ],
    wrong: [
      '2024-02-30',
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-2-9',
      '0000-01-01',
      20240229,
      {},
    ],
  },
  datetime: {
    right: ['2024-02-29T10:00:00.000Z'],
    mended: [
      ['2024-02-29T10:00:00+02:00', '2024-02-29T08:00:00.000Z'],
      ['2024-01-01T00:30-0130', '2024-01-01T02:00:00.000Z'],
      ['0001-01-01t00:00:00.1239999z', '0001-01-01T00:00:00.123Z'],
    ],
    wrong: [
      ...['2024-02-29T10:00:00', '2024-02-29', '2024-02-30T10:00Z', '2024-02-01T24:00Z', '2024-02-01T10:60Z'],
      ...[
        '2024-02-01T10:00:60Z',
        '2024-02-01T10:00+15:00',
        '9999-12-31T23:59-01:00',
        '2024-02-01 10:00Z',
        1709200000,
        {},
      ],
    ],
  },
  select: { options: choices, right: ['red'], mended: [['', null]], wrong: ['green', 'Red', 1, ['red'], {}] },
  multiselect: {
    options: choices,
    right: [['red', 'blue']],
    mended: [
      [
        ['blue', 'red', 'blue'],
        ['blue', 'red'],
      ],
    ],
    wrong: ['red', {}, 5],
    wrongInside: [
      [['red', 'green'], '.1'],
      [[1], '.0'],
    ],
  },
  media: { right: [ID], mended: [[ID.toUpperCase(), ID]], wrong: ['cat.png', 5, [ID], { id: ID }] },
  gallery: {
    right: [[ID, OTHER_ID, ID]],
    wrong: [ID, 5, {}, Array(1001).fill(ID)],
    wrongInside: [
      [[ID, 'x'], '.1'],
      [[{ id: ID }], '.0'],
    ],
  },
  reference: {
    options: { to: 'post' },
    right: [[ID, OTHER_ID]],
    mended: [[[ID, ID.toUpperCase()], [ID]]],
    wrong: [ID, {}, 5],
    wrongInside: [[['x', ID, 5], '.0 .2']],
  },
  list: {
    options: {
      fields: [
        { key: 'name', type: 'text' },
        { key: 'url', type: 'url' },
      ],
    },
    right: [[{ name: 'a', url: '/a' }, {}]],
    mended: [[[{ name: 'a\nb', url: null }], [{ name: 'a b', url: '' }]]],
    wrong: [{}, 'a', 5, Array(1001).fill({})],
    wrongInside: [
      [['a', { url: 'javascript:1' }], '.0 .1.url'],
      [[{ nmae: 'a' }, JSON.parse('{"__proto__":1}')], '.0.nmae .1.__proto__'],
      [[{ name: 'a' }, { name: 1 }, { url: '//evil' }], '.1.name .2.url'],
    ],
  },
  json: {
    right: [{ a: [1, 'b', null, true] }, [], 'text', 0, nested(31), LONG],
    wrong: [
      ...[JSON.parse('{"a":{"__proto__":1}}'), () => 1, undefined, 5n, { a: Number.NaN }, { '\u0000': 1 }],
      ...[{ at: new Date(0) }, new Map(), { a: '\ud800' }, nested(32)],
    ],
  },
  color: {
    right: ['#fff', '#a0b1c2', '#a0b1c2d3'],
    mended: [
      [' #FFF ', '#fff'],
      ['', null],
    ],
    wrong: ['red', '#ffff', '#fff;background:url(x)', 'expression(1)', 0xfff, {}],
  },
  url: {
    right: ['https://example.com/a?b#c', '/about', '/', 'HTTP://EXAMPLE.COM', 'https://müller.de/ü'],
    mended: [[' https://example.com\n', 'https://example.com']],
    wrong: [
      ...['java\tscript:alert(1)', 'javascript:alert(1)', 'JaVaScript:1', 'data:text/html,x', 'vbscript:x', 'ftp://x'],
      ...[
        '//evil',
        '/\\evil',
        '/\t/evil',
        'example.com',
        '#top',
        '?a',
        'https://',
        'https:evil',
        'https:///evil',
        'https://a b',
      ],
      ...['https://a\u0000b', 'https://[', '/a"b', 'relative:x', `https://a/${'a'.repeat(2048)}`, 5, {}],
    ],
  },
  email: {
    right: ['a@example.com', "o'brien+tag@mail.example.co.uk", 'info@müller.de'],
    mended: [[' a@b.cd\n', 'a@b.cd']],
    wrong: [
      ...['a', '@b.cd', 'a@', 'a@b', 'a b@c.de', 'a@b..cd', '.a@b.cd', 'a@-b.cd', 'a@b.1', 'a@@b.cd', '"a"@b.cd'],
      ...[LONG_LOCAL_PART, `a@${'b.'.repeat(200)}cd`, 'a@b.cd>', 5, {}],
    ],
  },
}

const fieldFor = (type: FieldType): Field => {
  const input = [{ key: 'value', type, ...samples[type].options }]
  const [field] = fieldList.parse(input)
  assert.ok(field)
  return field
}

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

const garbage = fc.oneof(
  fc.jsonValue(),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
  fc.array(fc.oneof(fc.constant(ID), fc.jsonValue())),
  fc.string({ unit: anyCharacter }),
)

const SPECIFIED =
  'text textarea richtext markdown number boolean date datetime select multiselect media gallery reference list json color url email'

test('the types of the specification come first, in its order; each is in the file of its name, which nothing else names', () => {
  assert.equal(fieldTypeNames.slice(0, 18).join(' '), SPECIFIED)
  const types = new URL('types/', import.meta.url)
  const beside = new URL('.', import.meta.url)
  for (const name of fieldTypeNames) {
    assert.equal(fieldTypes[name].type, name)
    assert.deepEqual(importersOf(`./${name}.ts`, types), ['index.ts'], name)
    assert.deepEqual(importersOf(`./types/${name}.ts`, beside), [], name)
  }
})

const importersOf = (specifier: string, folder: URL): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => readFileSync(new URL(file, folder), 'utf8').includes(`from '${specifier}'`))

for (const name of fieldTypeNames)
  describe(`the field type ${name}`, () => {
    const field = fieldFor(name)
    const type = typeOf(field)
    const check = (value: unknown) => type.check(value, field, 'value')
    const clean = (value: unknown) => (type.clean ? type.clean(value, field, SITE) : value)

    test('accepts its empty value, which stays what it is', () => {
      assert.deepEqual(check(type.empty(field)), [])
      assert.deepEqual(clean(type.empty(field)), type.empty(field))
      // A boolean always says something.
      assert.equal(type.isEmpty(type.empty(field)), name !== 'boolean')
    })

    test('accepts right values, which survive cleaning and JSON', () => {
      for (const value of samples[name].right) {
        assert.deepEqual(check(clean(value)), [], JSON.stringify(value))
        assert.deepEqual(JSON.parse(JSON.stringify(clean(value))), clean(value))
        assert.equal(type.isEmpty(value), false)
      }
    })

    test('normalizes what is only written differently', () => {
      for (const [value, expected] of samples[name].mended ?? []) {
        assert.deepEqual(clean(value), expected)
        assert.deepEqual(check(expected), [])
      }
    })

    test('refuses wrong values, naming the key and saying what to do', () => {
      const cases = [
        ...samples[name].wrong.map((value): [unknown, string] => [value, '']),
        ...(samples[name].wrongInside ?? []),
      ]
      for (const [value, keys] of cases) {
        const problems = check(clean(value))
        assert.deepEqual(
          problems.map(({ key }) => key),
          keys.split(' ').map((key) => `value${key}`),
          String(value),
        )
        for (const { message } of problems) assert.match(message, /^(must|is|isn't|has|contains|doesn't|can't) /)
      }
    })

    test('is asked for in filters by the options that its kind needs', () => {
      const operand = operandOf('value', { fields: [field], fieldsOf: () => null, seen: 'all' })
      assert.ok(operand && opsOf(operand).includes('exists'))
    })

    test('has strict options', () => {
      const input = [{ key: 'value', type: name, ...samples[name].options, nonsense: 1 }]
      assert.equal(fieldList.safeParse(input).success, false)
    })

    test('cleans once and for all, and never throws whatever it is given', () => {
      fc.assert(
        fc.property(garbage, (value) => {
          const cleaned = clean(value)
          assert.deepEqual(clean(cleaned), cleaned)
          assert.deepEqual(check(clean(cleaned)), check(cleaned))
          type.isEmpty(value)
          type.missing?.(value, field, 'value')
          const links = type.links(value, field)
          for (const found of Object.values(links)) assert.ok(Array.isArray(found))
          assert.equal(typeof type.text(value, field), 'string')
          for (const { key } of check(value)) assert.ok(key === 'value' || key.startsWith('value.'))
          if (type.read) assert.deepEqual(check(type.read(value, field, 'all')), [])
        }),
        { seed: SEED, numRuns: 80 },
      )
    })
  })

function nested(levels: number): unknown {
  return levels === 0 ? [] : [nested(levels - 1)]
}
