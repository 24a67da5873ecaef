import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type Cascade, capDeletes, cascadesFrom, countRows, plantRows } from '@stoa/tests/lib/cascades.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { deleteDomain } from '../../panel/domains/operations.ts'
import { type Mailbox, type StoreGround, silent, startStore } from '../../store/testing/ground.ts'
import { deleteAddress } from './operations.ts'
import { purgeDeleted } from './purge.ts'
import { plantAddress, plantDomain } from './testing/hosting.ts'

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

/** One statement removes so many rows at most, and what hangs on them. */
const AT_ONCE = 500
/** Why a statement may remove all of an address. */
const FEW_OF_ADDRESS = {
  'address_name.address_id': '1,000 aliases, and none once it is deleted',
  'app_password.address_id': '100',
  'folder.address_id': '2,000',
  'folder_recent.address_id': 'one for each folder',
  'folder_subscription.address_id': '2,000',
  'identity.address_id': '100',
  'label.address_id': '500',
  'listed_sender.address_id': '1,000',
  'mailbox.address_id': 'one',
  'push_subscription.address_id': '30',
  'recovery_change.address_id': 'one',
  'recovery_token.address_id': 'one',
  'share.address_id': '100',
  'share.with_address_id': 'one for each mailbox of the account',
  'sieve_script.address_id': '1,000 filters and 32 scripts',
  'spam_training.address_id': 'one',
  'vacation.address_id': 'one',
  'webmail_settings.address_id': 'one',
}
const FEW_OF_DOMAIN = {
  'address_name.domain_id': 'none once it is deleted',
  'api_key.domain_id': '1,000',
  'dkim_key.domain_id': '5',
  'dns_check.domain_id': 'one',
  'listed_sender.domain_id': '1,000',
}

describe('however much it is, no statement removes more than a few rows, also of tables that are added later:', () => {
  const countsOf = (cascades: readonly Cascade[], id: string) =>
    Promise.all(cascades.map((cascade) => countRows(store.database, cascade, id)))
  const all = (cascades: readonly Cascade[], count: number) => cascades.map(() => count)

  test('what an address left', async (t) => {
    const { database } = store
    const gone = await plantAddress(database, 'gone@many.test')
    const { accountId } = gone
    const [stays, friend] = [
      await plantAddress(database, 'stays@many.test', { accountId }),
      await plantAddress(database, 'friend@many.test', { accountId }),
    ]
    const { many, unknown } = await cascadesFrom(database, 'address', { few: FEW_OF_ADDRESS })
    assert.deepEqual(unknown, [])
    for (const { id } of [gone, stays]) {
      const both = [
        [id, friend.id],
        [friend.id, id],
      ] as const
      for (const [address_id, with_address_id] of both) {
        const share = { address_id, with_address_id, id: newId(), access: 'read' as const, created_at: NOW }
        await database.tx((tx) => tx.insertInto('share').values(share).execute())
      }
      const { folders } = await mailboxOf(id)
      const values: Record<string, Record<string, string>> = {
        activity: { type: `'received'` },
        bulk_job: { status: `'completed'` },
        change: { kind: `'message'`, op: `'updated'` },
        'folder_metadata.viewer_id': { address_id: `'${friend.id}'` },
        folder_thread: { folder_id: `'${folders.inbox}'` },
        sieve_memory: { kind: `'vacation'` },
        spam_lesson: { verdict: `'spam'` },
        spam_pending: { verdict: `'spam'` },
        submission: { undo_status: `'final'` },
        transfer: { account_id: `'${accountId}'`, security: `'tls'`, status: `'completed'`, finished_at: 'now()' },
        'viewed.address_id': { viewer_id: `'${friend.id}'` },
        'viewed.viewer_id': { address_id: `'${friend.id}'` },
      }
      for (const cascade of many) {
        const special = values[cascade.table] ?? values[`${cascade.table}.${cascade.column}`] ?? {}
        await plantRows(database, cascade, { id, rows: id === gone.id ? AT_ONCE + 1 : 3, values: special })
      }
    }
    const before = await countsOf(many, stays.id)
    t.after(await capDeletes(database, many, AT_ONCE))
    await database.tx((tx) => deleteAddress(tx, { accountId, addressId: gone.id, now: NOW }))
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: PURGED }), { addresses: 1, domains: 0 })
    assert.deepEqual([await countsOf(many, gone.id), await countsOf(many, stays.id)], [all(many, 0), before])
  })

  test('what a domain left, of which nothing goes while it can be restored', async (t) => {
    const { database } = store
    const { accountId } = await plantAddress(database, 'other@many-reports.test')
    const gone = await plantDomain(database, { accountId, name: 'gone.test' })
    const stays = await plantDomain(database, { accountId, name: 'stays.test' })
    const { many, unknown } = await cascadesFrom(database, 'domain', {
      few: FEW_OF_DOMAIN,
      none: { 'address.domain_id': 'it waits for them' },
    })
    assert.deepEqual(unknown, [])
    const values: Record<string, Record<string, string>> = {
      refused_recipient: { account_id: `'${accountId}'` },
      report: { type: `'dmarc'` },
    }
    for (const { id } of [gone, stays])
      for (const cascade of many)
        await plantRows(database, cascade, { id, rows: AT_ONCE + 1, values: values[cascade.table] ?? {} })
    t.after(await capDeletes(database, many, AT_ONCE))
    await database.tx((tx) => deleteDomain(tx, { accountId, domainId: gone.id, now: NOW }))
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: NOW }), { addresses: 0, domains: 0 })
    assert.deepEqual(await countsOf(many, gone.id), all(many, AT_ONCE + 1))
    assert.deepEqual(await purgeDeleted({ database, log: silent, now: PURGED }), { addresses: 0, domains: 1 })
    assert.deepEqual(
      [await countsOf(many, gone.id), await countsOf(many, stays.id)],
      [all(many, 0), all(many, AT_ONCE + 1)],
    )
  })
})
