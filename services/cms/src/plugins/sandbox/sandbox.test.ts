import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import {
  createSandbox,
  type HandlerName,
  HostRefusal,
  type Invocation,
  type Json,
  type LogLine,
  PluginProblem,
  type Reach,
  type Sandbox,
  SandboxFailure,
} from './sandbox.ts'

const open: Sandbox[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.stop()))
})

const refuseAll: Reach = () => Promise.reject(new Error('nothing can be reached'))

type Given = { reach?: Reach; input?: Json; timeMs?: number; logs?: LogLine[]; now?: Date }

/** A plugin whose routes are these functions, by their names. */
const pluginOf = (
  code: string,
  handlers?: readonly HandlerName[],
  onDeath: (reason: string) => void = () => undefined,
) => {
  const names = [...code.matchAll(/'(GET \/[a-z]*)'/g)].map(
    ([, name]) => ({ kind: 'route', name: name ?? '' }) as const,
  )
  const sandbox = createSandbox({ name: 'tried', code, handlers: handlers ?? names, onDeath })
  open.push(sandbox)
  const run = (name: string, { reach = refuseAll, input = null, timeMs = 10_000, logs = [], now }: Given = {}) => {
    const invocation: Invocation = {
      kind: 'route',
      name,
      input,
      reach,
      timeMs,
      onLog: (line) => void logs.push(line),
      ...(now && { now }),
    }
    return sandbox.run(invocation)
  }
  return { sandbox, run }
}

const one = (body: string) => pluginOf(`import * as stoa from 'stoa'\nexport const routes = { 'GET /': ${body} }`)

const failure = (kind: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SandboxFailure, String(error))
  assert.equal(error.kind, kind)
  assert.match(error.message, message)
  return true
}

describe('a handler', () => {
  test('gets its input and answers with what it returns', async () => {
    const { run } = one('async (request) => ({ hello: request.name, list: [1, null, true] })')
    assert.deepEqual(await run('GET /', { input: { name: 'Ada' } }), { hello: 'Ada', list: [1, null, true] })
  })

  test('may return nothing, or a value without a promise', async () => {
    assert.equal(await one('() => undefined').run('GET /'), undefined)
    assert.equal(await one('() => null').run('GET /'), null)
    assert.equal(await one('() => 5').run('GET /'), 5)
  })

  test('asks the service, and gets what it answers or refuses', async () => {
    const { run } = one(`async () => {
      const got = await stoa.content.get('a')
      const error = await stoa.content.update('a', { title: 'x' }, { ifVersion: 3 }).catch((caught) => caught)
      return { got, refused: [error instanceof Error, error.name, error.code, error.status, error.message, error.details] }
    }`)
    const asked: unknown[] = []
    const answer = await run('GET /', {
      reach: async (call) => {
        asked.push(call)
        if (call.method === 'get') return { id: 'a', title: 'Æ 👩‍👩‍👧' }
        throw new HostRefusal('VERSION_CONFLICT', 409, 'Someone else was faster', { version: 4 })
      },
    })
    assert.deepEqual(answer, {
      got: { id: 'a', title: 'Æ 👩‍👩‍👧' },
      refused: [true, 'StoaError', 'VERSION_CONFLICT', 409, 'Someone else was faster', { version: 4 }],
    })
    assert.deepEqual(asked, [
      { module: 'content', method: 'get', args: ['a'] },
      { module: 'content', method: 'update', args: ['a', { title: 'x' }, { ifVersion: 3 }] },
    ])
  })

  test('refuses with a Problem', async () => {
    const { run } = one(`() => { throw new stoa.Problem(409, 'Not now', { after: 'lunch' }) }`)
    await assert.rejects(run('GET /'), (error) => {
      assert.ok(error instanceof PluginProblem)
      assert.deepEqual([error.status, error.message, error.details], [409, 'Not now', { after: 'lunch' }])
      return true
    })
  })

  test('fails with what was thrown', async () => {
    await assert.rejects(
      one(`() => { throw new TypeError('oh no') }`).run('GET /'),
      failure('failed', /TypeError: oh no/),
    )
  })
})
