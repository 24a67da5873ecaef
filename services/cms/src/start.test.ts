import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ConfigError } from '@stoa/kit/config.ts'
import { findMaxConnections } from '@stoa/kit/db/connections.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { contextFor } from './context.ts'
import { prepareStart } from './start.ts'

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

/** A start with another pool. */
const startWith = (poolSize: number) => {
  const { services } = service.cms
  const config = { ...services.config, poolSize }
  return prepareStart(contextFor({ ...services, config }, { kind: 'system', name: 'start' }), {})
}

test('a pool that leaves the database its ten spare connections and one to listen starts, one more does not', async () => {
  const most = (await findMaxConnections(service.cms.database.db)) - 11
  await startWith(most)
  await assert.rejects(startWith(most + 1), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, new RegExp(`DB_POOL_SIZE.*Set ${most} or less`, 's'))
    return true
  })
})
