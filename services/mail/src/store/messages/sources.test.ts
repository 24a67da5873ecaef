import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeStructure } from '../../formats/mime/stored.ts'
import { StoreRefusal } from '../refusal.ts'
import { NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { listDetails, listSources } from './sources.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

test('messages of a folder are found by UID, in order, with what they are read by', async () => {
  const mailbox = await store.mailbox()
  const added = [await store.add(mailbox, { text: 'first words' }), await store.add(mailbox)]
  const input = { addressId: mailbox.addressId, folderId: mailbox.folders.inbox, uids: [2, 9, 1] }
  const sources = await listSources(store.database.db, input)
  assert.deepEqual(
    sources.map(({ uid, messageId }) => [uid, messageId]),
    added.map(({ messageId }, index) => [index + 1, messageId]),
  )
  const [first] = sources
  assert.equal(first && decodeStructure(first.structure)?.size, first?.size)
  assert.ok(first?.headers?.includes('ann@example.org'))
  const [details] = await listDetails(store.database.db, input)
  assert.deepEqual([details?.preview, details?.addedAt], ['first words', NOW])
})

test('folders of others have none, and many at once are refused', async () => {
  const [one, other] = [await store.mailbox(), await store.mailbox()]
  await store.add(one)
  const folderId = one.folders.inbox
  assert.deepEqual(await listSources(store.database.db, { addressId: other.addressId, folderId, uids: [1] }), [])
  const uids = Array.from({ length: 501 }, (_, at) => at + 1)
  await assert.rejects(
    async () => listSources(store.database.db, { addressId: one.addressId, folderId, uids }),
    (error) => error instanceof StoreRefusal && error.kind === 'too_many',
  )
})
