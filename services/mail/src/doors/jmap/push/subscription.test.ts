import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, mock, test } from 'node:test'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { decrypt } from 'http_ece'
import { createAppPassword, deleteAppPassword } from '../../../hosting/addresses/app-passwords.ts'
import { changeAddressPassword } from '../../../hosting/addresses/operations.ts'
import type { Tables } from '../../../tables.ts'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'
import { type PushWorker, startPush } from './worker.ts'

let ground: JmapGround
let worker: PushWorker
before(async () => {
  ground = await startJmap({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
  worker = startPush(ground.parts)
})
after(async () => {
  await worker.stop()
  await ground.close()
})

let people = 0
const someone = (): Promise<GroundMailbox> => ground.mailbox(`person-${++people}@example.test`)

type Received = { headers: IncomingHttpHeaders; body: Buffer; json: Answer }

/** In place of a status: it does not answer. */
const SILENT = 0

/** A push service: gives what it receives, and answers with the next of these. */
const openService = async (statuses: number[] = []) => {
  const received: Received[] = []
  let arrived = (): void => undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    received.push({
      headers: request.headers,
      body,
      json: request.headers['content-encoding'] ? null : JSON.parse(String(body)),
    })
    const status = statuses.shift() ?? 201
    if (status !== SILENT) response.writeHead(status).end()
    arrived()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/push`,
    received,
    async next(): Promise<Received> {
      while (received.length === 0) {
        const limit = AbortSignal.timeout(30_000)
        await new Promise<void>((resolve, reject) => {
          arrived = resolve
          limit.onabort = () => reject(new Error('no push arrived'))
        })
      }
      const first = received.shift()
      assert.ok(first)
      return first
    },
    close: () => server.close(),
  }
}

const create = async ({ client }: GroundMailbox, object: Record<string, unknown>): Promise<Answer> => {
  const answer = await client.one('PushSubscription/set', { create: { a: { deviceClientId: 'device', ...object } } })
  assert.equal(answer.notCreated, null)
  return answer.created.a
}

const verify = async (ann: GroundMailbox, id: string, code: unknown): Promise<void> => {
  const answer = await ann.client.one('PushSubscription/set', { update: { [id]: { verificationCode: code } } })
  assert.deepEqual(answer.updated, { [id]: null })
}

describe('PushSubscription/set', () => {
  test('keeps what it is given, but never returns the URL', async () => {
    const ann = await someone()
    const service = await openService()
    const made = await create(ann, { url: service.url, types: ['Email'] })
    assert.match(made.expires, /^\d{4}-.*Z$/)
    const { list } = await ann.client.one('PushSubscription/get', { ids: null })
    assert.deepEqual(list, [
      { id: made.id, deviceClientId: 'device', verificationCode: null, expires: made.expires, types: ['Email'] },
    ])
    assert.equal(await ann.client.error('PushSubscription/get', { ids: null, properties: ['url'] }), 'forbidden')
    const gone = await ann.client.one('PushSubscription/set', { destroy: [made.id, 'none'] })
    assert.deepEqual([gone.destroyed, gone.notDestroyed.none.type], [[made.id], 'notFound'])
    assert.deepEqual((await ann.client.one('PushSubscription/get', { ids: [made.id] })).notFound, [made.id])
    service.close()
  })

  const refused: [name: string, object: Record<string, unknown>, property: string][] = [
    ['no address', {}, 'url'],
    ['plain http to the public', { url: 'http://1.1.1.1/push' }, 'url'],
    ['another scheme', { url: 'ftp://127.0.0.1/' }, 'url'],
    ['a user name', { url: 'https://user@127.0.0.1/' }, 'url'],
    ['a code', { url: 'https://127.0.0.1/', verificationCode: 'x' }, 'verificationCode'],
    ['keys that are none', { url: 'https://127.0.0.1/', keys: { p256dh: 'AAAA', auth: 'AAAA' } }, 'keys'],
    ['the past', { url: 'https://127.0.0.1/', expires: '2020-01-01T00:00:00Z' }, 'expires'],
    ['types that are no list', { url: 'https://127.0.0.1/', types: 'Email' }, 'types'],
    ['no device', { url: 'https://127.0.0.1/', deviceClientId: '' }, 'deviceClientId'],
  ]
  for (const [name, object, property] of refused)
    test(`refuses ${name}`, async () => {
      const { client } = ground.ann
      const answer = await client.one('PushSubscription/set', { create: { a: { deviceClientId: 'd', ...object } } })
      assert.deepEqual([answer.notCreated.a.type, answer.notCreated.a.properties], ['invalidProperties', [property]])
      assert.deepEqual((await client.one('PushSubscription/get', { ids: null })).list, [])
    })

  test('shortens a lifetime that is too long, and returns it', async () => {
    const ann = await someone()
    const made = await create(ann, { url: 'https://127.0.0.1:1/', expires: '2099-01-01T00:00:00Z' })
    assert.ok(new Date(made.expires).getTime() < Date.now() + 31 * 86_400_000)
    const answer = await ann.client.one('PushSubscription/set', {
      update: { [made.id]: { expires: '2099-01-01T00:00:00Z' } },
    })
    assert.ok(answer.updated[made.id].expires < '2099')
    const wrong = await ann.client.one('PushSubscription/set', { update: { [made.id]: { url: 'https://x.test/' } } })
    assert.deepEqual(wrong.notUpdated[made.id].properties, ['url'])
  })

  test('those of other credentials are not there', async () => {
    const ann = await someone()
    await create(ann, { url: 'https://127.0.0.1:1/' })
    const { token } = await ground.parts.database.tx((tx) =>
      createAppPassword(tx, { ...ann.address, addressId: ann.accountId, name: 'phone', now: new Date() }),
    )
    const phone = ground.client({ authorization: `Bearer ${token.reveal()}` })
    assert.deepEqual((await phone.one('PushSubscription/get', { ids: null })).list, [])
    const bob = await someone()
    assert.deepEqual((await bob.client.one('PushSubscription/get', { ids: null })).list, [])
  })
})

describe('pushes', () => {
  test('begin when the code that was sent comes back, and no earlier', async () => {
    const ann = await someone()
    const service = await openService()
    const { id } = await create(ann, { url: service.url })
    const { json, headers } = await service.next()
    assert.deepEqual([json['@type'], json.pushSubscriptionId], ['PushVerification', id])
    assert.equal(headers.ttl, '86400')
    await ground.add(ann)
    const wrong = await ann.client.one('PushSubscription/set', { update: { [id]: { verificationCode: 'guess' } } })
    assert.equal(wrong.notUpdated[id].type, 'invalidProperties')
    await passTime(500, 'a push would be there by now')
    assert.equal(service.received.length, 0)
    await verify(ann, id, json.verificationCode)
    const { modseq } = await ground.add(ann)
    const push = await service.next()
    assert.equal(push.json['@type'], 'StateChange')
    assert.equal(push.json.changed[ann.accountId].Email, String(modseq))
    assert.equal(
      (await ann.client.one('PushSubscription/get', { ids: [id] })).list[0].verificationCode,
      json.verificationCode,
    )
    service.close()
  })

  test('are encrypted for the keys of the client', async () => {
    const ann = await someone()
    const service = await openService()
    const receiver = createECDH('prime256v1')
    const auth = randomBytes(16).toString('base64url')
    const keys = { p256dh: receiver.generateKeys('base64url'), auth }
    const { id } = await create(ann, { url: service.url, keys, types: ['Mailbox'] })
    const open = ({ body, headers }: Received): Answer => {
      assert.equal(headers['content-encoding'], 'aes128gcm')
      return JSON.parse(String(decrypt(body, { version: 'aes128gcm', privateKey: receiver, authSecret: auth })))
    }
    await verify(ann, id, open(await service.next()).verificationCode)
    const { modseq } = await ground.add(ann)
    assert.deepEqual(open(await service.next()).changed, { [ann.accountId]: { Mailbox: String(modseq) } })
    service.close()
  })

  test('report mailboxes that are shared', async () => {
    const [ann, bob] = [await someone(), await someone()]
    await ground.share(bob, ann, 'read')
    const service = await openService()
    const { id } = await create(ann, { url: service.url, types: ['Email'] })
    await verify(ann, id, (await service.next()).json.verificationCode)
    await ground.add(bob)
    assert.deepEqual(Object.keys((await service.next()).json.changed), [bob.accountId])
    service.close()
  })

  test('are sent once, however many processes there are', async () => {
    const database = openDatabase<Tables>({ url: ground.databaseUrl, poolSize: 3, log: ground.parts.log })
    const bus = openBus(database, { log: ground.parts.log })
    await bus.ready()
    const second = startPush({ ...ground.parts, database, bus })
    const ann = await someone()
    const service = await openService()
    const { id } = await create(ann, { url: service.url, types: ['EmailDelivery'] })
    await verify(ann, id, (await service.next()).json.verificationCode)
    const states: number[] = []
    for (let index = 0; index < 8; index += 1) {
      const { modseq } = await ground.add(ann)
      for (let last = 0; last < modseq; states.push(last))
        last = Number((await service.next()).json.changed[ann.accountId].EmailDelivery)
    }
    await passTime(600, 'a second push of the same would be there by now')
    assert.equal(service.received.length, 0)
    assert.deepEqual(
      states,
      [...new Set(states)].sort((a, b) => a - b),
    )
    await second.stop()
    await bus.close()
    await database.close()
    service.close()
  })

  /** A subscription to deliveries that has begun. */
  const subscribe = async (ann: GroundMailbox, statuses: number[] = []) => {
    const service = await openService(statuses)
    const { id } = await create(ann, { url: service.url, types: ['EmailDelivery'] })
    await verify(ann, id, (await service.next()).json.verificationCode)
    const nextState = async (accountId = ann.accountId) => (await service.next()).json.changed[accountId].EmailDelivery
    return { id, service, nextState }
  }
  /** Stores a message without a word to anybody, as another process does whose notification is lost. */
  const addUnannounced = async (to: GroundMailbox): Promise<string> => {
    const database = openDatabase<Tables>({ url: ground.databaseUrl, poolSize: 1, log: ground.parts.log })
    const { modseq } = await ground.add(to, {}, database)
    await database.close()
    return String(modseq)
  }
  const alone = async (work: () => Promise<void>): Promise<void> => {
    await worker.stop()
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      await work()
    } finally {
      mock.timers.reset()
      worker = startPush(ground.parts)
    }
  }

  test('report at the start what changed while no process was there to send them', () =>
    alone(async () => {
      const ann = await someone()
      const bob = await someone()
      await ground.share(bob, ann, 'read')
      const before = startPush(ground.parts)
      const { service, nextState } = await subscribe(ann)
      await ground.add(ann)
      await nextState()
      await before.stop()
      const { modseq } = await ground.add(ann)
      const next = startPush(ground.parts)
      assert.equal(await nextState(), String(modseq))
      await next.stop()
      const unannounced = await addUnannounced(bob)
      const last = startPush(ground.parts)
      assert.equal(await nextState(bob.accountId), unannounced)
      await last.stop()
      service.close()
    }))

  test('that nobody answers are given back by a process that stops, and sent by the next one', () =>
    alone(async () => {
      const ann = await someone()
      const stopping = startPush(ground.parts)
      const { id, service, nextState } = await subscribe(ann, [201, SILENT])
      const { modseq } = await ground.add(ann)
      assert.equal(await nextState(), String(modseq))
      await stopping.stop(0)
      const { rows } = await ground.parts.database.pool.query(
        'select attempts, leased_until from push_subscription where id = $1',
        [id],
      )
      assert.deepEqual(rows, [{ attempts: 0, leased_until: null }])
      const next = startPush(ground.parts)
      assert.equal(await nextState(), String(modseq))
      await next.stop()
      service.close()
    }))

  test('report after lost notifications what changed meanwhile', () =>
    alone(async () => {
      const database = openDatabase<Tables>({ url: ground.databaseUrl, poolSize: 3, log: ground.parts.log })
      const bus = openBus(database, { log: ground.parts.log, applicationName: 'push-test-events' })
      await bus.ready()
      const cutOff = startPush({ ...ground.parts, database, bus })
      const { service } = await subscribe(await someone())
      const ann = await someone()
      const another = await subscribe(ann)
      const unannounced = await addUnannounced(ann)
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'push-test-events'`,
      )
      assert.equal(await another.nextState(), unannounced)
      assert.equal(service.received.length, 0)
      await cutOff.stop()
      await bus.close()
      await database.close()
      service.close()
      another.service.close()
    }))

  test('report what nobody was notified of with the next sweep, once, however many devices there are', async () => {
    const ann = await someone()
    const devices = [await subscribe(ann), await subscribe(ann), await subscribe(ann)]
    const unannounced = await addUnannounced(ann)
    for (const device of devices) assert.equal(await device.nextState(), unannounced)
    const { modseq } = await ground.add(ann)
    for (const device of devices) assert.equal(await device.nextState(), String(modseq))
    for (const { service } of devices) service.close()
  })

  test('report what came while the database did not answer', () =>
    alone(async () => {
      mock.timers.reset()
      const lines: string[] = []
      const log = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } })
      const database = openDatabase<Tables>({ url: ground.databaseUrl, poolSize: 2, log, statementTimeoutMs: 100 })
      const bus = openBus(database, { log })
      await bus.ready()
      const hampered = startPush({ ...ground.parts, database, bus, log })
      const ann = await someone()
      const { service, nextState } = await subscribe(ann)
      const holder = await ground.parts.database.pool.connect()
      await holder.query('begin; lock table push_subscription in access exclusive mode')
      const { modseq } = await ground.add(ann)
      await until(() => lines.length > 0, 'it says that it could not push')
      await holder.query('commit')
      holder.release()
      assert.equal(await nextState(), String(modseq))
      await hampered.stop()
      await bus.close()
      await database.close()
      service.close()
    }))

  test('cost nothing for devices that know everything', async () => {
    const ann = await someone()
    const bob = await someone()
    await ground.share(bob, ann, 'read')
    const off = await someone()
    await ground.share(off, ann, 'read')
    const { service, nextState } = await subscribe(ann)
    const { modseq } = await ground.add(ann)
    assert.equal(await nextState(), String(modseq))
    // Nobody may read it any more, so nobody is notified either.
    await ground.add(off)
    await ground.parts.database.pool.query('update address set enabled = false where id = $1', [off.accountId])
    const leased = async () => {
      const { rows } = await ground.parts.database.pool.query(
        'select sum(xmin::text::bigint)::text as version from push_subscription where address_id = $1',
        [ann.accountId],
      )
      return rows[0].version
    }
    await until(async () => {
      const before = await leased()
      await passTime(500, 'whoever still tries takes it again within this time')
      return (await leased()) === before
    }, 'nobody tries any more')
    const before = await leased()
    await passTime(6_000, 'longer than the poll: whoever looked would have taken it')
    assert.equal(await leased(), before)
    assert.equal(service.received.length, 0)
    service.close()
  })

  test('that fail are tried again, and given up where nobody is any more', async () => {
    const ann = await someone()
    const service = await openService([201, 500, 201, 410])
    const { id } = await create(ann, { url: service.url, types: ['Email'] })
    await verify(ann, id, (await service.next()).json.verificationCode)
    await ground.add(ann)
    await service.next()
    const settled = () =>
      until(async () => {
        const { rows } = await ground.parts.database.pool.query(
          'select attempts from push_subscription where id = $1 and lease is null',
          [id],
        )
        return rows[0]
      }, 'the last push is written down')
    assert.equal((await settled()).attempts, 1)
    const hurry = () =>
      ground.parts.database.pool.query(
        'update push_subscription set due_at = now() where id = $1 and due_at is not null',
        [id],
      )
    await hurry()
    const { modseq } = await ground.add(ann)
    const again = await service.next()
    assert.equal(again.json.changed[ann.accountId].Email, String(modseq))
    assert.equal((await settled()).attempts, 0)
    await ground.add(ann)
    await service.next()
    const listed = async () => (await ann.client.one('PushSubscription/get', { ids: [id] })).list
    await until(async () => (await listed()).length === 0, 'it is gone')
    service.close()
  })

  test('end with the password or the app password that they were asked for with', async () => {
    const ann = await someone()
    const service = await openService()
    const appPassword = await ground.parts.database.tx((tx) =>
      createAppPassword(tx, { ...ann.address, addressId: ann.accountId, name: 'phone', now: new Date() }),
    )
    const phone = ground.client({ authorization: `Bearer ${appPassword.token.reveal()}` })
    const subscribe = async (who: GroundMailbox) => {
      const { id } = await create(who, { url: service.url, types: ['Email'] })
      await verify(who, id, (await service.next()).json.verificationCode)
    }
    const count = async () =>
      (
        await ground.parts.database.pool.query(
          'select count(*)::int as n from push_subscription where address_id = $1',
          [ann.accountId],
        )
      ).rows[0].n
    await subscribe({ ...ann, client: phone })
    await subscribe(ann)
    assert.equal(await count(), 2)
    await ground.parts.database.tx((tx) =>
      deleteAppPassword(tx, { ...ann.address, addressId: ann.accountId, id: appPassword.appPassword.id }),
    )
    assert.equal(await count(), 1)
    await ground.parts.database.tx((tx) =>
      changeAddressPassword(tx, { ...ann.address, addressId: ann.accountId, passwordHash: 'another', now: new Date() }),
    )
    await ground.add(ann)
    await until(async () => (await count()) === 0, 'it is gone')
    assert.equal(service.received.length, 0)
    service.close()
  })
})
