import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { folded, frameOf, previewFacts } from './preview-facts.ts'

describe('the preview', () => {
  test('folds where the network does, between words and never inside a character', () => {
    assert.deepEqual(folded('short', 10), { shown: 'short', isCut: false })
    assert.deepEqual(folded('a text of words', 12), { shown: 'a text of', isCut: true })
    assert.deepEqual(folded(`${'a'.repeat(9)}🎉`, 10), { shown: 'a'.repeat(9), isCut: true })
    assert.equal(folded('x'.repeat(5000), null).isCut, false)
  })

  test('keeps the shape of a picture within what the network shows', () => {
    const instagram = previewFacts('instagram').frame
    assert.equal(frameOf({ width: 1000, height: 1000 }, instagram), 1)
    assert.equal(frameOf({ width: 500, height: 2000 }, instagram), 0.8)
    assert.equal(frameOf({ width: 4000, height: 1000 }, instagram), 1.91)
    assert.equal(frameOf({ width: null, height: null }, previewFacts('tiktok').frame), 0.5625)
  })

  test('shows a network that is new as most are', () => {
    assert.equal(previewFacts('tenth').fold, null)
  })
})
