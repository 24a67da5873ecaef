import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bareEnvironment } from '@stoa/tests/lib/bare-environment.ts'
import { startProgram, temporaryFolder } from './processes.ts'

const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name)
const UNSTEADY = 'UNSTEADY: failed beside others, passed alone'

const HEAD = `
  import assert from 'node:assert/strict'
  import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
  import { after, before, beforeEach, describe, test } from 'node:test'
  const note = (line) => appendFileSync('diary', line + '\\n')
`
const BAD = `${HEAD} test('is unwell', () => assert.equal('apples', 'pears'))`
/** Fails only the first time. */
const failsOnce = (mark: string): string => `${HEAD}
  test('is unwell once', () => {
    const isFirst = !existsSync('${mark}')
    writeFileSync('${mark}', '')
    assert.equal(isFirst, false, 'lost a race')
  })`

/** Passes once all threads of a load are at work in the process that runs it. */
const LOADED = `${HEAD}
  import { readdirSync, readFileSync } from 'node:fs'
  import { availableParallelism } from 'node:os'
  const tasks = '/proc/' + process.ppid + '/task'
  const atWork = () => readdirSync(tasks).filter((id) => /\\) R /.test(readFileSync(tasks + '/' + id + '/stat', 'utf8')))
  test('is beside a load', { timeout: 60_000 }, async () => {
    while (atWork().length < 2 * availableParallelism()) await new Promise((done) => setTimeout(() => done(), 20))
    note('loaded')
  })`

describe('the test runner', () => {
  test('passes when every file passes, and each file has its hooks for itself', async (context) => {
    const noting = (name: string): string => `${HEAD}
      before(() => note('${name} begins'))
      beforeEach(() => note('${name} next'))
      after(() => note('${name} ends'))
      note('${name} loads')
      await new Promise((done) => setTimeout(() => done(), 5))
      test('one', () => note('${name} one'))
      describe('inner', () => test('two', () => note('${name} two')))`
    const ran = await runFiles(context, { 'a.test.ts': noting('a'), 'b.test.ts': noting('b') }, [
      ['a.test.ts', 'b.test.ts'],
    ])
    assert.equal(ran.code, 0, ran.output)
    const steps = ['loads', 'begins', 'next', 'one', 'next', 'two', 'ends']
    assert.deepEqual(
      ran.diary,
      ['a', 'b'].flatMap((name) => steps.map((step) => `${name} ${step}`)),
    )
  })

  test('says file, line and error of a failed test, and goes on with the next file', async (context) => {
    const files = { 'a.test.ts': BAD, 'b.test.ts': `${HEAD} test('b', () => note('b ran'))` }
    const ran = await runFiles(context, files, [['a.test.ts', 'b.test.ts']])
    assert.equal(ran.code, 1)
    assert.match(ran.output, /a\.test\.ts:6:2/)
    assert.match(ran.output, /'apples'/)
    assert.match(ran.output, /=== Failed twice ===\n· a\.test\.ts\n +is unwell: /)
    assert.deepEqual(ran.diary, ['b ran'])
  })

  test('runs a failed file once more, alone, and names it when it passes then', async (context) => {
    const files = { 'a.test.ts': `${HEAD} test('a', () => note('a ran'))`, 'b.test.ts': failsOnce('b') }
    const ran = await runFiles(context, files, [['a.test.ts', 'b.test.ts']])
    assert.equal(ran.code, 0, ran.output)
    const end = ran.output.slice(ran.output.indexOf(UNSTEADY))
    assert.match(end, /b\.test\.ts/)
    assert.match(end, /lost a race/)
    assert.doesNotMatch(end, /a\.test\.ts/)
    assert.deepEqual(ran.diary, ['a ran'])
  })

  test('fails when one of the files that are run once more fails again', async (context) => {
    const files = { 'a.test.ts': BAD, 'b.test.ts': failsOnce('b') }
    const ran = await runFiles(context, files, [['a.test.ts'], ['b.test.ts']])
    assert.equal(ran.code, 1)
    assert.match(ran.output, /Failed twice ===\n· a\.test\.ts\n/)
    assert.match(ran.output, new RegExp(`${UNSTEADY} ===\\n· b\\.test\\.ts\\n`))
  })

  test('two files that passed alone pass a run, each named with its race', async (context) => {
    const ran = await runFiles(context, { 'a.test.ts': failsOnce('a'), 'b.test.ts': failsOnce('b') }, [
      ['a.test.ts', 'b.test.ts'],
    ])
    assert.equal(ran.code, 0, ran.output)
    const race = 'is unwell once: AssertionError \\[ERR_ASSERTION\\]: lost a race[^·]*'
    assert.match(ran.output, new RegExp(`${UNSTEADY} ===\\n· a\\.test\\.ts\\n +${race}· b\\.test\\.ts\\n +${race}$`))
  })

  test('does not try again when more than two files failed, or when it was not asked to', async (context) => {
    const names = Array.from({ length: 3 }, (_, index) => `${index}.test.ts`)
    const many = await runFiles(context, Object.fromEntries(names.map((name) => [name, failsOnce(name[0] ?? '')])), [
      names,
    ])
    assert.equal(many.code, 1)
    assert.deepEqual(failedOf(many.output), names)
    assert.doesNotMatch(many.output, new RegExp(UNSTEADY))
    const once = await runFiles(context, { 'a.test.ts': failsOnce('a') }, [['a.test.ts']], 'once')
    assert.equal(once.code, 1)
    assert.doesNotMatch(once.output, new RegExp(UNSTEADY))
  })

  test('says in which order files that share a process run', async (context) => {
    const good = `${HEAD} test('is well', () => undefined)`
    const shared = { 'packages/one/a.test.ts': good, 'packages/one/b.test.ts': good }
    const line = '· Files that share a process run in the order of --seed=42\n'
    const ran = await runFixture(context, shared, ['test-run.ts', '42'])
    assert.deepEqual([ran.code, ran.output.startsWith(line)], [0, true], ran.output)
    const apart = await runFixture(context, { 'packages/one/a.test.ts': good }, ['test-run.ts', '42'])
    assert.deepEqual([apart.code, apart.output.includes('seed')], [0, false], apart.output)
  })

  test('repeats files beside a load on all cores, and names those that failed once with the order', async (context) => {
    const files = { 'packages/one/a.test.ts': LOADED, 'packages/one/b.test.ts': failsOnce('b') }
    const ran = await runFixture(context, files, ['steady.ts', 'packages/one', '2'])
    assert.equal(ran.code, 1)
    const seeds = [...ran.output.matchAll(/^· 2 files, time [12] of 2, in the order of --seed=(\d+)$/gm)]
    assert.equal(seeds.length, 2)
    const end = ran.output.slice(ran.output.indexOf('=== UNSTEADY ==='))
    assert.match(end, new RegExp(`· packages/one/b\\.test\\.ts\\n +failed 1 of 2 times: --seed=${seeds[0]?.[1]}\\n`))
    assert.match(end, /lost a race/)
    assert.doesNotMatch(end, /a\.test\.ts|Steady/)
    assert.deepEqual(ran.diary, ['loaded', 'loaded'])
  })

  test('passes repeated files that never failed', async (context) => {
    const files = { 'packages/one/a.test.ts': `${HEAD} test('is well', () => note('ran'))`, 'packages/b.test.ts': BAD }
    const ran = await runFixture(context, files, ['steady.ts', 'packages/one', '1'])
    assert.equal(ran.code, 0, ran.output)
    assert.match(ran.output, /· Steady: 1 files passed 1 times\n$/)
    assert.deepEqual(ran.diary, ['ran'])
  })

  describe('a file that', () => {
    const good = `${HEAD} test('is well', () => note('ran'))`
    const broken: Record<string, [source: string, reason: RegExp]> = {
      'breaks while it is loaded': [`test('one', () => undefined); throw new Error('no luck')`, /Error: no luck/],
      'breaks in a hook': [`after(() => { throw new Error('no end') }); test('one', () => undefined)`, /Error: no end/],
      'takes longer than it may': [
        `test('slow', { timeout: 20 }, () => new Promise((done) => setTimeout(() => done(), 200)))`,
        /timed out after 20ms/,
      ],
      'fails after its tests': [
        `test('one', () => void setTimeout(() => { throw new Error('too late') }, 5))
         test('two', () => new Promise((done) => setTimeout(() => done(), 50)))`,
        /an error outside of the tests[\s\S]*Error: too late/,
      ],
      'leaves a handle open': [`test('one', () => void setInterval(() => undefined, 1000))`, /1 Timeout open/],
      'ends the process': [`test('one', () => process.exit(0))`, /ends-the-process.*\n +its process ended too early/],
      'is killed': [
        `test('one', () => process.kill(process.pid, 'SIGKILL'))`,
        /is-killed.*\n +its process ended too early/,
      ],
    }
    const fileOf = (what: string): string => `${what.replaceAll(' ', '-')}.test.ts`
    let ran = { code: 0 as number | string, output: '', diary: [''] }

    let cleanUp = (): void => undefined
    after(() => cleanUp())
    before(async () => {
      const files = Object.entries(broken).map(([what, [source]]) => [fileOf(what), `${HEAD} ${source}`] as const)
      const names = files.map(([name]) => name)
      const goods = ['good-0.test.ts', 'good-1.test.ts', 'good-2.test.ts']
      const groups = [names.slice(0, -2), names.slice(-2, -1), names.slice(-1)]
      ran = await runFiles(
        { after: (fn) => (cleanUp = fn) },
        { ...Object.fromEntries(files), ...Object.fromEntries(goods.map((name) => [name, good])) },
        groups.map((group, index) => [...group, goods[index] ?? '']),
        'once',
      )
    })

    for (const [what, [, reason]] of Object.entries(broken))
      test(`${what} fails`, () => {
        assert.equal(ran.code, 1)
        assert.match(ran.output, reason)
        assert.ok(failedOf(ran.output).includes(fileOf(what)), ran.output)
      })

    test('comes after one of these runs as ever', () => {
      assert.deepEqual(ran.diary, ['ran', 'ran', 'ran'])
      assert.deepEqual(failedOf(ran.output), Object.keys(broken).map(fileOf))
    })
  })
})

/** The list at the end. */
const failedOf = (output: string): string[] =>
  output
    .slice(output.search(/=== Failed(: .*)? ===/))
    .split('\n')
    .slice(1)
    .filter((line) => line.startsWith('· '))
    .map((line) => line.slice(2))

const runFiles = (context: Context, files: Record<string, string>, groups: string[][], ...rest: string[]) =>
  runFixture(context, files, ['test-run.ts', JSON.stringify(groups), ...rest])

type Context = { after(fn: () => void): void }

const runFixture = async (context: Context, files: Record<string, string>, [name = '', ...args]: string[]) => {
  const folder = temporaryFolder(context)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const program = startProgram(process.execPath, [fixture(name), folder, ...args], {
    cwd: folder,
    env: bareEnvironment(),
  })
  const code = await program.ends()
  const diary = join(folder, 'diary')
  return {
    code,
    output: program.output(),
    diary: existsSync(diary) ? readFileSync(diary, 'utf8').trim().split('\n') : [],
  }
}
