import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import { createSandbox, type Invocation, type Reach } from './sandbox.ts'
import { failure } from './testing/plugin-of.ts'

const CODE = `
  import { content } from 'stoa'
  export const routes = {
    'GET /well': () => 'well',
    'GET /waits': () => content.get('a'),
    'GET /hang': () => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1),
  }`
const NAMES = ['GET /well', 'GET /waits', 'GET /hang']

const never: Reach = () => new Promise(() => undefined)

const start = (t: TestContext, options: { code?: string; restartMs?: readonly number[] } = {}) => {
  const deaths: string[] = []
  const died = Promise.withResolvers<void>()
  const sandbox = createSandbox({
    name: 'tried',
    code: options.code ?? CODE,
    handlers: NAMES.map((name) => ({ kind: 'route', name }) as const),
    onDeath: (reason) => {
      deaths.push(reason)
      died.resolve()
    },
    hangMs: 300,
    restartMs: options.restartMs ?? [50],
  })
  t.after(() => sandbox.stop())
  const run = (name: string, reach = never, timeMs = 60_000) => {
    const invocation: Invocation = { kind: 'route', name, input: null, reach, timeMs, onLog: () => undefined }
    return sandbox.run(invocation)
  }
  return { sandbox, run, deaths, died: died.promise }
}

const untilWell = async (run: (name: string) => Promise<unknown>): Promise<void> => {
  await until(async () => (await run('GET /well').catch(() => undefined)) === 'well', 'it comes back')
}

describe('a thread', () => {
  test('that hangs where the engine cannot interrupt it is ended, with all that ran in it, and started again', async (t) => {
    const { run, deaths } = start(t)
    await run('GET /well')
    const beside = assert.rejects(run('GET /waits'), failure('failed', /stopped responding/))
    await assert.rejects(run('GET /hang'), failure('failed', /stopped responding/))
    await beside
    assert.equal(deaths.length, 1)
    await untilWell(run)
    assert.equal(deaths.length, 1)
  })

  test('is not there for a while after a death, and says so', async (t) => {
    const { run, died } = start(t, { restartMs: [60_000] })
    const hung = assert.rejects(run('GET /hang'))
    await died
    await hung
    await assert.rejects(run('GET /well'), failure('stopped', /restart soon/))
  })

  test('that hangs while it starts is an error of the start', async (t) => {
    const { sandbox, deaths } = start(t, { code: 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)' })
    await assert.rejects(sandbox.start(), failure('failed', /stopped responding/))
    assert.deepEqual(deaths, [])
  })

  test('takes 32 calls to wait besides those that run, and refuses more', async (t) => {
    const { sandbox, run } = start(t)
    await sandbox.start()
    const refused = Promise.withResolvers<void>()
    const reach: Reach = async () => {
      await refused.promise
      return 'answered'
    }
    const taken = Array.from({ length: 36 }, () => run('GET /waits', reach))
    await assert.rejects(run('GET /waits', reach), failure('busy', /Too many/))
    refused.resolve()
    assert.deepEqual(await Promise.all(taken), Array(36).fill('answered'))
  })

  test('a call that waits longer than it may is given up before it runs', async (t) => {
    const { run } = start(t)
    const held = Array.from({ length: 4 }, () => run('GET /waits', never, 3_000).catch(() => undefined))
    await assert.rejects(run('GET /well', never, 100), failure('timeout', /0\.1 seconds/))
    await Promise.all(held)
    assert.equal(await run('GET /well'), 'well')
  })

  test('that is stopped fails what runs and what waits', async (t) => {
    const { sandbox, run } = start(t)
    const calls = Array.from({ length: 6 }, () => assert.rejects(run('GET /waits'), failure('stopped', /off/)))
    await sandbox.start()
    await sandbox.stop()
    await Promise.all(calls)
  })
})
