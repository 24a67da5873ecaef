import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { HostRefusal, type LogLine, PluginProblem, type Reach } from './sandbox.ts'
import { failure, pluginOf } from './testing/plugin-of.ts'

describe('a handler', () => {
  const { sandbox, run } = pluginOf(`
    import stoa, * as all from 'stoa'
    import { content, store, http, Problem, stoa as named } from 'stoa'
    let calls = 0
    export const routes = {
      'GET /echo': async (request) => ({ hello: request.name, list: [1, null, true] }),
      'GET /nothing': () => undefined,
      'GET /null': () => null,
      'GET /five': () => 5,
      'GET /this'() { return typeof this['GET /five'] },
      'GET /ask': async () => {
        const got = await content.get('a')
        const error = await content.update('a', { title: 'x' }, { ifVersion: 3 }).catch((caught) => caught)
        return { got, refused: [error instanceof Error, error.name, error.code, error.status, error.message, error.details] }
      },
      'GET /surface': async () => Object.fromEntries(Object.keys(all.default).map((name) => [name,
        name === 'store' ? Object.keys(store('c')).sort() : typeof stoa[name] === 'object' ? Object.keys(stoa[name]).sort() : name])),
      'GET /same': () => [named === stoa, all.Problem === stoa.Problem, globalThis.stoa === stoa, Problem.name],
      'GET /store': async () => {
        const plans = store('plans')
        await plans.get('a'); await plans.put('a', { x: 1 }, { ifVersion: 2 }); await plans.delete('a'); await plans.list({ limit: 1 })
      },
      'GET /status': () => content.setStatus('a', 'publish', null),
      'GET /problem': () => { throw new stoa.Problem(409, 'Not now', { after: 'lunch' }) },
      'GET /oddproblem': () => { throw new Problem(500, 'Not mine') },
      'GET /throw': () => { throw new TypeError('oh no') },
      'GET /log': () => { console.log('one', { two: 2 }, [3]); stoa.log.warn('four'); console.error(new Error('five')) },
      'GET /clock': () => stoa.clock.now().toISOString(),
      'GET /count': () => { calls += 1; return calls },
      'GET /fetch': async () => {
        const answer = await http.fetch('https://api.example.com', { method: 'POST' })
        return { answer, ok: answer.ok, text: await answer.text(), json: await answer.json() }
      },
      'GET /globals': () => [new URL('/x?a=1', 'https://example.com').href, [...new TextEncoder().encode('é')], typeof setTimeout,
        typeof process, typeof require, typeof fetch, typeof WebAssembly],
      'GET /import': () => import('node:fs'),
    }`)
  after(() => sandbox.stop())

  test('gets its input and answers with what it returns', async () => {
    assert.deepEqual(await run('GET /echo', { input: { name: 'Ada' } }), { hello: 'Ada', list: [1, null, true] })
    assert.equal(await run('GET /this'), 'function')
  })

  test('may return nothing, or a value without a promise', async () => {
    assert.deepEqual([await run('GET /nothing'), await run('GET /null'), await run('GET /five')], [undefined, null, 5])
  })

  test('asks the service, and gets what it answers or refuses', async () => {
    const asked: unknown[] = []
    const answer = await run('GET /ask', {
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

  test('has exactly what stoa gives', async () => {
    assert.deepEqual(await run('GET /surface'), {
      content: ['create', 'get', 'list', 'remove', 'setStatus', 'types', 'update'],
      media: ['get', 'list', 'update'],
      taxonomies: ['addTerm', 'list'],
      menus: ['get', 'list'],
      settings: ['own', 'site'],
      store: ['delete', 'get', 'list', 'put'],
      social: ['accounts', 'createPost', 'getPost', 'posts', 'publish', 'schedule', 'updatePost'],
      http: ['fetch'],
      crypto: ['equal', 'hmac', 'randomToken', 'sha256'],
      log: ['debug', 'error', 'info', 'warn'],
      clock: ['now'],
      Problem: 'Problem',
    })
    assert.deepEqual(await run('GET /same'), [true, true, true, 'Problem'])
  })

  test('names the collection first, and leaves out what was not given', async () => {
    const asked: unknown[] = []
    const reach: Reach = async ({ module, method, args }) => {
      asked.push([module, method, ...args])
      return null
    }
    await run('GET /store', { reach })
    await run('GET /status', { reach })
    assert.deepEqual(asked, [
      ['store', 'get', 'plans', 'a'],
      ['store', 'put', 'plans', 'a', { x: 1 }, { ifVersion: 2 }],
      ['store', 'delete', 'plans', 'a'],
      ['store', 'list', 'plans', { limit: 1 }],
      ['content', 'setStatus', 'a', 'publish', null],
    ])
  })

  test('refuses with a Problem of a status that is the caller’s fault', async () => {
    await assert.rejects(run('GET /problem'), (error) => {
      assert.ok(error instanceof PluginProblem)
      assert.deepEqual([error.status, error.message, error.details], [409, 'Not now', { after: 'lunch' }])
      return true
    })
    await assert.rejects(run('GET /oddproblem'), failure('failed', /400 to 499/))
  })

  test('fails with what was thrown and where', async () => {
    await assert.rejects(run('GET /throw'), failure('failed', /TypeError: oh no\n.*server\.js/))
  })

  test('logs, and its logs are reported', async () => {
    const logs: LogLine[] = []
    await run('GET /log', { logs })
    assert.deepEqual(
      logs.map(({ level, text }) => `${level} ${text.split('\n')[0]}`),
      ['info one {"two":2} [3]', 'warn four', 'error Error: five'],
    )
  })

  test('has the time of the service', async () => {
    const now = new Date('2031-05-06T07:08:09.000Z')
    assert.match(String(await run('GET /clock', { now })), /^2031-05-06T07:0[89]:/)
  })

  test('finds nothing of the calls before it', async () => {
    assert.deepEqual([await run('GET /count'), await run('GET /count'), await run('GET /count')], [1, 1, 1])
  })

  test('gets the answer of http.fetch with the usual ways to read it', async () => {
    const answer = { status: 201, headers: { 'x-y': 'z' }, body: '{"a":1}' }
    assert.deepEqual(await run('GET /fetch', { reach: async () => answer }), {
      answer: { ...answer, ok: true },
      ok: true,
      text: '{"a":1}',
      json: { a: 1 },
    })
  })

  test('has addresses and encoders, and neither timers nor anything of Node', async () => {
    const nothing = 'undefined'
    assert.deepEqual(await run('GET /globals'), [
      'https://example.com/x?a=1',
      [195, 169],
      nothing,
      nothing,
      nothing,
      nothing,
      nothing,
    ])
    await assert.rejects(run('GET /import'), failure('failed', /'node:fs' can't be imported, only 'stoa' can/))
  })
})

describe('a start', () => {
  const refused = async (code: string, message: RegExp) => {
    const { sandbox, deaths } = pluginOf(code, [
      { kind: 'route', name: 'GET /plans/:id' },
      { kind: 'event', name: 'entry.published' },
      { kind: 'schedule', name: 'tidy' },
    ])
    await assert.rejects(sandbox.start(), failure('failed', message))
    await sandbox.stop()
    assert.deepEqual(deaths, [], 'it was never there')
  }

  test('names every declared handler that is missing or no function', () =>
    refused(
      `export const routes = { 'GET /plans/:id': 'x' }; export const events = Object.create({ 'entry.published': () => 1 })`,
      /^server\.js doesn't export routes\['GET \/plans\/:id'\], events\['entry\.published'\], schedules\['tidy'\]$/,
    ))

  test('reports what is wrong with the code', async () => {
    await refused('export const routes = {', /SyntaxError/)
    await refused(`import fs from 'fs'`, /'fs' can't be imported, only 'stoa' can/)
    await refused(`throw new Error('at load')`, /Error: at load/)
    await refused('await new Promise(() => {})', /waits at its top level/)
    await refused(`import { settings } from 'stoa'; await settings.own()`, /only while a handler runs/)
    await refused('for (;;);', /used more than/)
  })

  test('is not needed before a call, and can be asked for twice', async () => {
    const { sandbox, run } = pluginOf(`export const routes = { 'GET /': () => 'here' }`)
    await Promise.all([sandbox.start(), sandbox.start()])
    assert.equal(await run('GET /'), 'here')
    await sandbox.stop()
    await assert.rejects(run('GET /'), failure('stopped', /off/))
    await assert.rejects(sandbox.start(), failure('stopped', /off/))
  })
})
