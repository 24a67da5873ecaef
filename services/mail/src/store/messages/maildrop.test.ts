import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Mailbox, NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { copyToMailbox } from './copy-to-mailbox.ts'
import { listUids } from './list.ts'
import { findInMaildrop, readMaildrop, removeFromFolder } from './maildrop.ts'
import { copyMessages, moveMessages } from './moves.ts'
import { setDeleted } from './removal.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

/** 11 bytes, and three lines that do not end with CR LF. */
const ODD = 'Subject:\n\nx'
const read = async ({ addressId }: Mailbox, folderId: string) => {
  const { uids, octets } = await readMaildrop(store.database.db, addressId, folderId)
  return [...uids].map((uid, index) => [uid, octets[index]])
}

describe('a maildrop', () => {
  test('has the visible messages of a folder, each with its size when lines end with CR LF', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    assert.deepEqual(await read(mailbox, folders.inbox), [])
    await store.add(mailbox, { raw: 'Subject: a\r\n\r\n' })
    await store.add(mailbox, { raw: ODD })
    await store.add(mailbox, { raw: 'Subject: c\r\n\r\n' })
    await store.add(mailbox, { raw: ODD, folderIds: [folders.archive] })
    const marked = { addressId, folderId: folders.inbox, uids: [3], deleted: true, now: NOW }
    await store.database.tx((tx) => setDeleted(tx, marked))
    assert.deepEqual(await read(mailbox, folders.inbox), [
      [1, 14],
      [2, 15],
    ])
  })

  test('knows the size of copies too, in this mailbox and in another', async () => {
    const [mailbox, other] = [await store.mailbox(), await store.mailbox()]
    const { addressId, folders } = mailbox
    const { messageId } = await store.add(mailbox, { raw: ODD })
    const copy = {
      addressId,
      folderId: folders.inbox,
      uids: [1],
      toFolderId: folders.inbox,
      quotaBytes: null,
      now: NOW,
    }
    await store.database.tx((tx) => copyMessages(tx, copy))
    const messages = [{ messageId, folderIds: [other.folders.inbox] }]
    const to = { addressId: other.addressId }
    await store.database.tx((tx) =>
      copyToMailbox(tx, { from: { addressId }, to, messages, quotaBytes: null, now: NOW }),
    )
    assert.deepEqual(await read(mailbox, folders.inbox), [
      [1, 15],
      [2, 15],
    ])
    assert.deepEqual(await read(other, other.folders.inbox), [[1, 15]])
  })

  test('gives a message by its UID while it is there', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    const { messageId } = await store.add(mailbox, { raw: ODD })
    const place = { addressId, folderId: folders.inbox, uid: 1 }
    assert.partialDeepStrictEqual(await findInMaildrop(store.database.db, place), { id: messageId, size: 11 })
    const move = { addressId, messageIds: [messageId], folderId: folders.archive, now: NOW }
    await store.database.tx((tx) => moveMessages(tx, move))
    await assert.rejects(findInMaildrop(store.database.db, place), { kind: 'no_such_message' })
  })

  test('loses only what is taken out and still there', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    for (let n = 0; n < 3; n += 1) await store.add(mailbox)
    const removal = { addressId, folderId: folders.inbox, uids: [1, 3, 99], now: () => NOW }
    await removeFromFolder(store.database, removal)
    assert.deepEqual(await listUids(store.database.db, addressId, folders.inbox), [2])
    await removeFromFolder(store.database, removal)
    assert.deepEqual(await listUids(store.database.db, addressId, folders.inbox), [2])
  })
})
