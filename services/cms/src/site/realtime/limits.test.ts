import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import fc from 'fast-check'
import { connect, refusedUpgrade, socketUrl, type TestSocket, ticketFor } from './testing/sockets.ts'

let service: CmsService
let owner: Person
before(async () => {
  service = await startCms()
  owner = await service.person('owner')
})
after(() => service.close())

const open = async (at: CmsService = service): Promise<TestSocket> =>
  connect(at, await ticketFor(at.client({ token: (await at.openSession(owner.id)).token })))
const codeOf = (frame: { event: string; data?: { code: string } }) => `${frame.event} ${frame.data?.code}`

describe('frames that cannot be understood', () => {
  const bad = [
    '',
    'no',
    '[]',
    'null',
    '1',
    '{}',
    '{"action":"shout"}',
    '{"action":"subscribe"}',
    '{"action":"subscribe","topic":1}',
    '{"action":"subscribe","topic":"site","more":1}',
    '{"action":"ping","topic":"site"}',
    '{"action":["ping"]}',
    '{"__proto__":{"action":"ping"}}',
    `${'['.repeat(2_000)}`,
    Buffer.from([0xff, 0xfe]),
  ]
  test('get an error', async () => {
    for (const frame of bad) {
      const socket = await open()
      assert.equal(codeOf(await socket.ask(frame)), 'error BAD_FRAME', String(frame))
      await socket.silent()
      await socket.close()
    }
  })

  test('close the socket with the fifth', async () => {
    const socket = await open()
    for (let count = 0; count < 4; count += 1) assert.equal(codeOf(await socket.ask('{')), 'error BAD_FRAME')
    await socket.silent()
    assert.equal(codeOf(await socket.ask('{')), 'error BAD_FRAME')
    assert.deepEqual(await socket.closed(), { code: 1002, reason: 'BAD_FRAME' })
  })

  test('C77: what the protocol forbids closes with its code', async () => {
    const utf8 = await open()
    utf8.socket.send(Buffer.from([0xc3, 0x28]), { binary: false })
    assert.equal((await utf8.closed()).code, 1007)
    const opcode = await open()
    // A text frame that is not masked: RFC 6455 §5.1.
    Reflect.get(opcode.socket, '_socket').write(Buffer.from([0x81, 0x01, 0x7b]))
    assert.equal((await opcode.closed()).code, 1002)
    assert.equal((await service.client().get('/healthz')).status, 200)
  })

  test('C78: of more than 4 KiB close the socket, one of 4 KiB does not', async () => {
    const socket = await open()
    const frame = (size: number) => `{"action":"subscribe","topic":"${'x'.repeat(size - 33)}"}`
    assert.equal(Buffer.byteLength(frame(4096)), 4096)
    assert.equal(codeOf(await socket.ask(frame(4096))), 'error UNKNOWN_TOPIC')
    socket.send(frame(4097))
    assert.equal((await socket.closed()).code, 1009)
  })
})

describe('too much', () => {
  test('the 21st frame of a second is rejected and reported once; the next second is a new one', async () => {
    const socket = await open()
    for (let count = 0; count < 30; count += 1) socket.send({ action: 'ping' })
    const answers: string[] = []
    for (let count = 0; count < 21; count += 1) answers.push((await socket.next()).event)
    assert.deepEqual(answers, [...Array(20).fill('pong'), 'error'])
    await passTime(1_050, 'what was dropped is not answered in the next second either')
    await socket.silent()
    await socket.close()
  })

  test('a flood of frames, and of pings of the protocol, closes with 4429', async () => {
    const frames = await open()
    for (let count = 0; count < 150; count += 1) frames.send({ action: 'ping' })
    assert.equal((await frames.closed()).code, 4429)
    const pings = await open()
    for (let count = 0; count < 150; count += 1) pings.socket.ping()
    assert.equal((await pings.closed()).code, 4429)
  })

  test('C78: a client that does not read is cut at 1 MiB, and the others receive everything', async () => {
    const [lazy, eager] = [await open(), await open()]
    for (const socket of [lazy, eager]) await socket.listen('site')
    lazy.socket.pause()
    const data = { id: 'settings', slug: 'x'.repeat(7_000) }
    for (let round = 1; service.cms.sockets() > 1; round += 1) {
      await service.cms.database.tx(async (tx) => {
        for (let count = 0; count < 100; count += 1)
          tx.changes.push({ topic: 'settings', event: 'settings.updated', data })
      })
      await until(() => eager.frames.length === round * 100, 'all events')
      assert.ok(round < 100, 'it was never cut')
    }
    lazy.socket.resume()
    assert.equal((await lazy.closed()).code, 1006)
    await eager.close()
  })

  test('one session has 50 sockets', async () => {
    const person = await service.person('viewer')
    const sockets = await Promise.all(
      Array.from({ length: 50 }, async () => connect(service, await ticketFor(person.client))),
    )
    const { status, body } = await refusedUpgrade(socketUrl(service, await ticketFor(person.client)))
    assert.deepEqual([status, body.code], [429, 'RATE_LIMITED'])
    await sockets[0]?.close()
    sockets.push(await connect(service, await ticketFor(person.client)))
    for (const { socket } of sockets) socket.terminate()
  })
})

describe('life and death', () => {
  test('the server pings; a client that answers stays, one that does not is closed with 4408', async () => {
    const quick = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock, realtime: { secondMs: 10 } })
    try {
      const [alive, dead] = [await open(quick), await open(quick)]
      let pings = 0
      alive.socket.on('ping', () => {
        pings += 1
      })
      Object.assign(dead.socket, { pong: () => undefined, _autoPong: false })
      assert.equal((await dead.closed()).code, 4408)
      assert.ok(pings >= 2)
      await alive.silent()
      await alive.close()
    } finally {
      await quick.close()
    }
  })

  test('a service that stops says goodbye with 1001, and lets nobody in meanwhile', async () => {
    const stopping = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
    const sockets = [await open(stopping), await open(stopping)]
    sockets[1]?.socket.pause()
    const started = performance.now()
    await stopping.close()
    assert.ok(performance.now() - started < 9_000)
    assert.equal((await sockets[0]?.closed())?.code, 1001)
    sockets[1]?.socket.terminate()
  })

  test('C77: sockets that come and go leave nothing behind', async () => {
    for (let round = 0; round < 10; round += 1) {
      const sockets = await Promise.all(Array.from({ length: 10 }, () => open()))
      for (const socket of sockets) socket.send({ action: 'subscribe', topic: 'site' })
      for (const { socket } of sockets) socket.terminate()
    }
    await until(() => service.cms.sockets() === 0, 'all sockets to be forgotten')
  })
})

test('C77: two thousand random frames cause no exit, no answer of 500, and no error in the log', async () => {
  const frame = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.string({ maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .record({
        action: fc.constantFrom('subscribe', 'unsubscribe', 'ping', 'x'),
        topic: fc.oneof(
          fc.constantFrom('site', 'content:article', 'entry:'),
          fc.string({ maxLength: 20 }),
          fc.jsonValue(),
        ),
      })
      .map((value) => JSON.stringify(value)),
  )
  const frames = fc.sample(frame, { numRuns: 2_000, seed: 77 })
  while (frames.length > 0) {
    const socket = await open()
    for (const next of frames.splice(0, 50)) if (socket.socket.readyState === socket.socket.OPEN) socket.send(next)
    const answers = await Promise.race([socket.closed(), passTime(60, 'a socket that is not closed for it stays open')])
    if (!answers) await socket.close()
  }
  assert.equal((await service.client().get('/healthz')).status, 200)
  assert.deepEqual(
    service.logs.filter((line) => JSON.parse(line).level >= 50),
    [],
  )
})
