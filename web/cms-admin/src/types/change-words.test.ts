import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentTypeInput } from '@stoa/cms-model/content-types.ts'
import { describeChanges, needsReview } from './change-words.ts'

const type = (fields: unknown[], members: object = {}) =>
  contentTypeInput.parse({ name: 'thing', label: 'Thing', fields, ...members })

const wordsOf = ({ type }: { type: string }) => ({
  label: type,
  stricter: { maxLength: 'fewer characters', accept: 'fewer file types' },
  checkedOnSave: ['accept'],
})

const lines = (before: unknown[], after: unknown[], affected: { key: string; count: number }[] = []) =>
  describeChanges(type(before), type(after), { affected, converted: [] }, wordsOf)

describe('what a change means, in words', () => {
  test('labels, help and new optional fields need no review', () => {
    const found = lines(
      [{ key: 'a', type: 'text' }],
      [
        { key: 'a', type: 'text', label: 'B' },
        { key: 'b', type: 'text' },
      ],
    )
    assert.deepEqual(
      found.map(({ title }) => title),
      ['“B” is new'],
    )
    assert.equal(needsReview(found), false)
    assert.deepEqual(lines([{ key: 'a', type: 'text' }], [{ key: 'a', type: 'text', help: 'x' }]), [])
  })

  test('a removed field says how many entries lose sight of a value, and that it stays stored', () => {
    const [line] = lines([{ key: 'a', type: 'text', label: 'Intro' }], [], [{ key: 'a', count: 3 }])
    assert.equal(line?.title, '“Intro” is removed')
    assert.match(line?.detail ?? '', /^3 entries have a value for it\. Its values are kept/)
    assert.match(lines([{ key: 'a', type: 'text' }], [])[0]?.detail ?? '', /No entries have a value/)
  })

  test('another type says which values read as empty', () => {
    const [line] = lines([{ key: 'a', type: 'text' }], [{ key: 'a', type: 'number' }], [{ key: 'a', count: 1 }])
    assert.equal(line?.title, '“A” changes from text to number')
    assert.match(line?.detail ?? '', /The value in 1 entry isn't valid\. It will appear empty/)
  })

  test('another type that takes the values says that nothing is lost', () => {
    const conversion = { key: 'a', from: 'number', to: 'text', count: 2, lost: 0 } as const
    const trial = { affected: [{ key: 'a', count: 0 }], converted: [conversion] }
    const [line] = describeChanges(
      type([{ key: 'a', type: 'number' }]),
      type([{ key: 'a', type: 'text' }]),
      trial,
      wordsOf,
    )
    assert.equal(line?.title, '“A” changes from number to text')
    assert.equal(line?.detail, '2 entries keep their value in the new form. No values are lost.')
  })

  test('another key is described as a rename, and not as a removed and an added field', () => {
    const trial = { affected: [], converted: [], renamed: [{ from: 'a', to: 'b', count: 1 }] }
    const before = type([{ key: 'a', type: 'text', label: 'Intro' }])
    const found = describeChanges(before, type([{ key: 'b', type: 'text', label: 'Intro' }]), trial, wordsOf)
    assert.deepEqual(
      found.map(({ title, detail }) => [title, detail]),
      [['“Intro” is renamed to b', '1 entry keeps its value. Websites that read a need to read b instead.']],
    )
  })

  test('unique with shared values is blocked; without them it is quiet', () => {
    const before = [{ key: 'a', type: 'text' }]
    const after = [{ key: 'a', type: 'text', unique: true }]
    const [blocked] = lines(before, after, [{ key: 'a', count: 2 }])
    assert.deepEqual([blocked?.tone, blocked?.title], ['blocked', "“A” can't be made unique yet"])
    assert.deepEqual(
      lines(before, after).map(({ tone }) => tone),
      ['quiet'],
    )
  })

  test('required and stricter rules are distinguished', () => {
    const found = lines(
      [{ key: 'a', type: 'text', maxLength: 9 }],
      [{ key: 'a', type: 'text', maxLength: 5, required: true }],
      [{ key: 'a', count: 4 }],
    )
    assert.deepEqual(
      found.map(({ title }) => title),
      ['“A” becomes required', '“A” gets stricter: fewer characters'],
    )
    assert.match(found[0]?.detail ?? '', /4 entries lack it/)
  })

  test('whether a file or an entry may still be referred to is only known on the next save', () => {
    const [line] = lines(
      [{ key: 'a', type: 'media', accept: ['image/*', 'video/*'] }],
      [{ key: 'a', type: 'media', accept: ['image/*'] }],
      [{ key: 'a', count: 2 }],
    )
    assert.equal(line?.title, '“A” gets stricter: fewer file types')
    assert.match(line?.detail ?? '', /^2 entries have a value that may not be valid\./)
  })

  test('fields in lists are named with their list', () => {
    const list = (fields: unknown[]) => [{ key: 'slides', type: 'list', fields }]
    const [line] = lines(list([{ key: 'image', type: 'media' }]), list([]), [{ key: 'slides.image', count: 1 }])
    assert.equal(line?.title, '“Slides › Image” is removed')
  })

  test('another kind and another address are described', () => {
    const found = describeChanges(
      type([], { previewUrl: '/a/{slug}' }),
      type([], { kind: 'single', previewUrl: null }),
      { affected: [], converted: [] },
      wordsOf,
    )
    assert.deepEqual(
      found.map(({ key, tone }) => [key, tone]),
      [
        ['kind', 'warning'],
        ['previewUrl', 'warning'],
      ],
    )
    assert.match(found[0]?.detail ?? '', /\/content\/thing\/single/)
  })
})
