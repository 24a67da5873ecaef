import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'

const LISTED = 'https://www.example.test'
let service: CmsService
let key: string
before(async () => {
  service = await startCms({ env: { DELIVERY_ORIGINS: `${LISTED}, http://localhost:3000`, DELIVERY_CACHE_BYTES: '0' } })
  key = (await deliveryKeyFor(await service.person('admin'))).key
})
after(() => service.close())

describe('C37: pages of other origins', () => {
  test('a listed origin is named, without credentials, and may ask first', async () => {
    const answer = await service.client().get('/content', { 'x-api-key': key, origin: LISTED })
    assert.equal(answer.headers.get('access-control-allow-origin'), LISTED)
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    const asked = await service.client().send('OPTIONS', '/content/x', {
      headers: {
        origin: LISTED,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    })
    assert.equal(asked.status, 204)
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /X-Api-Key/)
    assert.match(asked.headers.get('access-control-allow-methods') ?? '', /GET/)
  })

  test('a listed origin may read what a client goes by: tags, pauses, the version and the id of the request', async () => {
    const { headers } = await service.client().get('/content', { 'x-api-key': key, origin: LISTED })
    const exposed = 'ETag, Retry-After, X-Cms-Version, X-Request-Id'
    assert.equal(headers.get('access-control-expose-headers'), exposed)
    const refused = await service.client().get('/content', { origin: LISTED })
    assert.deepEqual([refused.status, refused.headers.get('access-control-expose-headers')], [401, exposed])
    const foreign = await service.client().get('/content', { 'x-api-key': key, origin: 'https://evil.test' })
    assert.equal(foreign.headers.get('access-control-expose-headers'), null)
  })

  test('any other origin is not, however like it is', async () => {
    for (const origin of [
      'null',
      `${LISTED}.evil.test`,
      'https://evil-www.example.test',
      'http://www.example.test',
      `${LISTED}:8443`,
    ]) {
      const answer = await service.client().get('/content', { 'x-api-key': key, origin })
      assert.equal(answer.headers.get('access-control-allow-origin'), null, origin)
      assert.match(answer.headers.get('vary') ?? '', /Origin/)
      const asked = await service
        .client()
        .send('OPTIONS', '/content', { headers: { origin, 'access-control-request-method': 'GET' } })
      assert.deepEqual([asked.status, asked.body.code], [403, 'ORIGIN_NOT_ALLOWED'], origin)
    }
  })
})
