import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentFields } from '@stoa/cms-model/fields/field.ts'
import { typeName } from '@stoa/cms-model/fields/names.ts'
import fc from 'fast-check'
import { freeKey, keyFromLabel, nameFromLabel } from './names.ts'

const SEED = 20260301
const isKey = (key: string): boolean => contentFields.safeParse([{ key, type: 'text' }]).success

describe('names made of labels', () => {
  test('a label becomes a camelCase key and a name for addresses', () => {
    const pairs = [
      ['Hero image', 'heroImage', 'hero-image'],
      ['3 Images', 'images', 'images'],
      ['Größe (cm)', 'grosseCm', 'grosse-cm'],
      ['Заголовок', 'zagolovok', 'zagolovok'],
      ['Blog post', 'blogPost', 'blog-post'],
      ['E-mail of the author', 'emailOfTheAuthor', 'email-of-the-author'],
      ['!!!', '', ''],
    ] as const
    for (const [label, key, name] of pairs) {
      assert.equal(keyFromLabel(label), key)
      assert.equal(nameFromLabel(label), name)
    }
  })

  test('what every object has, and what is a route, is never a name', () => {
    assert.equal(keyFromLabel('Constructor'), 'constructorValue')
    assert.equal(keyFromLabel('To string'), 'toStringValue')
    assert.equal(nameFromLabel('Single'), 'single-type')
    assert.equal(nameFromLabel('constructor'), 'constructor-type')
  })

  test('whatever the label, the key and the name are empty or right', () => {
    const labels = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.lorem({ maxCount: 30 }),
      fc.constantFrom('valueOf', 'prototype'),
    )
    fc.assert(
      fc.property(labels, (label) => {
        const key = keyFromLabel(label)
        const name = nameFromLabel(label)
        assert.ok(key === '' || isKey(key), key)
        assert.ok(name === '' || typeName.safeParse(name).success, name)
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  test('a taken key gets a number and stays short enough', () => {
    assert.equal(freeKey('title', new Set()), 'title')
    assert.equal(freeKey('title', new Set(['title', 'title2'])), 'title3')
    const long = 'a'.repeat(63)
    const free = freeKey(long, new Set([long]))
    assert.ok(isKey(free) && free !== long)
  })
})
