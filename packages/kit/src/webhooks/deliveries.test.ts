import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openWebhookGround, type WebhookGround } from '@stoa/tests/lib/webhook-ground.ts'
import {
  enqueueEvent,
  enqueueEvents,
  findDelivery,
  lastDeliveries,
  listAttempts,
  listDeliveries,
  pruneDeliveries,
  replayDelivery,
} from './deliveries.ts'
import { updateEndpoint } from './endpoints.ts'

let ground: WebhookGround
before(async () => {
  ground = await openWebhookGround()
})
after(() => ground.close())

const enqueue = (owner: string, type = 'a.b', payload = (id: string) => JSON.stringify({ id })) =>
  ground.database.tx((tx) => enqueueEvent(tx, { owner, type, payload, now: ground.clock.now() }))
const finish = (id: string, status: 'success' | 'failed') =>
  ground.rows(
    'update webhook_delivery set status = $2, next_attempt_at = null, attempts = 3, retries = 3 where id = $1',
    [id, status],
  )
const replay = (key: { owner: string; endpointId: string; id: string }) =>
  ground.database.tx((tx) => replayDelivery(tx, key, ground.clock.now()))

describe('enqueueing', () => {
  test('reaches each enabled endpoint of the owner that wants the event and passes the filter, once', async () => {
    const all = await ground.endpoint({ owner: 'fan', details: { only: 'x' } })
    const named = await ground.endpoint({ owner: 'fan', events: ['c.d', 'a.b'], details: { only: 'x' } })
    await ground.endpoint({ owner: 'fan', events: ['c.d'], details: { only: 'x' } })
    await ground.endpoint({ owner: 'fan', status: 'disabled', details: { only: 'x' } })
    await ground.endpoint({ owner: 'fan', details: { only: 'y' } })
    await ground.endpoint({ owner: 'else', details: { only: 'x' } })
    const ids = await ground.database.tx((tx) =>
      enqueueEvent(tx, {
        owner: 'fan',
        type: 'a.b',
        payload: (id) => `{ "id": "${id}" }`,
        filter: ({ details }) => details.only === 'x',
        now: ground.clock.now(),
      }),
    )
    const { items } = await listDeliveries(ground.database.db, { owner: 'fan', limit: 10, offset: 0 })
    assert.deepEqual(items.map(({ endpointId }) => endpointId).sort(), [all.id, named.id].sort())
    assert.deepEqual(items.map(({ id }) => id).sort(), [...ids].sort())
    for (const { id, endpointId, status, nextAttemptAt } of items) {
      assert.deepEqual([status, nextAttemptAt], ['pending', ground.clock.now()])
      assert.equal(
        (await findDelivery(ground.database.db, { owner: 'fan', endpointId, id }))?.payload,
        `{ "id": "${id}" }`,
      )
    }
    assert.equal((await listDeliveries(ground.database.db, { owner: 'else', limit: 10, offset: 0 })).total, 0)
  })

  test('of several events gives each endpoint what it wants, in their order, with two statements', async () => {
    const all = await ground.endpoint({ owner: 'several' })
    const some = await ground.endpoint({ owner: 'several', events: ['c.d'] })
    const event = (type: string, nth: number) => ({
      owner: 'several',
      type,
      payload: () => String(nth),
      now: ground.clock.now(),
    })
    const watch = ground.database.watchStatements()
    const added = await ground.database.tx((tx) => enqueueEvents(tx, ['c.d', 'a.b', 'c.d'].map(event)))
    watch.stop()
    assert.equal(watch.texts.filter((text) => text.includes('webhook_')).length, 2)
    const payloads = async (endpointId: string) =>
      (await ground.rows('select payload from webhook_delivery where endpoint_id = $1 order by id', [endpointId])).map(
        ({ payload }) => payload,
      )
    assert.deepEqual(await payloads(all.id), ['0', '1', '2'])
    assert.deepEqual(await payloads(some.id), ['0', '2'])
    assert.equal(added.length, 5)
    assert.deepEqual(await ground.database.tx((tx) => enqueueEvents(tx, [])), [])
  })

  test('leaves nothing when the transaction rolls back', async () => {
    await ground.endpoint({ owner: 'rollback' })
    const failing = ground.database.tx(async (tx) => {
      await enqueueEvent(tx, { owner: 'rollback', type: 'a.b', payload: () => '{}', now: ground.clock.now() })
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.equal((await listDeliveries(ground.database.db, { owner: 'rollback', limit: 10, offset: 0 })).total, 0)
  })
})

describe('replaying', () => {
  for (const status of ['success', 'failed'] as const)
    test(`makes a delivery that ended as ${status} due again with the same id and a fresh retry table`, async () => {
      const { id: endpointId } = await ground.endpoint({ owner: `replay-${status}` })
      const [id] = await enqueue(`replay-${status}`)
      await finish(id!, status)
      const replayed = await replay({ owner: `replay-${status}`, endpointId, id: id! })
      assert.ok(replayed.result === 'queued')
      assert.deepEqual([replayed.delivery.id, replayed.delivery.status, replayed.delivery.attempts], [id, 'pending', 3])
      const [row] = await ground.rows('select retries from webhook_delivery where id = $1', [id])
      assert.equal(row?.retries, 0)
    })

  test('is refused for an endpoint that is off, and for foreign or unknown ids, without effect', async () => {
    const { id: endpointId } = await ground.endpoint({ owner: 'refuse' })
    const other = await ground.endpoint({ owner: 'refuse', events: ['x'] })
    const [id] = await enqueue('refuse')
    await finish(id!, 'failed')
    assert.equal((await replay({ owner: 'stranger', endpointId, id: id! })).result, 'not_found')
    assert.equal((await replay({ owner: 'refuse', endpointId: other.id, id: id! })).result, 'not_found')
    assert.equal((await replay({ owner: 'refuse', endpointId, id: 'nothing' })).result, 'not_found')
    const key = { owner: 'refuse', id: endpointId }
    await ground.database.tx((tx) => updateEndpoint(tx, key, { status: 'disabled' }, ground.clock.now()))
    assert.equal((await replay({ owner: 'refuse', endpointId, id: id! })).result, 'endpoint_disabled')
    assert.equal((await findDelivery(ground.database.db, { owner: 'refuse', endpointId, id: id! }))?.status, 'failed')
  })

  test('leaves an attempt that is under way alone', async () => {
    const { id: endpointId } = await ground.endpoint({ owner: 'underway' })
    const [id] = await enqueue('underway')
    await ground.rows(`update webhook_delivery set status = 'attempting', attempts = 1 where id = $1`, [id])
    const replayed = await replay({ owner: 'underway', endpointId, id: id! })
    assert.ok(replayed.result === 'queued')
    assert.deepEqual([replayed.delivery.status, replayed.delivery.nextAttemptAt], ['attempting', null])
  })
})

describe('the log', () => {
  test('is paged newest first, filtered, and closed to other owners', async () => {
    const first = await ground.endpoint({ owner: 'log' })
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) {
      ground.clock.advance(1_000)
      ids.unshift(...(await enqueue('log', index === 0 ? 'c.d' : 'a.b')))
    }
    await finish(ids[0]!, 'success')
    const page = async (filter: object, limit = 10, offset = 0) => {
      const { items, total } = await listDeliveries(ground.database.db, { owner: 'log', limit, offset, ...filter })
      return [items.map(({ id }) => id), total]
    }
    assert.deepEqual(await page({}, 2, 1), [ids.slice(1, 3), 5])
    assert.deepEqual(await page({ endpointId: first.id, type: 'c.d' }), [[ids[4]], 1])
    assert.deepEqual(await page({ status: 'success' }), [[ids[0]], 1])
    assert.deepEqual(await page({ endpointId: 'another' }), [[], 0])
    assert.deepEqual(await page({ owner: 'stranger' }), [[], 0])
    const key = { owner: 'stranger', endpointId: first.id, id: ids[0]! }
    assert.equal(await findDelivery(ground.database.db, key), null)
    assert.deepEqual(await listAttempts(ground.database.db, key), [])
  })

  test('returns the last delivery of several endpoints at once', async () => {
    const one = await ground.endpoint({ owner: 'last' })
    const two = await ground.endpoint({ owner: 'last' })
    const none = await ground.endpoint({ owner: 'last', events: ['never'] })
    await enqueue('last')
    ground.clock.advance(1_000)
    await enqueue('last')
    await ground.rows(`update webhook_delivery set last_attempt_at = created_at where owner = 'last'`)
    ground.clock.advance(1_000)
    await enqueue('last')
    const last = await lastDeliveries(ground.database.db, [one, two, none])
    assert.deepEqual([...last.keys()].sort(), [one.id, two.id].sort())
    assert.equal(last.get(one.id)?.createdAt.getTime(), ground.clock.now().getTime() - 1_000)
  })
})

describe('pruning', () => {
  test('keeps the newest of each endpoint and everything unfinished', async () => {
    const a = await ground.endpoint({ owner: 'prune' })
    const ids: string[] = []
    for (let index = 0; index < 6; index += 1) {
      ground.clock.advance(1_000)
      ids.push(...(await enqueue('prune')))
    }
    for (const id of ids.slice(1)) await finish(id, 'success')
    const { removed } = await ground.database.tx((tx) => pruneDeliveries(tx, { perEndpoint: 2 }, ground.clock.now()))
    const { items } = await listDeliveries(ground.database.db, {
      owner: 'prune',
      endpointId: a.id,
      limit: 10,
      offset: 0,
    })
    assert.deepEqual(items.map(({ id }) => id).sort(), [ids[0], ids[4], ids[5]].sort())
    assert.ok(removed >= 3)
  })

  test('removes what is too old, and without limits nothing', async () => {
    await ground.endpoint({ owner: 'old' })
    const [old] = await enqueue('old')
    const [waiting] = await enqueue('old')
    await finish(old!, 'failed')
    const keepAll = await ground.database.tx((tx) => pruneDeliveries(tx, {}, ground.clock.now()))
    assert.deepEqual(keepAll, { removed: 0, hasMore: false })
    ground.clock.advance(2_000)
    await ground.database.tx((tx) => pruneDeliveries(tx, { forMs: 1_000 }, ground.clock.now()))
    const { items } = await listDeliveries(ground.database.db, { owner: 'old', limit: 10, offset: 0 })
    assert.deepEqual(
      items.map(({ id }) => id),
      [waiting],
    )
  })

  test('removes retired endpoints some at a time, and says that there are more', async () => {
    await ground.rows(
      `insert into webhook_endpoint (id, owner, url, events, secret_sealed, secret_hint, status, disabled_reason, created_at, updated_at)
       select 'retired-' || n, '', 'https://a.test', '{*}', '', '', 'disabled', 'owner', $1, $1
       from generate_series(1, 2001) n`,
      [ground.clock.now()],
    )
    const { database } = ground
    const left = async () => (await ground.rows(`select from webhook_endpoint where owner = ''`)).length
    const prune = () => database.tx((tx) => pruneDeliveries(tx, {}, ground.clock.now()))
    assert.deepEqual([await prune(), await left()], [{ removed: 0, hasMore: true }, 1])
    assert.deepEqual([await prune(), await left()], [{ removed: 0, hasMore: false }, 0])
  })

  test('goes on while many deliveries wait, of endpoints that are there and of retired ones', async () => {
    const waiting = 2_500
    for (const owner of ['backlog', 'retired']) {
      const { id } = await ground.endpoint({ owner })
      await ground.rows(
        `insert into webhook_delivery (id, endpoint_id, owner, type, payload, status, next_attempt_at, created_at)
         select $1 || n, $1, $2, 'a.b', '{}', 'pending', $3, $3::timestamptz - make_interval(secs => n)
         from generate_series(1, $4::int) n`,
        [id, owner, ground.clock.now(), waiting],
      )
      for (const [index, secs] of [0, waiting + 1, waiting + 2].entries())
        await ground.rows(
          `insert into webhook_delivery (id, endpoint_id, owner, type, payload, status, created_at)
           values ($1, $2, $3, 'a.b', '{}', 'success', $4::timestamptz - make_interval(secs => $5))`,
          [`${owner}-${index}`, id, owner, ground.clock.now(), secs],
        )
    }
    await ground.rows(`update webhook_endpoint set owner = '' where owner = 'retired'`)
    await ground.database.tx((tx) => pruneDeliveries(tx, { perEndpoint: 1 }, ground.clock.now()))
    const left = await ground.rows(
      `select owner, status, count(*)::int as count from webhook_delivery where owner in ('backlog', 'retired')
       group by 1, 2 order by 1, 2`,
    )
    assert.deepEqual(left, [
      { owner: 'backlog', status: 'pending', count: waiting },
      { owner: 'backlog', status: 'success', count: 1 },
      { owner: 'retired', status: 'pending', count: waiting },
    ])
  })
})
