import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { cloneDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { mailTemplate } from '@stoa/tests/lib/mail.ts'
import { deleteAddress } from './hosting/addresses/operations.ts'
import { purgeDeleted } from './hosting/addresses/purge.ts'
import { type PlantedAddress, plantAddress } from './hosting/addresses/testing/hosting.ts'
import { forgetReceived } from './receiving/receive/forget.ts'
import { learnPending } from './receiving/spam/pending.ts'
import { putMessage, sweepBlobs } from './store/blobs/blobs.ts'
import { folderByRole } from './store/folders/folders.ts'
import { addMessage } from './store/messages/messages.ts'
import { moveMessages } from './store/messages/moves.ts'
import { readMessage } from './store/messages/read.ts'
import type { Tables } from './tables.ts'

/** By then nothing can be restored any more. */
const PURGED = new Date('2100-01-01T00:00:00.000Z')

const log = createLogger({ name: 'mail', level: 'silent' })
const now = new Date('2026-03-01T12:00:00.000Z')

describe('upkeep', () => {
  let own: TestDatabase
  let database: Database<Tables>
  let blobs: Blobs
  let folder: string
  before(async () => {
    own = await cloneDatabase(await mailTemplate())
    database = openDatabase<Tables>({ url: own.url, poolSize: 3, log })
    folder = await mkdtemp(join(tmpdir(), 'stoa-upkeep-'))
    blobs = await openLocalBlobs(folder)
  })
  after(async () => {
    await database.close()
    await own.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const store = async (address: PlantedAddress, subject: string): Promise<string> => {
    const bytes = Buffer.from(`From: a@b.test\r\nSubject: ${subject}\r\n\r\n${subject} cheap watches\r\n`)
    const blob = await putMessage(blobs, bytes, { maxBytes: 10_000 })
    const inbox = await folderByRole(database.db, address.id, 'inbox')
    const added = await database.tx((tx) =>
      addMessage(tx, {
        addressId: address.id,
        blob,
        prefix: Buffer.alloc(0),
        read: readMessage(bytes),
        folderIds: [inbox?.id ?? ''],
        keywords: [],
        receivedAt: now,
        now,
        quotaBytes: 'ignore',
      }),
    )
    return added.messageId
  }
  const move = async (address: PlantedAddress, messageId: string, role: 'junk' | 'inbox' | 'trash') => {
    const to = await folderByRole(database.db, address.id, role)
    await database.tx((tx) =>
      moveMessages(tx, { addressId: address.id, messageIds: [messageId], folderId: to?.id ?? '', now }),
    )
  }
  const training = async (address: PlantedAddress) =>
    database.db.selectFrom('spam_training').select(['spam', 'ham']).where('address_id', '=', address.id).execute()

  test('what is moved into Junk and out of it is learned, and throwing away is not', async () => {
    const address = await plantAddress(database, 'ada@learn.test')
    const [first, second] = [await store(address, 'one'), await store(address, 'two')]
    await move(address, first, 'junk')
    await move(address, second, 'trash')
    assert.equal(await learnPending({ database, blobs, log, now }), 1)
    assert.deepEqual(await training(address), [{ spam: 1, ham: 0 }])
    await move(address, first, 'inbox')
    assert.equal(await learnPending({ database, blobs, log, now }), 1)
    assert.deepEqual(await training(address), [{ spam: 0, ham: 1 }])
  })

  test('activity is forgotten after thirty days, receipts after five, and nothing sooner', async () => {
    const address = await plantAddress(database, 'ada@forget.test')
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
    for (const days of [1, 29, 31])
      await database.pool.query(
        `insert into activity (address_id, id, type, created_at) values ($1, gen_random_uuid(), 'received', $2)`,
        [address.id, daysAgo(days)],
      )
    for (const days of [1, 4, 6])
      await database.pool.query('insert into receipt (address_id, hash, created_at) values ($1, $2, $3)', [
        address.id,
        Buffer.from([days]),
        daysAgo(days),
      ])
    await forgetReceived(database, now)
    const activity = await database.db.selectFrom('activity').select('created_at').execute()
    const receipts = await database.db.selectFrom('receipt').select('created_at').execute()
    const ages = (rows: readonly { created_at: Date }[]) =>
      rows.map((row) => (now.getTime() - row.created_at.getTime()) / 86_400_000).toSorted((a, b) => a - b)
    assert.deepEqual(
      [ages(activity), ages(receipts)],
      [
        [1, 29],
        [1, 4],
      ],
    )
  })

  test('what cannot be forgotten of one kind keeps nothing of the others, and the task counts as failed', async (t) => {
    const address = await plantAddress(database, 'ada@stuck.test')
    const old = new Date(now.getTime() - 31 * 86_400_000)
    await database.pool.query('insert into receipt (address_id, hash, created_at) values ($1, $2, $3)', [
      address.id,
      Buffer.from('old'),
      old,
    ])
    await database.pool.query(
      `insert into activity (address_id, id, type, created_at) values ($1, gen_random_uuid(), 'received', $2)`,
      [address.id, old],
    )
    t.after(await failOn(database, 'delete', 'receipt', `old.address_id = '${address.id}'`))
    await assert.rejects(forgetReceived(database, now))
    const countOf = async (table: 'receipt' | 'activity') =>
      (await database.db.selectFrom(table).select('address_id').where('address_id', '=', address.id).execute()).length
    assert.deepEqual([await countOf('receipt'), await countOf('activity')], [1, 0])
  })

  test('a deleted address leaves nothing behind, and its neighbour keeps everything', async () => {
    const gone = await plantAddress(database, 'gone@purge.test')
    const kept = await plantAddress(database, 'kept@purge.test', { accountId: gone.accountId })
    for (let count = 0; count < 3; count += 1) await store(gone, `gone ${count}`)
    await store(kept, 'kept')
    await database.tx((tx) => deleteAddress(tx, { accountId: gone.accountId, addressId: gone.id, now }))
    assert.deepEqual(await purgeDeleted({ database, log, now: PURGED }), { addresses: 1, domains: 0 })
    assert.deepEqual(await purgeDeleted({ database, log, now: PURGED }), { addresses: 0, domains: 0 })
    for (const table of ['message', 'message_folder', 'folder', 'mailbox'] as const) {
      const [row] = await database.pool
        .query(
          `select count(*) filter (where address_id = $1) as gone, count(*) filter (where address_id = $2) as kept
                from ${table}`,
          [gone.id, kept.id],
        )
        .then(({ rows }) => rows)
      assert.deepEqual([row.gone, row.kept > 0], [0, true], table)
    }
    const swept = await sweepBlobs(database, blobs, { now: new Date(Date.now() + 86_400_000), graceMs: 0 })
    assert.equal(swept.removed >= 3, true)
    const links = await database.db.selectFrom('blob_link').select('owner_id').execute()
    assert.equal(
      links.some((link) => link.owner_id === gone.id),
      false,
    )
  })
})
