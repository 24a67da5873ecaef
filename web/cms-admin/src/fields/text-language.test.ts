import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { textLanguageOf } from './text-language.ts'

describe('the direction of a text', () => {
  test('is from right to left for languages that are written so, whatever is typed', () => {
    for (const locale of ['ar', 'he', 'fa-IR', 'ur', 'ar-EG', 'az-Arab', 'dv', 'yi'])
      assert.equal(textLanguageOf(locale).dir, 'rtl', locale)
  })

  test('follows the letters for all others', () => {
    for (const locale of ['en', 'de-AT', 'az', 'ja', 'uz-Latn', '?'])
      assert.equal(textLanguageOf(locale).dir, 'auto', locale)
  })

  test('comes with the language, for spelling and for screen readers', () => {
    assert.equal(textLanguageOf('de-AT').lang, 'de-AT')
  })
})
