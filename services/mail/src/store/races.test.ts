import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listFolders } from './folders/folders.ts'
import type { MailDatabase } from './handles.ts'
import { readMailbox } from './mailbox/mailbox.ts'
import { changeKeywords } from './messages/keywords.ts'
import { listUids } from './messages/list.ts'
import { copyMessages, moveMessages } from './messages/moves.ts'
import { destroyMessages, expunge, setDeleted } from './messages/removal.ts'
import { indexMailbox } from './search/search.ts'
import { NOW, type StoreGround, silent, startStore } from './testing/ground.ts'
import { assertClean } from './testing/views.ts'

let store: StoreGround
let processes: [MailDatabase, MailDatabase]
before(async () => {
  store = await startStore()
  processes = [store.database, store.openSecond()]
})
after(() => store.close())

/** Runs work in turns by both processes, all at once. */
const both = <T>(count: number, work: (database: MailDatabase, n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(processes[n % 2 === 0 ? 0 : 1], n)))

describe('at the same time, from two processes', () => {
  test('messages get different UIDs and modseqs without gaps, and all are counted', async () => {
    const mailbox = await store.mailbox()
    const { modseq } = await readMailbox(store.database.db, mailbox.addressId)
    const added = await both(40, (database, n) =>
      database.tx((tx) => store.addIn(tx, mailbox, { subject: 'One', references: [`r${n % 3}@x`] })),
    )
    const uids = added.flatMap((each) => each.uids.map(({ uid }) => uid)).toSorted((a, b) => a - b)
    assert.deepEqual(
      uids,
      Array.from({ length: 40 }, (_, n) => n + 1),
    )
    const modseqs = added.map((each) => each.modseq).toSorted((a, b) => a - b)
    assert.deepEqual(
      modseqs,
      Array.from({ length: 40 }, (_, n) => modseq + n + 1),
    )
    const [inbox] = await listFolders(store.database.db, mailbox.addressId)
    assert.deepEqual([inbox?.total, inbox?.threads], [40, 3])
    await assertClean(store, mailbox)
  })

  test('only as many messages as there is room for are stored', async () => {
    const mailbox = await store.mailbox()
    const raw = 'a: b\r\n\r\n0123456789'
    const quotaBytes = raw.length * 5
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        processes[n % 2 === 0 ? 0 : 1].tx((tx) => store.addIn(tx, mailbox, { raw, quotaBytes })),
      ),
    )
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
    assert.equal((await readMailbox(store.database.db, mailbox.addressId)).usedBytes, quotaBytes)
    await assertClean(store, mailbox)
  })

  test('flags, moves, copies, marks, removals and indexing keep every invariant', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    const targets = [folders.inbox, folders.archive, folders.trash]
    const ids: string[] = []
    for (let n = 0; n < 20; n += 1) {
      const folderIds = [folders.inbox, ...(n % 2 === 0 ? [folders.archive] : [])]
      ids.push((await store.add(mailbox, { folderIds })).messageId)
    }
    const some = (n: number) => [ids[n % 20] ?? '', ids[(n * 7) % 20] ?? '']
    const target = (n: number) => targets[n % 3] ?? folders.inbox
    const work: ((database: MailDatabase, n: number) => Promise<unknown>)[] = [
      (database, n) => database.tx((tx) => store.addIn(tx, mailbox, { subject: 'x', references: [`q${n % 2}@x`] })),
      (database, n) =>
        database.tx((tx) => changeKeywords(tx, { addressId, messageIds: some(n), add: ['$seen', `k${n}`] })),
      (database, n) => database.tx((tx) => changeKeywords(tx, { addressId, messageIds: some(n), remove: ['$seen'] })),
      (database, n) =>
        database.tx((tx) => moveMessages(tx, { addressId, messageIds: some(n), folderId: target(n), now: NOW })),
      (database, n) =>
        database.tx((tx) =>
          copyMessages(tx, {
            addressId,
            folderId: target(n),
            toFolderId: target(n + 1),
            uids: [n % 20],
            quotaBytes: null,
            now: NOW,
          }),
        ),
      (database, n) =>
        database.tx((tx) =>
          setDeleted(tx, { addressId, folderId: target(n), uids: [n % 25, 3], deleted: n % 4 !== 0, now: NOW }),
        ),
      (database, n) => database.tx((tx) => expunge(tx, { addressId, folderId: target(n), uids: null, now: NOW })),
      (database, n) =>
        database.tx((tx) => destroyMessages(tx, { addressId, messageIds: some(n).slice(0, 1), now: NOW })),
      (database) => indexMailbox({ database, blobs: store.blobs, log: silent }, addressId),
    ]
    for (let round = 0; round < 3; round += 1)
      await both(36, (database, n) => work[n % work.length]?.(database, n * 5 + round) ?? Promise.resolve())
    await assertClean(store, mailbox)
    const uids = await listUids(store.database.db, addressId, folders.inbox)
    assert.equal(new Set(uids).size, uids.length)
  })

  test('one message moved twice is in one folder', async () => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    const { messageId } = await store.add(mailbox)
    await both(10, (database, n) =>
      database.tx((tx) =>
        moveMessages(tx, {
          addressId,
          messageIds: [messageId],
          folderId: n % 2 === 0 ? folders.archive : folders.trash,
          now: NOW,
        }),
      ),
    )
    const { rows } = await store.database.pool.query('select 1 from message_folder where message_id = $1', [messageId])
    assert.equal(rows.length, 1)
    await assertClean(store, mailbox)
  })
})
