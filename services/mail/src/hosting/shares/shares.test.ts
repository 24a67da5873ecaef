import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Change, Database } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { SignedInAddress } from '../../principal.ts'
import { silent } from '../../store/testing/ground.ts'
import type { Tables } from '../../tables.ts'
import { deleteAddress, updateAddress } from '../addresses/operations.ts'
import { purgeDeleted } from '../addresses/purge.ts'
import { type MailDatabase, openMailDatabase } from '../addresses/testing/database.ts'
import { type PlantedAddress, plantAccount, plantAddress } from '../addresses/testing/hosting.ts'
import { accessesOf, accessTo } from './access.ts'
import { createShare, deleteShare, listShares, type ShareAccess } from './shares.ts'

/** By then nothing can be restored any more. */
const PURGED = new Date('2100-01-01T00:00:00.000Z')

const NOW = new Date('2026-03-01T12:00:00.000Z')

let ground: MailDatabase
let database: Database<Tables>
const published: Change[] = []
before(async () => {
  ground = await openMailDatabase()
  database = ground.database
  database.onCommit({ after: (changes) => void published.push(...changes) })
})
after(() => ground.close())

let number = 0
/** Addresses of one customer. */
const plant = async (...names: string[]): Promise<PlantedAddress[]> => {
  const { id: accountId } = await plantAccount(database)
  number += 1
  const planted: PlantedAddress[] = []
  for (const name of names) planted.push(await plantAddress(database, `${name}@shares${number}.test`, { accountId }))
  return planted
}
const share = (of: PlantedAddress, withAddress: { id: string }, access: ShareAccess = 'write') =>
  database.tx((tx) =>
    createShare(tx, { accountId: of.accountId, addressId: of.id, withAddressId: withAddress.id, access, now: NOW }),
  )
const end = (of: PlantedAddress, id: string) =>
  database.tx((tx) => deleteShare(tx, { accountId: of.accountId, addressId: of.id, id }))
const signedIn = ({ id, accountId, domainId, email, name }: PlantedAddress): SignedInAddress => ({
  id,
  accountId,
  domainId,
  email,
  name,
  sendEnabled: true,
})
const mailboxesOf = async (address: PlantedAddress) =>
  (await accessesOf(database.db, signedIn(address))).map(({ email }) => email.split('@')[0])
const pair = async (): Promise<[PlantedAddress, PlantedAddress]> => {
  const [owner, viewer] = await plant('owner', 'viewer')
  assert.ok(owner && viewer)
  return [owner, viewer]
}

describe('a share', () => {
  test('lets another address of the customer use the mailbox', async () => {
    const [owner, viewer] = await pair()
    const made = await share(owner, viewer, 'read')
    assert.deepEqual(made, {
      address_id: owner.id,
      id: made.id,
      with_address_id: viewer.id,
      with_email: viewer.email,
      access: 'read',
      created_at: NOW,
    })
    assert.deepEqual(await listShares(database.db, { accountId: owner.accountId, addressId: owner.id }), [made])
    assert.deepEqual(await accessTo(database.db, signedIn(viewer), owner.id), {
      addressId: owner.id,
      email: owner.email,
      name: owner.name,
      accountId: owner.accountId,
      viewerId: viewer.id,
      mayWrite: false,
      mayManage: false,
    })
  })

  test('gives what its access says', async () => {
    const [owner, one, two] = await plant('owner', 'one', 'two')
    assert.ok(owner && one && two)
    await share(owner, one, 'write')
    await share(owner, two, 'full')
    const rights = async (address: PlantedAddress) => {
      const access = await accessTo(database.db, signedIn(address), owner.id)
      return [access?.viewerId, access?.mayWrite, access?.mayManage]
    }
    assert.deepEqual(await rights(one), [one.id, true, false])
    assert.deepEqual(await rights(two), [two.id, true, true])
    assert.deepEqual(await rights(owner), [null, true, true])
  })

  test('shows mailboxes of others after the own one, by address', async () => {
    const [viewer, zoe, ann] = await plant('m', 'zoe', 'ann')
    assert.ok(viewer && zoe && ann)
    await share(zoe, viewer)
    await share(ann, viewer)
    assert.deepEqual(await mailboxesOf(viewer), ['m', 'ann', 'zoe'])
  })

  test('reaches no further than the address it was made for', async () => {
    const [one, two, three] = await plant('one', 'two', 'three')
    assert.ok(one && two && three)
    await share(one, two, 'full')
    await share(two, three, 'full')
    assert.deepEqual(await mailboxesOf(three), ['three', 'two'])
    assert.equal(await accessTo(database.db, signedIn(three), one.id), null)
    assert.deepEqual(await mailboxesOf(one), ['one'])
  })

  test('is refused with itself, twice, and with addresses of other customers', async () => {
    const [owner, viewer] = await pair()
    const [other] = await plant('other')
    assert.ok(other)
    await share(owner, viewer)
    await assert.rejects(share(owner, owner), { code: 'validation_error' })
    await assert.rejects(share(owner, viewer, 'full'), { code: 'conflict' })
    await assert.rejects(share(owner, other), { code: 'not_found' })
    await assert.rejects(share(owner, { id: newId() }), { code: 'not_found' })
    await assert.rejects(share({ ...other, accountId: owner.accountId }, viewer), { code: 'not_found' })
    assert.deepEqual(await mailboxesOf(viewer), ['viewer', 'owner'])
    assert.equal((await accessTo(database.db, signedIn(viewer), owner.id))?.mayManage, false)
    assert.deepEqual(await mailboxesOf(other), ['other'])
  })

  test('counts for addresses of the same customer only, whatever the table holds', async () => {
    const [owner] = await plant('owner')
    const [stranger] = await plant('stranger')
    assert.ok(owner && stranger)
    await database.pool.query(
      `insert into share (address_id, id, with_address_id, access, created_at) values ($1, $2, $3, 'full', $4)`,
      [owner.id, newId(), stranger.id, NOW],
    )
    assert.deepEqual(await mailboxesOf(stranger), ['stranger'])
    assert.equal(await accessTo(database.db, signedIn(stranger), owner.id), null)
  })

  test('is refused after a hundred of them', async () => {
    const [owner, viewer] = await pair()
    await database.pool.query(
      `with a as (insert into address (id, account_id, domain_id, local_part, email, password_hash, created_at, updated_at)
         select gen_random_uuid(), account_id, domain_id, n, n || '@many.test', 'x', now(), now()
         from address, generate_series(1, 100) n where id = $1 returning id)
       insert into share (address_id, id, with_address_id, access, created_at) select $1, id, id, 'read', now() from a`,
      [owner.id],
    )
    await assert.rejects(share(owner, viewer), { code: 'quota_exceeded' })
    assert.deepEqual(await mailboxesOf(viewer), ['viewer'])
  })

  test('ends at once when it is deleted, and others cannot delete it', async () => {
    const [owner, viewer] = await pair()
    const [stranger] = await plant('stranger')
    assert.ok(stranger)
    const { id } = await share(owner, viewer)
    await assert.rejects(end({ ...owner, accountId: stranger.accountId }, id), { code: 'not_found' })
    await assert.rejects(end(viewer, id), { code: 'not_found' })
    await assert.rejects(end(owner, newId()), { code: 'not_found' })
    assert.deepEqual(await mailboxesOf(viewer), ['viewer', 'owner'])
    await end(owner, id)
    assert.deepEqual(await mailboxesOf(viewer), ['viewer'])
    await assert.rejects(end(owner, id), { code: 'not_found' })
    await assert.rejects(listShares(database.db, { accountId: stranger.accountId, addressId: owner.id }), {
      code: 'not_found',
    })
  })

  test('ends when the mailbox is switched off or deleted, and when who looks is deleted', async () => {
    const [owner, viewer, other] = await plant('owner', 'viewer', 'other')
    assert.ok(owner && viewer && other)
    const { accountId } = owner
    await share(owner, viewer)
    await share(owner, other)
    await share(other, viewer)
    const change = { enabled: false }
    await database.tx((tx) => updateAddress(tx, { accountId, addressId: other.id, change, now: NOW }))
    assert.deepEqual(await mailboxesOf(viewer), ['viewer', 'owner'])
    await database.tx((tx) => deleteAddress(tx, { accountId, addressId: other.id, now: NOW }))
    const shares = await listShares(database.db, { accountId, addressId: owner.id })
    assert.deepEqual(
      shares.map(({ with_email }) => with_email),
      [viewer.email],
    )
    await database.tx((tx) => deleteAddress(tx, { accountId, addressId: owner.id, now: NOW }))
    assert.deepEqual(await mailboxesOf(viewer), ['viewer'])
    await purgeDeleted({ database, log: silent, now: PURGED })
    const { rows } = await database.pool.query('select from share where address_id = any($1)', [[owner.id, other.id]])
    assert.equal(rows.length, 0)
  })

  test('is published to the address it is for', async () => {
    const [owner, viewer] = await pair()
    published.length = 0
    const { id } = await share(owner, viewer)
    await end(owner, id)
    assert.deepEqual(
      published.filter(({ topic }) => topic === 'share'),
      ['created', 'deleted'].map((event) => ({
        topic: 'share',
        event,
        data: { shareId: id, addressId: owner.id, withAddressId: viewer.id },
      })),
    )
  })
})

test('reading accesses takes one statement, and none for the own mailbox', async () => {
  const [owner, viewer] = await pair()
  await share(owner, viewer)
  const watch = database.watchStatements()
  await accessTo(database.db, signedIn(viewer), viewer.id)
  assert.equal(watch.texts.length, 0)
  await accessTo(database.db, signedIn(viewer), 'no id')
  assert.equal(watch.texts.length, 0)
  await accessesOf(database.db, signedIn(viewer))
  watch.stop()
  assert.equal(watch.texts.length, 1)
})
