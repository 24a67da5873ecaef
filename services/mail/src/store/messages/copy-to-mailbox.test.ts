import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { StoreRefusal } from '../refusal.ts'
import { type Mailbox, NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { assertClean, countsOf, messageOf } from '../testing/views.ts'
import { copyToMailbox } from './copy-to-mailbox.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const copy = (from: Mailbox, to: Mailbox, messageIds: string[], quotaBytes: number | null = null) =>
  store.database.tx((tx) =>
    copyToMailbox(tx, {
      from,
      to,
      messages: messageIds.map((messageId) => ({ messageId, folderIds: [to.folders.inbox] })),
      quotaBytes,
      now: NOW,
    }),
  )

describe('a copy in another mailbox', () => {
  test('is a message of its own with the same content', async () => {
    const [from, to] = [await store.mailbox(), await store.mailbox()]
    const original = await store.add(from, { subject: 'Roof', keywords: ['$seen', 'work'] })
    const [made] = await copy(from, to, [original.messageId])
    assert.ok(made)
    assert.notEqual(made.newMessageId, original.messageId)
    assert.deepEqual(made.uids, [{ folderId: to.folders.inbox, uid: 1 }])
    const [was, is] = [await messageOf(store, from, original.messageId), await messageOf(store, to, made.newMessageId)]
    assert.ok(was && is)
    assert.deepEqual([is.subject, is.keywords, is.size, is.receivedAt], [was.subject, was.keywords, was.size, NOW])
    assert.equal(is.threadId, made.threadId)
    const { rows } = await store.database.pool.query('select headers, blob_key from message where id = any($1)', [
      [original.messageId, made.newMessageId],
    ])
    assert.deepEqual(rows[0], rows[1])
    await assertClean(store, from, to)
  })

  test('joins the thread that it belongs to there, whatever the order', async () => {
    const [from, to] = [await store.mailbox(), await store.mailbox()]
    const ids: string[] = []
    // The last one joins the two before it, whose ids change then.
    for (const [id, references] of [
      ['a1@x.test', []],
      ['a2@x.test', []],
      ['a3@x.test', ['a1@x.test', 'a2@x.test']],
    ] as const)
      ids.push((await store.add(from, { id, references: [...references], subject: 'Same' })).messageId)
    const { rows } = await store.database.pool.query<{ id: string }>(
      'select message_id as id from message_folder where address_id = $1 order by uid',
      [from.addressId],
    )
    const made = await copy(
      from,
      to,
      rows.map(({ id }) => id),
    )
    assert.equal(made.length, 3)
    assert.equal(new Set(made.map(({ threadId }) => threadId)).size, 1)
    for (const { newMessageId } of made) assert.ok(await messageOf(store, to, newMessageId), 'the id is known')
    assert.deepEqual(await countsOf(store, to, to.folders.inbox), [3, 3, 1, 1])
    await assertClean(store, from, to)
  })

  test('takes keywords, date and folders that are given', async () => {
    const [from, to] = [await store.mailbox(), await store.mailbox()]
    const { messageId } = await store.add(from, { keywords: ['$flagged'] })
    const receivedAt = new Date('2020-01-02T03:04:05.000Z')
    const folderIds = [to.folders.archive, to.folders.sent]
    const [made] = await store.database.tx((tx) =>
      copyToMailbox(tx, {
        from,
        to,
        messages: [{ messageId, folderIds, keywords: ['$seen'], receivedAt }],
        quotaBytes: null,
        now: NOW,
      }),
    )
    const is = await messageOf(store, to, made?.newMessageId ?? '')
    assert.deepEqual([is?.keywords, is?.receivedAt, is?.folderIds], [['$seen'], receivedAt, folderIds.toSorted()])
    assert.deepEqual(new Set(made?.uids.map(({ folderId }) => folderId)), new Set(folderIds))
    await assertClean(store, to)
  })

  test('that does not fit leaves nothing of any', async () => {
    const [from, to] = [await store.mailbox(), await store.mailbox()]
    const ids = [(await store.add(from)).messageId, (await store.add(from)).messageId]
    await assert.rejects(
      copy(from, to, ids, 300),
      (error) => error instanceof StoreRefusal && error.kind === 'over_quota',
    )
    assert.deepEqual(await countsOf(store, to, to.folders.inbox), [0, 0, 0, 0])
    await assertClean(store, to)
  })

  test('into a folder of somebody else is refused; unknown messages are left out', async () => {
    const [from, to] = [await store.mailbox(), await store.mailbox()]
    const { messageId } = await store.add(from)
    await assert.rejects(
      store.database.tx((tx) =>
        copyToMailbox(tx, {
          from,
          to,
          messages: [{ messageId, folderIds: [from.folders.inbox] }],
          quotaBytes: null,
          now: NOW,
        }),
      ),
      (error) => error instanceof StoreRefusal && error.kind === 'no_such_folder',
    )
    assert.deepEqual(await copy(to, from, [messageId]), [])
  })

  test('those that go opposite ways at the same time all arrive', async () => {
    const [one, other] = [await store.mailbox(), await store.mailbox()]
    const add = async (mailbox: Mailbox) => (await store.add(mailbox)).messageId
    const pairs = await Promise.all([1, 2, 3, 4, 5].map(async () => [await add(one), await add(other)] as const))
    const made = await Promise.all(pairs.flatMap(([a, b]) => [copy(one, other, [a]), copy(other, one, [b])]))
    assert.equal(made.flat().length, 10)
    await assertClean(store, one, other)
  })
})
