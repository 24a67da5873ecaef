import assert from 'node:assert/strict'
import { readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { blobPath } from '@stoa/kit/blobs/blobs.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { decodeStructure } from '../../formats/mime/stored.ts'
import { checkBlobs } from '../mailbox/check.ts'
import { getWholeMessage } from '../messages/list.ts'
import { addMessage } from '../messages/messages.ts'
import { readMessage } from '../messages/read.ts'
import { destroyMessages } from '../messages/removal.ts'
import { NOW, type StoreGround, silent, startStore } from '../testing/ground.ts'
import { linkExport, linkUpload, putMessage, readBlob, readBytes, streamBytes, sweepBlobs } from './blobs.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const put = (text: string) => putMessage(store.blobs, Buffer.from(text), { maxBytes: 1_000 })
const fileOf = (key: string) => join(store.blobFolder, blobPath(key))
/** Blobs are as old as their files. */
const age = async (key: string, days: number) => {
  const at = new Date(NOW.getTime() - days * DAY)
  await utimes(fileOf(key), at, at)
}
const sweep = (now = NOW) => sweepBlobs(store.database, store.blobs, { now })
const isThere = async (key: string) => (await store.blobs.head(key)) !== null

describe('bytes of a message', () => {
  test('are the prefix and what was received, in any window', async () => {
    const mailbox = await store.mailbox()
    const body = Buffer.from('Subject: x\r\n\r\nHello')
    const prefix = Buffer.from('Received: here\r\n')
    const blob = await putMessage(store.blobs, body, { maxBytes: 100 })
    const added = await store.database.tx((tx) =>
      addMessage(tx, {
        addressId: mailbox.addressId,
        blob,
        prefix,
        read: readMessage(body),
        folderIds: [mailbox.folders.inbox],
        keywords: [],
        receivedAt: NOW,
        now: NOW,
        quotaBytes: 'ignore',
      }),
    )
    const message = await getWholeMessage(store.database.db, mailbox.addressId, added.messageId)
    const whole = Buffer.concat([prefix, body])
    assert.equal(message.size, whole.length)
    assert.equal(decodeStructure(message.structure)?.size, body.length)
    assert.deepEqual(await readBytes(store.blobs, message, { log: silent }), whole)
    assert.deepEqual(await buffer(streamBytes(store.blobs, message, silent)), whole)
    for (let start = 0; start <= whole.length; start += 3)
      for (let end = start; end <= whole.length + 2; end += 4) {
        const read = await readBytes(store.blobs, message, { window: { start, end }, log: silent })
        assert.deepEqual(read, whole.subarray(start, end), `${start} to ${end}`)
      }
  })

  test('one too many are refused', async () => {
    await assert.rejects(put('x'.repeat(1_001)), { kind: 'too_large' })
  })

  test('that are damaged or missing are an error of that message, and an alarm', async () => {
    const mailbox = await store.mailbox()
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.push((await store.add(mailbox)).messageId)
    const messages = await Promise.all(ids.map((id) => getWholeMessage(store.database.db, mailbox.addressId, id)))
    const [flipped, missing, fine] = messages
    assert.ok(flipped && missing && fine)
    const bytes = await readFile(fileOf(flipped.blobKey))
    bytes.writeUInt8(bytes.readUInt8(10) ^ 1, 10)
    await writeFile(fileOf(flipped.blobKey), bytes)
    await rm(fileOf(missing.blobKey))
    const lines: string[] = []
    const log = createLogger({ name: 'test', level: 'error', destination: { write: (line) => void lines.push(line) } })
    for (const message of [flipped, missing]) {
      await assert.rejects(readBytes(store.blobs, message, { log }), { kind: 'no_such_blob' })
      await assert.rejects(readBlob(store.blobs, message, { window: { start: 0, end: 5 }, log }), {
        kind: 'no_such_blob',
      })
      await assert.rejects(buffer(streamBytes(store.blobs, message, log)), { kind: 'no_such_blob' })
      assert.equal(lines.filter((line) => line.includes(message.blobKey)).length, 3)
    }
    assert.equal((await readBytes(store.blobs, fine, { log })).length, fine.size)
    const damaged = await checkBlobs(store.database.db, store.blobs, mailbox.addressId)
    assert.deepEqual(damaged, [{ messageId: missing.id, blobKey: missing.blobKey, problem: 'missing' }])
  })
})

describe('a blob', () => {
  test('stays while anybody has a link to it, and goes after a day', async () => {
    const [first, second] = [newId(), newId()]
    const blob = await put('shared bytes')
    const unlink = (ownerId: string) =>
      store.database.pool.query('delete from blob_link where owner_id = $1', [ownerId])
    await age(blob.key, 3)
    await store.database.tx(async (tx) => {
      for (const ownerId of [first, second]) await linkExport(tx, { ownerId, blob, refId: ownerId, now: NOW })
    })
    await sweep()
    assert.ok(await isThere(blob.key))
    await unlink(first)
    await sweep()
    assert.ok(await isThere(blob.key))
    await unlink(second)
    await age(blob.key, 0.9)
    await sweep()
    assert.ok(await isThere(blob.key), 'young blobs may get a link in a moment')
    await age(blob.key, 1.1)
    await sweep()
    assert.ok(!(await isThere(blob.key)))
  })

  test('of a message goes with the last message that has it, once that cannot be restored any more', async () => {
    const [one, two] = [await store.mailbox(), await store.mailbox()]
    const raw = 'Subject: to both\r\n\r\nHello'
    const added = [await store.add(one, { raw }), await store.add(two, { raw })]
    const { blobKey } = await getWholeMessage(store.database.db, one.addressId, added[0]?.messageId ?? '')
    await age(blobKey, 3)
    for (const [index, mailbox] of [one, two].entries()) {
      await sweep()
      assert.ok(await isThere(blobKey))
      const messageIds = [added[index]?.messageId ?? '']
      await store.database.tx((tx) => destroyMessages(tx, { addressId: mailbox.addressId, messageIds, now: NOW }))
    }
    await sweep(new Date(NOW.getTime() + 31 * DAY - 1))
    assert.ok(await isThere(blobKey))
    await sweep(new Date(NOW.getTime() + 31 * DAY))
    assert.ok(!(await isThere(blobKey)))
  })

  test('of an upload expires, and uploads together are limited', async () => {
    const ownerId = newId()
    const [small, large] = [await put('small upload'), await put('x'.repeat(900))]
    const upload = (blob: typeof small) =>
      store.database.tx((tx) => linkUpload(tx, { ownerId, refId: newId(), blob, maxBytes: 1_000, now: NOW }))
    const { expiresAt } = await upload(small)
    await upload(large)
    await assert.rejects(upload(large), { kind: 'over_quota' })
    await age(small.key, 3)
    await sweep()
    assert.ok(await isThere(small.key))
    await sweep(new Date(expiresAt.getTime() + 1))
    assert.ok(!(await isThere(small.key)))
  })
})
