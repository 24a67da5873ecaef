import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PluginSettingKey } from '@stoa/cms-model/plugins.ts'
import { changedSettings, secretEnd, settingProblems, settingValuesOf } from './setting-values.ts'

const keyOf = (key: string, type: string): PluginSettingKey => ({
  key,
  type,
  label: key,
  secret: type === 'secret',
  help: null,
  options: null,
})
const settingKeys = [
  keyOf('name', 'text'),
  keyOf('limit', 'number'),
  keyOf('isLoud', 'boolean'),
  keyOf('token', 'secret'),
  keyOf('stage', 'select'),
]
const settings = { name: 'Ada', limit: 3, isLoud: true, token: { last4: 'abcd' }, stage: null }

describe('the settings of a plugin as a form', () => {
  test('show what is stored, and of a secret only how it ends', () => {
    const values = settingValuesOf({ settings, settingKeys })
    assert.deepEqual(values, { name: 'Ada', limit: '3', isLoud: true, token: '', stage: '' })
    assert.deepEqual([secretEnd({ settings }, 'token'), secretEnd({ settings }, 'name')], ['abcd', null])
  })

  test('send what was changed and nothing else', () => {
    const before = settingValuesOf({ settings, settingKeys })
    const after = { ...before, limit: '12', isLoud: false, stage: 'idea' }
    assert.deepEqual(changedSettings(settingKeys, after, before), { limit: 12, isLoud: false, stage: 'idea' })
    assert.deepEqual(changedSettings(settingKeys, before, before), {})
  })

  test('send null for what was emptied, so that its default holds again', () => {
    const before = settingValuesOf({ settings, settingKeys })
    assert.deepEqual(changedSettings(settingKeys, { ...before, limit: ' ', name: '' }, before), {
      limit: null,
      name: '',
    })
  })

  test('say beside the input that it wants a number', () => {
    const values = { ...settingValuesOf({ settings, settingKeys }), limit: 'many' }
    assert.deepEqual(settingProblems(settingKeys, values), { limit: 'Enter a number.' })
  })
})
