import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { HostRefusal, type Json, type LogLine, type Reach } from './sandbox.ts'
import { failure, pluginOf } from './testing/plugin-of.ts'

const MIB = 1_048_576

/** Never answers while the handler is there. */
const silent: Reach = (_call, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))

describe('code that does harm is contained, and the thread goes on', () => {
  const { sandbox, run, deaths } = pluginOf(`
    import { content, store, log, crypto, Problem } from 'stoa'
    const poison = () => { throw new Error('poisoned') }
    export const routes = {
      'GET /well': () => 'well',
      'GET /loop': () => { for (;;); },
      'GET /asyncloop': async () => { for (;;) await null },
      'GET /asynccatch': async () => { try { await (async () => { for (;;) await null })() } catch { return 'caught' } },
      'GET /catchloop': () => { for (;;) try { for (;;); } catch {} },
      'GET /chain': () => { const next = () => { Promise.resolve().then(next) }; next(); return new Promise(() => {}) },
      'GET /growingchain': () => { const next = () => Promise.resolve().then(next); next(); return new Promise(() => {}) },
      'GET /left': () => { const next = () => { Promise.resolve().then(next) }; next(); return 'answered' },
      'GET /regex': () => /^(a+)+$/.test('a'.repeat(40) + 'b'),
      'GET /recursion': () => { const deep = () => 1 + deep(); return deep() },
      'GET /deepjson': () => { let value = []; for (let n = 0; n < 3000; n += 1) value = [value]; return value },
      'GET /deepparse': () => JSON.parse('['.repeat(500000)),
      'GET /deepstring': () => { const odd = { toString: () => String(odd) }; return String(odd) },
      'GET /memory': () => { const all = []; for (;;) all.push(new Array(10000).fill(all)) },
      'GET /caughtmemory': () => { const all = []; try { for (;;) all.push(new Uint8Array(1000000)) } catch { return all.length } },
      'GET /string': () => { let text = 'x'; for (;;) text += text },
      'GET /never': () => new Promise(() => {}),
      'GET /waits': () => content.get('a'),
      'GET /logs': () => { for (let n = 0; n < 500; n += 1) log.info(n, 'x'.repeat(5000)) },
      'GET /calls': async () => { for (;;) await store('plans').put('a', 1) },
      'GET /callsatonce': () => Promise.all(Array.from({ length: 1500 }, () => store('plans').put('a', 1))),
      'GET /hundred': async () => (await Promise.all(Array.from({ length: 100 }, (_, n) => content.get(n)))).length,
      'GET /bytes': async () => { const big = 'x'.repeat(1000000); for (;;) await store('plans').put('a', big) },
      'GET /bigcall': () => content.get('x'.repeat(2000000)),
      'GET /bigcallbytes': () => content.get('é'.repeat(900000)),
      'GET /biganswer': () => 'x'.repeat(2000000),
      'GET /biganswerbytes': () => 'é'.repeat(900000),
      'GET /proxy': () => new Proxy({ a: 1 }, { get: (target, name) => name === 'toJSON' ? undefined : 'forged', ownKeys: () => ['a'] }),
      'GET /badproxy': () => new Proxy({}, { ownKeys: poison }),
      'GET /revoked': () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy },
      'GET /tojson': () => ({ toJSON: () => { for (;;); } }),
      'GET /getter': () => ({ get a() { throw new Error('from a getter') } }),
      'GET /cycle': () => { const value = {}; value.value = value; return value },
      'GET /function': () => () => 1,
      'GET /bigint': () => 1n,
      'GET /thenable': () => ({ then: (resolve) => resolve({ then: (again) => again('twice') }) }),
      'GET /badthenable': () => ({ get then() { throw new Error('from then') } }),
      'GET /throwundefined': () => { throw undefined },
      'GET /throwhuge': () => { throw new Error('x'.repeat(5000000)) },
      'GET /throwgetter': () => { throw { get message() { for (;;); }, get stack() { for (;;); }, toJSON() { for (;;); } } },
      'GET /throwproxy': () => { throw new Proxy(new Error('x'), { get: poison, getPrototypeOf: poison }) },
      'GET /throwsymbol': () => { throw Symbol('odd') },
      'GET /throwfake': () => { throw Object.assign(Object.create(Problem.prototype), { status: 400, message: 'forged', name: 'Problem' }) },
      'GET /problemdetails': () => { throw new Problem(400, 'x', { toJSON() { for (;;); } }) },
      'GET /problemstatus': () => { throw new Problem({ valueOf: () => 404 }, 'x') },
      'GET /primordials': async () => {
        for (const type of [Object, Array, String, Map, Promise, Function, Error, Date, RegExp, Number])
          for (const name of Object.getOwnPropertyNames(type.prototype))
            if (type !== Promise || name !== 'constructor') try { Object.defineProperty(type.prototype, name, { get: poison, set: poison, configurable: true }) } catch {}
        for (const name of ['resolve', 'module', 'id', 'kind', 'then', 'toJSON', 'text'])
          Object.defineProperty(Object.prototype, name, { get: () => undefined, set: poison, configurable: true })
        JSON.stringify = () => '{"module":"forged"}'; JSON.parse = poison; Reflect.apply = poison
        globalThis.Promise = poison; globalThis.JSON = null; globalThis.stoa = null
        return [await content.get('mine')]
      },
      'GET /poisonedpromise': async () => { Object.defineProperty(Promise.prototype, 'constructor', { get: poison }); await content.get('a') },
      'GET /forge': async (request) => {
        request.actor = { id: 'somebody else', role: 'owner' }
        globalThis.actor = request.actor
        return content.list({ actor: request.actor, principal: { kind: 'system' }, __proto__: { caller: 'owner' } })
      },
      'GET /proto': () => content.create(JSON.parse('{"__proto__":{"role":"owner"}}')),
      'GET /deepcall': () => { let value = []; for (let n = 0; n < 1000; n += 1) value = [value]; return content.create(value) },
      'GET /leave': async (request) => { globalThis.secret = request.secret; content.get('late').then(() => content.get('later')); return 1 },
      'GET /found': () => [typeof secret, Object.keys(globalThis)],
      'GET /gone': () => [typeof FinalizationRegistry, typeof WeakRef, typeof SharedArrayBuffer, typeof Atomics],
      'GET /constructor': () => (() => {}).constructor('return typeof process + typeof require')(),
      'GET /stack': () => { Error.prepareStackTrace = (_error, sites) => sites; return typeof new Error('x').stack },
      'GET /equal': () => crypto.equal('a', 'b'),
    }`)
  after(() => sandbox.stop())

  const stillWell = async () => {
    assert.equal(await run('GET /well'), 'well')
    assert.deepEqual(deaths, [])
  }
  const fails = (route: string, message: RegExp, reach?: Reach) =>
    test(`GET ${route.slice(4)} fails by itself`, async () => {
      await assert.rejects(run(route, { ...(reach && { reach }) }), failure('failed', message))
      await stillWell()
    })

  const CPU = /used more than 1 s/
  for (const route of [
    '/loop',
    '/asyncloop',
    '/asynccatch',
    '/catchloop',
    '/chain',
    '/regex',
    '/tojson',
    '/problemdetails',
  ])
    fails(`GET ${route}`, CPU)
  fails('GET /deepjson', /nested too deeply/)
  for (const route of ['/recursion', '/deepparse', '/deepstring'])
    fails(`GET ${route}`, /stack overflow|too deep|Maximum call stack|recursion|SyntaxError|nested/i)
  fails('GET /memory', /out of memory|used more than/)
  // Each link holds the one before: a fast machine comes to the end of the memory first, which ends the chain
  fails('GET /growingchain', /used more than|waits for a promise that never settles/)
  fails('GET /string', /string too long|invalid string length|out of memory/i)
  fails('GET /never', /waits for a promise that never settles/)
  fails('GET /calls', /more than 1000 calls/, async () => ({ id: 'a', version: 1 }))
  fails('GET /callsatonce', /more than 1000 calls/, async () => null)
  fails('GET /bytes', /more than 16 MiB/, async () => null)
  fails('GET /bigcall', /content\.get are larger than 1 MiB/, async () => null)
  fails('GET /bigcallbytes', /more than 1 MiB/, async () => null)
  fails('GET /biganswer', /larger than 1 MiB/)
  fails('GET /biganswerbytes', /larger than 1 MiB/)
  fails('GET /badproxy', /poisoned/)
  fails('GET /revoked', /revoked proxy/)
  fails('GET /getter', /from a getter/)
  fails('GET /cycle', /circular/)
  fails('GET /function', /isn't JSON/)
  fails('GET /bigint', /bigint/i)
  fails('GET /badthenable', /from then/)
  fails('GET /throwundefined', /undefined was thrown/)
  fails('GET /throwgetter', CPU)
  fails('GET /throwproxy', /./)
  fails('GET /throwsymbol', /was thrown/)
  fails('GET /throwfake', /./)
  fails('GET /poisonedpromise', /never settles|poisoned/, async () => null)
  fails('GET /problemstatus', /400 to 499/)

  test('an error message is truncated', async () => {
    await assert.rejects(run('GET /throwhuge'), (error) => {
      assert.ok(error instanceof Error && error.message.length <= 2_000)
      return failure('failed', /^Error: xxx/)(error)
    })
  })

  test('an answer counts although the code would go on for ever', async () => {
    assert.equal(await run('GET /left'), 'answered')
    await stillWell()
  })

  test('memory has a limit that code may survive, and all of it comes back', async () => {
    for (let round = 0; round < 3; round += 1) {
      const megabytes = Number(await run('GET /caughtmemory'))
      assert.ok(megabytes >= 32 && megabytes <= 80, `${megabytes} MB`)
    }
    await stillWell()
  })

  test('a handler that waits too long is given up, and the service need not go on for it', async () => {
    let isAborted = false
    const reach: Reach = (_call, signal) => {
      signal.addEventListener('abort', () => {
        isAborted = true
      })
      return silent(_call, signal)
    }
    await assert.rejects(run('GET /waits', { reach, timeMs: 200 }), failure('timeout', /longer than 0\.2 seconds/))
    assert.equal(isAborted, true)
    await stillWell()
  })

  test('of a flood of logs the first lines are kept, each truncated', async () => {
    const logs: LogLine[] = []
    await run('GET /logs', { logs })
    assert.equal(logs.length, 51)
    assert.ok(logs.every(({ text }) => text.length <= 500))
    assert.match(logs.at(-1)?.text ?? '', /left out/)
  })

  test('many calls at once reach the service a few at a time', async () => {
    let atOnce = 0
    let most = 0
    const reach: Reach = async () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return null
    }
    assert.equal(await run('GET /hundred', { reach }), 100)
    assert.ok(most <= 8, `${most} at once`)
  })

  test('an answer of the service that is too large is an error of that call', async () => {
    const reach: Reach = async () => 'x'.repeat(2 * MIB)
    await assert.rejects(run('GET /waits', { reach }), failure('failed', /larger than 1 MiB\. Request less/))
  })

  test('an unexpected error of the service is reported without its message', async () => {
    const reach: Reach = () => Promise.reject(new Error('password of the database'))
    await assert.rejects(run('GET /waits', { reach }), (error) => {
      assert.doesNotMatch(String(error), /password/)
      return failure('failed', /The server ran into an unexpected error/)(error)
    })
  })

  test('a proxy as an answer is no more than its JSON', async () => {
    assert.deepEqual(await run('GET /proxy'), { a: 'forged' })
  })

  test('a thenable is followed as a promise is', async () => {
    assert.equal(await run('GET /thenable'), 'twice')
  })

  test('built-ins that the code changed are not those of the bridge', async () => {
    const asked: unknown[] = []
    const reach: Reach = async (call) => {
      asked.push(call)
      return { mine: true }
    }
    // Reading its own arrays and objects is spoiled for the code alone.
    const answer = await run('GET /primordials', { reach }).catch((error: unknown) => error)
    assert.deepEqual(asked, [{ module: 'content', method: 'get', args: ['mine'] }])
    assert.ok(answer !== undefined)
    await stillWell()
  })

  test('nothing that the code says about the caller reaches the service but as an argument', async () => {
    const asked: { module: string; args: readonly Json[] }[] = []
    const reach: Reach = async (call) => {
      asked.push(call)
      return null
    }
    await run('GET /forge', { reach, input: { actor: { id: 'me' } } })
    assert.deepEqual(Object.keys(asked[0] ?? {}).sort(), ['args', 'method', 'module'])
    await assert.rejects(run('GET /proto', { reach }), failure('failed', /forbidden names/))
    await assert.rejects(run('GET /deepcall', { reach }), failure('failed', /nested too deeply/))
    assert.equal(asked.length, 1)
  })

  test('nothing of one caller is found by the next, nor runs on under their name', async () => {
    const first: string[] = []
    const second: string[] = []
    const late = Promise.withResolvers<void>()
    const keep =
      (list: string[]): Reach =>
      async ({ args }) => {
        list.push(String(args[0]))
        await late.promise
        return null
      }
    await run('GET /leave', { reach: keep(first), input: { secret: 'of the first' } })
    const [found, names] = (await run('GET /found', { reach: keep(second) })) as [string, string[]]
    late.resolve()
    await stillWell()
    assert.equal(found, 'undefined')
    assert.ok(!names.includes('secret'))
    assert.deepEqual([first.filter((id) => id !== 'late'), second], [[], []])
  })

  test('calls that run at the same time are answered each for its own caller', async () => {
    const callers = Array.from({ length: 8 }, (_, n) => `person ${n}`)
    const answers = await Promise.all(
      callers.map((caller) =>
        run('GET /waits', {
          reach: async () => {
            await new Promise((resolve) => setImmediate(resolve))
            return caller
          },
        }),
      ),
    )
    assert.deepEqual(answers, callers)
  })

  test('there is no way to what the engine keeps between calls, or to the thread', async () => {
    assert.deepEqual(await run('GET /gone'), Array(4).fill('undefined'))
    assert.equal(await run('GET /constructor'), 'undefinedundefined')
    await run('GET /stack').catch(() => undefined)
    await stillWell()
  })

  test('a refusal is an error of the code as any other', async () => {
    const reach: Reach = () => Promise.reject(new HostRefusal('FORBIDDEN', 403, 'Not for plugins'))
    await assert.rejects(run('GET /equal', { reach }), failure('failed', /StoaError: Not for plugins/))
  })
})
