import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DesignSurfaceRecord, DesignValue } from '@stoa/cms-model/design.ts'
import type { Draft } from '../site/drafts.ts'
import {
  draftCss,
  faintTexts,
  picturesOf,
  ratioText,
  readLength,
  readNumber,
  restoredPictures,
  storedSurface,
  valueProblem,
  writeLength,
} from './values.ts'

type PropertyRecord = DesignSurfaceRecord['properties'][number]

const property = (key: string, type: PropertyRecord['type'], original: DesignValue, more = {}): PropertyRecord => ({
  key,
  label: key,
  type,
  css: `--${key}`,
  options: null,
  min: null,
  max: null,
  units: null,
  default: original,
  value: original,
  overridden: false,
  ...more,
})

const surface: DesignSurfaceRecord = {
  id: 'page',
  label: 'Page',
  selector: ':root',
  version: 2,
  properties: [
    property('text', 'color', '#111111'),
    property('background', 'color', '#ffffff', { value: '#eeeeee', overridden: true }),
    property('radius', 'length', '4px', { units: ['px', 'rem'], min: 0, max: 40 }),
    property('hero', 'media', null),
  ],
}

const FILE = '0b0f4e4e-0d44-4d0a-9f6f-0d8f6f3c1a11'

const draftWith = (values: Record<string, unknown>): Draft => {
  const { version, values: saved } = storedSurface(surface)
  return { version, saved, values: { ...saved, ...values } }
}
const cssWith = (values: Record<string, unknown>): string =>
  draftCss([{ record: surface, draft: draftWith(values) }], (id) => (id === FILE ? 'https://x.test/a.jpg' : undefined))

test('a value that nobody set is null, whatever the website says itself', () => {
  assert.deepEqual(storedSurface(surface), {
    version: 2,
    values: { text: null, background: '#eeeeee', radius: null, hero: null },
  })
})

test('the canvas gets what is set, and nothing of what is not', () => {
  assert.equal(cssWith({}), ':root {\n  --background: #eeeeee;\n}\n')
  assert.equal(cssWith({ radius: '8px' }), ':root {\n  --background: #eeeeee;\n  --radius: 8px;\n}\n')
})

test("restored, a property has the website's own value on a page that still has the saved one", () => {
  assert.equal(cssWith({ background: null }), ':root {\n  --background: #ffffff;\n}\n')
})

test('what is no right value, or could leave its declaration, is not shown', () => {
  for (const text of ['#12', 'red; } body { display: none', ''])
    assert.equal(cssWith({ text }), ':root {\n  --background: #eeeeee;\n}\n', text)
})

test('a picture is shown by its address, once that is known', () => {
  assert.deepEqual(picturesOf([{ record: surface, draft: draftWith({ hero: FILE }) }]), [FILE])
  assert.match(cssWith({ hero: FILE }), /--hero: url\("https:\/\/x\.test\/a\.jpg"\);/)
  assert.doesNotMatch(cssWith({ hero: FILE.replace('0b', '0c') }), /--hero/)
})

test("a picture that is not set any more is the website's own again", () => {
  const { version, values } = storedSurface(surface)
  const originals = (saved: object, now: object) =>
    restoredPictures([
      { record: surface, draft: { version, saved: { ...values, ...saved }, values: { ...values, ...now } } },
    ])
  assert.deepEqual(originals({ hero: FILE }, {}), [{ selector: ':root', property: '--hero' }])
  assert.deepEqual(
    [originals({}, {}), originals({ hero: FILE }, { hero: FILE }), originals({}, { hero: FILE })],
    [[], [], []],
  )
})

test('what is wrong with a value is said while it is typed', () => {
  const [text, , radius] = surface.properties
  assert.ok(text && radius)
  assert.equal(valueProblem(text, { text: '#12' }), 'Must be a color like #1a56db.')
  assert.equal(valueProblem(text, { text: null }), undefined)
  assert.equal(valueProblem(radius, { radius: '41px' }), 'Must be 40 or less.')
  assert.equal(valueProblem(radius, { radius: '2em' }), 'Must be a length in px, rem, like 16px.')
  assert.equal(valueProblem(radius, { radius: '2rem' }), undefined)
})

test('a faint text is named where its colour or its background was set, and only there', () => {
  assert.deepEqual(faintTexts(surface, { text: null, background: null }), [])
  assert.deepEqual(faintTexts(surface, { text: '#111111', background: null }), [])
  const [faint, ...more] = faintTexts(surface, { text: null, background: '#333333' })
  assert.deepEqual([faint?.text, faint?.background, more.length], ['text', 'background', 0])
  assert.equal(ratioText(faint?.ratio ?? 0), '1.4:1')
  assert.equal(ratioText(4.49), '4.4:1')
})

test('a length is an amount and a unit, and both are kept while they are typed', () => {
  const units = ['px', 'rem']
  assert.deepEqual(readLength('1.5rem', units), { amount: '1.5', unit: 'rem' })
  assert.deepEqual(readLength('0', units), { amount: '0', unit: 'px' })
  assert.deepEqual(readLength('-.5px', units), { amount: '-.5', unit: 'px' })
  assert.deepEqual(readLength(null, units), { amount: '', unit: 'px' })
  assert.equal(writeLength({ amount: ' 12 ', unit: 'px' }), '12px')
  assert.equal(writeLength({ amount: '', unit: 'px' }), '')
})

test('a number is a number as soon as it is one', () => {
  assert.equal(readNumber('1.5'), 1.5)
  assert.equal(readNumber('-'), '-')
  assert.equal(readNumber(''), '')
})
