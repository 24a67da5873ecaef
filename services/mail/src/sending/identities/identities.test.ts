import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deleteAddress } from '../../hosting/addresses/operations.ts'
import { purgeDeleted } from '../../hosting/addresses/purge.ts'
import { openMailDatabase } from '../../hosting/addresses/testing/database.ts'
import { plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import type { MailDatabase } from '../../store/handles.ts'
import { silent } from '../../store/testing/ground.ts'
import { insertSubmission } from '../submission/queries.ts'
import { changeVacation } from '../vacation/operations.ts'
import { createIdentity, deleteIdentity, listIdentities, updateIdentity } from './operations.ts'
import { IdentityRefusal } from './refusal.ts'

/** By then nothing can be restored any more. */
const PURGED = new Date('2100-01-01T00:00:00.000Z')

const NOW = new Date('2026-03-01T12:00:00.000Z')
let database: MailDatabase
let close: () => Promise<void>
before(async () => {
  const own = await openMailDatabase()
  database = own.database
  close = own.close
})
after(() => close())

const person = async (email: string) => {
  const { id: addressId, accountId } = await plantAddress(database, email, { aliases: ['sales'], now: NOW })
  const list = () => listIdentities(database, { addressId, email, name: 'Ann' }, NOW)
  const shown = async () => (await list()).map((identity) => [identity.email, identity.isDefault])
  return { addressId, accountId, email, list, shown }
}
const sales = (addressId: string, domain: string) => ({ addressId, email: `sales@${domain}`, now: NOW })

describe('identities', () => {
  test('begin with that of the mailbox, which is the default and has its name', async () => {
    const { list } = await person('ann@one.test')
    const [own, ...others] = await list()
    assert.deepEqual(
      [own?.email, own?.name, own?.isDefault, own?.isOwn, others],
      ['ann@one.test', 'Ann', true, true, []],
    )
  })

  test('have one default at every moment', async () => {
    const { addressId, list, shown } = await person('ann@two.test')
    await list()
    const made = await database.tx((tx) => createIdentity(tx, { ...sales(addressId, 'two.test'), isDefault: true }))
    assert.deepEqual(await shown(), [
      ['ann@two.test', false],
      ['sales@two.test', true],
    ])
    const change = { addressId, id: made.id, change: { isDefault: false, name: 'x' }, now: NOW }
    assert.equal((await database.tx((tx) => updateIdentity(tx, change))).isDefault, true)
    await database.tx((tx) => deleteIdentity(tx, { addressId, id: made.id, now: NOW }))
    assert.deepEqual(await shown(), [['ann@two.test', true]])
  })

  test('are limited in number', async () => {
    const { addressId, list } = await person('ann@three.test')
    await database.tx(async (tx) => {
      for (let n = 0; n < 100; n += 1) await createIdentity(tx, sales(addressId, 'three.test'))
    })
    const refused = database.tx((tx) => createIdentity(tx, sales(addressId, 'three.test')))
    await assert.rejects(refused, (error) => error instanceof IdentityRefusal && error.kind === 'too_many')
    assert.equal((await list()).length, 101)
  })

  test('go with their address, as do its submissions and its vacation response', async () => {
    const { addressId, accountId, list } = await person('ann@four.test')
    const [own] = await list()
    const id = own?.id ?? ''
    await database.tx(async (tx) => {
      await changeVacation(tx, { addressId, change: { isEnabled: true }, now: NOW })
      const ids = { id, identity_id: id, message_id: id, thread_id: id, queue_id: id }
      const mail_from = { email: 'ann@four.test', parameters: null }
      const moments = { send_at: NOW, created_at: NOW }
      await insertSubmission(tx, { address_id: addressId, ...ids, mail_from, ...moments, undo_status: 'final' }, [
        { ordinal: 0, email: 'x@y.test', parameters: null, is_local: false, delivered: 'yes', smtp_reply: '250 ok' },
      ])
    })
    await database.tx((tx) => deleteAddress(tx, { accountId, addressId, now: NOW }))
    await purgeDeleted({ database, log: silent, now: PURGED })
    for (const table of ['identity', 'submission', 'submission_recipient', 'vacation'] as const) {
      const rows = await database.db
        .selectFrom(table)
        .select('address_id')
        .where('address_id', '=', addressId)
        .execute()
      assert.deepEqual(rows, [], table)
    }
  })
})
