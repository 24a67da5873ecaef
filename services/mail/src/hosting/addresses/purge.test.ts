import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { deleteDomain } from '../../panel/domains/operations.ts'
import { type Mailbox, type StoreGround, silent, startStore } from '../../store/testing/ground.ts'
import { deleteAddress } from './operations.ts'
import { purgeDeleted } from './purge.ts'
import { plantAddress } from './testing/hosting.ts'

/** By then nothing can be restored any more. */
const PURGED = new Date('2100-01-01T00:00:00.000Z')

const NOW = new Date('2026-03-01T12:00:00.000Z')
const TABLES = [
  'address',
  'mailbox',
  'folder',
  'message',
  'message_folder',
  'thread_link',
  'change',
  'activity',
  'app_password',
] as const

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const mailboxOf = async (addressId: string): Promise<Mailbox> => {
  const rows = await store.database.db
    .selectFrom('folder')
    .select(['id', 'role'])
    .where('address_id', '=', addressId)
    .execute()
  const idOf = (role: string) => rows.find((row) => row.role === role)?.id ?? assert.fail(role)
  const [inbox, drafts, sent] = [idOf('inbox'), idOf('drafts'), idOf('sent')]
  const [archive, junk, trash, snoozed] = [idOf('archive'), idOf('junk'), idOf('trash'), idOf('snoozed')]
  return { addressId, folders: { inbox, drafts, sent, archive, junk, trash, snoozed } }
}
const counts = async (addressId: string): Promise<Record<string, number>> => {
  const entries = TABLES.map(async (table) => {
    const column = table === 'address' ? 'id' : 'address_id'
    const text = `select count(*) as count from ${table} where ${column} = $1`
    const [row] = await store.database.db.query<{ count: number }>({ text, values: [addressId] })
    return [table, row?.count ?? -1] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
const linksOf = async (ownerId: string) =>
  (await store.database.db.selectFrom('blob_link').select('kind').where('owner_id', '=', ownerId).execute()).map(
    ({ kind }) => kind,
  )

describe('what deleted addresses and domains left', () => {
  test('is removed with all its mail, and nothing of others is', async () => {
    const { database } = store
    const gone = await plantAddress(database, 'gone@purge.test', { aliases: ['nick'] })
    const { accountId, domainId } = gone
    const stays = await plantAddress(database, 'stays@purge.test', { accountId })
    for (const { id } of [gone, stays]) {
      const mailbox = await mailboxOf(id)
      for (let n = 0; n < 3; n += 1) await store.add(mailbox, { id: `<${n}@purge.test>` })
      const link = {
        owner_id: id,
        blob_key: 'a'.repeat(64),
        ref_id: id,
        size: 1,
        created_at: NOW,
        kind: 'queue' as const,
      }
      await database.tx((tx) => tx.insertInto('blob_link').values(link).execute())
    }
    const before = await counts(stays.id)
    assert.equal(before.message, 3)
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: PURGED }), { addresses: 0, domains: 0 })
    await database.tx((tx) => deleteAddress(tx, { accountId, addressId: gone.id, now: NOW }))
    assert.equal((await counts(gone.id)).message, 3)
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: PURGED }), { addresses: 1, domains: 0 })
    assert.deepEqual(
      Object.values(await counts(gone.id)),
      TABLES.map(() => 0),
    )
    // Mail that is still to be sent is kept by the queue.
    assert.deepEqual(await linksOf(gone.id), ['queue'])
    assert.deepEqual(await counts(stays.id), before)
    assert.equal((await linksOf(stays.id)).length, 4)
    await database.tx((tx) => deleteDomain(tx, { accountId, domainId, now: NOW }))
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: PURGED }), { addresses: 1, domains: 1 })
    assert.deepEqual(
      Object.values(await counts(stays.id)),
      TABLES.map(() => 0),
    )
    const keys = await database.db.selectFrom('dkim_key').select('id').where('domain_id', '=', domainId).execute()
    assert.deepEqual(keys, [])
  })

  test('is removed beside what cannot be removed, which is tried again the next time', async (t) => {
    const { database } = store
    const planted = []
    // More bad ones than are looked up at once, and before the good one.
    for (let n = 0; n < 22; n += 1) planted.push(await plantAddress(database, `a@bad${n}.test`))
    for (const { accountId, domainId } of planted)
      await database.tx((tx) => deleteDomain(tx, { accountId, domainId, now: NOW }))
    const ordered = planted.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const good = ordered.at(-1)
    const undo = await failOn(database, 'delete', 'address', `old.id <> '${good?.id}'`)
    t.after(undo)
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: PURGED }), { addresses: 1, domains: 1 })
    const left = await database.db.selectFrom('address').select('id').where('deleted_at', 'is not', null).execute()
    assert.deepEqual(
      left.map(({ id }) => id).toSorted(),
      ordered.slice(0, -1).map(({ id }) => id),
    )
    await undo()
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: PURGED }), { addresses: 21, domains: 21 })
  })

  test('is removed once when two processes do it at the same moment', async () => {
    const { database } = store
    const first = await plantAddress(database, 'a0@both.test')
    const { accountId, domainId } = first
    for (let n = 1; n < 25; n += 1) await plantAddress(database, `a${n}@both.test`, { accountId })
    await database.tx((tx) => deleteDomain(tx, { accountId, domainId, now: NOW }))
    await Promise.all([
      purgeDeleted({ database, log: silent, now: PURGED }),
      purgeDeleted({ database: store.openSecond(), log: silent, now: PURGED }),
    ])
    const left = await database.db.selectFrom('address').select('id').where('domain_id', '=', domainId).execute()
    assert.deepEqual(left, [])
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: PURGED }), { addresses: 0, domains: 0 })
  })
})
