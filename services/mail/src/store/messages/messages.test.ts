import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listFolders } from '../folders/folders.ts'
import { checkMailbox } from '../mailbox/check.ts'
import { readMailbox } from '../mailbox/mailbox.ts'
import { type Mailbox, type StoreGround, startStore } from '../testing/ground.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const folderOf = async (mailbox: Mailbox, id: string) => {
  const found = (await listFolders(store.database.db, mailbox.addressId)).find((folder) => folder.id === id)
  assert.ok(found)
  return found
}
const rowsOf = async (text: string, values: unknown[]) => (await store.database.pool.query(text, values)).rows
const assertClean = async (mailbox: Mailbox) =>
  assert.deepEqual(await checkMailbox(store.database.db, mailbox.addressId), [])

describe('a new mailbox', () => {
  test('has seven folders with roles and different UIDVALIDITY', async () => {
    const { addressId } = await store.mailbox()
    const folders = await listFolders(store.database.db, addressId)
    assert.deepEqual(
      folders.map(({ path, role }) => [path, role]),
      [
        ['Inbox', 'inbox'],
        ['Drafts', 'drafts'],
        ['Sent', 'sent'],
        ['Archive', 'archive'],
        ['Junk', 'junk'],
        ['Trash', 'trash'],
        ['Snoozed', 'snoozed'],
      ],
    )
    assert.equal(new Set(folders.map(({ uidValidity }) => uidValidity)).size, 7)
  })
})

describe('adding a message', () => {
  test('gives it the next UID, counts it in folder and mailbox, and publishes it once', async () => {
    const mailbox = await store.mailbox()
    const first = await store.add(mailbox)
    const second = await store.add(mailbox, { keywords: ['$SEEN'] })
    assert.deepEqual(first.uids, [{ folderId: mailbox.folders.inbox, uid: 1 }])
    assert.deepEqual(second.uids, [{ folderId: mailbox.folders.inbox, uid: 2 }])
    assert.equal(second.modseq, first.modseq + 1)
    const inbox = await folderOf(mailbox, mailbox.folders.inbox)
    assert.deepEqual([inbox.total, inbox.unread, inbox.threads, inbox.unreadThreads, inbox.uidNext], [2, 1, 2, 1, 3])
    const state = await readMailbox(store.database.db, mailbox.addressId)
    assert.equal(state.usedBytes, inbox.sizeBytes)
    assert.equal(state.messageCount, 2)
    const changes = await rowsOf('select kind, op from change where address_id = $1 and modseq = $2 order by kind', [
      mailbox.addressId,
      first.modseq,
    ])
    assert.deepEqual(changes, [
      { kind: 'folder_counts', op: 'updated' },
      { kind: 'message', op: 'created' },
      { kind: 'quota', op: 'updated' },
      { kind: 'thread', op: 'created' },
    ])
    await assertClean(mailbox)
  })

  test('costs two statements that are sent at once, and a transaction', async () => {
    const mailbox = await store.mailbox()
    const watch = store.database.watchStatements()
    await store.add(mailbox, { folderIds: [mailbox.folders.inbox, mailbox.folders.archive] })
    watch.stop()
    assert.equal(watch.texts.length, 4, watch.texts.join('\n\n'))
    assert.equal(watch.roundTrips, 2)
  })

  test('to several folders is one message with a UID in each', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive } = mailbox.folders
    const added = await store.add(mailbox, { folderIds: [inbox, archive, inbox] })
    assert.deepEqual(added.uids.map(({ folderId }) => folderId).sort(), [inbox, archive].sort())
    const state = await readMailbox(store.database.db, mailbox.addressId)
    assert.equal(state.messageCount, 1)
    assert.equal(state.usedBytes, (await folderOf(mailbox, archive)).sizeBytes)
    await assertClean(mailbox)
  })

  test('over the quota is refused and changes nothing; exactly full fits', async () => {
    const mailbox = await store.mailbox()
    await store.add(mailbox, { raw: 'a: b\r\n\r\n0123456789', quotaBytes: 18 })
    const before = await readMailbox(store.database.db, mailbox.addressId)
    assert.equal(before.usedBytes, 18)
    await assert.rejects(store.add(mailbox, { raw: 'x', quotaBytes: 18 }), { kind: 'over_quota' })
    assert.deepEqual(await readMailbox(store.database.db, mailbox.addressId), before)
    await store.add(mailbox, { raw: 'x', quotaBytes: 19 })
    await assertClean(mailbox)
  })

  test('a refusal for lack of room leaves the transaction usable', async () => {
    const mailbox = await store.mailbox()
    await store.database.tx(async (tx) => {
      await assert.rejects(store.addIn(tx, mailbox, { quotaBytes: 1 }), { kind: 'over_quota' })
      await store.addIn(tx, mailbox)
      await assert.rejects(store.addIn(tx, mailbox, { quotaBytes: 1 }), { kind: 'over_quota' })
    })
    assert.equal((await readMailbox(store.database.db, mailbox.addressId)).messageCount, 1)
    await assertClean(mailbox)
  })

  test('to a folder that is not there, or of another mailbox, is refused and changes nothing', async () => {
    const mailbox = await store.mailbox()
    const other = await store.mailbox()
    for (const folderIds of [[other.folders.inbox], [mailbox.folders.inbox, other.folders.inbox], []])
      await assert.rejects(store.add(mailbox, { folderIds }), { kind: 'no_such_folder' })
    for (const each of [mailbox, other]) {
      assert.equal((await readMailbox(store.database.db, each.addressId)).messageCount, 0)
      await assertClean(each)
    }
  })

  test('to an address without a mailbox is refused', async () => {
    const mailbox = await store.mailbox()
    const nowhere = { ...mailbox, addressId: '00000000-0000-7000-8000-000000000000' }
    await assert.rejects(store.add(nowhere), { kind: 'no_such_folder' })
  })

  test('with a bad keyword, or too many, is refused', async () => {
    const mailbox = await store.mailbox()
    for (const keyword of ['', 'a b', 'a"b', '(', 'ä', 'a'.repeat(256), '\\Seen', 'x%', 'y*'])
      await assert.rejects(store.add(mailbox, { keywords: [keyword] }), { kind: 'bad_name' }, keyword)
    const many = Array.from({ length: 129 }, (_, n) => `k${n}`)
    await assert.rejects(store.add(mailbox, { keywords: many }), { kind: 'too_many' })
    assert.equal((await readMailbox(store.database.db, mailbox.addressId)).messageCount, 0)
  })

  test('twice in one transaction shares one modseq and one notice', async () => {
    const mailbox = await store.mailbox()
    const { added, changes } = await store.database.tx(async (tx) => {
      const added = [await store.addIn(tx, mailbox), await store.addIn(tx, mailbox)]
      return { added, changes: [...tx.changes] }
    })
    assert.equal(added[0]?.modseq, added[1]?.modseq)
    assert.deepEqual(
      changes.map(({ topic, data }) => [topic, data.modseq, data.kinds]),
      [['mailbox', added[0]?.modseq, ['message', 'thread', 'folder_counts', 'quota']]],
    )
    await assertClean(mailbox)
  })

  test('of any bytes works: empty, only NUL, broken characters', async () => {
    const mailbox = await store.mailbox()
    for (const raw of ['', '\0\0\0', 'Subject: =?utf-8?q?=ED=A0=80?=\r\n\r\n\xff\xfe', 'From: \0\x80<a\0@b>\r\n\r\n'])
      await store.add(mailbox, { raw })
    await assertClean(mailbox)
  })
})

describe('threads', () => {
  const threadsIn = async (mailbox: Mailbox) =>
    rowsOf('select id, thread_id from message where address_id = $1 order by created_modseq, id', [mailbox.addressId])

  test('a reply with the same subject joins; another subject does not', async () => {
    const mailbox = await store.mailbox()
    const first = await store.add(mailbox, { id: 'a@x', subject: 'Plan' })
    const reply = await store.add(mailbox, { id: 'b@x', subject: 'RE: plan', references: ['a@x'] })
    const other = await store.add(mailbox, { id: 'c@x', subject: 'Lunch', references: ['a@x'] })
    assert.equal(reply.threadId, first.threadId)
    assert.notEqual(other.threadId, first.threadId)
    const inbox = await folderOf(mailbox, mailbox.folders.inbox)
    assert.deepEqual([inbox.threads, inbox.unreadThreads], [2, 2])
    await assertClean(mailbox)
  })

  test('two replies to a message that never came are one thread', async () => {
    const mailbox = await store.mailbox()
    const first = await store.add(mailbox, { subject: 'Re: Plan', references: ['lost@x'] })
    const second = await store.add(mailbox, { subject: 'Re: Plan', references: ['lost@x'] })
    assert.equal(second.threadId, first.threadId)
  })

  test('of other mailboxes are not joined', async () => {
    const [one, two] = [await store.mailbox(), await store.mailbox()]
    const first = await store.add(one, { id: 'a@x', subject: 'Plan' })
    const second = await store.add(two, { id: 'a@x', subject: 'Plan' })
    assert.notEqual(first.threadId, second.threadId)
  })

  test('a message that joins two merges them: moved messages get new ids, and keep their UIDs', async () => {
    const mailbox = await store.mailbox()
    const { inbox, archive } = mailbox.folders
    const one = await store.add(mailbox, { id: 'a@x', subject: 'Plan' })
    const two = await store.add(mailbox, { id: 'b@x', subject: 'Re: Plan', folderIds: [inbox, archive] })
    assert.notEqual(one.threadId, two.threadId)
    const joint = await store.add(mailbox, { id: 'c@x', subject: 'Re: Plan', references: ['a@x', 'b@x'] })
    assert.equal(joint.threadId, one.threadId)
    const messages = await threadsIn(mailbox)
    assert.equal(messages.length, 3)
    assert.ok(messages.every(({ thread_id }) => thread_id === one.threadId))
    assert.ok(!messages.some(({ id }) => id === two.messageId))
    const uids = await rowsOf('select uid::int from message_folder where folder_id = $1 order by uid', [inbox])
    assert.deepEqual(uids, [{ uid: 1 }, { uid: 2 }, { uid: 3 }])
    const folder = await folderOf(mailbox, inbox)
    assert.deepEqual([folder.total, folder.threads, folder.unreadThreads], [3, 1, 1])
    const changes = await rowsOf(
      `select kind, op, count(*)::int from change where address_id = $1 and modseq = $2 and kind in ('message', 'thread')
       group by kind, op order by kind, op`,
      [mailbox.addressId, joint.modseq],
    )
    assert.deepEqual(changes, [
      { kind: 'message', op: 'created', count: 2 },
      { kind: 'message', op: 'destroyed', count: 1 },
      { kind: 'thread', op: 'destroyed', count: 1 },
      { kind: 'thread', op: 'updated', count: 1 },
    ])
    await assertClean(mailbox)
  })
})
