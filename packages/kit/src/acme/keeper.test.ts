import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { unreadableAfter } from '@stoa/tests/lib/fail-on.ts'
import { type FakeAcme, startFakeAcme } from '@stoa/tests/lib/fake-acme.ts'
import { loseNotifications } from '@stoa/tests/lib/lose-notifications.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { openBus } from '../events/bus.ts'
import { createLogger } from '../log.ts'
import { openCertificate } from './certificate.ts'
import { readCertificateHealth } from './health.ts'
import { connectTo, createAcmeGround, secret, servedSerial } from './testing/ground.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let ground: Awaited<ReturnType<typeof createAcmeGround>>
let authority: FakeAcme
before(async () => {
  ground = await createAcmeGround()
  authority = await startFakeAcme({
    challengePort: () => ground.challenges.port,
    validity: () => {
      const now = ground.clock.now().getTime()
      return { from: new Date(now), to: new Date(now + 90 * DAY_MS) }
    },
  })
})
after(async () => {
  await ground.close()
  await authority.close()
})
beforeEach(async () => {
  await ground.reset()
  ground.clock.set(new Date())
  authority.orders.length = 0
  authority.requests.length = 0
  authority.problems.length = 0
})

const start = (own: readonly string[], options: Parameters<typeof ground.startProcess>[1] | object = {}) =>
  ground.startProcess(authority, { own, ...options })
const wasAsked = (): boolean => authority.requests.length > 0

describe('certificates', () => {
  test('are ordered for each name by itself, sealed, and in use in every process by the name a client asks for', async () => {
    const [first, second] = [await start(['one.test', 'two.test']), await start(['one.test', 'two.test'])]
    await first.keeper.runDue()
    assert.deepEqual([authority.orders, authority.problems], [['one.test', 'two.test'], []])
    for (const { port } of [first, second])
      for (const servername of ['one.test', 'two.test']) {
        // Until the other process has been notified.
        const socket = await until(() => connectTo(port, { servername, ca: authority.root }).catch(() => null))
        assert.equal(socket.getPeerX509Certificate()?.checkHost(servername), servername)
        socket.destroy()
      }
    // A client that asks for no name, or for one that is not ours, gets the first.
    for (const servername of ['', 'elsewhere.test']) {
      const socket = await connectTo(first.port, { servername, rejectUnauthorized: false })
      assert.equal(socket.getPeerX509Certificate()?.checkHost('one.test'), 'one.test')
      socket.destroy()
    }
    const stored = JSON.stringify([await ground.rows(), await ground.account()])
    assert.equal(/PRIVATE KEY/.test(stored) || ground.logs.join('').includes('PRIVATE KEY'), false)
    assert.deepEqual((await ground.database.pool.query('select * from acme_challenge')).rows, [])
  })

  test('are those that are stored once notifications that were lost are back', async () => {
    const { keeper, certificate } = await start(['one.test'])
    await keeper.runDue()
    const named = () => certificate.named?.('one.test')
    const { cert } = await until(named, 'the certificate')
    await until(() => certificate.current().cert === cert)
    await ground.database.pool.query('delete from certificate')
    assert.deepEqual([(await named())?.cert, certificate.current().cert], [cert, cert])
    await loseNotifications(ground.database)
    await until(async () => (await named()) === null && certificate.current().cert !== cert, 'the loss')
  })

  test('give way to one that the operator gave, for the names that it is for', async () => {
    const { keeper } = await start(['one.test', 'two.test'])
    await keeper.runDue()
    const folder = await mkdtemp(join(tmpdir(), 'given-'))
    const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
    const given = selfSignedCertificate(['one.test'])
    await writeFile(files.certFile, given.cert)
    await writeFile(files.keyFile, given.key)
    const log = createLogger({ name: 'test', level: 'silent' })
    const bus = openBus(ground.database, { log })
    const ordered = { database: ground.database, bus, secret, names: ['one.test', 'two.test'] }
    const place = { hostname: 'one.test', dataDir: folder, environment: 'production' as const }
    const certificate = await openCertificate({ files, ordered, log, ...place })
    assert.deepEqual([certificate.current(), await certificate.named?.('one.test')], [given, null])
    assert.match((await certificate.named?.('two.test'))?.cert ?? '', /BEGIN CERTIFICATE/)
    certificate.close()
    await bus.close()
    await rm(folder, { recursive: true })
  })

  test('are read again until that succeeds, once another process has replaced one', async (t) => {
    const { keeper, certificate } = await start(['again.test'])
    const standIn = certificate.current().cert
    await keeper.runDue()
    await until(() => certificate.current().cert !== standIn)
    const bus = openBus(ground.database, { log: createLogger({ name: 'test', level: 'silent' }) })
    const undo = await unreadableAfter(ground.database, 'certificate', async (tx) => {
      await tx.query({ text: 'delete from certificate' })
      tx.changes.push({ topic: 'certificates', event: 'replaced', data: { name: 'again.test' } })
    })
    t.after(undo)
    await until(() => ground.logs.some((line) => line.includes('\\"certificate\\" does not exist')))
    await undo()
    await until(() => certificate.current().cert === standIn)
    await bus.close()
  })

  test('are renewed when a third of their life is left, while open connections go on', async () => {
    const { keeper, port } = await start(['renew.test'])
    await keeper.runDue()
    const options = { servername: 'renew.test', ca: authority.root }
    const old = await until(() => connectTo(port, options).catch(() => null), 'the first one is served')
    const serial = old.getPeerX509Certificate()?.serialNumber
    ground.clock.advance(59 * DAY_MS)
    await keeper.runDue()
    assert.equal(authority.orders.length, 1)
    ground.clock.advance(2 * DAY_MS)
    await keeper.runDue()
    assert.equal(authority.orders.length, 2)
    await until(async () => (await servedSerial(port, { ...options, rejectUnauthorized: false })) !== serial)
    old.write('still here')
    const [chunk] = await once(old, 'data')
    assert.equal(String(chunk), 'still here')
    old.destroy()
  })

  test('are ordered by one process only, and by another once the first is gone', async () => {
    const processes = [await start(['shared.test']), await start(['shared.test']), await start(['shared.test'])]
    await Promise.all(processes.map(({ keeper }) => keeper.runDue()))
    assert.deepEqual(authority.orders, ['shared.test'])
    // One that died in the middle of an order keeps its right for five minutes.
    await ground.database.pool.query(
      `update acme_account set lease_id = gen_random_uuid(), leased_until = $1::timestamptz + interval '5 minutes'`,
      [ground.clock.now()],
    )
    await ground.database.pool.query(`update certificate set next_attempt_at = $1`, [ground.clock.now()])
    await processes[1]?.keeper.runDue()
    assert.equal(authority.orders.length, 1)
    ground.clock.advance(5 * MINUTE_MS)
    await processes[1]?.keeper.runDue()
    assert.equal(authority.orders.length, 2)
  })

  test('are not ordered for a name that points elsewhere, and forgotten for one that is nobody’s any more', async () => {
    const others = ['away.test', 'gone.test', 'here.test']
    const { keeper } = await start([], {
      names: {
        own: [],
        missing: async () => others,
        isWanted: async (name: string) => name !== 'gone.test',
        refusal: async (name: string) => (name === 'away.test' ? 'The name points to another server in DNS.' : null),
      },
    })
    await keeper.runDue()
    assert.deepEqual(authority.orders, ['here.test'])
    const rows = await ground.rows()
    assert.deepEqual(
      rows.map(({ name, last_error }) => [name, last_error]),
      [
        ['away.test', 'The name points to another server in DNS.'],
        ['here.test', null],
      ],
    )
    assert.equal(rows[0].attempted_at, null)
    assert.equal(
      ground.logs.some((line) => line.includes('away.test')),
      false,
    )
  })
})

describe('what goes wrong', () => {
  test('a name that fails waits longer each time, and keeps no other from its certificate', async () => {
    const { keeper } = await start(['bad.test', 'good.test'])
    const refused = { status: 403, type: 'unauthorized', detail: 'no such thing' }
    for (const minutes of [1, 10, 20]) {
      authority.trouble('challenge', refused)
      await keeper.runDue()
      const [row] = await ground.rows()
      assert.equal(row.last_error, 'no such thing')
      assert.equal(row.next_attempt_at - ground.clock.now().getTime(), minutes * MINUTE_MS)
      ground.clock.advance(minutes * MINUTE_MS)
    }
    assert.deepEqual(authority.orders, ['bad.test', 'good.test', 'bad.test', 'bad.test'])
    authority.trouble('challenge')
    await keeper.runDue()
    const [row] = await ground.rows()
    assert.deepEqual([row.failures, row.last_error, row.chain === null], [0, null, false])
  })

  test('a challenge that is answered wrongly is the name’s own failure, with the authority’s words', async () => {
    const { keeper } = await start(['other.test'])
    await ground.database.pool.query(`
      create function spoil() returns trigger language plpgsql as $$ begin new.answer = 'wrong'; return new; end $$;
      create trigger spoil before insert on acme_challenge for each row execute function spoil()`)
    await keeper.runDue()
    await ground.database.pool.query('drop trigger spoil on acme_challenge; drop function spoil')
    const [row] = await ground.rows()
    assert.equal(row.last_error, 'the answer for other.test is wrong')
  })

  test('an authority that is asked too often is left alone until it wants, for all names', async () => {
    const { keeper } = await start(['one.test', 'two.test'])
    const busy = { status: 429, type: 'rateLimited', headers: { 'retry-after': '7200' } }
    authority.trouble('order', busy)
    await keeper.runDue()
    assert.deepEqual(authority.orders, [])
    assert.equal((await ground.account()).wait_until - ground.clock.now().getTime(), 120 * MINUTE_MS)
    assert.deepEqual(
      (await ground.rows()).map(({ failures }) => failures),
      [0, 0],
    )
    authority.requests.length = 0
    ground.clock.advance(119 * MINUTE_MS)
    await keeper.runDue()
    assert.equal(wasAsked(), false)
    ground.clock.advance(MINUTE_MS)
    await keeper.runDue()
    assert.deepEqual(authority.orders, ['one.test', 'two.test'])
    assert.deepEqual([(await ground.account()).wait_until, (await ground.account()).failures], [null, 0])
  })

  for (const [what, resource, trouble] of [
    ['a cut connection', 'order', 'cut'],
    ['an answer that makes no sense', 'order', { body: '{"status":"pending"' }],
    ['a directory that is none', 'directory', { body: '<html>' }],
    ['a certificate that is none', 'certificate', { body: 'hello' }],
    ['a server error', 'finalize', { status: 500 }],
  ] as const)
    test(`${what} is no name’s fault: all wait a little, a little longer each time`, async () => {
      const { keeper } = await start(['one.test'])
      for (const minutes of [1, 2]) {
        authority.trouble(resource, trouble)
        await keeper.runDue()
        const account = await ground.account()
        assert.equal(account.wait_until - ground.clock.now().getTime(), minutes * MINUTE_MS)
        assert.deepEqual([account.lease_id, (await ground.rows())[0].failures], [null, 0])
        ground.clock.advance(minutes * MINUTE_MS)
      }
      authority.trouble(resource)
      await keeper.runDue()
      assert.equal((await ground.rows())[0].chain === null, false)
    })

  test('what fails at our side for one name waits longer each time, and keeps no other from its certificate', async () => {
    const names = {
      own: ['own.test'],
      missing: async () => ['broken.test', 'good.test'],
      isWanted: async () => true,
      refusal: async (name: string) => {
        if (name === 'broken.test') throw new Error('the resolver broke')
        return null
      },
    }
    const answerInDns = () => Promise.reject(new Error('the DNS provider is away'))
    const { keeper } = await start(['own.test'], { names, answerInDns })
    for (const minutes of [1, 10]) {
      await keeper.runDue()
      const [broken, good, own] = await ground.rows()
      for (const row of [broken, own])
        assert.equal(row.next_attempt_at - ground.clock.now().getTime(), minutes * MINUTE_MS)
      assert.deepEqual([broken.last_error, own.last_error], ['the resolver broke', 'the DNS provider is away'])
      assert.deepEqual([broken.attempted_at === null, own.attempted_at === null], [true, false])
      assert.notEqual(good.chain, null)
      ground.clock.advance(minutes * MINUTE_MS)
    }
    assert.equal((await ground.account()).wait_until, null)
  })

  test('one name for which the authority fails again and again makes nobody else wait any more', async () => {
    let wanted = ['good.test']
    const names = {
      own: ['bad.test'],
      missing: async () => wanted,
      isWanted: async () => true,
      // Asked before each order.
      refusal: async (name: string) => {
        authority.trouble('finalize', ...(name === 'bad.test' ? [{ status: 500 }] : []))
        return null
      },
    }
    const { keeper } = await start(['bad.test'], { names })
    const waitMs = async () => {
      const { wait_until } = await ground.account()
      return wait_until === null ? null : wait_until - ground.clock.now().getTime()
    }
    for (const minutes of [1, 2]) {
      await keeper.runDue()
      assert.equal(await waitMs(), minutes * MINUTE_MS)
      ground.clock.advance(minutes * MINUTE_MS)
    }
    for (const [failures, minutes] of [
      [1, 1],
      [2, 10],
      [3, 20],
      [4, 40],
      [5, 60],
      [6, 60],
    ] as const) {
      await keeper.runDue()
      const [bad, ...others] = await ground.rows()
      assert.deepEqual(
        [bad.failures, bad.next_attempt_at - ground.clock.now().getTime()],
        [failures, minutes * MINUTE_MS],
      )
      assert.ok(others.every(({ chain }) => chain !== null))
      assert.equal(await waitMs(), null)
      wanted = [...wanted, `good${failures}.test`]
      ground.clock.advance(minutes * MINUTE_MS)
    }
    // It cannot be asked at all: that is no name's fault, whatever there was before.
    authority.trouble('directory', 'cut', 'cut')
    await keeper.runDue()
    assert.deepEqual([(await ground.rows())[0].failures, await waitMs()], [6, MINUTE_MS])
  })

  test('a name for which the authority fails while it answers for others makes nobody wait', async () => {
    const own = ['a.test', 'b.test', 'c.test']
    const isAway = (name: string) => name === 'b.test'
    const refusal = async (name: string) => {
      authority.trouble('finalize', ...(isAway(name) ? [{ status: 500 }] : []))
      return null
    }
    const { keeper } = await start(own, {
      names: { own, missing: async () => [], isWanted: async () => true, refusal },
    })
    await keeper.runDue()
    assert.deepEqual(
      (await ground.rows()).map(({ failures, chain }) => [failures, chain !== null]),
      [
        [0, true],
        [1, false],
        [0, true],
      ],
    )
    assert.equal((await ground.account()).wait_until, null)
  })

  test('a process that stops while the authority hangs is gone at once, and leaves the order to others', async () => {
    const { keeper } = await start(['slow.test'])
    authority.trouble('order', 'hang')
    const running = keeper.runDue()
    await until(() => authority.requests.includes('order'))
    await keeper.stop()
    await running
    assert.equal((await ground.account()).lease_id, null)
    const { keeper: next } = await start(['slow.test'])
    await next.runDue()
    assert.deepEqual(authority.orders, ['slow.test'])
  })

  test('an account that the authority has forgotten is made again', async () => {
    const { keeper } = await start(['first.test'])
    await keeper.runDue()
    authority.forgetAccounts()
    ground.clock.advance(61 * DAY_MS)
    await keeper.runDue()
    assert.equal((await ground.account()).url, null)
    ground.clock.advance(MINUTE_MS)
    await keeper.runDue()
    assert.deepEqual(authority.orders, ['first.test', 'first.test'])
  })

  test('a certificate that could not be renewed for half of the time is reported', async () => {
    const { keeper } = await start(['late.test'])
    await keeper.runDue()
    ground.clock.advance(76 * DAY_MS)
    authority.trouble('challenge', { status: 403, type: 'unauthorized' })
    await keeper.runDue()
    const alerts = () => ground.logs.filter((line) => line.includes('expires soon') && line.includes('late.test'))
    assert.equal(alerts().length, 1)
    await keeper.runDue()
    assert.equal(alerts().length, 1)
    const { soonest, ending } = await readCertificateHealth(ground.database.db, ground.clock.now())
    assert.deepEqual([soonest?.name, ending.map(({ name }) => name)], ['late.test', ['late.test']])
    authority.trouble('challenge')
  })
})

describe('the port for challenges', () => {
  // With `fetch` a request cannot name another host.
  const ask = async (path: string, host: string) => {
    const request = get({ host: '127.0.0.1', port: ground.challenges.port, path, headers: { host } })
    const [response]: IncomingMessage[] = await once(request, 'response')
    response?.resume()
    return [response?.statusCode, response?.headers.location]
  }

  test('knows no other page: it leads to https, at the port of the public address', async () => {
    assert.deepEqual(await ask('/a/b?c=d', 'own.test'), [308, 'https://own.test:8443/a/b?c=d'])
    assert.deepEqual(await ask('/', 'other.test:8080'), [308, 'https://other.test/'])
  })

  test('answers a token that nobody waits for with 404, and leads nobody elsewhere', async () => {
    for (const [path, host] of [
      [`/.well-known/acme-challenge/${'x'.repeat(43)}`, 'own.test'],
      ['//elsewhere.test/', 'own.test'],
      ['/', 'own.test@elsewhere.test'],
    ] as const)
      assert.deepEqual(await ask(path, host), [404, undefined])
  })
})
