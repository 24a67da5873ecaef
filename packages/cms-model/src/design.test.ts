import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DesignProperty, designManifest, designValueProblem } from './design.ts'

const surface = (...properties: object[]) => ({ surfaces: [{ id: 'brand', label: 'Brand', properties }] })
const color = { key: 'main', label: 'Main', type: 'color', css: '--main', default: '#123456' }
const problemsOf = (value: unknown): string[] =>
  (designManifest.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'))

describe('a design', () => {
  test('is set on the root of the page unless another place is named', () => {
    assert.equal(designManifest.parse(surface(color)).surfaces[0]?.selector, ':root')
  })

  const refused: [string, object, string][] = [
    ['a name that is no custom property', { css: 'color' }, 'css'],
    ['a name that leaves its declaration', { css: '--a:red;--b' }, 'css'],
    ['a default that is no value of its type', { default: 'red; } body {' }, 'default'],
    ['a key that objects have', { key: 'constructor' }, 'key'],
    ['options of a colour', { options: [{ value: 'a', label: 'A' }] }, 'options'],
    ['a range of a colour', { min: 1 }, 'min'],
    ['a font without options', { type: 'font', default: 'Inter' }, 'options'],
    [
      'an option that loads something',
      { type: 'font', default: 'url(x)', options: [{ value: 'url(x)', label: 'X' }] },
      'options.0.value',
    ],
    ['a number out of its range', { type: 'number', min: 1, max: 2, default: 3 }, 'default'],
    ['a range that is empty', { type: 'number', min: 3, max: 2, default: 2 }, 'min'],
    ['a length of a unit that is not offered', { type: 'length', units: ['px'], default: '1rem' }, 'default'],
    ['a picture with a default', { type: 'media' }, 'default'],
  ]
  for (const [name, members, path] of refused)
    test(`refuses ${name}`, () => {
      assert.deepEqual(problemsOf(surface({ ...color, ...members })), [`surfaces.0.properties.0.${path}`])
    })

  test('refuses a key, a custom property or an id that is used twice', () => {
    assert.deepEqual(problemsOf(surface(color, color)), ['surfaces.0.properties.1.key', 'surfaces.0.properties.1.css'])
    const [one] = surface(color).surfaces
    assert.deepEqual(problemsOf({ surfaces: [one, one] }), ['surfaces.1.id'])
  })
})

describe('a value', () => {
  const property = (members: object): DesignProperty => {
    const [found] = designManifest.parse(surface({ ...color, ...members })).surfaces[0]?.properties ?? []
    assert.ok(found)
    return found
  }
  const properties = [
    property({}),
    property({ type: 'number', default: 1 }),
    property({ type: 'length', default: '1rem' }),
    property({ type: 'select', default: 'wide', options: [{ value: 'wide', label: 'Wide' }] }),
    property({ type: 'media', default: null }),
  ]

  test('is taken as people and pickers write it', () => {
    const [colour, number, length, select, media] = properties
    assert.ok(colour && number && length && select && media)
    for (const value of ['#fff', '#1a56dbcc', 'rgb(1 2 3 / 50%)', 'oklch(62.8% 0.25 29)', 'hsl(120deg, 10%, 20%)'])
      assert.equal(designValueProblem(colour, value), null, value)
    for (const value of ['0', '16px', '1.25rem', '-2em', '50%'])
      assert.equal(designValueProblem(length, value), null, value)
    assert.equal(designValueProblem(number, 1.5), null)
    assert.equal(designValueProblem(select, 'wide'), null)
    assert.equal(designValueProblem(media, '01890a5d-ac96-774b-bcce-b302099a8057'), null)
  })

  test('never leaves its declaration, whatever was typed', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({
        unit: fc.constantFrom('#', 'f', '0', ';', '}', '{', '(', ')', 'url', '/*', ' ', '%', 'px', '\\', '\n'),
      }),
    )
    fc.assert(
      fc.property(text, fc.constantFrom(...properties), (value, declared) => {
        if (designValueProblem(declared, value) === null) assert.doesNotMatch(value, /[;{}<>\\\n]|url|\/\*/i)
      }),
      { numRuns: 2_000 },
    )
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, {}, [], true, undefined])
      for (const declared of properties) assert.notEqual(designValueProblem(declared, value), null)
  })
})
