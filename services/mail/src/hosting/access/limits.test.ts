import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type MailAnswer, type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'

const limitsOf = ({ status, headers }: MailAnswer) => ({
  status,
  limit: headers.get('ratelimit-limit'),
  remaining: headers.get('ratelimit-remaining'),
  reset: headers.get('ratelimit-reset'),
  retryAfter: headers.get('retry-after'),
})
const statuses = async (times: number, act: (at: number) => Promise<MailAnswer>): Promise<number[]> => {
  const found: number[] = []
  for (let at = 0; at < times; at += 1) found.push((await act(at)).status)
  return found
}
const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status)
/** Counts like any sign-in, and is refused before the work of one. */
const login = (client: MailClient) => client.post('/api/auth/login', {})
const REFUSED = 422

describe('the request limit of a default setup', () => {
  let mail: MailService
  before(async () => {
    // Nothing is set: 10 per second.
    mail = await startMail({ env: { RATE_LIMIT_PER_SECOND: '' } })
  })
  after(() => mail.close())
  beforeEach(() => mail.clock.advance(1000))

  test('is 10 a second per account, over all its sessions and addresses, and every answer shows it', async () => {
    const { client, id } = await mail.signUp()
    const clients = [client, mail.client({ cookie: await mail.openSession(id) }), mail.client({ ...cookieOf(client) })]
    for (let used = 1; used <= 10; used += 1) {
      const answer = await clients[used % 3]?.get('/api/auth/me')
      assert.ok(answer)
      const expected = { status: 200, limit: '10', remaining: String(10 - used), reset: '1', retryAfter: null }
      assert.deepEqual(limitsOf(answer), expected)
    }
    const limited = await client.get('/api/auth/me')
    assert.deepEqual(limitsOf(limited), { status: 429, limit: '10', remaining: '0', reset: '1', retryAfter: '1' })
    assert.equal(limited.body.name, 'rate_limit_exceeded')
    assert.equal((await (await mail.signUp()).client.get('/api/auth/me')).status, 200)
    mail.clock.advance(999)
    assert.equal((await client.get('/api/auth/me')).status, 429)
    mail.clock.advance(1)
    assert.equal((await client.get('/api/auth/me')).status, 200)
  })

  test('is 10 out of 25 that arrive together', async () => {
    const { client } = await mail.signUp()
    const answers = await Promise.all(Array.from({ length: 25 }, () => client.get('/api/auth/me')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...times(10, 200), ...times(15, 429)])
  })

  test('is 10 a second per address for those who are not signed in, and who is signed in there is not held up', async () => {
    const { client } = await mail.signUp()
    mail.clock.advance(1000)
    const stranger = mail.client({ ip: client.ip })
    const garbage = mail.client({ ip: client.ip, cookie: 'garbage' })
    const forged = mail.client({ ip: client.ip, cookie: `${'x'.repeat(43)}.${'y'.repeat(43)}` })
    const acts = [
      () => stranger.get('/api/auth/signups'),
      () => stranger.get('/api/auth/me'),
      () => garbage.get('/api/account/sessions'),
      () => forged.post('/api/account/sessions/revoke-others'),
    ]
    const found = await statuses(10, (at) => acts[at % 4]?.() ?? stranger.get('/'))
    assert.deepEqual(found, [200, 401, 401, 401, 200, 401, 401, 401, 200, 401])
    for (const act of acts) {
      const limited = await act()
      assert.deepEqual(limitsOf(limited), { status: 429, limit: '10', remaining: '0', reset: '1', retryAfter: '1' })
    }
    assert.equal((await client.get('/api/auth/me')).status, 200)
    assert.equal((await mail.client().get('/api/auth/signups')).status, 200)
  })

  test('comes after unknown paths and wrong verbs, which count against nobody and show it too', async () => {
    const client = mail.client()
    const unlimited = { limit: '10', remaining: '10', reset: '1', retryAfter: null }
    assert.deepEqual(limitsOf(await client.get('/api/nothing')), { status: 404, ...unlimited })
    assert.deepEqual(limitsOf(await client.send('DELETE', '/api/auth/me')), { status: 405, ...unlimited })
    await statuses(11, () => client.get('/api/auth/signups'))
    const limited = { limit: '10', remaining: '0', reset: '1', retryAfter: null }
    assert.deepEqual(limitsOf(await client.get('/api/nothing')), { status: 404, ...limited })
    assert.deepEqual(limitsOf(await client.send('DELETE', '/api/auth/me')), { status: 405, ...limited })
  })

  test('comes before the body is looked at', async () => {
    const client = mail.client()
    await statuses(5, () => login(client))
    assert.equal((await client.post('/api/auth/login', '{ not json')).status, 429)
  })

  for (const path of ['/api/auth/login', '/api/auth/signup'])
    test(`of ${path} is 5 a second per address, whatever the e-mail address`, async () => {
      const client = mail.client()
      const attempt = (at: number) => client.post(path, { email: `x-${at}@example.test` })
      assert.deepEqual(await statuses(5, attempt), times(5, REFUSED))
      const limited = await attempt(6)
      assert.deepEqual(limitsOf(limited), { status: 429, limit: '5', remaining: '0', reset: '1', retryAfter: '1' })
      assert.equal((await mail.client().post(path, {})).status, REFUSED)
      mail.clock.advance(1000)
      assert.equal((await attempt(7)).status, REFUSED)
    })

  test('of sign-in is not avoided by another spelling of the path or more members', async () => {
    const client = mail.client()
    await statuses(5, () => login(client))
    for (const path of ['/api/auth/login?x=1', '/api/auth/login?', '/api/auth/%6cogin', '/api/auth/login#x'])
      assert.equal((await client.post(path, { email: 'a@example.test', password: PASSWORD })).status, 429, path)
    for (const path of [
      '/API/auth/login',
      '/api/auth/Login',
      '//api/auth/login',
      '/api/auth/login/',
      '/api/auth//login',
    ])
      assert.equal((await client.post(path, { email: 'a@example.test', password: PASSWORD })).status, 404, path)
    const more = { email: 'a@example.test', password: PASSWORD, ip: '1.2.3.4', 'x-forwarded-for': '1.2.3.4' }
    assert.equal((await client.post('/api/auth/login', more)).status, 429)
  })

  test('counts an IPv6 network of 64 bits as one address', async () => {
    const found = await statuses(6, (at) => login(mail.client({ ip: `2001:db8:1:2:${at}::${at}` })))
    assert.deepEqual(found, [...times(5, REFUSED), 429])
    assert.equal((await login(mail.client({ ip: '2001:db8:1:3::1' }))).status, REFUSED)
    const mapped = await statuses(6, (at) => login(mail.client({ ip: at % 2 ? '192.0.2.200' : '::ffff:192.0.2.200' })))
    assert.deepEqual(mapped, [...times(5, REFUSED), 429])
  })
})

describe('X-Forwarded-For', () => {
  test('is ignored when no proxy is trusted', async (context) => {
    const mail = await startMail({ env: { TRUSTED_PROXIES: '' } })
    context.after(() => mail.close())
    const found = await statuses(6, (at) => login(mail.client({ ip: `203.0.113.${at}` })))
    assert.deepEqual(found, [...times(5, REFUSED), 429])
    mail.clock.advance(1000)
    const { client } = await mail.signUp()
    assert.equal((await client.get('/api/account/sessions')).body.data[0].ip, '127.0.0.1')
  })

  test('is believed from the right, up to the first hop that is not a trusted proxy', async (context) => {
    const mail = await startMail({ env: { TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' } })
    context.after(() => mail.close())
    const spoofed = (at: number) => mail.client({ ip: `203.0.113.${at}, 198.51.100.1, 10.1.2.3` })
    assert.deepEqual(await statuses(6, (at) => login(spoofed(at))), [...times(5, REFUSED), 429])
    assert.equal((await login(mail.client({ ip: '203.0.113.1, 198.51.100.2, 10.1.2.3' }))).status, REFUSED)
    const junk = (at: number) => mail.client({ ip: `203.0.113.${at}, not-an-address` })
    assert.deepEqual(await statuses(6, (at) => login(junk(at))), [...times(5, REFUSED), 429])
  })
})

const cookieOf = ({ cookie }: MailClient) => (cookie === undefined ? {} : { cookie })
