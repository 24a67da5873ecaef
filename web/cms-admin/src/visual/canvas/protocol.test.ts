import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { envelope, type FromCanvas, type FromEditor, readFromCanvas, readFromEditor } from './protocol.ts'

const CHANNEL = 'a-channel'
const rect = { x: 0, y: -4.5, width: 10, height: 20 }
const target = { kind: 'field', id: 'title', index: 0 } as const
const inline = { key: 'title', index: 0, value: 'Hello', html: '<i>Hello</i>' }

const spoken: FromCanvas[] = [
  { t: 'hello', v: 1 },
  {
    t: 'ready',
    v: 1,
    sections: [{ id: 'hero', hidden: false, fixed: true, group: 0, within: null, rect }],
    fields: ['title'],
    parts: ['header'],
    height: 900,
  },
  { t: 'hover', target: null, path: [], rect: null },
  { t: 'hover', target, path: [{ kind: 'section', id: 'hero', index: 0 }, target], rect },
  { t: 'select', target, path: [target], rect, picture: { src: '/a.png', alt: '' }, open: true },
  { t: 'edit', ...inline },
  { t: 'commit', ...inline },
  { t: 'cancel', key: 'title', index: 1, value: '' },
  { t: 'refused', key: 'title', index: 0 },
  { t: 'key', combo: 'mod+Shift+Z' },
  { t: 'link', href: 'https://example.com/' },
  { t: 'scroll', y: 12.5, height: 900 },
  { t: 'rects', y: 0, height: 900, rects: [{ target, rect }] },
  { t: 'highlighted', target: null, path: [], rect: null },
  { t: 'layout', sections: [] },
  { t: 'error', message: 'It failed.' },
]

const fromEditor: FromEditor[] = [
  {
    t: 'init',
    definition: { sections: { hero: 'Hero' }, fields: { title: 'Title' } },
    parts: {},
    mode: 'edit',
    locale: 'en',
  },
  { t: 'highlight', target, scroll: true },
  { t: 'clear' },
  { t: 'setText', key: 'title', value: 'Hello' },
  { t: 'setImage', key: 'cover', src: '/a.png', alt: 'A' },
  { t: 'setAlt', key: 'cover', alt: 'A' },
  { t: 'setStyle', css: ':root { --brand: red }', originals: [{ selector: '.hero', property: '--picture' }] },
  { t: 'layout', order: ['hero'], hidden: [] },
  { t: 'startInline', key: 'title', index: 0, formatted: false, multiline: false, value: 'Hello' },
  { t: 'stopInline', commit: true },
  { t: 'scrollTo', y: 0 },
  { t: 'setEditable', editable: false },
]

const sides = [
  { side: 'canvas', messages: spoken as readonly { t: string }[], read: readFromCanvas },
  { side: 'editor', messages: fromEditor as readonly { t: string }[], read: readFromEditor },
]

for (const { side, messages, read } of sides)
  describe(`a message of the ${side}`, () => {
    test('is read as it was said', () => {
      for (const message of messages)
        assert.deepEqual(read(envelope(message as FromCanvas, CHANNEL), CHANNEL), message, message.t)
    })

    test('is nothing without the channel, with another one or in another version', () => {
      for (const message of messages) {
        assert.equal(read(message, CHANNEL), null)
        assert.equal(read({ ...message, cms: 1, ch: 'another' }, CHANNEL), null)
        assert.equal(read({ ...message, cms: 2, ch: CHANNEL }, CHANNEL), null)
        assert.equal(read({ ...message, cms: 1, ch: '' }, ''), null)
      }
    })

    test('is nothing with a member too many, one too few or one of another kind', () => {
      for (const message of messages) {
        const said: Record<string, unknown> = { ...envelope(message as FromCanvas, CHANNEL) }
        assert.equal(read({ ...said, more: 1 }, CHANNEL), null)
        for (const name of Object.keys(message)) {
          const { [name]: _, ...less } = said
          const isOptional = /picture|html|(setText|startInline) value/.test(`${message.t} ${name}`)
          if (!isOptional) assert.equal(read(less, CHANNEL), null, `${message.t} ${name}`)
          assert.equal(read({ ...said, [name]: () => 1 }, CHANNEL), null, `${message.t} ${name}`)
        }
      }
    })
  })

describe('a message', () => {
  const say = (message: object) => ({ cms: 1, ch: CHANNEL, ...message })

  test('of the other side is nothing', () => {
    for (const message of spoken)
      if (message.t !== 'layout') assert.equal(readFromEditor(say(message), CHANNEL), null, message.t)
    for (const message of fromEditor) assert.equal(readFromCanvas(say(message), CHANNEL), null, message.t)
  })

  test('of more than it may hold is nothing', () => {
    const big = 'x'.repeat(1_048_577)
    assert.equal(readFromCanvas(say({ t: 'edit', key: 'a', index: 0, value: big }), CHANNEL), null)
    assert.equal(readFromCanvas(say({ t: 'edit', key: big, index: 0, value: '' }), CHANNEL), null)
    assert.equal(readFromCanvas(say({ t: 'layout', sections: Array(2001).fill(null) }), CHANNEL), null)
    for (const y of [Number.NaN, Number.POSITIVE_INFINITY, 1e8, '1', null])
      assert.equal(readFromCanvas(say({ t: 'scroll', y, height: 1 }), CHANNEL), null)
    for (const index of [-1, 0.5]) assert.equal(readFromCanvas(say({ t: 'refused', key: 'a', index }), CHANNEL), null)
  })

  test('with the name of an inherited member is nothing', () => {
    for (const t of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      assert.equal(readFromCanvas(say({ t }), CHANNEL), null)
  })

  test('of anything at all never throws, and is read as itself or not at all', () => {
    const names = fc.constantFrom(...spoken.map(({ t }) => t), ...fromEditor.map(({ t }) => t))
    const member = fc.constantFrom(
      'target',
      'path',
      'rect',
      'key',
      'index',
      'value',
      'y',
      'height',
      'sections',
      'combo',
    )
    const junk = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
      fc.tuple(names, fc.dictionary(member, fc.anything())).map(([t, rest]) => ({ ...rest, t, cms: 1, ch: CHANNEL })),
      fc
        .tuple(fc.constantFrom(...spoken), fc.dictionary(member, fc.anything()))
        .map(([message, rest]) => ({ ...message, ...rest, cms: 1, ch: CHANNEL })),
    )
    fc.assert(
      fc.property(junk, (data) => {
        for (const message of [readFromCanvas(data, CHANNEL), readFromEditor(data, CHANNEL)])
          if (message) assert.deepEqual({ ...message, cms: 1, ch: CHANNEL }, { ...(data as object) })
      }),
      { seed: 20261116, numRuns: 1000 },
    )
  })
})
