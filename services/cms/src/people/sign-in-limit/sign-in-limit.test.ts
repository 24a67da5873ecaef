import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsAnswer, type CmsService, PASSWORD, startCms } from '@stoa/tests/lib/cms.ts'

const MINUTE = 60_000

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

let addresses = 0
const freshIp = () => `203.0.113.${++addresses}`
const login = (on: CmsService, ip: string, email: string, password: string, headers: Record<string, string> = {}) =>
  on.client({ ip }).post('/api/auth/login', { email, password }, headers)
const guess = (ip: string, email: string) => login(service, ip, email, 'a wrong guess')
const enter = (ip: string, email: string) => login(service, ip, email, PASSWORD)
const times = async (count: number, act: (n: number) => Promise<CmsAnswer>): Promise<string> => {
  const answers: CmsAnswer[] = []
  for (let n = 0; n < count; n += 1) answers.push(await act(n))
  return answers.map(({ status }) => status).join(' ')
}

describe('wrong passwords', () => {
  test('five for one address from one client, then even the right one waits, for a returned time', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    assert.equal(await times(5, () => guess(ip, person.email)), '401 401 401 401 401')
    service.clock.advance(5 * MINUTE)
    const limited = await enter(ip, person.email)
    assert.equal(limited.status, 429)
    assert.equal(limited.body.code, 'LOGIN_LIMITED')
    assert.equal(limited.headers.get('retry-after'), '600')
    assert.equal(limited.headers.get('set-cookie'), null)
    service.clock.advance(10 * MINUTE - 1)
    assert.equal((await enter(ip, person.email)).status, 429)
    service.clock.advance(1)
    assert.equal((await enter(ip, person.email)).status, 200)
  })

  test('hold neither the same person elsewhere nor another person here', async () => {
    const person = await service.person('viewer')
    const other = await service.person('viewer')
    const ip = freshIp()
    await times(5, () => guess(ip, person.email))
    assert.equal((await enter(freshIp(), person.email)).status, 200)
    assert.equal((await enter(ip, other.email)).status, 200)
  })

  test('ten from one client over many addresses, then everybody there waits', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    assert.equal(await times(10, (n) => guess(ip, `nobody${n}@example.test`)), Array(10).fill(401).join(' '))
    assert.equal((await enter(ip, person.email)).body.code, 'LOGIN_LIMITED')
    assert.equal((await enter(freshIp(), person.email)).status, 200)
  })

  test('a right one clears the count of that person, not of the client', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    await times(4, () => guess(ip, person.email))
    assert.equal((await enter(ip, person.email)).status, 200)
    assert.equal(await times(4, () => guess(ip, person.email)), '401 401 401 401')
    assert.equal((await enter(ip, person.email)).status, 200)
    await times(2, () => guess(ip, person.email))
    assert.equal((await enter(ip, person.email)).body.code, 'LOGIN_LIMITED', 'the tenth failure of this client')
  })

  test('a refused attempt does not count and does not make the wait longer', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    await times(5, () => guess(ip, person.email))
    await times(20, () => guess(ip, person.email))
    const other = await service.person('viewer')
    assert.equal((await enter(ip, other.email)).status, 200, 'the client has five failures, not 25')
    service.clock.advance(15 * MINUTE)
    assert.equal((await enter(ip, person.email)).status, 200)
  })

  test('a request that is not a guess counts for nothing', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    for (let n = 0; n < 15; n += 1) await service.client({ ip }).post('/api/auth/login', { email: person.email })
    assert.equal((await enter(ip, person.email)).status, 200)
  })

  test('buckets that have ended are removed', async () => {
    await guess(freshIp(), 'someone@example.test')
    service.clock.advance(16 * MINUTE)
    for (let n = 0; n < 8; n += 1) await guess(freshIp(), 'else@example.test')
    const old = await service.cms.database.db
      .selectFrom('login_limit')
      .select('bucket')
      .where('ends_at', '<=', service.clock.now())
      .execute()
    assert.deepEqual(old, [])
  })
})

describe('C30: the count cannot be split or evaded', () => {
  test('by the case of the address or space around it', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    const spellings = [
      person.email,
      person.email.toUpperCase(),
      ` ${person.email}`,
      `${person.email}\t`,
      person.email.replace('v', 'V'),
    ]
    assert.equal(await times(5, (n) => guess(ip, spellings[n] ?? '')), '401 401 401 401 401')
    assert.equal((await enter(ip, person.email)).status, 429)
  })

  test('by extra members of the body', async () => {
    const ip = freshIp()
    const answer = await service
      .client({ ip })
      .post('/api/auth/login', { email: 'a@example.test', password: 'x', identifier: 'b@example.test' })
    assert.equal(answer.status, 400)
  })

  test('by another spelling of the path', async () => {
    for (const path of [
      '/api/auth/login/',
      '//api/auth/login',
      '/API/auth/login',
      '/api/auth/./login/.',
      '/api/auth/login%20',
    ]) {
      const answer = await service.client().post(path, { email: 'a@example.test', password: 'x' })
      assert.equal(answer.status, 404, path)
    }
  })

  test('by rotating through one IPv6 network', async () => {
    const person = await service.person('viewer')
    assert.equal(await times(5, (n) => guess(`2001:db8:1:1:${n}:${n}::${n + 1}`, person.email)), '401 401 401 401 401')
    assert.equal((await enter('2001:db8:1:1:ffff::1', person.email)).status, 429)
    assert.equal((await enter('2001:db8:1:2::1', person.email)).status, 200)
  })

  test('by X-Forwarded-For hops that no trusted proxy wrote', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    assert.equal(await times(5, (n) => guess(`198.51.100.${n}, ${ip}`, person.email)), '401 401 401 401 401')
    assert.equal((await enter(`198.51.100.99, ${ip}`, person.email)).status, 429)
  })

  test('by X-Forwarded-For at all, when no proxy is trusted', async () => {
    const alone = await startCms({ env: { TRUSTED_PROXIES: '' } })
    const person = await alone.person('viewer')
    for (let n = 0; n < 5; n += 1) await login(alone, `198.51.100.${n}`, person.email, 'a wrong guess')
    const answer = await login(alone, '198.51.100.77', person.email, PASSWORD)
    assert.equal(answer.status, 429)
    await alone.close()
  })

  test('by guessing in parallel: 40 at once are checked five times', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    const answers = await Promise.all(Array.from({ length: 40 }, () => guess(ip, person.email)))
    assert.equal(answers.filter(({ status }) => status === 401).length, 5)
    assert.equal(answers.filter(({ status }) => status === 429).length, 35)
  })

  test('by guessing at several processes', async () => {
    const second = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
    const person = await service.person('viewer')
    const ip = freshIp()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => login(n % 2 ? second : service, ip, person.email, 'a wrong guess')),
    )
    assert.equal(answers.filter(({ status }) => status === 401).length, 5)
    assert.equal((await login(second, ip, person.email, PASSWORD)).status, 429)
    await second.close()
  })

  test('by a restart', async () => {
    const person = await service.person('viewer')
    const ip = freshIp()
    await times(5, () => guess(ip, person.email))
    const again = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
    assert.equal((await login(again, ip, person.email, PASSWORD)).status, 429)
    await again.close()
  })
})

test('many right passwords at once from one client all get in', async () => {
  const person = await service.person('viewer')
  const ip = freshIp()
  const answers = await Promise.all(Array.from({ length: 12 }, () => enter(ip, person.email)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(12).fill(200),
  )
})
