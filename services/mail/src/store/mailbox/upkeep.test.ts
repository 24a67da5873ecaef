import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { plantRows } from '@stoa/tests/lib/cascades.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { createFolder, deleteFolder, updateFolder } from '../folders/folders.ts'
import { moveMessages } from '../messages/moves.ts'
import { setDeleted } from '../messages/removal.ts'
import { snooze, wakeDue } from '../messages/snooze.ts'
import { type Mailbox, NOW, type StoreGround, silent, startStore } from '../testing/ground.ts'
import { assertClean, countsOf, messageOf } from '../testing/views.ts'
import { usedBytes } from './quota.ts'
import { purgeFolders } from './upkeep.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const DAY = 86_400_000
const later = (days: number) => new Date(NOW.getTime() + days * DAY)
const put = (mailbox: Mailbox, messageIds: string[], until: Date | null) =>
  store.database.tx((tx) => snooze(tx, { addressId: mailbox.addressId, messageIds, until, now: NOW }))

describe('a snoozed message', () => {
  test('is in Snoozed until its time, and then unseen where it was', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive, snoozed } = mailbox.folders
    const { messageId } = await store.add(mailbox, { folderIds: [inbox, archive], keywords: ['$seen'] })
    await put(mailbox, [messageId], later(1))
    const away = await messageOf(store, mailbox, messageId)
    assert.deepEqual([away?.folderIds, away?.snoozedUntil], [[snoozed], later(1)])
    assert.equal(await wakeDue({ database: store.database, log: silent }, later(0.5)), 0)
    assert.equal(await wakeDue({ database: store.database, log: silent }, later(1)), 1)
    const back = await messageOf(store, mailbox, messageId)
    assert.deepEqual(back?.folderIds, [inbox, archive].toSorted())
    assert.deepEqual([back?.keywords, back?.snoozedUntil], [[], null])
    assert.equal(await wakeDue({ database: store.database, log: silent }, later(2)), 0)
    await assertClean(store, mailbox)
  })

  test('can be snoozed again and remembers where it came from', async () => {
    const mailbox = await store.mailbox()
    const { messageId } = await store.add(mailbox, { folderIds: [mailbox.folders.archive] })
    await put(mailbox, [messageId], later(1))
    await put(mailbox, [messageId], later(2))
    assert.equal(await wakeDue({ database: store.database, log: silent }, later(1)), 0)
    await put(mailbox, [messageId], null)
    assert.deepEqual((await messageOf(store, mailbox, messageId))?.folderIds, [mailbox.folders.archive])
    await assertClean(store, mailbox)
  })

  test('goes to the inbox if its folder is gone', async () => {
    const mailbox = await store.mailbox()
    const { addressId } = mailbox
    const folder = await store.database.tx((tx) => createFolder(tx, { addressId, name: 'A' }))
    const { messageId } = await store.add(mailbox, { folderIds: [folder.id] })
    await put(mailbox, [messageId], later(1))
    await store.database.tx((tx) => deleteFolder(tx, { addressId, folderId: folder.id, messages: 'refuse', now: NOW }))
    await wakeDue({ database: store.database, log: silent }, later(1))
    assert.deepEqual((await messageOf(store, mailbox, messageId))?.folderIds, [mailbox.folders.inbox])
  })

  test('that somebody moves is no longer snoozed; one marked \\Deleted is not due for ever', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    const [moved, deleted] = [await store.add(mailbox), await store.add(mailbox)]
    await put(mailbox, [moved.messageId, deleted.messageId], later(1))
    await store.database.tx((tx) =>
      moveMessages(tx, { addressId, messageIds: [moved.messageId], folderId: folders.trash, now: NOW }),
    )
    assert.equal((await messageOf(store, mailbox, moved.messageId))?.snoozedUntil, null)
    await store.database.tx((tx) =>
      setDeleted(tx, { addressId, folderId: folders.snoozed, uids: [2], deleted: true, now: NOW }),
    )
    await wakeDue({ database: store.database, log: silent }, later(1))
    assert.equal(await wakeDue({ database: store.database, log: silent }, later(1)), 0)
    assert.deepEqual((await messageOf(store, mailbox, moved.messageId))?.folderIds, [folders.trash])
    await assertClean(store, mailbox)
  })
})

describe('a mailbox that cannot be tended', () => {
  test('does not keep the snoozed mail of others from coming back, nor theirs from being purged', async (t) => {
    const [bad, good] = [await store.mailbox(), await store.mailbox()].toSorted((a, b) =>
      a.addressId < b.addressId ? -1 : 1,
    ) as [Mailbox, Mailbox]
    const snoozed: string[] = []
    for (const mailbox of [bad, good]) {
      const { addressId, folders } = mailbox
      const { messageId } = await store.add(mailbox)
      await put(mailbox, [messageId], later(1))
      snoozed.push(messageId)
      await store.database.tx((tx) => updateFolder(tx, { addressId, folderId: folders.trash, purgeDays: 30 }))
      await store.add(mailbox, { folderIds: [folders.trash], now: NOW })
    }
    const undo = await failOn(store.database, 'update', 'mailbox', `old.address_id = '${bad.addressId}'`)
    t.after(undo)
    const parts = { database: store.database, log: silent }
    assert.equal(await wakeDue(parts, later(1)), 1)
    assert.equal(await purgeFolders(parts, later(30)), 1)
    const untilOf = async (mailbox: Mailbox, id = '') => (await messageOf(store, mailbox, id))?.snoozedUntil
    assert.deepEqual([await untilOf(bad, snoozed[0]), await untilOf(good, snoozed[1])], [later(1), null])
    await undo()
    assert.deepEqual([await wakeDue(parts, later(1)), await purgeFolders(parts, later(30))], [1, 1])
  })
})

describe('a folder that keeps messages for some days', () => {
  test('loses those that came earlier; they stay in other folders', async () => {
    const mailbox = await store.mailbox()
    const { addressId } = mailbox
    const { trash, archive } = mailbox.folders
    await store.database.tx((tx) => updateFolder(tx, { addressId, folderId: trash, purgeDays: 30 }))
    const old = await store.add(mailbox, { folderIds: [trash], now: NOW })
    const shared = await store.add(mailbox, { folderIds: [trash, archive], now: NOW })
    const young = await store.add(mailbox, { folderIds: [trash], now: later(10), receivedAt: later(-100) })
    assert.equal(await purgeFolders({ database: store.database, log: silent }, later(29)), 0)
    assert.equal(await purgeFolders({ database: store.database, log: silent }, later(30)), 2)
    assert.equal(await messageOf(store, mailbox, old.messageId), null)
    assert.deepEqual((await messageOf(store, mailbox, shared.messageId))?.folderIds, [archive])
    assert.ok(await messageOf(store, mailbox, young.messageId))
    assert.deepEqual(await countsOf(store, mailbox, trash), [1, 1, 1, 1])
    await assertClean(store, mailbox)
  })
})

test('folders are looked for page by page, and those of the last page are purged too', async (t) => {
  const [many, last] = [await store.mailbox(), await store.mailbox()].toSorted((a, b) =>
    a.addressId < b.addressId ? -1 : 1,
  ) as [Mailbox, Mailbox]
  await plantRows(
    store.database,
    { table: 'folder', column: 'address_id' },
    { id: many.addressId, rows: 501, values: { purge_days: '30', uid_next: '2' } },
  )
  const { addressId, folders } = last
  await store.database.tx((tx) => updateFolder(tx, { addressId, folderId: folders.trash, purgeDays: 30 }))
  await store.add(last, { folderIds: [folders.trash], now: NOW })
  const watch = store.database.watchStatements()
  t.after(() => watch.stop())
  assert.equal(await purgeFolders({ database: store.database, log: silent }, later(30)), 1)
  assert.equal(watch.texts.filter((text) => text.includes('purge_days is not null')).length, 2)
})

describe('room', () => {
  test('that is used is known', async () => {
    const mailbox = await store.mailbox()
    await store.add(mailbox, { raw: 'a: b\r\n\r\nc' })
    assert.equal(await usedBytes(store.database.db, mailbox.addressId), 9)
  })
})
