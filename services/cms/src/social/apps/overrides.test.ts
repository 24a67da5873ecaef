import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networks } from '../networks/index.ts'
import { endpointsOf, withVersion } from './overrides.ts'

const own = (name: string) => networks[name]?.oauth ?? assert.fail(`there is no ${name}`)

describe('the API version of an app', () => {
  it('is in every address that carries the one of the network', () => {
    const { authorizeUrl, tokenUrl, apiBase, uploadBase } = endpointsOf(own('facebook'), null, { apiVersion: 'v26.0' })
    assert.deepEqual(
      [authorizeUrl, tokenUrl, apiBase, uploadBase],
      [
        'https://www.facebook.com/v26.0/dialog/oauth',
        'https://graph.facebook.com/v26.0/oauth/access_token',
        'https://graph.facebook.com/v26.0',
        'https://graph-video.facebook.com/v26.0',
      ],
    )
    assert.equal(
      endpointsOf(own('pinterest'), null, { apiVersion: 'v6' }).tokenUrl,
      'https://api.pinterest.com/v6/oauth/token',
    )
  })

  it('replaces whole segments only, also in addresses that an admin set', () => {
    const stored = { apiBase: 'http://proxy.lan/v25.0.x/v25.0', apiVersion: 'v26.0' }
    assert.equal(endpointsOf(own('instagram'), null, stored).apiBase, 'http://proxy.lan/v25.0.x/v26.0')
  })

  it('is no part of addresses without one', () => {
    const moved = endpointsOf(own('linkedin'), null, { apiVersion: '202611' })
    assert.deepEqual(
      { ...moved, apiVersion: '' },
      { ...own('linkedin').endpoints, uploadBase: moved.uploadBase, apiVersion: '' },
    )
    assert.equal(moved.apiVersion, '202611')
    assert.equal(endpointsOf(own('x'), null, { apiVersion: 'v3' }).apiBase, 'https://api.x.com')
  })

  it('moves accounts that were connected with an older one', () => {
    const old = endpointsOf(own('threads'), null, { apiVersion: 'v0.9' })
    assert.equal(old.apiBase, 'https://graph.threads.net/v0.9')
    assert.equal(withVersion(old, own('threads').endpoints.apiVersion).apiBase, 'https://graph.threads.net/v1.0')
  })
})
