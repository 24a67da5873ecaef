import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expungedSince } from '../changes/changes.ts'
import { readMailbox } from '../mailbox/mailbox.ts'
import { queryMessages } from '../search/query.ts'
import { type Mailbox, NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { assertClean, changesAt, countsOf, messageOf, modseqOf } from '../testing/views.ts'
import { changeKeywords } from './keywords.ts'
import { listEntries, listUids, threadsOf } from './list.ts'
import { copyMessages, moveMessages, moveUids, setFolders } from './moves.ts'
import { destroyMessages, expunge, setDeleted } from './removal.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const keywords = (mailbox: Mailbox, messageIds: string[], change: object) =>
  store.database.tx((tx) => changeKeywords(tx, { addressId: mailbox.addressId, messageIds, ...change }))
const mark = (mailbox: Mailbox, folderId: string, uids: number[], deleted = true) =>
  store.database.tx((tx) => setDeleted(tx, { addressId: mailbox.addressId, folderId, uids, deleted, now: NOW }))
const NOBODY = '00000000-0000-7000-8000-000000000000'

describe('keywords', () => {
  test('change the unread counts of every folder of the message, and its modseq in each', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive } = mailbox.folders
    const { messageId } = await store.add(mailbox, { folderIds: [inbox, archive] })
    const changed = await keywords(mailbox, [messageId], { add: ['$Seen', 'Work'] })
    assert.deepEqual(changed.updated.get(messageId), ['$seen', 'work'])
    for (const id of [inbox, archive]) {
      assert.deepEqual(await countsOf(store, mailbox, id), [1, 0, 1, 0])
      const [entry] = await listEntries(store.database.db, {
        addressId: mailbox.addressId,
        folderId: id,
        fromUid: 1,
        toUid: 10,
        changedSince: changed.modseq - 1,
      })
      assert.equal(entry?.modseq, changed.modseq)
    }
    assert.deepEqual(await changesAt(store, mailbox, changed.modseq), ['folder_counts updated 2', 'message updated 1'])
    await keywords(mailbox, [messageId], { remove: ['$seen'] })
    assert.deepEqual(await countsOf(store, mailbox, inbox), [1, 1, 1, 1])
    await assertClean(store, mailbox)
  })

  test('that a message has already change nothing, and that is returned', async () => {
    const mailbox = await store.mailbox()
    const { messageId } = await store.add(mailbox, { keywords: ['$seen'] })
    const result = await keywords(mailbox, [messageId, NOBODY], { add: ['$seen'] })
    assert.deepEqual([result.unchanged, result.notFound, result.updated.size], [[messageId], [NOBODY], 0])
    assert.deepEqual(await changesAt(store, mailbox, result.modseq), [])
  })

  test('are replaced as a whole, and a draft is not unread', async () => {
    const mailbox = await store.mailbox()
    const { messageId } = await store.add(mailbox, { keywords: ['a', 'b'] })
    await keywords(mailbox, [messageId], { replace: ['$draft'] })
    assert.deepEqual((await messageOf(store, mailbox, messageId))?.keywords, ['$draft'])
    assert.deepEqual(await countsOf(store, mailbox, mailbox.folders.inbox), [1, 0, 1, 0])
    await assertClean(store, mailbox)
  })

  test('of a message that changed since are left alone', async () => {
    const mailbox = await store.mailbox()
    const { messageId, modseq } = await store.add(mailbox)
    await keywords(mailbox, [messageId], { add: ['$flagged'] })
    const late = await keywords(mailbox, [messageId], { add: ['$seen'], unchangedSince: modseq })
    assert.deepEqual([late.modified, late.updated.size], [[messageId], 0])
    assert.deepEqual((await messageOf(store, mailbox, messageId))?.keywords, ['$flagged'])
  })

  test('of another mailbox are not found', async () => {
    const [mailbox, other] = [await store.mailbox(), await store.mailbox()]
    const { messageId } = await store.add(other)
    assert.deepEqual((await keywords(mailbox, [messageId], { add: ['$seen'] })).notFound, [messageId])
    assert.deepEqual((await messageOf(store, other, messageId))?.keywords, [])
  })

  test('more than a message may have are refused for all', async () => {
    const mailbox = await store.mailbox()
    const many = Array.from({ length: 128 }, (_, n) => `k${n}`)
    const full = await store.add(mailbox, { keywords: many })
    const free = await store.add(mailbox)
    await assert.rejects(keywords(mailbox, [full.messageId, free.messageId], { add: ['x'] }), { kind: 'too_many' })
    assert.deepEqual((await messageOf(store, mailbox, free.messageId))?.keywords, [])
  })

  test('cost two statements and a transaction, however many messages and folders', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive } = mailbox.folders
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push((await store.add(mailbox, { folderIds: [inbox, archive] })).messageId)
    const watch = store.database.watchStatements()
    await keywords(mailbox, ids, { add: ['$seen'] })
    watch.stop()
    assert.equal(watch.texts.length, 4)
    await assertClean(store, mailbox)
  })
})

describe('moving', () => {
  test('replaces all folders, leaves tombstones and gives new UIDs in order', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive, trash } = mailbox.folders
    const first = await store.add(mailbox, { folderIds: [inbox, archive] })
    const second = await store.add(mailbox)
    const since = await modseqOf(store, mailbox)
    const moved = await store.database.tx((tx) =>
      moveMessages(tx, {
        addressId: mailbox.addressId,
        messageIds: [second.messageId, NOBODY, first.messageId],
        folderId: trash,
        now: NOW,
      }),
    )
    assert.deepEqual(moved.notFound, [NOBODY])
    assert.deepEqual(
      moved.uids.map(({ messageId, uid }) => [messageId, uid]),
      [
        [second.messageId, 1],
        [first.messageId, 2],
      ],
    )
    assert.deepEqual((await messageOf(store, mailbox, first.messageId))?.folderIds, [trash])
    const gone = await expungedSince(store.database.db, { addressId: mailbox.addressId, folderId: inbox, since })
    assert.deepEqual(gone.uids, [1, 2])
    assert.deepEqual(await changesAt(store, mailbox, moved.modseq), ['folder_counts updated 3', 'message updated 2'])
    await assertClean(store, mailbox)
  })

  test('to a folder that is not there is refused and changes nothing', async () => {
    const mailbox = await store.mailbox()
    const { messageId } = await store.add(mailbox)
    const foreign = (await store.mailbox()).folders.inbox
    for (const folderIds of [[foreign], [mailbox.folders.archive, foreign], []]) {
      const items = [{ messageId, folderIds }]
      const work = store.database.tx((tx) => setFolders(tx, { addressId: mailbox.addressId, items, now: NOW }))
      await assert.rejects(work, { kind: 'no_such_folder' })
    }
    assert.deepEqual((await messageOf(store, mailbox, messageId))?.folderIds, [mailbox.folders.inbox])
    await assertClean(store, mailbox)
  })

  test('by UID leaves other folders of the message alone', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive, trash } = mailbox.folders
    const { messageId } = await store.add(mailbox, { folderIds: [inbox, archive] })
    const input = { addressId: mailbox.addressId, folderId: inbox, toFolderId: trash, quotaBytes: null, now: NOW }
    const { uids } = await store.database.tx((tx) => moveUids(tx, { ...input, uids: [1, 99] }))
    assert.deepEqual(uids, [{ uid: 1, newUid: 1, messageId }])
    assert.deepEqual((await messageOf(store, mailbox, messageId))?.folderIds.sort(), [archive, trash].sort())
    await assertClean(store, mailbox)
  })

  test('within the same folder gives a new UID', async () => {
    const mailbox = await store.mailbox()
    const { inbox } = mailbox.folders
    const { messageId } = await store.add(mailbox)
    const input = { addressId: mailbox.addressId, folderId: inbox, toFolderId: inbox, quotaBytes: null, now: NOW }
    const { uids } = await store.database.tx((tx) => moveUids(tx, { ...input, uids: [1] }))
    assert.deepEqual(uids, [{ uid: 1, newUid: 2, messageId }])
    assert.deepEqual(await listUids(store.database.db, mailbox.addressId, inbox), [2])
    await assertClean(store, mailbox)
  })
})

describe('copying', () => {
  test('into another folder is the same message there, with its keywords', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive } = mailbox.folders
    const { messageId } = await store.add(mailbox, { keywords: ['$flagged'] })
    const input = { addressId: mailbox.addressId, folderId: inbox, toFolderId: archive, quotaBytes: 1, now: NOW }
    const { uids } = await store.database.tx((tx) => copyMessages(tx, { ...input, uids: [1] }))
    assert.deepEqual(uids, [{ uid: 1, newUid: 1, messageId }])
    assert.equal((await readMailbox(store.database.db, mailbox.addressId)).messageCount, 1)
    await assertClean(store, mailbox)
  })

  test('into the same folder, or one that has it, is a message of its own with the same bytes', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive } = mailbox.folders
    const { messageId, threadId } = await store.add(mailbox, { folderIds: [inbox, archive] })
    for (const toFolderId of [inbox, archive]) {
      const input = { addressId: mailbox.addressId, folderId: inbox, toFolderId, quotaBytes: null, now: NOW }
      const { uids } = await store.database.tx((tx) => copyMessages(tx, { ...input, uids: [1] }))
      assert.equal(uids[0]?.newUid, 2)
      assert.notEqual(uids[0]?.messageId, messageId)
    }
    const thread = (await threadsOf(store.database.db, mailbox.addressId, [threadId])).get(threadId)
    assert.equal(thread?.length, 3)
    const { rows } = await store.database.pool.query('select distinct blob_key from message where address_id = $1', [
      mailbox.addressId,
    ])
    assert.equal(rows.length, 1)
    await assertClean(store, mailbox)
  })

  test('that needs room which is not there is refused', async () => {
    const mailbox = await store.mailbox()
    const { inbox } = mailbox.folders
    await store.add(mailbox)
    const before = await readMailbox(store.database.db, mailbox.addressId)
    const input = { addressId: mailbox.addressId, folderId: inbox, toFolderId: inbox, now: NOW, uids: [1] }
    const work = store.database.tx((tx) => copyMessages(tx, { ...input, quotaBytes: before.usedBytes + 1 }))
    await assert.rejects(work, { kind: 'over_quota' })
    assert.deepEqual(await readMailbox(store.database.db, mailbox.addressId), before)
  })
})

describe('\\Deleted', () => {
  test('hides the row from counts, lists and threads, and belongs to the folder', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive } = mailbox.folders
    const { messageId, threadId } = await store.add(mailbox, { folderIds: [inbox, archive] })
    await mark(mailbox, inbox, [1])
    assert.deepEqual(await countsOf(store, mailbox, inbox), [0, 0, 0, 0])
    assert.deepEqual(await countsOf(store, mailbox, archive), [1, 1, 1, 1])
    assert.deepEqual((await messageOf(store, mailbox, messageId))?.folderIds, [archive])
    const query = { addressId: mailbox.addressId, filter: { inFolder: inbox }, limit: 50 }
    assert.deepEqual((await queryMessages(store, query)).ids, [])
    const both = await mark(mailbox, archive, [1])
    assert.equal(await messageOf(store, mailbox, messageId), null)
    assert.equal((await threadsOf(store.database.db, mailbox.addressId, [threadId])).size, 0)
    assert.deepEqual(await changesAt(store, mailbox, both.modseq), [
      'folder_counts updated 1',
      'message destroyed 1',
      'thread destroyed 1',
    ])
    await assertClean(store, mailbox)
    const back = await mark(mailbox, archive, [1], false)
    assert.deepEqual(await changesAt(store, mailbox, back.modseq), [
      'folder_counts updated 1',
      'message created 1',
      'thread created 1',
    ])
    await assertClean(store, mailbox)
  })

  test('keywords of hidden rows change without counting', async () => {
    const mailbox = await store.mailbox()
    const { messageId } = await store.add(mailbox)
    await mark(mailbox, mailbox.folders.inbox, [1])
    const changed = await keywords(mailbox, [messageId], { add: ['$seen'] })
    assert.equal(changed.updated.size, 1)
    assert.deepEqual(await changesAt(store, mailbox, changed.modseq), [])
    await mark(mailbox, mailbox.folders.inbox, [1], false)
    assert.deepEqual(await countsOf(store, mailbox, mailbox.folders.inbox), [1, 0, 1, 0])
    await assertClean(store, mailbox)
  })

  test('expunging removes what is marked, and only that of the given UIDs', async () => {
    const mailbox = await store.mailbox()
    const { inbox } = mailbox.folders
    for (let n = 0; n < 4; n += 1) await store.add(mailbox)
    await mark(mailbox, inbox, [1, 2, 3])
    const input = { addressId: mailbox.addressId, folderId: inbox, now: NOW }
    const some = await store.database.tx((tx) => expunge(tx, { ...input, uids: [2, 4] }))
    assert.deepEqual([some.uids, some.more], [[2], false])
    const rest = await store.database.tx((tx) => expunge(tx, { ...input, uids: null }))
    assert.deepEqual(rest.uids, [1, 3])
    assert.deepEqual(await listUids(store.database.db, mailbox.addressId, inbox), [4])
    assert.equal((await readMailbox(store.database.db, mailbox.addressId)).messageCount, 1)
    await assertClean(store, mailbox)
  })
})

describe('destroying', () => {
  test('removes messages from everywhere and frees their room', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive } = mailbox.folders
    const { messageId } = await store.add(mailbox, { folderIds: [inbox, archive] })
    const result = await store.database.tx((tx) =>
      destroyMessages(tx, { addressId: mailbox.addressId, messageIds: [messageId, NOBODY], now: NOW }),
    )
    assert.deepEqual([result.destroyed, result.notFound], [[messageId], [NOBODY]])
    assert.equal(result.expunged.length, 2)
    const { usedBytes, messageCount } = await readMailbox(store.database.db, mailbox.addressId)
    assert.deepEqual([usedBytes, messageCount], [0, 0])
    assert.deepEqual(await changesAt(store, mailbox, result.modseq), [
      'folder_counts updated 2',
      'message destroyed 1',
      'quota updated 1',
      'thread destroyed 1',
    ])
    await assertClean(store, mailbox)
  })

  test('too many at once are refused', async () => {
    const mailbox = await store.mailbox()
    const messageIds = Array.from({ length: 5001 }, () => NOBODY)
    const work = store.database.tx((tx) => destroyMessages(tx, { addressId: mailbox.addressId, messageIds, now: NOW }))
    await assert.rejects(work, { kind: 'too_many' })
  })
})
