import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type DeliverySite, startDelivery } from '../../site/delivery/testing/site.ts'
import { createKeyCache } from './key-cache.ts'

let site: DeliverySite
before(async () => {
  site = await startDelivery()
})
after(() => site.close())

const anyone = () => undefined

describe('a delivery key in memory', () => {
  test('that was revoked while it was read is not held as it was', async () => {
    const { database, services } = site.cms
    const own = await site.reader()
    const answered = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    // A database whose answers take their time on the way.
    const db: typeof database.db = Object.assign(Object.create(database.db), {
      query: async (...args: Parameters<typeof database.db.query>) => {
        const rows = await database.db.query(...args)
        answered.resolve()
        await goOn.promise
        return rows
      },
    })
    const cache = createKeyCache({ ...services, database: { ...database, db } })
    const first = cache.find(own.key, anyone)
    await answered.promise
    let isNotified = false
    const leave = services.bus.subscribe(
      ({ topic, data }) => {
        isNotified ||= topic === 'deliveryKey' && data.id === own.id
      },
      () => undefined,
    )
    await site.admin.client.delete(`/api/delivery-keys/${own.id}`)
    await until(() => isNotified, 'the change is published')
    leave()
    goOn.resolve()
    assert.equal((await first)?.isRevoked, false, 'it was read before')
    assert.equal((await cache.find(own.key, anyone))?.isRevoked, true)
    await cache.close()
  })

  test('is not used while this process receives no changes', async () => {
    const own = await site.reader()
    const other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    try {
      const { bus, deliveryKeys } = other.cms.services
      await bus.ready()
      assert.equal((await deliveryKeys.find(own.key, anyone))?.isRevoked, false)
      assert.ok(!(deliveryKeys.find(own.key, anyone) instanceof Promise), 'it is held')
      await bus.close()
      await site.admin.client.delete(`/api/delivery-keys/${own.id}`)
      assert.equal((await deliveryKeys.find(own.key, anyone))?.isRevoked, true)
    } finally {
      await other.close()
    }
  })
})
