import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { saveSocialAppInput } from '@stoa/cms-model/social-apps.ts'
import type { SocialApp } from '../wire.ts'
import { changesOf, valuesOf } from './app-values.ts'

const app: SocialApp = {
  network: 'mastodon',
  label: 'Mastodon',
  source: 'stored',
  version: 3,
  clientId: 'id-1',
  secretLast4: 'wxyz',
  enabled: true,
  overrides: { apiBase: 'https://social.example', scopes: ['read', 'write'] },
  callbackUrl: 'https://cms.test/social/oauth/callback',
  walkthrough: [],
  checkedOn: '2026-10-01',
  leadTime: '',
  consoleUrl: null,
  scopes: [],
  warnings: [],
}

describe('the app of a network in a form', () => {
  test('never holds the secret, and keeps it when nothing is typed', () => {
    assert.equal(valuesOf(app).clientSecret, '')
    assert.deepEqual(changesOf(app, valuesOf(app)), {})
    assert.deepEqual(changesOf(app, { ...valuesOf(app), clientSecret: ' new secret ' }), { clientSecret: 'new secret' })
  })

  test('sends changed addresses only; an emptied one is the network’s own again', () => {
    const changes = changesOf(app, {
      ...valuesOf(app),
      apiBase: '',
      tokenUrl: 'https://social.example/token',
      scopes: '',
    })
    assert.deepEqual(changes, { overrides: { apiBase: null, tokenUrl: 'https://social.example/token', scopes: null } })
    assert.equal(saveSocialAppInput.safeParse(changes).success, true)
  })

  test('takes scopes with spaces or commas between them', () => {
    assert.deepEqual(changesOf(app, { ...valuesOf(app), scopes: 'read, write,follow' }), {
      overrides: { scopes: ['read', 'write', 'follow'] },
    })
    assert.deepEqual(changesOf(app, { ...valuesOf(app), scopes: 'read,write' }), {})
  })
})
