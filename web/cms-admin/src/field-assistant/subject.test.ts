import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentFields } from '@stoa/cms-model/fields/field.ts'
import { partOf } from '../fields/field-selection.ts'
import {
  actionsFor,
  belowOf,
  hasBelow,
  isTooLong,
  limitOf,
  requestFor,
  type Subject,
  subjectOf,
  valueFor,
} from './subject.ts'

const given = { entryId: undefined, part: null, isFormatted: false }

const subject = (members: Partial<Subject>): Subject => ({
  fieldType: 'textarea',
  entryId: undefined,
  whole: 'By the sea',
  part: null,
  maxLength: undefined,
  options: [],
  ...members,
})

describe('what is asked of the service', () => {
  test('the whole field, as text and as it is written', () => {
    assert.deepEqual(requestFor(subject({ entryId: 'e1' }), { action: 'rewrite' }), {
      action: 'rewrite',
      fieldType: 'textarea',
      text: 'By the sea',
      entryId: 'e1',
    })
    const rich = requestFor(subject({ fieldType: 'richtext', whole: '<p>By the <em>sea</em></p>' }), { action: 'fix' })
    assert.deepEqual([rich.text, rich.html], ['By the sea', '<p>By the <em>sea</em></p>'])
  })

  test('a part, with what stands around it as far as it fits', () => {
    const part = partOf('By the sea', 7, 10)
    assert.deepEqual(requestFor(subject({ part }), { action: 'expand' }), {
      action: 'expand',
      fieldType: 'textarea',
      text: 'By the sea',
      selection: 'sea',
    })
    const whole = `${'x'.repeat(12_000)} sea`
    const long = subject({ whole, part: partOf(whole, 12_001, 12_004) })
    assert.equal(requestFor(long, { action: 'expand' }).text, 'sea')
    assert.equal(isTooLong(long), false)
    assert.equal(isTooLong({ ...long, part: null }), true)
  })

  test('the length that is left for a part', () => {
    assert.equal(limitOf(subject({ maxLength: 20 })), 20)
    assert.equal(limitOf(subject({ maxLength: 20, part: partOf('By the sea', 7, 10) })), 13)
    assert.equal(limitOf(subject({ maxLength: 2, part: partOf('By the sea', 7, 10) })), 1)
    assert.equal(requestFor(subject({ maxLength: 20 }), { action: 'fix' }).limit, 20)
  })

  test('the options of a select by their names, and the value of the one that was chosen', () => {
    const named = {
      fieldType: 'select',
      options: [
        { value: 'n', label: 'News' },
        { value: 'p', label: 'Press' },
      ],
    } as const
    assert.deepEqual(requestFor(subject(named), { action: 'custom', instruction: 'x' }).options, ['News', 'Press'])
    assert.equal(valueFor(subject(named), 'Press'), 'p')
    const same = {
      ...named,
      options: [
        { value: 'n', label: 'News' },
        { value: 'p', label: 'News' },
      ],
    }
    assert.deepEqual(requestFor(subject(same), { action: 'custom', instruction: 'x' }).options, ['n', 'p'])
    assert.equal(valueFor(subject(same), 'p'), 'p')
  })
})

describe('what a suggestion becomes', () => {
  test('the field, or the part of it', () => {
    assert.equal(valueFor(subject({}), 'New'), 'New')
    assert.equal(valueFor(subject({ part: partOf('By the sea', 7, 10) }), 'lake'), 'By the lake')
  })

  test('below: a paragraph of its own, where there are several lines', () => {
    assert.equal(belowOf(subject({}), 'New'), 'By the sea\n\nNew')
    assert.equal(belowOf(subject({ fieldType: 'richtext', whole: '<p>a</p>' }), '<p>b</p>'), '<p>a</p><p>b</p>')
    assert.equal(hasBelow(subject({ fieldType: 'text' })), false)
    assert.equal(hasBelow(subject({ whole: '' })), false)
  })
})

describe('what can be done', () => {
  const names = (of: Partial<Subject>) => actionsFor(subject(of)).map(({ action }) => action)

  test('an empty field is written from its entry, once there is one', () => {
    assert.deepEqual(names({}), ['rewrite', 'shorten', 'expand', 'fix', 'summarise', 'title'])
    assert.deepEqual(names({ whole: '', entryId: 'e1' }), ['summarise', 'title'])
    assert.deepEqual(names({ fieldType: 'richtext', whole: '<p></p>' }), [])
    assert.deepEqual(names({ fieldType: 'select', whole: 'n' }), [])
  })

  test('follows the type of the field', () => {
    const [text, rich] = contentFields.parse([
      { key: 'a', type: 'text', maxLength: 60 },
      { key: 'b', type: 'richtext' },
    ])
    assert.ok(text && rich)
    assert.deepEqual(subjectOf(text, null, given), subject({ fieldType: 'text', whole: '', maxLength: 60 }))
    assert.equal(subjectOf(rich, '<p>x</p>', given).fieldType, 'richtext')
    assert.equal(subjectOf(text, 'a<br>b', { ...given, isFormatted: true }).fieldType, 'formatted')
  })
})
