import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { freshDatabase, type TestDatabase } from '../lib/cluster.ts'
import { type Program, processesOf, startProgram, temporaryFolder, untilNoProcess } from './processes.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const runner = join(import.meta.dirname, '../../scripts/run.mjs')
const RUNNING = /Stop {2,}Ctrl-C, or kill (\d+)/

// One instance for all tests here, so that the cluster is created once: each leaves it stopped.
describe('npm start', () => {
  let folder = ''
  let dataDir = ''
  let envFile = ''
  const cleanups: (() => void)[] = []
  let given: TestDatabase
  /** For what is not about the embedded database: without it a start is quick. */
  const onGiven = () => ({ FIRST_DATABASE_URL: given.url, SECOND_DATABASE_URL: given.url })

  before(async () => {
    given = await freshDatabase()
    folder = temporaryFolder({ after: (fn: () => void) => cleanups.push(fn) })
    dataDir = join(folder, 'data')
    envFile = join(folder, '.env')
  })
  afterEach(() => untilNoProcess(folder))
  after(async () => {
    for (const cleanup of cleanups) cleanup()
    await given.drop()
  })

  const environment = (extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
    return { ...bareEnvironment(), HOME: process.env.HOME, DATA_DIR: dataDir, ENV_FILE: envFile, ...extra }
  }
  /** As a person does it: npm, in a process group of its own like in a terminal. */
  const npmStart = (args: string[] = [], extra: NodeJS.ProcessEnv = {}): Program =>
    startProgram('npm', ['start', ...args], { cwd: fixtures, env: environment(extra), detached: true })
  /** The same without npm, where npm plays no part. */
  const start = (args: string[], extra: NodeJS.ProcessEnv = {}): Program =>
    startProgram(process.execPath, [runner, 'start.ts', ...args], { cwd: fixtures, env: environment(extra) })
  const command = (args: string[]): Program =>
    startProgram(process.execPath, [join(fixtures, 'command.ts'), ...args], { cwd: fixtures, env: environment({}) })
  const processRunning = (file: string): number =>
    processesOf(folder).find(({ command }) => command.includes(file) && !command.startsWith('npm'))?.pid ??
    assert.fail(`no process runs ${file}`)

  test('the first start writes .env for its owner alone, says where things are, and SIGTERM stops everything', async () => {
    const program = npmStart()
    const [, pid] = await program.prints(RUNNING)
    assert.equal(Number(pid), processRunning('fixtures/start.ts'))
    assert.match(program.output(), /Writing a new SECRET.*creating the database.*Starting first.*Stoa is running/s)
    assert.match(program.output(), new RegExp(`Data +${dataDir}\n`))
    assert.match(program.output(), /first starts +1\n/)
    assert.equal(fs.statSync(envFile).mode & 0o777, 0o600)
    assert.match(fs.readFileSync(envFile, 'utf8'), /^SECRET=[\w-]{43}$/m)
    process.kill(program.pid, 'SIGTERM')
    assert.equal(await program.ends(), 0)
    assert.equal(fs.existsSync(join(dataDir, 'postgres/cluster/postmaster.pid')), false, 'the database shut down')
  })

  test('a restart keeps the data and the .env file; Ctrl-C, which reaches the whole group, stops it in order', async () => {
    const written = fs.readFileSync(envFile, 'utf8')
    const program = npmStart()
    await program.prints(RUNNING)
    assert.match(program.output(), /first starts +2\n.*second starts +2\n/s)
    assert.equal(fs.readFileSync(envFile, 'utf8'), written)
    process.kill(-program.pid, 'SIGINT')
    process.kill(-program.pid, 'SIGINT')
    await program.ends()
    await untilNoProcess(folder)
    assert.equal(program.output().match(/Stopping/g)?.length, 1)
    assert.doesNotMatch(program.output(), /stopped \(|did not stop/)
    assert.equal(fs.existsSync(join(dataDir, 'postgres/cluster/postmaster.pid')), false)
  })

  for (const [what, file] of [
    ['npm', undefined],
    ['run.mjs', 'scripts/run.mjs'],
    ['start.ts', 'fixtures/start.ts'],
  ] as const)
    test(`kill -9 of ${what} leaves no process behind`, async () => {
      const program = npmStart()
      await program.prints(RUNNING)
      process.kill(file ? processRunning(file) : program.pid, 'SIGKILL')
      await untilNoProcess(folder)
    })

  test('a second start explains itself and does not disturb the first', async () => {
    const one = start(['first'], onGiven())
    const [, pid] = await one.prints(RUNNING)
    const two = start(['first'], onGiven())
    assert.equal(await two.ends(), 1)
    assert.match(
      two.output(),
      new RegExp(`already running in ${dataDir} \\(process ${pid}.*kill ${pid}.*DATA_DIR`, 's'),
    )
    assert.equal(one.child.exitCode, null)
    process.kill(one.pid, 'SIGTERM')
    assert.equal(await one.ends(), 0)
  })

  test('a service that dies is started again', async () => {
    const program = start(['first'], onGiven())
    const [, pid] = await program.prints(/first process +(\d+)/)
    process.kill(Number(pid), 'SIGKILL')
    await program.prints(/first stopped \(SIGKILL\); restarting it in 1 s.*first is running again/s)
    process.kill(program.pid, 'SIGTERM')
    assert.equal(await program.ends(), 0)
  })

  test('a service that cannot start ends everything with its reason', async () => {
    const program = start([], { ...onGiven(), FIXTURE_FAILS: 'second' })
    assert.equal(await program.ends(), 1)
    assert.match(program.output(), /second: Error: this service was told to fail/)
    assert.match(program.output(), /second didn't start \(code 1\)/)
  })

  test('a command reaches the database of a running and of a stopped instance', async () => {
    const program = start(['first'])
    const [, starts] = await program.prints(/first starts +(\d+)/)
    await program.prints(RUNNING)
    assert.equal(fs.statSync(join(dataDir, 'instance.json')).mode & 0o777, 0o600)
    const whileRunning = command(['a', 'b'])
    assert.equal(await whileRunning.ends(), 0)
    assert.equal(whileRunning.output(), `starts: ${starts}, arguments: a b\n`)
    process.kill(program.pid, 'SIGTERM')
    await program.ends()
    assert.equal(fs.existsSync(join(dataDir, 'instance.json')), false)
    const whileStopped = command([])
    assert.equal(await whileStopped.ends(), 0)
    assert.match(whileStopped.output(), new RegExp(`starts: ${starts}, `))
  })

  test('real variables win over the file, and a given database needs no embedded one', async () => {
    const other = { ...onGiven(), DATA_DIR: join(folder, 'other'), SECRET: 'short' }
    const program = start(['first'], other)
    await program.prints(RUNNING)
    assert.match(program.output(), /first starts +\d+\n.*first secret +5\n/s)
    assert.doesNotMatch(program.output(), /PostgreSQL/)
    assert.equal(fs.existsSync(join(folder, 'other/postgres')), false)
    process.kill(program.pid, 'SIGTERM')
    assert.equal(await program.ends(), 0)
  })

  test('production gets no generated secret', async () => {
    const production = { ...onGiven(), NODE_ENV: 'production', ENV_FILE: join(folder, '.env.production') }
    const program = start(['first'], production)
    await program.prints(RUNNING)
    assert.match(program.output(), /first secret +undefined\n/)
    assert.equal(fs.existsSync(production.ENV_FILE), false)
    process.kill(program.pid, 'SIGTERM')
    await program.ends()
  })

  test('an unknown service is named', async () => {
    const program = start(['third'])
    assert.equal(await program.ends(), 1)
    assert.equal(program.output(), '✗ Unknown service "third". Services: first, second\n')
  })
})
