import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mergeWords } from './merge-words.ts'
import { ANA, BEN } from './testing/entries.ts'

describe('a merge without a question', () => {
  test('says who changed what, and that nothing is lost', () => {
    assert.equal(mergeWords(BEN, ANA, ['Excerpt']), 'Ben changed Excerpt meanwhile. Both were kept.')
    assert.equal(mergeWords(null, ANA, ['Title', 'Slug']), 'Someone changed Title and Slug meanwhile. Both were kept.')
    assert.equal(mergeWords(ANA, ANA, ['Title']), 'You changed Title in another window. Both were kept.')
  })

  test('counts what would be too many names', () => {
    assert.equal(mergeWords(BEN, ANA, ['A', 'B', 'C', 'D']), 'Ben changed 4 fields meanwhile. Both were kept.')
  })
})
