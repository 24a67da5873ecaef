import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { resolveRecipient } from '../../hosting/addresses/routing.ts'
import { HOSTNAME, type PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { readMessage } from '../../store/messages/read.ts'
import { NO_REPUTATION } from '../reputation/reputation.ts'
import { deliver, receiptHashOf } from './deliver.ts'
import type { Arrived, DeliveryResult } from './parts.ts'
import { findDelivery } from './queries.ts'
import { NOW, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
let bus: ReturnType<typeof openBus>
before(async () => {
  ground = await startReceiving()
  bus = openBus(ground.database, { log: createLogger({ name: 'test', level: 'silent' }) })
  await bus.ready()
})
after(async () => {
  await bus.close()
  await ground.close()
})

const arrive = async (subject: string): Promise<Arrived> => {
  const bytes = Buffer.from(`From: ann@outside.test\r\nTo: bob@cost.test\r\nSubject: ${subject}\r\n\r\nHello.\r\n`)
  const blob = await ground.parts.blobs.put(bytes, { maxBytes: 1_000 })
  return {
    blob,
    bytes,
    read: readMessage(bytes),
    hash: blob.key,
    returnPath: 'ann@outside.test',
    peer: null,
    authenticity: null,
    spoofedDomain: null,
    reputation: NO_REPUTATION,
    spamText: null,
    opinion: null,
    virusLevel: null,
    isUtf8: false,
    receivedAt: NOW,
    prefix: Buffer.alloc(0),
  }
}

/** As a message that follows its recipient at once: what was known of the mailbox then is not asked again. */
const take = async (address: PlantedAddress, arrived: Arrived): Promise<DeliveryResult> => {
  const { db } = ground.database
  const route = await resolveRecipient(db, { hostname: HOSTNAME }, address.email)
  const at = ground.parts.clock.now()
  const state = await findDelivery(db, { addressId: address.id, hash: null, now: at })
  if (route.kind !== 'mailbox' || !state) return assert.fail('there is no mailbox')
  const receiptHash = receiptHashOf(arrived)
  return deliver(ground.parts, arrived, { route, recipient: address.email, receiptHash, known: { state, at } })
}

test('a plain delivery waits for the database twice while it writes', async () => {
  const address = await ground.address('bob@cost.test')
  const arrived = await arrive('Plain')
  const watch = ground.database.watchStatements()
  assert.deepEqual(await take(address, arrived), { kind: 'delivered' })
  watch.stop()
  const first = watch.texts.indexOf('begin')
  // The receipt, the room, the message, and the notice.
  assert.equal(watch.texts.length - first, 6, watch.texts.join('\n\n'))
  assert.equal(watch.roundTrips, first + 2)
  await ground.check(address)
})

test('a message that is here already is answered as delivered, though the mailbox is full by now', async () => {
  const address = await ground.address('full@cost.test')
  const arrived = await arrive('Twice')
  await take(address, arrived)
  await ground.database.pool.query('update address set quota_bytes = 1 where id = $1', [address.id])
  const before = await ground.mails(address)
  assert.deepEqual(await take(address, arrived), { kind: 'delivered' })
  assert.equal((await take(address, await arrive('Another'))).kind, 'failed')
  assert.deepEqual(await ground.mails(address), before)
  await ground.check(address)
})

test('of the same message at the same moment one is stored, and the others leave no trace', async () => {
  const address = await ground.address('race@cost.test')
  const arrived = await arrive('Race')
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => take(address, arrived)))
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    Array.from({ length: 5 }, () => 'delivered'),
  )
  assert.equal((await ground.mails(address)).length, 1)
  assert.equal((await ground.activity(address)).filter(({ type }) => type === 'received').length, 1)
  await ground.check(address)
})
