import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openWebhookGround, type WebhookGround } from '@stoa/tests/lib/webhook-ground.ts'
import { enqueueEvent, findDelivery, listDeliveries, pruneDeliveries } from './deliveries.ts'
import {
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  retireEndpoints,
  rotateSecret,
  updateEndpoint,
} from './endpoints.ts'
import { newSigningSecret } from './sign.ts'

let ground: WebhookGround
before(async () => {
  ground = await openWebhookGround()
})
after(() => ground.close())

const enqueue = (owner: string) =>
  ground.database.tx((tx) => enqueueEvent(tx, { owner, type: 'a.b', payload: () => '{}', now: ground.clock.now() }))

test('an endpoint is stored with its secret sealed to its own id', async () => {
  const made = await ground.endpoint({ owner: 'seal', details: { name: 'First' }, events: ['a.b'] })
  const found = await findEndpoint(ground.database.db, { owner: 'seal', id: made.id })
  assert.deepEqual(found?.details, { name: 'First' })
  assert.deepEqual([found.status, found.version, found.events], ['enabled', 1, ['a.b']])
  const [row] = await ground.rows('select * from webhook_endpoint where id = $1', [made.id])
  assert.equal(JSON.stringify(row).includes(made.secret.slice(6)), false)
  assert.equal(ground.sealer.open(String(row?.secret_sealed), made.id).reveal(), made.secret)
  assert.throws(() => ground.sealer.open(String(row?.secret_sealed), 'another'))
})

test('another owner neither sees, changes, rotates nor deletes an endpoint', async () => {
  const { id } = await ground.endpoint({ owner: 'mine' })
  const key = { owner: 'other', id }
  const now = ground.clock.now()
  const secret = newSigningSecret(24)
  assert.equal(await findEndpoint(ground.database.db, key), null)
  await ground.database.tx(async (tx) => {
    assert.equal(await updateEndpoint(tx, key, { url: 'https://evil.test/' }, now), null)
    assert.equal(await rotateSecret(tx, ground.sealer, key, { secret, secretHint: 'x', now }), null)
    assert.equal(await deleteEndpoint(tx, key), false)
  })
  const found = await findEndpoint(ground.database.db, { owner: 'mine', id })
  assert.deepEqual([found?.url, found?.secretHint, found?.version], ['http://127.0.0.1:9/', 'hint', 1])
  assert.equal((await listEndpoints(ground.database.db, { owner: 'other', limit: 10, offset: 0 })).total, 0)
})

test('a change keeps what it does not name and counts the version', async () => {
  const { id } = await ground.endpoint({ owner: 'change', details: { name: 'a' } })
  const key = { owner: 'change', id }
  const changed = await ground.database.tx((tx) => updateEndpoint(tx, key, { events: ['x.y'] }, ground.clock.now()))
  assert.deepEqual(
    [changed?.events, changed?.url, changed?.details, changed?.version],
    [['x.y'], 'http://127.0.0.1:9/', { name: 'a' }, 2],
  )
  await assert.rejects(ground.database.tx((tx) => updateEndpoint(tx, key, { events: [] }, ground.clock.now())))
  assert.deepEqual((await findEndpoint(ground.database.db, key))?.events, ['x.y'])
})

test('switching off ends what is waiting; switching on forgets past failures and replays nothing', async () => {
  const { id } = await ground.endpoint({ owner: 'switch' })
  const key = { owner: 'switch', id }
  const [deliveryId] = await enqueue('switch')
  await ground.rows('update webhook_endpoint set failing_since = now(), consecutive_failures = 3 where id = $1', [id])
  const off = await ground.database.tx((tx) => updateEndpoint(tx, key, { status: 'disabled' }, ground.clock.now()))
  assert.deepEqual([off?.status, off?.disabledReason, off?.consecutiveFailures], ['disabled', 'owner', 3])
  const ended = await findDelivery(ground.database.db, { owner: 'switch', endpointId: id, id: deliveryId! })
  assert.deepEqual([ended?.status, ended?.error, ended?.nextAttemptAt], ['failed', 'The endpoint is turned off', null])
  assert.deepEqual(await enqueue('switch'), [])
  const on = await ground.database.tx((tx) => updateEndpoint(tx, key, { status: 'enabled' }, ground.clock.now()))
  assert.deepEqual(
    [on?.status, on?.disabledReason, on?.failingSince, on?.consecutiveFailures],
    ['enabled', null, null, 0],
  )
  const still = await findDelivery(ground.database.db, { owner: 'switch', endpointId: id, id: deliveryId! })
  assert.equal(still?.status, 'failed')
})

test('rotation replaces the sealed secret and its hint', async () => {
  const made = await ground.endpoint({ owner: 'rotate' })
  const secret = newSigningSecret(32)
  const key = { owner: 'rotate', id: made.id }
  await ground.database.tx((tx) =>
    rotateSecret(tx, ground.sealer, key, { secret, secretHint: 'new', now: ground.clock.now() }),
  )
  const [row] = await ground.rows('select secret_sealed, secret_hint from webhook_endpoint where id = $1', [made.id])
  assert.equal(ground.sealer.open(String(row?.secret_sealed), made.id).reveal(), secret.reveal())
  assert.equal(row?.secret_hint, 'new')
})

test('deleting an endpoint deletes its log and no other', async () => {
  const gone = await ground.endpoint({ owner: 'delete' })
  const stays = await ground.endpoint({ owner: 'delete' })
  await enqueue('delete')
  assert.equal(await ground.database.tx((tx) => deleteEndpoint(tx, { owner: 'delete', id: gone.id })), true)
  const left = await listDeliveries(ground.database.db, { owner: 'delete', limit: 10, offset: 0 })
  assert.deepEqual(
    left.items.map(({ endpointId }) => endpointId),
    [stays.id],
  )
})

test('a retired endpoint belongs to nobody at once and is removed with its log by pruning; those of others stay', async () => {
  const gone = await ground.endpoint({ owner: 'retire' })
  const stays = await ground.endpoint({ owner: 'retire' })
  const other = await ground.endpoint({ owner: 'keeps' })
  await enqueue('retire')
  await enqueue('keeps')
  const retire = (id?: string) =>
    ground.database.tx((tx) => retireEndpoints(tx, { owner: 'retire', ...(id === undefined ? {} : { id }) }))
  assert.deepEqual(await retire(gone.id), [gone.id])
  assert.deepEqual(await retire(gone.id), [])
  assert.deepEqual(await retire(other.id), [])
  assert.equal(await findEndpoint(ground.database.db, { owner: 'retire', id: gone.id }), null)
  await enqueue('retire')
  const statusesOf = async (id: string) =>
    (await ground.rows('select status from webhook_delivery where endpoint_id = $1 order by id', [id])).map(
      ({ status }) => status,
    )
  assert.deepEqual(await statusesOf(gone.id), ['failed'])
  const log = await listDeliveries(ground.database.db, { owner: 'retire', limit: 10, offset: 0 })
  assert.deepEqual(new Set(log.items.map(({ endpointId }) => endpointId)), new Set([stays.id]))
  const [hidden] = await ground.rows('select id from webhook_delivery where endpoint_id = $1', [gone.id])
  const hiddenKey = { owner: 'retire', endpointId: gone.id, id: String(hidden?.id) }
  assert.equal(await findDelivery(ground.database.db, hiddenKey), null)
  assert.deepEqual(await statusesOf(stays.id), ['pending', 'pending'])
  const { removed } = await ground.database.tx((tx) => pruneDeliveries(tx, {}, ground.clock.now()))
  assert.equal(removed, 1)
  assert.deepEqual(await ground.rows('select id from webhook_endpoint where id = $1', [gone.id]), [])
  assert.deepEqual(await retire(), [stays.id])
  assert.deepEqual([await statusesOf(stays.id), await statusesOf(other.id)], [['failed', 'failed'], ['pending']])
})

test('endpoints are listed newest first, in pages with a total', async () => {
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) {
    ground.clock.advance(1_000)
    ids.unshift((await ground.endpoint({ owner: 'list' })).id)
  }
  const page = await listEndpoints(ground.database.db, { owner: 'list', limit: 2, offset: 2 })
  assert.deepEqual(
    page.items.map(({ id }) => id),
    ids.slice(2, 4),
  )
  assert.equal(page.total, 5)
})
