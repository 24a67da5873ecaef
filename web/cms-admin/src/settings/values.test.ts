import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultSettings, updateSettingsInput } from '@stoa/cms-model/settings.ts'
import { changesOf, nameOfLocale, problemsOf, readLocale, valuesOf } from './values.ts'

const values = valuesOf(defaultSettings)

describe('settings in a form', () => {
  test('unchanged values change nothing', () => {
    assert.deepEqual(changesOf(defaultSettings, values), {})
  })

  test('only changed members are sent, as the service takes them', () => {
    const changes = changesOf(defaultSettings, {
      ...values,
      title: 'Harbour',
      url: 'https://example.com',
      trashDays: '30',
      revisionLimit: '',
      imageSizes: '640 320,1280',
    })
    assert.deepEqual(changes, {
      title: 'Harbour',
      url: 'https://example.com',
      trashDays: 30,
      revisionLimit: 0,
      imageSizes: [640, 320, 1280],
    })
    assert.equal(updateSettingsInput.safeParse(changes).success, true)
  })

  test('an emptied address and an emptied limit are null', () => {
    const saved = { ...defaultSettings, url: 'https://example.com', deliveryRatePerMinute: 60 }
    const changes = changesOf(saved, { ...valuesOf(saved), url: ' ', deliveryRatePerMinute: '' })
    assert.deepEqual(changes, { url: null, deliveryRatePerMinute: null })
  })

  test('a chosen picture is sent by its id, a removed one as null', () => {
    const id = '3f0f7a3e-4f0c-4c6e-9d8b-1c9b0f5d2a11'
    assert.deepEqual(changesOf(defaultSettings, { ...values, logoId: id }), { logoId: id })
    const saved = { ...defaultSettings, logoId: id, socialImageId: id }
    assert.deepEqual(changesOf(saved, { ...valuesOf(saved), socialImageId: '' }), { socialImageId: null })
  })

  test('what is no number is named at its input', () => {
    assert.deepEqual(problemsOf(values), {})
    const wrong = { ...values, trashDays: 'ten', imageSizes: '320, wide', revisionLimit: '-1' }
    assert.deepEqual(Object.keys(problemsOf(wrong)).toSorted(), ['imageSizes', 'revisionLimit', 'trashDays'])
  })

  test('languages are spelt in one way and have names', () => {
    assert.equal(readLocale(' EN-us '), 'en-US')
    assert.equal(readLocale('not a language'), undefined)
    assert.equal(nameOfLocale('de'), 'German')
    assert.equal(nameOfLocale('!'), '!')
  })
})
