import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { deleteAddress } from '../addresses/operations.ts'
import { type MailDatabase, openMailDatabase } from '../addresses/testing/database.ts'
import { plantAccount, plantAddress } from '../addresses/testing/hosting.ts'
import { limitsOfAccount, PLANS, planOf } from './plan-limits.ts'
import { sumRecipients } from './queries.ts'
import { takeSendingVolume } from './sending-limits.ts'
import { quotaOf } from './storage.ts'

const NOW = new Date('2026-03-31T23:59:59.000Z')
const DAY_MS = 86_400_000

let ground: MailDatabase
let database: Database<Tables>
before(async () => {
  ground = await openMailDatabase({ poolSize: 12 })
  database = ground.database
})
after(() => ground.close())

const take = (accountId: string, recipients: number, now = NOW) =>
  database.tx((tx) => takeSendingVolume(tx, { accountId, recipients, now }))
const sent = (accountId: string, now = NOW) => sumRecipients(database.db, accountId, now.toISOString().slice(0, 10))

describe('a plan', () => {
  test('has the documented limits, and one that is not known the smallest', () => {
    assert.deepEqual(
      Object.values(PLANS).map(({ limits }) => [
        limits.domains,
        limits.addresses,
        limits.emailsPerDay,
        limits.emailsPerMonth,
      ]),
      [
        [1, 3, 100, 3_000],
        [3, 25, 1_000, 20_000],
        [20, 200, 5_000, 100_000],
        [100, 1_000, 20_000, 500_000],
        [null, null, null, null],
      ],
    )
    assert.deepEqual(planOf('gone'), planOf('free'))
    assert.deepEqual(planOf('__proto__'), planOf('free'))
    assert.deepEqual([...planOf('free').features], ['sending_api'])
    assert.deepEqual([...planOf('starter').features], ['sending_api', 'webhooks', 'catch_all'])
    assert.equal(planOf('pro').features.size, 6)
  })

  test('gives way to limits of the account, one by one', () => {
    const limits = limitsOfAccount({ plan: 'free', limits: { domains: 7, storage_bytes: 0 } })
    assert.deepEqual(limits, { ...planOf('free').limits, domains: 7, storageBytes: 0 })
    assert.equal(limitsOfAccount({ plan: 'unlimited', limits: { emails_per_day: 5 } }).emailsPerDay, 5)
  })
})

describe('sending volume', () => {
  test('is counted in recipients per UTC day and refused whole past the limit', async () => {
    const { id } = await plantAccount(database, { plan: 'free' })
    assert.equal(await take(id, 99), 'ok')
    assert.equal(await take(id, 2), 'daily')
    assert.deepEqual(await sent(id), { today: 99, month: 99 })
    assert.equal(await take(id, 1), 'ok')
    assert.equal(await take(id, 1), 'daily')
    const tomorrow = new Date(NOW.getTime() + 1_000)
    assert.equal(await take(id, 100, tomorrow), 'ok')
    // A new day that is also a new month.
    assert.deepEqual(await sent(id, tomorrow), { today: 100, month: 100 })
  })

  test('has a limit per calendar month', async () => {
    const { id } = await plantAccount(database, { plan: 'free' })
    for (let day = 0; day < 30; day += 1)
      assert.equal(await take(id, 100, new Date(NOW.getTime() - day * DAY_MS)), 'ok')
    const first = new Date('2026-03-01T00:00:00.000Z')
    assert.equal(await take(id, 1, first), 'ok')
    assert.deepEqual(await sent(id), { today: 100, month: 3_001 })
    const other = await plantAccount(database, { plan: 'free' })
    for (let day = 1; day <= 30; day += 1)
      assert.equal(await take(other.id, 100, new Date(NOW.getTime() - day * DAY_MS)), 'ok')
    assert.equal(await take(other.id, 1), 'monthly')
    assert.equal(await take(other.id, 100, new Date(NOW.getTime() + DAY_MS)), 'ok')
  })

  test('is exact when many send at once', async () => {
    const { id } = await plantAccount(database, { plan: 'free' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => take(id, 3)))
    assert.equal(answers.filter((answer) => answer === 'ok').length, 33)
    assert.equal((await sent(id)).today, 99)
    const free = await plantAccount(database)
    assert.ok(
      (await Promise.all(Array.from({ length: 20 }, () => take(free.id, 1_000)))).every((answer) => answer === 'ok'),
    )
    assert.equal((await sent(free.id)).today, 20_000)
  })

  test('of a suspended or unknown account is refused and not counted', async () => {
    const { id } = await plantAccount(database)
    await database.tx((tx) => tx.updateTable('account').set({ suspended_at: NOW }).where('id', '=', id).execute())
    assert.equal(await take(id, 1), 'suspended')
    assert.deepEqual(await sent(id), { today: 0, month: 0 })
    assert.equal(await take(crypto.randomUUID(), 1), 'suspended')
  })

  test('of an account that has not paid for 14 days is refused and not counted, unless its plan has no limits', async () => {
    const { id } = await plantAccount(database, { plan: 'starter' })
    const dueSince = (days: number, plan: string) => {
      const past_due_at = new Date(NOW.getTime() - days * DAY_MS)
      return database.tx((tx) => tx.updateTable('account').set({ past_due_at, plan }).where('id', '=', id).execute())
    }
    await dueSince(13.99, 'starter')
    assert.equal(await take(id, 1), 'ok')
    await dueSince(14, 'starter')
    assert.equal(await take(id, 1), 'unpaid')
    await dueSince(60, 'free')
    assert.equal(await take(id, 1), 'unpaid')
    assert.deepEqual(await sent(id), { today: 1, month: 1 })
    await dueSince(60, 'unlimited')
    assert.equal(await take(id, 1), 'ok')
  })

  test('has the limits of the account in place of those of its plan', async () => {
    const { id } = await plantAccount(database, { plan: 'unlimited' })
    const limit = (limits: Record<string, number>) =>
      database.tx((tx) => tx.updateTable('account').set({ limits }).where('id', '=', id).execute())
    await limit({ emails_per_day: 2 })
    assert.deepEqual([await take(id, 2), await take(id, 1)], ['ok', 'daily'])
    await limit({ emails_per_month: 3 })
    assert.deepEqual([await take(id, 1), await take(id, 1)], ['ok', 'monthly'])
    await limit({})
    assert.equal(await take(id, 5_000), 'ok')
    assert.equal((await sent(id)).today, 5_003)
  })

  test('is given back when the transaction fails', async () => {
    const { id } = await plantAccount(database, { plan: 'free' })
    const failing = database.tx(async (tx) => {
      assert.equal(await takeSendingVolume(tx, { accountId: id, recipients: 50, now: NOW }), 'ok')
      throw new Error('not sent')
    })
    await assert.rejects(failing, /not sent/)
    assert.equal(await take(id, 100), 'ok')
  })
})

describe('the storage of a mailbox', () => {
  const use = (addressId: string, bytes: number) =>
    database.tx((tx) =>
      tx.updateTable('mailbox').set({ used_bytes: bytes }).where('address_id', '=', addressId).execute(),
    )

  test('is its own quota, within what the others of the account leave', async () => {
    const { id: accountId } = await plantAccount(database, { plan: 'free' })
    const ann = await plantAddress(database, 'ann@storage.test', { accountId })
    const bob = await plantAddress(database, 'bob@storage.test', { accountId, quotaBytes: 1_000 })
    const gib = 2 ** 30
    const quotas = async () => [await quotaOf(database.db, ann.id), await quotaOf(database.db, bob.id)]
    assert.deepEqual(await quotas(), [gib, 1_000])
    await use(ann.id, gib - 400)
    await use(bob.id, 100)
    assert.deepEqual(await quotas(), [gib - 100, 400])
    await use(ann.id, 2 * gib)
    assert.deepEqual(await quotas(), [gib - 100, 0])
    await database.tx((tx) => deleteAddress(tx, { accountId, addressId: ann.id, now: NOW }))
    assert.deepEqual(await quotas(), [0, 1_000])
  })

  test('has no limit but its own on a plan without one', async () => {
    const ann = await plantAddress(database, 'ann@endless.test')
    const bob = await plantAddress(database, 'bob@endless.test', { accountId: ann.accountId, quotaBytes: 5 })
    assert.deepEqual([await quotaOf(database.db, ann.id), await quotaOf(database.db, bob.id)], [null, 5])
  })
})
