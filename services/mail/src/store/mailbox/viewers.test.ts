import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { changesSince } from '../changes/changes.ts'
import { listFolders } from '../folders/folders.ts'
import { changeKeywords } from '../messages/keywords.ts'
import { getMessages, getWholeMessages, listEntries } from '../messages/list.ts'
import { copyMessages, moveMessages } from '../messages/moves.ts'
import { destroyMessages } from '../messages/removal.ts'
import { firstUnread } from '../messages/selection.ts'
import { snooze } from '../messages/snooze.ts'
import type { Filter } from '../search/filter.ts'
import { queryMessages, queryUids } from '../search/query.ts'
import { type Mailbox, NOW, type StoreGround, silent, startStore } from '../testing/ground.ts'
import { assertClean, changesAt, countsOf } from '../testing/views.ts'
import { endViewing, startViewing } from './viewers.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const parts = () => ({ database: store.database, blobs: store.blobs, log: silent })

/** Somebody who may look at the mailbox. */
const viewerOf = async ({ addressId }: Mailbox): Promise<string> => {
  const { addressId: viewerId } = await store.mailbox()
  await store.database.pool.query(
    'insert into share (address_id, id, with_address_id, access, created_at) values ($1, $2, $3, $$full$$, now())',
    [addressId, newId(), viewerId],
  )
  await store.database.tx((tx) => startViewing(tx, { addressId, viewerId }))
  return viewerId
}

/** The keywords of messages for somebody, through every way to ask for them. */
const keywordsFor = async (mailbox: Mailbox, ids: string[], viewerId: string | null): Promise<string[][]> => {
  const { db } = store.database
  const { addressId, folders } = mailbox
  const listed = await getMessages(db, addressId, ids, viewerId)
  const whole = await getWholeMessages(db, addressId, ids, viewerId)
  const entries = await listEntries(db, { addressId, viewerId, folderId: folders.inbox, fromUid: 1, toUid: 1e6 })
  const changed = await listEntries(db, {
    addressId,
    viewerId,
    folderId: folders.inbox,
    fromUid: 1,
    toUid: 1e6,
    changedSince: 1,
  })
  const keywords = listed.map((message) => message.keywords)
  const inOrder = (rows: readonly { keywords: string[]; id: string }[]) =>
    ids.map((id) => rows.find((row) => row.id === id)?.keywords)
  assert.deepEqual(inOrder(whole), keywords)
  for (const rows of [entries, changed])
    assert.deepEqual(inOrder(rows.map((row) => ({ ...row, id: row.messageId }))), keywords)
  return keywords
}

const change = (
  mailbox: Mailbox,
  viewerId: string | null,
  ids: string[],
  how: { add?: string[]; remove?: string[]; replace?: string[]; unchangedSince?: number },
) => store.database.tx((tx) => changeKeywords(tx, { addressId: mailbox.addressId, viewerId, messageIds: ids, ...how }))

const unreadOf = async ({ addressId, folders }: Mailbox, viewerId: string | null): Promise<number[]> => {
  const all = await listFolders(store.database.db, addressId, viewerId)
  const inbox = all.find(({ id }) => id === folders.inbox)
  return [inbox?.unread ?? -1, inbox?.unreadThreads ?? -1]
}

describe('a viewer', () => {
  test('begins with what the owner has seen, and new mail is unseen', async () => {
    const mailbox = await store.mailbox()
    const seen = await store.add(mailbox, { keywords: ['$seen', 'a'] })
    const unseen = await store.add(mailbox)
    const viewerId = await viewerOf(mailbox)
    const later = await store.add(mailbox, { keywords: ['$seen', '$flagged'] })
    const ids = [seen, unseen, later].map(({ messageId }) => messageId)
    assert.deepEqual(await keywordsFor(mailbox, ids, viewerId), [['$seen', 'a'], [], ['$flagged']])
    assert.deepEqual(await keywordsFor(mailbox, ids, null), [['$seen', 'a'], [], ['$flagged', '$seen']])
    assert.deepEqual(await unreadOf(mailbox, viewerId), [2, 2])
    assert.deepEqual(await unreadOf(mailbox, null), [1, 1])
  })

  test('gets the first message that they have not read', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    const { messageId } = await store.add(mailbox)
    await store.add(mailbox)
    const viewerId = await viewerOf(mailbox)
    await change(mailbox, viewerId, [messageId], { add: ['$seen'] })
    await change(mailbox, null, [messageId], { add: ['$seen'] })
    const input = { addressId, viewerId, folderId: folders.inbox, unread: 0 }
    assert.equal(await firstUnread(store.database.db, input), 2)
  })

  test('has marks of their own, and shares all other keywords', async () => {
    const mailbox = await store.mailbox()
    const { messageId: id } = await store.add(mailbox)
    const [one, two] = [await viewerOf(mailbox), await viewerOf(mailbox)]
    const { updated } = await change(mailbox, one, [id], { add: ['$Seen', 'work', '$flagged'] })
    assert.deepEqual(updated.get(id), ['$flagged', '$seen', 'work'])
    assert.deepEqual(await keywordsFor(mailbox, [id], one), [['$flagged', '$seen', 'work']])
    assert.deepEqual(await keywordsFor(mailbox, [id], two), [['$flagged', 'work']])
    assert.deepEqual(await keywordsFor(mailbox, [id], null), [['$flagged', 'work']])
    await change(mailbox, null, [id], { add: ['$seen'] })
    const removed = await change(mailbox, one, [id], { remove: ['$seen', 'work'] })
    assert.deepEqual(removed.updated.get(id), ['$flagged'])
    assert.deepEqual(await keywordsFor(mailbox, [id], two), [['$flagged']])
    assert.deepEqual(await keywordsFor(mailbox, [id], null), [['$flagged', '$seen']])
    await assertClean(store, mailbox)
  })

  test('who replaces keywords keeps the marks of the owner', async () => {
    const mailbox = await store.mailbox()
    const seen = await store.add(mailbox, { keywords: ['$seen', 'old'] })
    const unseen = await store.add(mailbox, { keywords: ['old'] })
    const ids = [seen.messageId, unseen.messageId]
    const viewerId = await viewerOf(mailbox)
    await change(mailbox, viewerId, ids, { replace: ['new'] })
    assert.deepEqual(await keywordsFor(mailbox, ids, null), [['$seen', 'new'], ['new']])
    assert.deepEqual(await keywordsFor(mailbox, ids, viewerId), [['new'], ['new']])
    await change(mailbox, viewerId, ids, { replace: ['$seen', 'z'] })
    assert.deepEqual(await keywordsFor(mailbox, ids, null), [['$seen', 'z'], ['z']])
    assert.deepEqual(await keywordsFor(mailbox, ids, viewerId), [
      ['$seen', 'z'],
      ['$seen', 'z'],
    ])
    await assertClean(store, mailbox)
  })

  test('who has seen it already changes nothing', async () => {
    const mailbox = await store.mailbox()
    const { messageId } = await store.add(mailbox)
    const viewerId = await viewerOf(mailbox)
    const first = await change(mailbox, viewerId, [messageId], { add: ['$seen'] })
    const second = await change(mailbox, viewerId, [messageId], { add: ['$seen'] })
    assert.deepEqual([second.unchanged, second.updated.size], [[messageId], 0])
    const { addressId } = mailbox
    const since = { modseq: first.modseq, objectId: null }
    const changes = await changesSince(store.database.db, { addressId, kinds: ['message', 'folder_counts'], since })
    assert.deepEqual(changes.updated, [])
  })

  test('is notified, like all others, of a change that only they see', async () => {
    const mailbox = await store.mailbox()
    const { messageId } = await store.add(mailbox)
    const viewerId = await viewerOf(mailbox)
    const before = await countsOf(store, mailbox, mailbox.folders.inbox)
    const { modseq } = await change(mailbox, viewerId, [messageId], { add: ['$seen'] })
    assert.deepEqual(await changesAt(store, mailbox, modseq), ['folder_counts updated 1', 'message updated 1'])
    const [entry] = await listEntries(store.database.db, {
      addressId: mailbox.addressId,
      folderId: mailbox.folders.inbox,
      fromUid: 1,
      toUid: 1,
    })
    assert.equal(entry?.modseq, modseq)
    assert.equal((await getMessages(store.database.db, mailbox.addressId, [messageId]))[0]?.modseq, modseq)
    assert.deepEqual(await countsOf(store, mailbox, mailbox.folders.inbox), before)
    const stale = await change(mailbox, viewerId, [messageId], { remove: ['$seen'], unchangedSince: modseq - 1 })
    assert.deepEqual(stale.modified, [messageId])
    assert.deepEqual(await keywordsFor(mailbox, [messageId], viewerId), [['$seen']])
  })

  test('counts anew when a message that the owner has seen becomes a draft', async () => {
    const mailbox = await store.mailbox()
    const { messageId } = await store.add(mailbox)
    const viewerId = await viewerOf(mailbox)
    await change(mailbox, null, [messageId], { add: ['$seen'] })
    const { modseq } = await change(mailbox, null, [messageId], { add: ['$draft'] })
    assert.deepEqual(await unreadOf(mailbox, viewerId), [0, 0])
    assert.ok((await changesAt(store, mailbox, modseq)).includes('folder_counts updated 1'))
    await assertClean(store, mailbox)
  })

  test('who adds a message that was seen has seen it, and the owner has not', async () => {
    const mailbox = await store.mailbox()
    const viewerId = await viewerOf(mailbox)
    const { messageId } = await store.add(mailbox, { viewerId, keywords: ['$seen', 'x'] })
    assert.deepEqual(await keywordsFor(mailbox, [messageId], viewerId), [['$seen', 'x']])
    assert.deepEqual(await keywordsFor(mailbox, [messageId], null), [['x']])
    assert.deepEqual(await unreadOf(mailbox, null), [1, 1])
    assert.deepEqual(await unreadOf(mailbox, viewerId), [0, 0])
  })

  test('searches and sorts by their own marks', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    const one = await store.add(mailbox, { id: `t${addressId}`, subject: 'Roof' })
    const two = await store.add(mailbox, { references: [`t${addressId}`], subject: 'Re: Roof', keywords: ['$seen'] })
    const three = await store.add(mailbox, { receivedAt: new Date(NOW.getTime() + 1_000) })
    const viewerId = await viewerOf(mailbox)
    await change(mailbox, viewerId, [one.messageId, three.messageId], { add: ['$seen'] })
    await change(mailbox, viewerId, [two.messageId], { remove: ['$seen'] })
    const names = new Map([
      [one.messageId, 'one'],
      [two.messageId, 'two'],
      [three.messageId, 'three'],
    ])
    const find = async (filter: Filter, viewer: string | null) => {
      const found = await queryMessages(parts(), { addressId, viewerId: viewer, filter, limit: 10, wantsTotal: true })
      assert.equal(found.total, found.ids.length)
      const uids = await queryUids(parts(), { addressId, viewerId: viewer, folderId: folders.inbox, filter })
      assert.equal(uids.length, found.ids.length)
      return found.ids.map((id) => names.get(id)).toSorted()
    }
    const expected: [Filter, string[], string[]][] = [
      [{ hasKeyword: '$Seen' }, ['one', 'three'], ['two']],
      [{ notKeyword: '$seen' }, ['two'], ['one', 'three']],
      [{ isUnread: true }, ['two'], ['one', 'three']],
      [{ isUnread: false }, ['one', 'three'], ['two']],
      [{ allInThreadHaveKeyword: '$seen' }, ['three'], []],
      [{ someInThreadHaveKeyword: '$seen' }, ['one', 'three', 'two'], ['one', 'two']],
      [{ noneInThreadHaveKeyword: '$seen' }, [], ['three']],
    ]
    for (const [filter, theirs, owners] of expected) {
      assert.deepEqual(await find(filter, viewerId), theirs, JSON.stringify(filter))
      assert.deepEqual(await find(filter, null), owners, JSON.stringify(filter))
      assert.deepEqual(
        await find({ operator: 'and', conditions: [{ inFolder: folders.inbox }, filter] }, viewerId),
        theirs,
      )
    }
    const sort = [{ by: 'hasKeyword', keyword: '$seen', ascending: true } as const]
    const sorted = await queryMessages(parts(), { addressId, viewerId, filter: {}, sort, limit: 1 })
    assert.deepEqual(sorted.ids, [two.messageId])
  })

  test('keeps marks when messages move, are copied, and change their ids', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    const viewerId = await viewerOf(mailbox)
    const one = await store.add(mailbox, { id: `one-${addressId}`, subject: 'Same' })
    const two = await store.add(mailbox, { id: `two-${addressId}`, subject: 'Same' })
    await change(mailbox, viewerId, [one.messageId, two.messageId], { add: ['$seen'] })
    // Joins both threads: the messages of one of them get other ids.
    await store.add(mailbox, { subject: 'Same', references: [`one-${addressId}`, `two-${addressId}`] })
    const input = { addressId, folderId: folders.inbox, toFolderId: folders.inbox, quotaBytes: null, now: NOW }
    await store.database.tx((tx) => copyMessages(tx, { ...input, uids: [1] }))
    const entries = await listEntries(store.database.db, {
      addressId,
      viewerId,
      folderId: folders.inbox,
      fromUid: 1,
      toUid: 9,
    })
    assert.deepEqual(
      entries.map(({ keywords }) => keywords),
      [['$seen'], ['$seen'], [], ['$seen']],
    )
    const messageIds = entries.map(({ messageId }) => messageId)
    await store.database.tx((tx) => moveMessages(tx, { addressId, messageIds, folderId: folders.archive, now: NOW }))
    const moved = await getMessages(store.database.db, addressId, messageIds, viewerId)
    assert.deepEqual(
      moved.map(({ keywords }) => keywords.length),
      [1, 1, 0, 1],
    )
    await assertClean(store, mailbox)
    await store.database.tx((tx) => destroyMessages(tx, { addressId, messageIds, now: NOW }))
    await assertClean(store, mailbox)
    assert.equal(await marksOf(mailbox), 0)
  })

  test('finds a message that was snoozed unseen', async () => {
    const mailbox = await store.mailbox()
    const { addressId } = mailbox
    const { messageId } = await store.add(mailbox, { keywords: ['$seen'] })
    const viewerId = await viewerOf(mailbox)
    const until = new Date(NOW.getTime() + 1_000)
    await store.database.tx((tx) => snooze(tx, { addressId, messageIds: [messageId], until, now: NOW }))
    await store.database.tx((tx) => snooze(tx, { addressId, messageIds: [messageId], until: null, now: NOW }))
    assert.deepEqual(await keywordsFor(mailbox, [messageId], viewerId), [[]])
    assert.deepEqual(await keywordsFor(mailbox, [messageId], null), [[]])
  })

  test('changes nothing once the mailbox is not shared with them', async () => {
    const mailbox = await store.mailbox()
    const { addressId } = mailbox
    const { messageId } = await store.add(mailbox)
    const viewerId = await viewerOf(mailbox)
    await change(mailbox, viewerId, [messageId], { add: ['$seen'] })
    await store.database.tx((tx) => endViewing(tx, { addressId, viewerId }))
    await store.database.pool.query('delete from share where address_id = $1', [addressId])
    const late = await change(mailbox, viewerId, [messageId], { add: ['$seen', 'late'] })
    assert.deepEqual(late.notFound, [messageId])
    await store.add(mailbox, { viewerId, keywords: ['$seen'] })
    assert.equal(await marksOf(mailbox), 0)
    assert.deepEqual(await keywordsFor(mailbox, [messageId], null), [[]])
  })
})

const marksOf = async ({ addressId }: Mailbox): Promise<number> =>
  (await store.database.pool.query('select from viewed where address_id = $1', [addressId])).rowCount ?? -1

test('what the owner does needs as many statements as before', async () => {
  const mailbox = await store.mailbox()
  const { messageId } = await store.add(mailbox)
  await viewerOf(mailbox)
  const statements = async (run: () => Promise<unknown>): Promise<string[]> => {
    const watch = store.database.watchStatements()
    await run()
    watch.stop()
    return watch.texts.filter((text) => text !== 'begin' && text !== 'commit')
  }
  const reads = [
    () => listFolders(store.database.db, mailbox.addressId),
    () => getMessages(store.database.db, mailbox.addressId, [messageId]),
    () => listEntries(store.database.db, { addressId: mailbox.addressId, folderId: newId(), fromUid: 1, toUid: 2 }),
  ]
  for (const read of reads) {
    const texts = await statements(read)
    assert.equal(texts.length, 1)
    assert.ok(texts.every((text) => !text.includes('viewed')))
  }
  const written = await statements(() => change(mailbox, null, [messageId], { add: ['$seen'] }))
  assert.equal(written.length, 2)
  assert.ok(written.every((text) => !text.includes('viewed')))
  assert.equal((await statements(() => store.add(mailbox))).length, 2)
})
