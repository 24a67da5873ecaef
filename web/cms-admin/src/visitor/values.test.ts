import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultVisitorSettings, visitorSettingsInput } from '@stoa/cms-model/visitor.ts'
import { changesOf, problemsOf, readOrigin, valuesOf } from './values.ts'

const saved = { ...defaultVisitorSettings, origins: ['https://example.com'], synonyms: [['bike', 'bicycle']] }

describe('settings of the visitor assistant as they are typed', () => {
  test('nothing is sent that nobody changed', () => {
    assert.deepEqual(changesOf(saved, valuesOf(saved)), {})
  })

  test('lines become lists, and what is sent is what the service takes', () => {
    const values = {
      ...valuesOf(saved),
      origins: ' https://example.com \n\nwww.example.org/contact\nhttp://localhost:3000/\nhttps://example.com',
      synonyms: 'bike, bicycle ,\n sofa,couch,settee',
      refusal: { en: ' Sorry. ', de: ' ' },
      retentionDays: '30',
    }
    const changes = changesOf(saved, values)
    assert.deepEqual(changes, {
      origins: ['https://example.com', 'https://www.example.org', 'http://localhost:3000'],
      synonyms: [
        ['bike', 'bicycle'],
        ['sofa', 'couch', 'settee'],
      ],
      refusal: { en: 'Sorry.' },
      retentionDays: 30,
    })
    assert.deepEqual(visitorSettingsInput.parse(changes), changes)
  })

  test('a website that is none stays as it was typed, for the service to refuse', () => {
    assert.equal(readOrigin('not a website'), 'not a website')
    assert.equal(readOrigin('https://Example.com:443/shop?x#y'), 'https://example.com')
  })

  test('what cannot be sent is named beside its input', () => {
    const wrong = { ...valuesOf(saved), enabled: true, types: [], accent: 'red', dailyLimit: 'x', retentionDays: '0' }
    assert.deepEqual(Object.keys(problemsOf({ ...wrong, label: ' ', synonyms: 'bike' })).sort(), [
      'accent',
      'dailyLimit',
      'label',
      'retentionDays',
      'synonyms',
      'types',
    ])
    assert.deepEqual(problemsOf(valuesOf(saved)), {})
  })
})
