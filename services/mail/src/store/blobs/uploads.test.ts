import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { kindsSince } from '../changes/change-kinds.ts'
import { createFolder } from '../folders/folders.ts'
import { readMailbox } from '../mailbox/mailbox.ts'
import { destroyMessages } from '../messages/removal.ts'
import { NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { linkUpload } from './blobs.ts'
import { findUpload, messagesOfBlob } from './uploads.ts'

let ground: StoreGround
before(async () => {
  ground = await startStore()
})
after(() => ground.close())

test('an upload is found by its id, by its owner, until it expires', async () => {
  const { database, blobs } = ground
  const [ann, bob] = [await ground.mailbox(), await ground.mailbox()]
  const blob = await blobs.put(Buffer.from('bytes'), { maxBytes: 10 })
  const refId = newId()
  const link = { ownerId: ann.addressId, refId, blob, maxBytes: 100, now: NOW }
  const { expiresAt } = await database.tx((tx) => linkUpload(tx, link))
  const find = (ownerId: string, now: Date) => findUpload(database.db, { ownerId, refId, now })
  assert.deepEqual(await find(ann.addressId, NOW), { key: blob.key, size: 5 })
  assert.equal(await find(bob.addressId, NOW), null)
  assert.equal(await find(ann.addressId, expiresAt), null)
})

test('the messages with the same bytes are found, of one mailbox only', async () => {
  const { database } = ground
  const [ann, bob] = [await ground.mailbox(), await ground.mailbox()]
  const raw = 'Subject: same\r\n\r\nbytes\r\n'
  const [first, second] = [await ground.add(ann, { raw }), await ground.add(ann, { raw })]
  await ground.add(bob, { raw })
  const { rows } = await database.pool.query('select blob_key from message where id = $1', [first.messageId])
  const found = await messagesOfBlob(database.db, { ownerId: ann.addressId, key: rows[0].blob_key })
  assert.deepEqual(found, [first.messageId, second.messageId].sort())
})

test('the kinds that changed since a modseq are returned, and all of them where that is not known', async () => {
  const { database } = ground
  const ann = await ground.mailbox()
  const { addressId } = ann
  const since = async () => (await readMailbox(database.db, addressId)).modseq
  const start = await since()
  await database.tx((tx) => createFolder(tx, { addressId, name: 'New' }))
  const folder = await kindsSince(database.db, addressId, start)
  assert.deepEqual([[...(folder?.kinds ?? [])], folder?.hasNewMessages], [['folder'], false])
  const before = await since()
  const { messageId } = await ground.add(ann)
  assert.equal((await kindsSince(database.db, addressId, before))?.hasNewMessages, true)
  const later = await since()
  await database.tx((tx) => destroyMessages(tx, { addressId, messageIds: [messageId], now: NOW }))
  const gone = await kindsSince(database.db, addressId, later)
  assert.deepEqual([gone?.kinds.has('message'), gone?.hasNewMessages, gone?.modseq], [true, false, await since()])
  assert.equal((await kindsSince(database.db, addressId, await since()))?.kinds.size, 0)
  assert.equal((await kindsSince(database.db, addressId, 999_999))?.kinds.size, 9)
  assert.equal(await kindsSince(database.db, newId(), 0), null)
})
