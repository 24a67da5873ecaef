import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { fault } from '../errors.ts'
import { parseCidr } from './client-address.ts'
import { PUBLIC } from './route.ts'
import { type Answer, call, writeJson } from './testing/client.ts'
import { error, type Options, route, routes, type Service, startService } from './testing/service.ts'

const rates: NonNullable<Options['rates']> = {
  anonymous: { limit: 3, windowSeconds: 60 },
  principal: { limit: 5, windowSeconds: 60 },
  keyOf: ({ name }) => `principal ${name}`,
}
const figures = ({ headers }: Answer) => [headers['ratelimit-limit'], headers['ratelimit-remaining']]
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const repeat = async (times: number, act: () => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (let at = 0; at < times; at += 1) answers.push(await act())
  return answers
}
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)

/** Each test comes from another address, so that they do not share windows. */
let lastHost = 0
const from = () => {
  lastHost += 1
  return { 'x-forwarded-for': `203.0.113.${lastHost}` }
}

describe('a principal without a key', () => {
  test('is not counted, and its refused credentials are', async () => {
    const service = await startService({ rates: { ...rates, keyOf: () => null } })
    const get = (token: string) => call(service.port, { path: '/api/things', headers: bearer(token) })
    const answers = await repeat(10, () => get('reader without a key'))
    assert.deepEqual([...new Set(statuses(answers))], [200])
    assert.equal(answers[0]?.headers['ratelimit-limit'], undefined)
    assert.deepEqual(statuses(await repeat(4, () => get('wrong'))), [401, 401, 401, 429])
    assert.equal((await get('reader without a key')).status, 200)
    await service.stop()
  })
})

describe('rate limits', () => {
  let service: Service
  before(async () => {
    service = await startService({
      rates,
      trustedProxies: [parseCidr('127.0.0.1')],
      routes: [
        ...routes,
        route({
          method: 'GET',
          path: '/api/heavy',
          summary: 'A guarded route with a limit of its own',
          auth: ['token'],
          access: 'read',
          rate: { limit: 1, windowSeconds: 60 },
          output: z.object({}),
          run: () => ({}),
        }),
        route({
          method: 'GET',
          path: '/api/pictures',
          summary: 'A guarded route that is asked for often',
          auth: ['token'],
          access: 'read',
          principalRate: { limit: 7, windowSeconds: 60 },
          output: z.object({}),
          run: () => ({}),
        }),
      ],
    })
  })
  after(() => service.stop())
  const get = (path: string, headers: Record<string, string>) => call(service.port, { path, headers })

  test('a route with a rate of its own for principals is counted apart from the others', async () => {
    const headers = { ...from(), ...bearer('reader of pictures') }
    const answers = await repeat(8, () => get('/api/pictures', headers))
    assert.deepEqual(statuses(answers), [200, 200, 200, 200, 200, 200, 200, 429])
    assert.deepEqual(figures(answers[0] ?? assert.fail()), ['7', '6'])
    assert.deepEqual(figures(await get('/api/things', headers)), ['5', '4'])
  })

  test('unknown paths and wrong verbs come before limits, are never limited, and show where the address stands', async () => {
    const headers = from()
    const wrong = [...(await repeat(5, () => get('/api/none', headers)))]
    wrong.push(...(await repeat(5, () => call(service.port, { method: 'PATCH', path: '/api/things', headers }))))
    assert.deepEqual(statuses(wrong), [404, 404, 404, 404, 404, 405, 405, 405, 405, 405])
    for (const answer of wrong) assert.deepEqual(figures(answer), ['3', '3'])
    await get('/api/who', headers)
    assert.deepEqual(figures(await get('/api/none', headers)), ['3', '2'])
  })

  test('a missing or refused credential counts against the address and then is 429 instead of 401', async () => {
    const headers = { ...from(), ...bearer('wrong') }
    const answers = await repeat(5, () => get('/api/things', headers))
    assert.deepEqual(statuses(answers), [401, 401, 401, 429, 429])
    assert.deepEqual(answers.map(figures), [
      ['3', '2'],
      ['3', '1'],
      ['3', '0'],
      ['3', '0'],
      ['3', '0'],
    ])
    assert.equal(answers[4]?.headers['retry-after'], '60')
    assert.equal(answers[4]?.json.code, 'rate_limited')
    const { authorization: _refused, ...without } = headers
    assert.equal((await get('/api/things', without)).status, 429)
  })

  test('a good credential still works from an address that is over its limit', async () => {
    const address = from()
    await repeat(4, () => get('/api/things', address))
    const answer = await get('/api/things', { ...address, ...bearer('reader from there') })
    assert.deepEqual([answer.status, ...figures(answer)], [200, '5', '4'])
  })

  test('a principal has one window for all its addresses and credentials', async () => {
    const token = () => get('/api/things', { ...from(), ...bearer('reader one') })
    const cookie = () => get('/api/things', { ...from(), cookie: 'session=reader one' })
    assert.deepEqual(
      statuses([...(await repeat(3, token)), ...(await repeat(3, cookie))]),
      [200, 200, 200, 200, 200, 429],
    )
    assert.equal((await get('/api/things', { ...from(), ...bearer('reader two') })).status, 200)
  })

  test('a principal over its limit is refused before permission, object and body', async () => {
    const headers = { ...from(), ...bearer('reader three') }
    await repeat(5, () => get('/api/things', headers))
    assert.equal((await writeJson(service.port, '/api/things', '{', { headers })).status, 429)
    assert.equal((await writeJson(service.port, '/api/things/missing', '{', { method: 'PUT', headers })).status, 429)
  })

  test('the headers are on every answer: success, refusal, bad input, failure', async () => {
    const headers = bearer('writer headers')
    const answers = [
      await get('/api/things', { ...from(), ...headers }),
      await writeJson(service.port, '/api/things', '{}', { headers: { ...from(), ...headers } }),
      await writeJson(service.port, '/api/things', '{', { headers: { ...from(), ...headers } }),
      await get('/api/things', { ...from(), ...bearer('reader headers'), origin: 'http://evil.example' }),
      await writeJson(service.port, '/api/things/check', '{}', {
        headers: { ...from(), origin: 'http://evil.example' },
      }),
      await get('/api/broken', from()),
      await get('/api/broken-stream', from()),
      await call(service.port, { method: 'HEAD', path: '/api/who', headers: from() }),
    ]
    assert.deepEqual(statuses(answers), [200, 400, 400, 200, 403, 500, 500, 200])
    for (const { headers: got, text } of answers)
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
        assert.match(String(got[name]), /^\d+$/, text)
  })

  test('a public route counts by address, whatever credential is sent along', async () => {
    const address = from()
    const answers = await repeat(4, () => get('/api/who', { ...address, ...bearer(`reader ${Math.random()}`) }))
    assert.deepEqual(statuses(answers), [200, 200, 200, 429])
  })

  test('a limit of the route takes the place of the common one and does not use it up', async () => {
    const address = from()
    const signIn = () => call(service.port, { method: 'POST', path: '/api/sign-in', headers: address })
    const answers = await repeat(4, signIn)
    assert.deepEqual(statuses(answers), [204, 204, 429, 429])
    assert.deepEqual(answers.map(figures), [
      ['2', '1'],
      ['2', '0'],
      ['2', '0'],
      ['2', '0'],
    ])
    assert.deepEqual(figures(await get('/api/who', address)), ['3', '2'])
  })

  test('a limit of the route cannot be walked around with a query, another case or a body member', async () => {
    const address = from()
    await repeat(2, () => call(service.port, { method: 'POST', path: '/api/sign-in', headers: address }))
    for (const path of ['/api/sign-in?x=1', '/api/sign-in?', '/api/sign%2din'])
      assert.equal((await writeJson(service.port, path, '{"a":1}', { headers: address })).status, 429, path)
    for (const path of ['/api/Sign-In', '/api//sign-in', '/api/sign-in/'])
      assert.equal((await writeJson(service.port, path, '{}', { headers: address })).status, 404, path)
  })

  test('a guarded route with its own limit counts the address before it looks at the credential', async () => {
    const headers = { ...from(), ...bearer('reader heavy') }
    assert.deepEqual(statuses(await repeat(2, () => get('/api/heavy', headers))), [200, 429])
  })

  test('a forged left part of X-Forwarded-For does not give a fresh window; the /64 of IPv6 is one client', async () => {
    const { 'x-forwarded-for': real } = from()
    const forged = await repeat(5, () =>
      get('/api/who', { 'x-forwarded-for': `198.51.100.${Math.floor(Math.random() * 250)}, ${real}` }),
    )
    assert.deepEqual(statuses(forged), [200, 200, 200, 429, 429])
    const rotated: Answer[] = []
    for (let at = 1; at <= 5; at += 1) rotated.push(await get('/api/who', { 'x-forwarded-for': `2001:db8:1:2::${at}` }))
    assert.deepEqual(statuses(rotated), [200, 200, 200, 429, 429])
    assert.equal((await get('/api/who', { 'x-forwarded-for': '2001:db8:1:3::1' })).status, 200)
  })

  test('the window ends by the service clock', async () => {
    const address = from()
    assert.equal((await repeat(4, () => get('/api/who', address)))[3]?.status, 429)
    service.clock.advance(60_000)
    assert.equal((await get('/api/who', address)).status, 200)
  })
})

describe('which failures of the credential check count', () => {
  const failing = (raise: () => never) => startService({ rates, authenticate: raise })
  const answers = async (raise: () => never) => {
    const service = await failing(raise)
    const all = await repeat(5, () => call(service.port, { path: '/api/things' }))
    await service.stop()
    return statuses(all)
  }

  test('a refusal in either spelling does', async () => {
    const refuse = () => {
      throw error('forbidden')
    }
    assert.deepEqual(await answers(refuse), [403, 403, 403, 429, 429])
    const kitRefuses = () => {
      throw fault('unauthenticated', {})
    }
    assert.deepEqual(await answers(kitRefuses), [401, 401, 401, 429, 429])
  })

  test('a database that is away or a mistake of ours does not', async () => {
    const away = () => {
      throw fault('unavailable', { retryAfterSeconds: 1 })
    }
    assert.deepEqual(await answers(away), [503, 503, 503, 503, 503])
    const broken = () => {
      throw new Error('undefined is not a function')
    }
    assert.deepEqual(await answers(broken), [500, 500, 500, 500, 500])
  })

  test('a check that fails with nothing at all never lets the request in', async () => {
    for (const nothing of [undefined, null, false, 0, ''])
      for (const chosen of [{ rates }, {}]) {
        const service = await startService({ ...chosen, authenticate: () => Promise.reject(nothing) })
        assert.equal((await call(service.port, { path: '/api/things' })).status, 500)
        await service.stop()
      }
  })
})

test('without rates nothing is counted and no header is sent', async () => {
  const service = await startService({ routes: [...routes.filter(({ auth }) => auth === PUBLIC)] })
  const answers = await repeat(20, () => call(service.port, { path: '/api/who' }))
  assert.ok(answers.every(({ status, headers }) => status === 200 && headers['ratelimit-limit'] === undefined))
  await service.stop()
})

describe('the address of a client', () => {
  const who = async (proxies: string[], headers: Record<string, string>) => {
    const service = await startService({ trustedProxies: proxies.map(parseCidr) })
    const { json } = await call(service.port, { path: '/api/who', headers })
    await service.stop()
    return [json.ip, json.limitKey]
  }

  test('no proxies: nothing a client sends changes its address', async () => {
    const forged = {
      'x-forwarded-for': '203.0.113.9',
      'x-real-ip': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-client-ip': '203.0.113.9',
      'cf-connecting-ip': '203.0.113.9',
    }
    assert.deepEqual(await who([], forged), ['127.0.0.1', '127.0.0.1'])
  })

  test('behind a proxy: the header counts, other headers do not', async () => {
    assert.deepEqual(await who(['127.0.0.1'], { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' }), [
      '203.0.113.9',
      '203.0.113.9',
    ])
    assert.deepEqual(await who(['127.0.0.1'], { 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' }), [
      '127.0.0.1',
      '127.0.0.1',
    ])
    const [ip, limitKey] = await who(['127.0.0.1'], { 'x-forwarded-for': '2001:db8::1' })
    assert.deepEqual([ip, String(limitKey).endsWith('/64')], ['2001:db8::1', true])
  })
})
