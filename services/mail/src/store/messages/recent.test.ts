import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import { createFolder, deleteFolder } from '../folders/folders.ts'
import { NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { claimRecent, recentMark } from './recent.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const untilSomebodyWaits = async (): Promise<void> => {
  const waiting = () => store.database.pool.query('select from pg_locks where not granted')
  await until(async () => (await waiting()).rows.length > 0, 'somebody waits for a lock')
}

describe('what is recent in a folder', () => {
  test('is claimed once, and only looking at it claims nothing', async () => {
    const { addressId, folders } = await store.mailbox()
    const place = { addressId, folderId: folders.inbox }
    assert.equal(await recentMark(store.database.db, place), 0)
    assert.equal(await store.database.tx((tx) => claimRecent(tx, { ...place, uid: 3 })), 0)
    assert.equal(await recentMark(store.database.db, place), 3)
    assert.equal(await store.database.tx((tx) => claimRecent(tx, { ...place, uid: 3 })), null)
    assert.equal(await store.database.tx((tx) => claimRecent(tx, { ...place, uid: 5 })), 3)
  })

  test('is nothing when the folder is deleted at the same moment by another process', async () => {
    const { addressId } = await store.mailbox()
    const second = store.openSecond()
    const folder = await store.database.tx((tx) => createFolder(tx, { addressId, name: 'Short-lived' }))
    const claim = { addressId, folderId: folder.id, uid: 1 }
    const claimed = await second.tx(async (tx) => {
      await deleteFolder(tx, { addressId, folderId: folder.id, messages: 'refuse', now: NOW })
      const claiming = Promise.allSettled([store.database.tx((own) => claimRecent(own, claim))])
      await untilSomebodyWaits()
      return () => claiming
    })
    assert.deepEqual(await claimed(), [{ status: 'fulfilled', value: null }])
    assert.equal(await store.database.tx((tx) => claimRecent(tx, claim)), null)
  })
})
