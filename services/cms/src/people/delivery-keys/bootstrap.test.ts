import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { readConfig } from '../../config.ts'

const KEY = `cms_${'Ab3'.repeat(14)}x`
const env = { BOOTSTRAP_DELIVERY_KEY: KEY }

describe('BOOTSTRAP_DELIVERY_KEY', () => {
  let service: CmsService
  before(async () => {
    service = await startCms({ env })
  })
  after(() => service.close())
  const read = async (from: CmsService): Promise<number> =>
    (await from.client().get('/site/settings', { 'x-api-key': KEY })).status

  test('the key is made at start, once however many processes start, and only its hash is kept', async () => {
    assert.equal(await read(service), 200)
    const others = await Promise.all(
      [1, 2, 3].map(() => startCms({ env, databaseUrl: service.databaseUrl, clock: service.clock })),
    )
    await Promise.all(others.map((other) => other.close()))
    const admin = await service.person('admin')
    const { items } = (await admin.client.get('/api/delivery-keys')).body
    assert.deepEqual(
      items.map(({ last4, types }: { last4: string; types: string[] }) => [last4, types]),
      [[KEY.slice(-4), ['*']]],
    )
    assert.ok(!service.logs.join('').includes(KEY))
  })

  test('a revoked one stays revoked at the next start', async () => {
    const admin = await service.person('admin')
    const { items } = (await admin.client.get('/api/delivery-keys')).body
    assert.equal((await admin.client.delete(`/api/delivery-keys/${items[0].id}`)).status, 204)
    const next = await startCms({ env, databaseUrl: service.databaseUrl, clock: service.clock })
    assert.equal(await read(next), 401)
    assert.equal((await admin.client.get('/api/delivery-keys')).body.items.length, 1)
    await next.close()
  })

  test('a key of another format is refused, and not shown', () => {
    const base = { SECRET: 'a secret of the tests, long enough for anyone', CMS_DATABASE_URL: 'postgres://a/b' }
    for (const wrong of ['cms_secret', 'cmsagt_'.padEnd(50, 'a'), `cms_${'a'.repeat(44)}`, KEY.replace('cms_', 'key_')])
      assert.throws(
        () => readConfig({ ...base, BOOTSTRAP_DELIVERY_KEY: wrong }),
        (error: Error) => /BOOTSTRAP_DELIVERY_KEY/.test(error.message) && !error.message.includes(wrong),
      )
  })
})
