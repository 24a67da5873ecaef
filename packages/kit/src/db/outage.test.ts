import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { startReplicatedServer } from '@stoa/tests/lib/standby.ts'
import { startTcpProxy, throughProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import pg from 'pg'
import { openBus } from '../events/bus.ts'
import { createLogger } from '../log.ts'
import { startPostgres } from '../postgres/server.ts'
import { type Database, openDatabase } from './database.ts'
import { untilConnected } from './until-connected.ts'

const log = createLogger({ name: 'test', level: 'silent' })
const APPLICATION = 'outage-test'
let fresh: TestDatabase

before(async () => {
  fresh = await freshDatabase()
  await withClient(fresh.url, (client) => client.query('create table mark (id int primary key)'))
})
after(() => fresh.drop())

const withClient = async <R>(url: string, use: (client: pg.Client) => Promise<R>): Promise<R> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const terminateAll = () =>
  withClient(fresh.url, (client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [APPLICATION]),
  )

const open = (url: string, poolSize = 3): Database<unknown> =>
  openDatabase({ url, poolSize, log, applicationName: APPLICATION })

/** Asks until the database answers; fails after a time that is far too long. */
const untilAnswered = async (database: Database<unknown>): Promise<number> => {
  const started = performance.now()
  for (;;) {
    try {
      await database.ping()
      return performance.now() - started
    } catch (error) {
      assert.equal(error instanceof Error && error.message, 'unavailable')
      if (performance.now() - started > 30_000) throw error
      await passTime(20, 'it is asked again soon')
    }
  }
}

describe('connections that the server ended', () => {
  test('while idle are replaced', async () => {
    const database = open(fresh.url)
    await Promise.all([database.ping(), database.ping()])
    await terminateAll()
    await untilAnswered(database)
    await database.close()
  })

  /** Runs the work, and ends all connections while its statement waits in the server. */
  const cutDuring = async (work: () => Promise<unknown>): Promise<unknown> => {
    const running = work()
    running.catch(() => undefined)
    await untilSleeping()
    // Those that wait in the pool too: the second try must not meet one of them.
    await terminateAll()
    return running
  }
  const untilSleeping = () =>
    withClient(fresh.url, async (client) => {
      const text = `select from pg_stat_activity where application_name = $1 and wait_event = 'PgSleep'`
      await until(async () => (await client.query(text, [APPLICATION])).rowCount, 'a statement sleeps')
    })

  test('while a read ran are replaced, and it is read once more', async () => {
    const database = open(fresh.url)
    await Promise.all([database.ping(), database.ping(), database.ping()])
    const watch = database.watchStatements()
    const text = 'select 7 as found, pg_sleep(0.5)'
    const found = await cutDuring(() => database.db.query({ text }))
    watch.stop()
    assert.deepEqual(found, [{ found: 7, pg_sleep: '' }])
    assert.deepEqual(watch.texts, [text, text])
    await database.close()
  })

  test('while a read ran twice end it with unavailable', async () => {
    const database = open(fresh.url)
    const reading = assert.rejects(
      cutDuring(() => database.db.query({ text: 'select pg_sleep(4)' })),
      { kind: 'unavailable' },
    )
    await untilSleeping()
    await passTime(300, 'the statement is alone after its client has gone')
    await untilSleeping()
    await terminateAll()
    await reading
    await untilAnswered(database)
    await database.close()
  })

  test('while a write or a transaction ran end it with unavailable, and it is not repeated', async () => {
    const database = open(fresh.url)
    const write = { text: 'insert into mark select 9 from pg_sleep(0.5)' }
    for (const work of [
      () => database.db.query(write),
      () => database.db.query({ text: 'with added as (insert into mark select 9 from pg_sleep(0.5)) select 1' }),
      () => database.tx((tx) => tx.query({ text: 'select pg_sleep(0.5)' })),
      () => database.tx((tx) => tx.query(write)),
    ]) {
      const watch = database.watchStatements()
      await assert.rejects(cutDuring(work), { kind: 'unavailable' })
      watch.stop()
      assert.equal(watch.texts.filter((text) => text.includes('pg_sleep')).length, 1)
    }
    await untilAnswered(database)
    assert.deepEqual(await database.db.query({ text: 'select * from mark' }), [])
    await database.close()
  })

  test('between two statements of a transaction end it with unavailable, and nothing is written', async () => {
    const database = open(fresh.url)
    const writing = database.tx(async (tx) => {
      await tx.query({ text: 'insert into mark values (1)' })
      await terminateAll()
      await passTime(50, 'the transaction notices its end')
      await tx.query({ text: 'insert into mark values (2)' })
    })
    await assert.rejects(writing, { kind: 'unavailable' })
    await untilAnswered(database)
    assert.deepEqual(await database.db.query({ text: 'select * from mark' }), [])
    assert.equal(database.pool.totalCount, database.pool.idleCount)
    await database.close()
  })

  test('again and again under load: what was acknowledged is there, and the pool recovers', async () => {
    const database = open(fresh.url, 4)
    const acknowledged: number[] = []
    const kinds = new Set<string>()
    let next = 1000
    let stopped = false
    const writer = async () => {
      while (!stopped) {
        const id = next++
        try {
          await database.tx((tx) => tx.query({ text: 'insert into mark values ($1)', values: [id] }))
          acknowledged.push(id)
        } catch (error) {
          kinds.add(error instanceof Error ? error.message : String(error))
        }
      }
    }
    const writers = Array.from({ length: 6 }, writer)
    for (let round = 0; round < 10; round += 1) {
      await passTime(60, 'writes happen between two cuts')
      await terminateAll()
    }
    stopped = true
    await Promise.all(writers)
    const rows = await database.db.query<{ id: number }>({ text: 'select id from mark where id >= 1000' })
    const stored = new Set(rows.map((row) => row.id))
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    )
    assert.ok(acknowledged.length > 0)
    assert.deepEqual([...kinds], kinds.size > 0 ? ['unavailable'] : [])
    assert.equal(database.pool.totalCount, database.pool.idleCount)
    assert.ok(database.pool.totalCount <= 4)
    await database.close()
  })
})

describe('a server that stops at once and comes back', () => {
  test('is used again without a restart, and acknowledged writes survive', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stoa-outage-'))
    const server = await startPostgres({ folder })
    const url = server.url('postgres')
    await withClient(url, (client) => client.query('create table mark (id int primary key)'))
    const database = open(url)
    const acknowledged: number[] = []
    let stopped = false
    const writing = (async () => {
      for (let id = 0; !stopped; id += 1)
        await database
          .tx((tx) => tx.query({ text: 'insert into mark values ($1)', values: [id] }))
          .then(
            () => acknowledged.push(id),
            (error: Error) => assert.equal(error.message, 'unavailable'),
          )
    })()
    await passTime(200, 'writes are under way')
    // What `pg_ctl stop -m immediate` does.
    process.kill(Number(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
    await passTime(100, 'the server is down when it is asked')
    const recovery = await untilAnswered(database)
    stopped = true
    await writing
    const rows = await database.db.query<{ id: number }>({ text: 'select id from mark' })
    const stored = new Set(rows.map((row) => row.id))
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    )
    assert.ok(acknowledged.length > 0)
    console.log(`recovered ${Math.round(recovery)} ms after the stop, ${acknowledged.length} writes acknowledged`)
    await database.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  test('while nothing listens, requests end with unavailable', async () => {
    const database = open('postgres://nobody@127.0.0.1:1/nothing')
    await assert.rejects(database.ping(), { kind: 'unavailable' })
    await assert.rejects(
      database.tx((tx) => tx.query({ text: 'select 1' })),
      { kind: 'unavailable' },
    )
    await database.close()
  })
})

describe('a network that swallows everything', () => {
  test('ends each request with unavailable in under 10 s, and leaks no connection', async () => {
    const target = new URL(fresh.url)
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
    const database = open(throughProxy(fresh.url, proxy), 4)
    await Promise.all([database.ping(), database.ping()])
    proxy.freeze()
    const started = performance.now()
    const timed = async (request: Promise<unknown>) => {
      await assert.rejects(request, { kind: 'unavailable' })
      return performance.now() - started
    }
    const [ping, ...requests] = await Promise.all([
      timed(database.ping()),
      timed(database.db.query({ text: 'select 1' })),
      timed(database.tx((tx) => tx.query({ text: 'select 1' }))),
      // More than the pool holds: the rest waits for a connection.
      ...Array.from({ length: 8 }, () => timed(database.tx((tx) => tx.query({ text: 'select 1' })))),
    ])
    console.log(
      `black hole: ping ended after ${Math.round(ping ?? 0)} ms, the last request after ${Math.round(Math.max(...requests))} ms`,
    )
    assert.ok(ping !== undefined && ping < 5_000, `ping took ${ping} ms`)
    assert.ok(Math.max(...requests) < 10_000)
    proxy.thaw()
    await untilAnswered(database)
    const answers = Array.from({ length: 100 }, () => database.db.query({ text: 'select 1 as one' }))
    assert.equal((await Promise.all(answers)).length, 100)
    assert.equal(database.pool.totalCount, database.pool.idleCount)
    assert.ok(database.pool.totalCount <= 4)
    assert.equal(database.pool.waitingCount, 0)
    await database.close()
    await proxy.close()
  })
})

describe('the first contact of a process that starts', () => {
  test('waits for a server that takes longer than a request may wait', async () => {
    const target = new URL(fresh.url)
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
    const database = openDatabase({ url: throughProxy(fresh.url, proxy), poolSize: 2, log, connectTimeoutMs: 300 })
    proxy.freeze()
    const contact = untilConnected(database)
    await assert.rejects(database.ping(), { kind: 'unavailable' })
    proxy.thaw()
    await contact
    assert.ok(database.pool.totalCount > 0)
    await database.close()
    await proxy.close()
  })

  test('ends with unavailable when the server does not come', async () => {
    const database = open('postgres://nobody@127.0.0.1:1/nothing')
    await assert.rejects(untilConnected(database, 0), { kind: 'unavailable' })
    await database.close()
  })
})

describe('a server whose standby takes over', () => {
  test('loses nothing that was acknowledged, and is followed without a restart; a standby is never asked', async () => {
    const primary = await startReplicatedServer()
    await withClient(primary.url('postgres'), (client) => client.query('create table mark (id int primary key)'))
    const standby = await primary.addStandby()
    await primary.waitForStandby(true)
    const addresses = [primary, standby].map(({ port }) => ({ host: '127.0.0.1', port }))
    let isPromoted = false
    // Every other connection is led to the wrong one, before and after.
    let turn = 0
    const proxy = await startTcpProxy(() => {
      turn += 1
      return addresses[(turn + Number(isPromoted)) % 2] ?? { host: '127.0.0.1', port: 1 }
    })
    const database = open(throughProxy(primary.url('postgres'), proxy))
    const bus = openBus(database, { log, history: { limit: 10, isKept: () => true } })
    await bus.ready()
    const acknowledged: number[] = []
    const failures = new Set<string>()
    let stopped = false
    const writing = (async () => {
      for (let id = 0; !stopped; id += 1)
        await database
          .tx(async (tx) => {
            await tx.query({ text: 'insert into mark values ($1)', values: [id] })
            tx.changes.push({ topic: 'mark', event: 'added', data: { id } })
          })
          .then(
            () => acknowledged.push(id),
            (error: Error) => failures.add(error.message),
          )
    })()
    await until(() => acknowledged.length > 50, 'writes are under way')
    const position = bus.position()
    assert.notEqual(position, undefined)
    await primary.crash()
    await standby.promote()
    isPromoted = true
    const before = acknowledged.length
    await until(() => acknowledged.length > before + 50, 'writes are taken again')
    await until(() => bus.position() !== undefined, 'changes arrive again')
    assert.equal(bus.since(position ?? ''), null, 'numbers of the other server say nothing about this one')
    stopped = true
    await writing
    const rows = await database.db.query<{ id: number }>({ text: 'select id from mark' })
    const stored = new Set(rows.map((row) => row.id))
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    )
    assert.deepEqual([...failures], ['unavailable'])
    await bus.close()
    await database.close()
    await proxy.close()
    await standby.stop()
  })

  test('and is away itself: commits wait, and nobody who gives up and comes again uses up its connections', async () => {
    const server = await startReplicatedServer()
    await withClient(server.url('postgres'), (client) => client.query('create table mark (id int primary key)'))
    const database = openDatabase({
      url: server.url('postgres'),
      poolSize: 3,
      log,
      applicationName: APPLICATION,
      statementTimeoutMs: 200,
    })
    const bus = openBus(database, { log, applicationName: APPLICATION })
    await bus.ready()
    await server.expectStandby(true)
    let tried = 0
    let acknowledged = 0
    let stopped = false
    const write = async () => {
      while (!stopped) {
        tried += 1
        const id = tried
        await database
          .tx(async (tx) => {
            await tx.query({ text: 'insert into mark values ($1)', values: [id] })
            tx.changes.push({ topic: 'mark', event: 'added', data: { id } })
          })
          .then(
            () => {
              acknowledged += 1
            },
            () => undefined,
          )
      }
    }
    const writers = [write(), write(), write()]
    await until(() => tried > 20, 'many have given up')
    const count = () =>
      withClient(server.url('postgres'), async (client) => {
        const text = 'select count(*)::int as count from pg_stat_activity where application_name = $1'
        return Number((await client.query(text, [APPLICATION])).rows[0].count)
      })
    assert.equal(acknowledged, 0)
    // The pool, the listener, the one that waits for the standby, and those that have just been given up.
    await until(async () => (await count()) <= 10, 'connections that were given up are gone')
    await server.expectStandby(false)
    await until(() => acknowledged > 5 && bus.connected, 'writes are taken again')
    stopped = true
    await Promise.all(writers)
    await bus.close()
    await database.close()
    await server.stop()
  })
})
