import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { canExecute } from '@stoa/kit/postgres/account.ts'
import { makeExecutable } from '@stoa/kit/postgres/binaries.ts'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { type PostgresServer, startPostgres } from '@stoa/kit/postgres/server.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import pg from 'pg'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { processesOf, startProgram, temporaryFolder, untilNoProcess } from './processes.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }
const launcher = join(import.meta.dirname, 'fixtures/postgres.ts')

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe('the embedded PostgreSQL', () => {
  // One cluster for all tests here: each leaves it stopped.
  let folder = ''
  const cleanups: (() => void)[] = []
  const lines: string[] = []
  const open = (): Promise<PostgresServer> => startPostgres({ folder, onProgress: (line) => lines.push(line) })
  const launch = () => startProgram(process.execPath, [launcher, folder], { env: bareEnvironment() })

  before(() => {
    // Only its owner may enter it.
    folder = join(temporaryFolder({ after: (fn: () => void) => cleanups.push(fn) }), 'postgres')
  })
  after(() => {
    for (const cleanup of cleanups) cleanup()
  })

  test('the first start creates a durable cluster on loopback with a password, also after one that was interrupted', async () => {
    fs.mkdirSync(join(folder, 'cluster.new/base'), { recursive: true })
    const server = await open()
    const [settings] = await query(
      server.url('postgres'),
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
              current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
              current_setting('server_encoding') as encoding, current_setting('password_encryption') as passwords`,
    )
    assert.deepEqual(settings, {
      addresses: '127.0.0.1',
      sockets: '',
      fsync: 'on',
      checksums: 'on',
      encoding: 'UTF8',
      passwords: 'scram-sha-256',
    })
    const guess = server.url('postgres').replace(server.password, 'guess')
    await assert.rejects(query(guess, 'select 1'), { code: '28P01' })
    assert.equal(fs.statSync(join(folder, 'server.json')).mode & 0o777, 0o600)
    assert.deepEqual(lines, ['PostgreSQL: creating the database (only the first time)'])
    await query(server.url('postgres'), "create table kept as select 'since the first start' as what")
    await server.stop()
    await untilNoProcess(folder)
  })

  test('a restart keeps the data, the port and the password; each database has a role that owns it and can do nothing else', async () => {
    const { port, password } = JSON.parse(fs.readFileSync(join(folder, 'server.json'), 'utf8'))
    const server = await open()
    assert.deepEqual([server.port, server.password], [port, password])
    assert.deepEqual(await query(server.url('postgres'), 'select * from kept'), [{ what: 'since the first start' }])
    const one = await ensureDatabase(server, 'stoa_one')
    const two = await ensureDatabase(server, 'stoa_two')
    assert.equal(await ensureDatabase(server, 'stoa_one'), one)
    await query(one, 'create table note (); create schema jobs; create extension pg_trgm')
    await assert.rejects(query(one, "copy (select 1) to program 'true'"), { code: '42501' })
    await assert.rejects(query(one.replace(/stoa_one$/, 'stoa_two'), 'select 1'), { code: '42501' })
    assert.deepEqual(await query(two, "select from pg_class where relname = 'note'"), [])
    await server.stop()
  })

  test('root gets a server that runs as another user', { skip: !isRoot && 'needs root' }, async () => {
    const cluster = join(folder, 'cluster')
    assert.notEqual(fs.statSync(cluster).uid, 0)
    fs.chownSync(cluster, 0, 0) // as after copying a backup back
    const server = await open()
    assert.equal((await query(server.url('postgres'), 'select * from kept')).length, 1)
    assert.notEqual(fs.statSync(cluster).uid, 0)
    await server.stop()
  })

  test('a cluster of another major is refused with the commands that move it, and is left alone', async () => {
    const file = join(folder, 'cluster/PG_VERSION')
    const version = fs.readFileSync(file, 'utf8')
    fs.writeFileSync(file, `${Number(version) - 1}\n`)
    await assert.rejects(open(), (error: Error) => {
      assert.match(
        error.message,
        new RegExp(`is of PostgreSQL ${Number(version) - 1}; .* comes with PostgreSQL ${Number(version)}`),
      )
      assert.match(error.message, /npm run backup -- .*\n.*Rename .*\n.*npm run restore -- /)
      return true
    })
    // The tests that follow find the data.
    fs.writeFileSync(file, version)
  })

  test('when the port of the last start is taken, another is used', async () => {
    const { port } = JSON.parse(fs.readFileSync(join(folder, 'server.json'), 'utf8'))
    const squatter = createServer().listen(port, '127.0.0.1')
    const server = await open()
    assert.notEqual(server.port, port)
    assert.equal((await query(server.url('postgres'), 'select * from kept')).length, 1)
    await server.stop()
    squatter.close()
  })

  test('kill -9 of the process that started it leaves no process behind', async () => {
    const program = launch()
    await program.prints(/port \d+/)
    assert.notEqual(processesOf(folder).length, 0)
    program.child.kill('SIGKILL')
    await untilNoProcess(folder)
    assert.equal(fs.existsSync(join(folder, 'cluster/postmaster.pid')), false, 'it was shut down, not killed')
  })

  test('a server left behind by a crash is stopped, and its data is there', async () => {
    const program = launch()
    await program.prints(/port \d+/)
    const guardian = findGuardian(program.pid)
    process.kill(guardian, 'SIGKILL')
    program.child.kill('SIGKILL')
    await program.ends()
    assert.notEqual(processesOf(folder).length, 0, 'the server is still there')
    lines.length = 0
    const server = await open()
    assert.match(lines.join('\n'), /stopping process \d+, left behind/)
    assert.equal((await query(server.url('postgres'), 'select * from kept')).length, 1)
    await server.stop()
    await untilNoProcess(folder)
  })

  test('a pid file that names somebody else is not obeyed', async (t) => {
    const stranger = startProgram('sleep', ['60'], {})
    t.after(() => stranger.child.kill('SIGKILL'))
    fs.writeFileSync(join(folder, 'cluster/postmaster.pid'), `${stranger.pid}\n${join(folder, 'cluster')}\n`)
    const server = await open()
    assert.equal((await query(server.url('postgres'), 'select * from kept')).length, 1)
    assert.equal(stranger.child.exitCode ?? stranger.child.signalCode, null, 'the stranger lives')
    await server.stop()
  })

  test('a server that dies is started again on the same port', async () => {
    lines.length = 0
    const server = await open()
    const [pid] = fs.readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await retry(() => query(server.url('postgres'), 'select * from kept'))
    assert.match(lines.join('\n'), /restarting it/)
    await server.stop()
    await untilNoProcess(folder)
  })
})

describe('under a folder that only its owner may enter', { skip: !isRoot && 'needs root' }, () => {
  const closedFolder = (t: Parameters<typeof temporaryFolder>[0], owner: typeof NOBODY): string => {
    const folder = temporaryFolder(t)
    fs.chmodSync(folder, 0o700)
    fs.chownSync(folder, owner.uid, owner.gid)
    return folder
  }

  test('an ordinary user gets a server too', async (t) => {
    if (!canExecute(NOBODY, import.meta.dirname)) return t.skip('that user cannot enter this clone')
    const folder = join(closedFolder(t, NOBODY), 'postgres')
    const program = startProgram(process.execPath, [launcher, folder], { ...NOBODY, env: { PATH: process.env.PATH } })
    await program.prints(/port \d+/)
    assert.equal(fs.statSync(join(folder, 'cluster')).uid, NOBODY.uid)
    program.child.kill('SIGTERM')
    assert.equal(await program.ends(), 0)
  })

  test('binaries that the server user cannot reach are copied once, and never from a stranger', (t) => {
    const folder = closedFolder(t, { uid: 0, gid: 0 })
    const open = temporaryFolder(t)
    fs.chmodSync(open, 0o755)
    fs.mkdirSync(join(folder, 'bin'))
    fs.writeFileSync(join(folder, 'bin/postgres'), '#!/bin/sh\n', { mode: 0o700 })
    const find = (): string => makeExecutable({ native: folder, version: '1' }, NOBODY, new Set([open]))
    const copy = find()
    assert.equal(copy, join(open, `stoa-postgres-1-${process.arch}`))
    const { ino } = fs.statSync(copy)
    assert.equal(find(), copy)
    assert.equal(fs.statSync(copy).ino, ino, 'the second call found it')
    fs.rmSync(join(copy, 'bin/postgres'))
    assert.equal(fs.existsSync(join(find(), 'bin/postgres')), true, 'what a cleaner took is made again')
    fs.chownSync(copy, NOBODY.uid, NOBODY.gid)
    assert.throws(find, /created by another user/)
  })
})

const findGuardian = (parent: number): number => {
  const isGuardian = (pid: number): boolean => {
    try {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return stat.split(') ')[1]?.split(' ')[1] === String(parent) && command.includes('stoa-postgres-guardian')
    } catch {
      return false
    }
  }
  return fs.readdirSync('/proc').map(Number).find(isGuardian) ?? assert.fail('there is no guardian')
}

const retry = async <T>(action: () => Promise<T>): Promise<T> => {
  let failure: unknown
  const done = await until(
    () =>
      action().then(
        (value) => ({ value }),
        (error: unknown) => {
          failure = error
          return null
        },
      ),
    () => String(failure),
  )
  return done.value
}
