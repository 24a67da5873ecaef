import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Mailbox, NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { modseqOf } from '../testing/views.ts'
import { changeKeywords } from './keywords.ts'
import { claimRecent } from './recent.ts'
import { expunge, setDeleted } from './removal.ts'
import { firstUnread, readDelta, readSelection } from './selection.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const inboxOf = ({ addressId, folders }: Mailbox) => ({ addressId, folderId: folders.inbox, viewerId: null })

const withMails = async (count: number) => {
  const mailbox = await store.mailbox()
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push((await store.add(mailbox)).messageId)
  return { mailbox, ids, inbox: inboxOf(mailbox) }
}

const remove = async ({ addressId, folderId }: ReturnType<typeof inboxOf>, uids: number[]) => {
  await store.database.tx((tx) => setDeleted(tx, { addressId, folderId, uids, deleted: true, now: NOW }))
  return store.database.tx((tx) => expunge(tx, { addressId, folderId, uids, now: NOW }))
}

describe('a folder as it is selected', () => {
  test('has its UIDs, and the modseq of what happened in it and nowhere else', async () => {
    const { mailbox, inbox } = await withMails(3)
    await store.add(mailbox, { folderIds: [mailbox.folders.archive] })
    const { modseq, highestModseq, uids, uidNext } = (await readSelection(store.database.db, inbox)) ?? assert.fail()
    assert.deepEqual(uids, [1, 2, 3])
    assert.equal(uidNext, 4)
    assert.equal(modseq, await modseqOf(store, mailbox))
    assert.equal(highestModseq, modseq - 1)
    const gone = await remove(inbox, [3])
    assert.equal((await readSelection(store.database.db, inbox))?.highestModseq, gone.modseq)
  })

  test('that is not there, or is of another mailbox, is not given', async () => {
    const [mailbox, other] = [await store.mailbox(), await store.mailbox()]
    const folder = { addressId: mailbox.addressId, folderId: other.folders.inbox }
    assert.equal(await readSelection(store.database.db, folder), null)
  })

  test('knows the first message that was not read', async () => {
    const { mailbox, ids, inbox } = await withMails(3)
    const [first = '', second = ''] = ids
    const seen = (messageIds: string[]) =>
      store.database.tx((tx) => changeKeywords(tx, { addressId: mailbox.addressId, messageIds, add: ['$seen'] }))
    await seen([first])
    for (const unread of [2, 100_000]) assert.equal(await firstUnread(store.database.db, { ...inbox, unread }), 2)
    await seen([second, ...ids.slice(2)])
    for (const unread of [2, 100_000]) assert.equal(await firstUnread(store.database.db, { ...inbox, unread }), null)
    assert.equal(await firstUnread(store.database.db, { ...inbox, unread: 0 }), null)
  })
})

describe('what happened since', () => {
  test('is what is new, changed and gone, each since its own moment', async () => {
    const { mailbox, ids, inbox } = await withMails(3)
    const since = await modseqOf(store, mailbox)
    await store.database.tx((tx) =>
      changeKeywords(tx, { addressId: mailbox.addressId, messageIds: ids.slice(0, 1), add: ['$flagged'] }),
    )
    await remove(inbox, [2])
    await store.add(mailbox)
    const read = (expungedSince: number | null) => readDelta(store.database.db, { ...inbox, since, expungedSince })
    const delta = (await read(since)) ?? assert.fail()
    assert.deepEqual(
      delta.entries.map(({ uid, keywords }) => [uid, keywords]),
      [
        [1, ['$flagged']],
        [4, []],
      ],
    )
    assert.deepEqual(delta.expunged, [2])
    assert.equal(delta.modseq, await modseqOf(store, mailbox))
    assert.deepEqual((await read(null))?.expunged, [])
    assert.deepEqual((await read(delta.modseq))?.expunged, [])
  })

  test('is reported as forgotten below the floor', async () => {
    const { mailbox, inbox } = await withMails(2)
    await store.database.pool.query('update mailbox set floor = 3 where address_id = $1', [mailbox.addressId])
    const isForgotten = async (expungedSince: number) =>
      (await readDelta(store.database.db, { ...inbox, since: 3, expungedSince }))?.isForgotten
    assert.deepEqual([await isForgotten(2), await isForgotten(3)], [true, false])
  })
})

describe('messages that are recent', () => {
  test('are so to the first session that asks, however many ask at the same moment', async () => {
    const { inbox } = await withMails(0)
    const claim = (uid: number) => store.database.tx((tx) => claimRecent(tx, { ...inbox, uid }))
    const answers = await Promise.all(Array.from({ length: 5 }, () => claim(10)))
    assert.deepEqual(answers.filter((answer) => answer !== null).length, 1)
    assert.equal(await claim(8), null)
    assert.equal(await claim(12), 10)
    assert.equal(await claim(12), null)
  })
})
