import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { loseNotifications } from '@stoa/tests/lib/lose-notifications.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { updateDomain } from '../../panel/domains/operations.ts'
import type { Tables } from '../../tables.ts'
import { createKnownRoutes, type KnownRoutes } from './known-routes.ts'
import { deleteAddress, updateAddress } from './operations.ts'
import { type MailDatabase, openMailDatabase } from './testing/database.ts'
import { HOSTNAME, plantAddress } from './testing/hosting.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

let ground: MailDatabase
let database: Database<Tables>
let bus: ReturnType<typeof openBus>
let routes: KnownRoutes

before(async () => {
  ground = await openMailDatabase()
  database = ground.database
  bus = openBus(database, { log: createLogger({ name: 'test', level: 'silent' }) })
  await bus.ready()
  routes = createKnownRoutes({ db: database.db, hostname: HOSTNAME, bus })
})
after(async () => {
  routes.close()
  await bus.close()
  await ground.close()
})

const kindOf = async (recipient: string): Promise<string> => (await routes.find(recipient)).kind
/** How many statements some questions take. */
const costOf = async (ask: () => Promise<unknown>): Promise<number> => {
  const watch = database.watchStatements()
  await ask()
  watch.stop()
  return watch.texts.length
}

test('mailboxes, writers and domains of others are queried once; what leads nowhere each time', async () => {
  const { id } = await plantAddress(database, 'ann@known.test', { aliases: ['office'] })
  for (const ask of [
    () => routes.find('ann@known.test'),
    () => routes.find('office+x@known.test'),
    () => routes.mayWriteAs(id, 'office@known.test'),
  ])
    assert.deepEqual([await costOf(ask), await costOf(ask)], [1, 0], String(ask))
  assert.deepEqual(
    [await costOf(() => routes.find('a@away.test')), await costOf(() => routes.find('b@AWAY.test'))],
    [1, 0],
  )
  for (const ask of [() => routes.find('nobody@known.test'), () => routes.mayWriteAs(id, 'boss@known.test')])
    assert.deepEqual([await costOf(ask), await costOf(ask)], [1, 1], String(ask))
})

test('an address that is switched off, loses an alias or is deleted is noticed with the change', async () => {
  const { id, accountId } = await plantAddress(database, 'bob@noticed.test', { aliases: ['sales'] })
  const change = (given: Parameters<typeof updateAddress>[1]['change']) =>
    database.tx((tx) => updateAddress(tx, { accountId, addressId: id, change: given, now: NOW }))
  const look = async () => [
    await kindOf('bob@noticed.test'),
    await kindOf('sales@noticed.test'),
    await routes.mayWriteAs(id, 'sales@noticed.test'),
  ]
  assert.deepEqual(await look(), ['mailbox', 'mailbox', true])
  await change({ aliases: [] })
  assert.deepEqual(await look(), ['mailbox', 'unknown', false])
  await change({ enabled: false })
  assert.deepEqual(await look(), ['unknown', 'unknown', false])
  await change({ enabled: true })
  assert.equal(await kindOf('bob@noticed.test'), 'mailbox')
  await database.tx((tx) => deleteAddress(tx, { accountId, addressId: id, now: NOW }))
  assert.equal(await kindOf('bob@noticed.test'), 'unknown')
})

test('a change of a domain is noticed with it, and that one became ours', async () => {
  assert.equal(await kindOf('anybody@caught.test'), 'foreign')
  const { id, accountId, domainId } = await plantAddress(database, 'all@caught.test')
  const catchAll = (addressId: string | null) =>
    database.tx((tx) =>
      updateDomain(tx, { accountId, domainId, change: { catch_all_address_id: addressId }, now: NOW }),
    )
  await catchAll(id)
  assert.equal(await kindOf('anybody@caught.test'), 'mailbox')
  await catchAll(null)
  assert.equal(await kindOf('anybody@caught.test'), 'unknown')
})

test('while notifications are lost, and of what changed meanwhile, nothing is answered from memory', async () => {
  const { id } = await plantAddress(database, 'eve@lost.test')
  assert.equal(await kindOf('eve@lost.test'), 'mailbox')
  await database.pool.query('update address set enabled = false where id = $1', [id])
  assert.equal(await kindOf('eve@lost.test'), 'mailbox', 'nothing was announced')
  await loseNotifications(database)
  await until(() => !bus.connected, 'the loss')
  assert.equal(await kindOf('eve@lost.test'), 'unknown')
  await until(() => bus.connected, 'the reconnect')
  assert.equal(await kindOf('eve@lost.test'), 'unknown')
})
