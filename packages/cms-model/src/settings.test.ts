import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  canonicalLocale,
  defaultSettings,
  settings,
  settingsProblems,
  siteUrl,
  updateSettingsInput,
} from './settings.ts'

const SEED = 20_260_301

describe('a language tag', () => {
  test('has one spelling', () => {
    for (const [text, canonical] of [
      ['en', 'en'],
      ['EN-us', 'en-US'],
      ['zh-hant-tw', 'zh-Hant-TW'],
      ['de-CH-1996', 'de-CH-1996'],
      ['iw', 'he'],
    ] as const)
      assert.equal(canonicalLocale(text), canonical)
  })

  test('that is none is null, however long', () => {
    for (const text of [
      '',
      'e',
      'en_US',
      'en-',
      '-en',
      'en us',
      'english-language-of-england',
      'x'.repeat(1e6),
      '__proto__',
    ])
      assert.equal(canonicalLocale(text), null)
  })

  test('of any text never throws, and canonical ones stay', () => {
    const part = fc.constantFrom('en', 'DE', '-', 'latn', 'u', 'x', '1996', 'US', '_')
    const text = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (value) => {
        const canonical = canonicalLocale(value)
        if (canonical !== null && canonical.length <= 35) assert.equal(canonicalLocale(canonical), canonical)
      }),
      { seed: SEED, numRuns: 2000 },
    )
  })
})

test('the address of a site is http or https without anything that a path added to it would meet', () => {
  const part = fc.constantFrom(
    'http:',
    'https:',
    '//',
    '/',
    '\\',
    '?',
    '#',
    '@',
    ':',
    'a.example',
    '80',
    ' ',
    'x',
    '..',
  )
  const text = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (value) => {
      const { data } = siteUrl.safeParse(value)
      if (data === undefined) return
      assert.match(data, /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*[^/?#\s])?$/)
      assert.equal(new URL(`${data}/page`).origin, new URL(data).origin)
      assert.equal(siteUrl.parse(data), data)
    }),
    { seed: SEED, numRuns: 3000 },
  )
})

test('the defaults are settings that could be saved', () => {
  assert.deepEqual(settings.parse(defaultSettings), defaultSettings)
  assert.deepEqual(updateSettingsInput.parse(defaultSettings), defaultSettings)
  assert.deepEqual(settingsProblems(defaultSettings, {}), [])
})
