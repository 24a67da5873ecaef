import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listFolders } from '../folders/folders.ts'
import { statusOfFolders } from '../folders/status.ts'
import { setDeleted } from '../messages/removal.ts'
import { type Mailbox, NOW, type StoreGround, silent, startStore } from '../testing/ground.ts'
import type { Filter } from './filter.ts'
import { queryMessages, queryUids } from './query.ts'
import { querySortRows, queryThreadedRows, queryUidModseqs } from './uid-search.ts'

let ground: StoreGround
before(async () => {
  ground = await startStore()
})
after(() => ground.close())

const parts = () => ({ database: ground.database, blobs: ground.blobs, log: silent })
const uidsOf = (box: Mailbox, filter: Filter): Promise<number[]> =>
  queryUids(parts(), { addressId: box.addressId, folderId: box.folders.inbox, filter })
const markDeleted = (box: Mailbox, uids: number[]) =>
  ground.database.tx((tx) =>
    setDeleted(tx, { addressId: box.addressId, folderId: box.folders.inbox, uids, deleted: true, now: NOW }),
  )

describe('rows of a folder', () => {
  test('by what is of the row alone', async () => {
    const box = await ground.mailbox()
    for (const day of [1, 2, 3]) await ground.add(box, { now: new Date(Date.UTC(2026, 2, day)) })
    const { modseq } = await markDeleted(box, [2])
    assert.deepEqual(await uidsOf(box, { row: { deleted: true } }), [2])
    assert.deepEqual(await uidsOf(box, { row: { deleted: false } }), [1, 3])
    assert.deepEqual(await uidsOf(box, { row: { uids: [{ first: 2, last: 9 }] } }), [2, 3])
    assert.deepEqual(await uidsOf(box, { row: { uids: [] } }), [])
    assert.deepEqual(await uidsOf(box, { row: { minModseq: modseq } }), [2])
    const second = new Date('2026-03-02T00:00:00Z')
    assert.deepEqual(await uidsOf(box, { row: { savedBefore: second } }), [1])
    assert.deepEqual(await uidsOf(box, { row: { savedSince: second, deleted: false } }), [3])
    assert.deepEqual(await uidsOf(box, { operator: 'not', conditions: [{ row: { deleted: true } }] }), [1, 3])
  })

  test('nobody can ask messages of all folders for them', async () => {
    const box = await ground.mailbox()
    const search = queryMessages(parts(), { addressId: box.addressId, filter: { row: { deleted: true } }, limit: 1 })
    await assert.rejects(search, TypeError)
  })

  test('with their modseqs, and with what they are sorted and threaded by', async () => {
    const box = await ground.mailbox()
    await ground.add(box, { id: 'a@x', subject: 'One', from: 'Ann <ann@x.example>' })
    await ground.add(box, { id: 'b@x', subject: 'Two', to: 'club: bob@x.example;', references: ['a@x'] })
    const search = { addressId: box.addressId, folderId: box.folders.inbox, filter: {} }
    const modseqs = await queryUidModseqs(parts(), search)
    assert.deepEqual(
      modseqs.map(({ uid }) => uid),
      [1, 2],
    )
    assert.ok((modseqs[0]?.modseq ?? 0) < (modseqs[1]?.modseq ?? 0))
    const rows = await querySortRows(parts(), search, ['from', 'to', 'subject', 'size'])
    assert.deepEqual(rows[0]?.from, { name: 'Ann', email: 'ann@x.example', group: null })
    assert.deepEqual(rows[1]?.to, { name: null, email: 'bob@x.example', group: 'club' })
    assert.equal(typeof rows[1]?.size, 'number')
    const threaded = await queryThreadedRows(parts(), search)
    assert.deepEqual(threaded[1], {
      uid: 2,
      subject: 'Two',
      sentAt: new Date('2026-03-01T10:00:00Z'),
      messageId: 'b@x',
      references: ['a@x'],
      inReplyTo: null,
    })
  })

  test('text of header fields is found, in a field of that name only', async () => {
    const box = await ground.mailbox()
    const raw = (...lines: string[]) => ground.add(box, { raw: `${lines.join('\r\n')}\r\n\r\nbody\r\n` })
    await raw('X-A: roof', 'X-B: wall')
    await raw('X-A: wall', 'X-C: roof')
    assert.deepEqual(await uidsOf(box, { header: { name: 'x-a', value: 'roof' } }), [1])
    assert.deepEqual(await uidsOf(box, { header: { name: 'X-A', value: 'WALL' } }), [2])
    assert.deepEqual(await uidsOf(box, { header: { name: 'x-c', value: null } }), [2])
    assert.deepEqual(await uidsOf(box, { header: { name: 'x-%', value: null } }), [])
    assert.deepEqual(await uidsOf(box, { containsAnywhere: 'roof' }), [1, 2])
    assert.deepEqual(await uidsOf(box, { containsAnywhere: 'x-b' }), [1])
    assert.deepEqual(await uidsOf(box, { containsAnywhere: '' }), [1, 2])
  })
})

describe('the status of folders', () => {
  test('counts rows that are marked deleted, and drafts', async () => {
    const box = await ground.mailbox()
    for (const keywords of [['$seen'], [], ['$draft'], ['$draft', '$seen'], []]) await ground.add(box, { keywords })
    const { modseq } = await markDeleted(box, [1, 2])
    const folders = await listFolders(ground.database.db, box.addressId)
    const statuses = await statusOfFolders(ground.database.db, {
      addressId: box.addressId,
      folders,
      countsRecent: true,
    })
    assert.equal(statuses.size, folders.length)
    const inbox = statuses.get(box.folders.inbox)
    assert.equal(inbox?.messages, 5)
    assert.equal(inbox?.deleted, 2)
    assert.equal(inbox?.unseen, 3)
    assert.equal(inbox?.recent, 5)
    assert.equal(inbox?.highestModseq, modseq)
    assert.ok(inbox && inbox.deletedSize > 0 && inbox.deletedSize < inbox.size)
    const sent = statuses.get(box.folders.sent)
    assert.deepEqual([sent?.messages, sent?.unseen, sent?.size, sent?.recent], [0, 0, 0, 0])
  })
})
