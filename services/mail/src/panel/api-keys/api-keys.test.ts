import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newKey } from '@stoa/kit/crypto/tokens.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAccount, plantDomain } from '../../hosting/addresses/testing/hosting.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

type Customer = { client: MailClient; accountId: string; email: string }
const customer = async (plan = 'unlimited'): Promise<Customer> => {
  const { id: accountId, email } = await plantAccount(mail.database, { plan, now: mail.clock.now() })
  return { client: mail.client({ cookie: await mail.openSession(accountId) }), accountId, email }
}
let domains = 0
const domainOf = ({ accountId }: Customer) =>
  plantDomain(mail.database, { accountId, name: `keys-${++domains}.test`, now: mail.clock.now() })
const made = async ({ client }: Customer, body: object = {}) => {
  const answer = await client.post('/api/api-keys', { name: 'a key', ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const list = async ({ client }: Customer, query = '') => (await client.get(`/api/api-keys?${query}`)).body
const rows = ({ accountId }: Customer) =>
  mail.database.db.selectFrom('api_key').selectAll().where('account_id', '=', accountId).execute()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const refused = (answer: MailAnswer, status: number, name: string): void =>
  assert.deepEqual([answer.status, answer.body?.statusCode, answer.body?.name], [status, status, name], answer.text)

describe('an API key', () => {
  test('is made with a token that is shown once and kept as a hash only', async () => {
    const who = await customer()
    const { token, ...shown } = await made(who, { name: ' Shop ' })
    assert.match(token, /^mk_[0-9A-Za-z]{43}$/)
    assert.deepEqual(shown, {
      object: 'api_key',
      id: shown.id,
      name: 'Shop',
      permission: 'full_access',
      domain_id: null,
      token_prefix: token.slice(0, 8),
      created_at: mail.clock.now().toISOString(),
      last_used_at: null,
    })
    assert.deepEqual((await list(who)).data, [shown])
    const [row] = await rows(who)
    assert.equal(JSON.stringify(row).includes(token), false)
    assert.equal(row?.token_hash.length, 32)
    assert.equal(
      mail.logs.some((line) => line.includes(token)),
      false,
    )
  })

  test('can be bound to a domain of the account', async () => {
    const who = await customer()
    const { id: domainId } = await domainOf(who)
    const body = await made(who, { permission: 'sending_access', domain_id: domainId })
    assert.deepEqual([body.permission, body.domain_id], ['sending_access', domainId])
  })

  const bad: [string, object, number, string, RegExp][] = [
    ['without a name', { name: undefined }, 422, 'missing_required_field', /`name`/],
    ['with an empty name', { name: ' ' }, 400, 'validation_error', /`name`/],
    ['with a name of 51 characters', { name: 'x'.repeat(51) }, 400, 'validation_error', /`name`/],
    ['with a name of two lines', { name: 'a\nb' }, 400, 'validation_error', /`name`/],
    ['with an unknown permission', { permission: 'admin' }, 400, 'validation_error', /`permission`/],
    ['with full access and a domain', { domain_id: newId() }, 400, 'validation_error', /`domain_id`/],
    [
      'with a malformed domain',
      { permission: 'sending_access', domain_id: 'x' },
      400,
      'validation_error',
      /`domain_id`/,
    ],
    ['with an unknown domain', { permission: 'sending_access', domain_id: newId() }, 404, 'not_found', /domain/],
  ]
  for (const [what, body, status, name, message] of bad)
    test(`${what} is refused and not made`, async () => {
      const who = await customer()
      const answer = await who.client.post('/api/api-keys', { name: 'a key', ...body })
      refused(answer, status, name)
      assert.match(answer.body.message, message)
      assert.deepEqual(await rows(who), [])
    })

  test("cannot be bound to another account's domain, nor to a deleted one", async () => {
    const [who, other] = [await customer(), await customer()]
    const theirs = await domainOf(other)
    const own = await domainOf(who)
    assert.equal((await who.client.send('DELETE', `/api/domains/${own.id}`)).status, 200)
    for (const { id } of [theirs, own])
      refused(
        await who.client.post('/api/api-keys', { name: 'x', permission: 'sending_access', domain_id: id }),
        404,
        'not_found',
      )
    assert.deepEqual(await rows(who), [])
  })

  test('past the number that the plan allows is refused, also when two are made at the same time', async () => {
    const who = await customer('free')
    const answers = await Promise.all([1, 2, 3].map((nth) => who.client.post('/api/api-keys', { name: `k${nth}` })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 413, 413])
    refused(await who.client.post('/api/api-keys', { name: 'x' }), 413, 'quota_exceeded')
    assert.equal((await rows(who)).length, 1)
    const [{ id }] = (await list(who)).data
    await who.client.send('DELETE', `/api/api-keys/${id}`)
    assert.equal((await who.client.post('/api/api-keys', { name: 'again' })).status, 201)
  })

  test('is revoked once', async () => {
    const who = await customer()
    const { id } = await made(who)
    const kept = await made(who)
    const answers = await Promise.all([1, 2].map(() => who.client.send('DELETE', `/api/api-keys/${id}`)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404])
    const done = answers.find(({ status }) => status === 200)
    assert.deepEqual(done?.body, { object: 'api_key', id, deleted: true })
    assert.deepEqual(
      (await list(who)).data.map((row: { id: string }) => row.id),
      [kept.id],
    )
  })

  test('of another account, or with an id that is none, is not found and stays', async () => {
    const [who, other] = [await customer(), await customer()]
    const { id } = await made(other)
    for (const wanted of [id, newId(), 'x'])
      refused(await who.client.send('DELETE', `/api/api-keys/${wanted}`), 404, 'not_found')
    assert.equal((await rows(other)).length, 1)
    assert.equal((await list(who)).total, 0)
  })

  test('is not changed: there is no such verb', async () => {
    const who = await customer()
    const { id } = await made(who)
    for (const verb of ['GET', 'PATCH', 'PUT'])
      refused(await who.client.send(verb, `/api/api-keys/${id}`), 405, 'method_not_allowed')
  })

  test('goes with the domain that it is bound to, and makes room', async () => {
    const who = await customer('free')
    const { id: domainId } = await domainOf(who)
    const { token } = await made(who, { permission: 'sending_access', domain_id: domainId })
    await who.client.send('DELETE', `/api/domains/${domainId}`)
    assert.equal((await list(who)).total, 0)
    refused(await mail.client().post('/api/emails', {}, bearer(token)), 403, 'invalid_api_key')
    await made(who)
  })
})

describe('the list of API keys', () => {
  test('is searched, sorted and paged, and costs two statements besides the session', async () => {
    const who = await customer()
    for (const name of ['Cron', 'App', 'Blog']) {
      mail.clock.advance(1_000)
      await made(who, { name })
    }
    const names = async (query: string) =>
      (await list(who, query)).data.map(({ name }: { name: string }) => name[0]).join('')
    assert.equal(await names(''), 'BAC')
    assert.equal(await names('direction=asc'), 'CAB')
    assert.equal(await names('sort=name&direction=asc'), 'ABC')
    assert.equal(await names('sort=nothing&direction=sideways&per_page=7&page=-1'), 'BAC')
    assert.equal(await names('search=%20bLo'), 'B')
    assert.equal(await names('page=2'), '')
    assert.deepEqual(Object.keys(await list(who)).toSorted(), ['data', 'object', 'page', 'pages', 'per_page', 'total'])
    refused(await who.client.get(`/api/api-keys?search=${'x'.repeat(201)}`), 400, 'invalid_parameter')
    const watch = mail.database.watchStatements()
    await list(who)
    watch.stop()
    assert.equal(watch.texts.length, 3)
  })
})

describe('a request to the sending API', () => {
  const send = (headers: Record<string, string>, client = mail.client()) => client.post('/api/emails', {}, headers)
  const read = (headers: Record<string, string>, client = mail.client()) => client.get('/api/emails', { headers })

  test('without any credential is asked for a key', async () => {
    refused(await send({}), 401, 'missing_api_key')
    refused(await read({}), 401, 'missing_api_key')
    refused(await mail.client().post('/api/emails/batch', []), 401, 'missing_api_key')
    refused(await mail.client({ cookie: 'garbage' }).get('/api/emails'), 401, 'missing_api_key')
  })

  test('with what is no key is refused, whatever session is beside it', async () => {
    const who = await customer()
    const { token, id } = await made(who)
    await who.client.send('DELETE', `/api/api-keys/${id}`)
    const others = [token, newKey('mk_', 43), 'x', '', `${token} `, `${token}x`, token.toUpperCase(), 're_abcdefgh']
    const headers = [
      ...others.map((text) => `Bearer ${text}`),
      token,
      `Basic ${Buffer.from(`${who.email}:x`).toString('base64')}`,
      `Bearer ${await mail.openSession(who.accountId)}`,
    ]
    for (const authorization of headers)
      for (const client of [mail.client(), who.client]) {
        refused(await send({ authorization }, client), 403, 'invalid_api_key')
        refused(await read({ authorization }, client), 403, 'invalid_api_key')
      }
  })

  test('with a session alone reads but does not send', async () => {
    const { client } = await customer()
    refused(await send({}, client), 401, 'missing_api_key')
    refused(await client.post('/api/emails/batch', []), 401, 'missing_api_key')
    assert.equal((await read({}, client)).status, 200)
  })

  test('with a key of sending access sends and does nothing else, also beside a session', async () => {
    const who = await customer()
    const headers = bearer((await made(who, { permission: 'sending_access' })).token)
    for (const client of [mail.client(), who.client]) {
      assert.equal((await send(headers, client)).status, 422)
      const path = `/api/emails/${newId()}`
      refused(await read(headers, client), 401, 'restricted_api_key')
      refused(await client.get(path, { headers }), 401, 'restricted_api_key')
      refused(await client.send('PATCH', path, { headers, body: {} }), 401, 'restricted_api_key')
      refused(await client.post(`${path}/cancel`, undefined, headers), 401, 'restricted_api_key')
    }
  })

  test('with a key of full access reads what its own account sent, whichever account has the session', async () => {
    const [who, other] = [await customer(), await customer()]
    const headers = bearer((await made(who)).token)
    assert.equal((await read(headers)).status, 200)
    assert.equal((await read({ authorization: headers.authorization.replace('Bearer ', 'bearer  ') })).status, 200)
    refused(await other.client.get(`/api/emails/${newId()}`, { headers }), 404, 'not_found')
  })

  test('of a suspended account is refused, and goes on when it is resumed', async () => {
    const who = await customer()
    const headers = bearer((await made(who)).token)
    const suspend = (suspended_at: Date | null) =>
      mail.database.tx((tx) =>
        tx.updateTable('account').set({ suspended_at }).where('id', '=', who.accountId).execute(),
      )
    await suspend(mail.clock.now())
    refused(await send(headers), 403, 'suspended_api_key')
    refused(await read(headers), 403, 'suspended_api_key')
    assert.equal((await who.client.get('/api/emails')).status, 200)
    await suspend(null)
    assert.equal((await read(headers)).status, 200)
  })

  test('of a deleted account is refused', async () => {
    const who = await customer()
    const headers = bearer((await made(who)).token)
    const deleted_at = mail.clock.now()
    await mail.database.tx((tx) =>
      tx.updateTable('account').set({ deleted_at }).where('id', '=', who.accountId).execute(),
    )
    refused(await send(headers), 403, 'invalid_api_key')
  })

  test('with a key costs one statement before its own, and notes its use once a minute', async () => {
    const who = await customer()
    const headers = bearer((await made(who)).token)
    const usedAt = async () => (await list(who)).data[0].last_used_at
    assert.equal(await usedAt(), null)
    const cost = async () => {
      const watch = mail.database.watchStatements()
      await send(headers)
      watch.stop()
      return watch.texts.filter((text) => text.includes('api_key')).length
    }
    assert.equal(await cost(), 2)
    const first = mail.clock.now()
    assert.equal(await usedAt(), first.toISOString())
    mail.clock.advance(59_000)
    assert.equal(await cost(), 1)
    assert.equal(await usedAt(), first.toISOString())
    mail.clock.advance(1_000)
    assert.equal(await cost(), 2)
    assert.equal(await usedAt(), mail.clock.now().toISOString())
  })
})

describe('a key on routes for people', () => {
  test('is not looked at: neither keys, nor suppressions, nor anything else of the panel', async () => {
    const who = await customer()
    const headers = bearer((await made(who)).token)
    const before = await rows(who)
    const calls: [string, string, unknown?][] = [
      ['GET', '/api/api-keys'],
      ['POST', '/api/api-keys', { name: 'another' }],
      ['DELETE', `/api/api-keys/${before[0]?.id}`],
      ['GET', '/api/suppressions'],
      ['POST', '/api/suppressions', { email: 'a@example.test' }],
      ['POST', '/api/suppressions/import', { emails: ['a@example.test'] }],
      ['DELETE', `/api/suppressions/${newId()}`],
      ['GET', '/api/auth/me'],
      ['GET', '/api/domains'],
      ['GET', '/api/mail/me'],
    ]
    for (const [method, path, body] of calls)
      refused(await mail.client().send(method, path, { headers, body }), 401, 'unauthorized')
    assert.deepEqual(
      (await rows(who)).map(({ id }) => id),
      before.map(({ id }) => id),
    )
    // With a session beside it, the session counts.
    assert.equal((await who.client.get('/api/api-keys', { headers: bearer('garbage') })).status, 200)
  })
})

describe('the rate limit', () => {
  test('counts each key by itself, and wrong keys against their address', async (context) => {
    const limited = await startMail({ env: { RATE_LIMIT_PER_SECOND: '3' }, databaseUrl: mail.databaseUrl })
    context.after(() => limited.close())
    const who = await customer()
    const [one, two] = [await made(who), await made(who)]
    const call = (token: string, ip: string) =>
      limited.client({ ip }).get(`/api/emails/${newId()}`, { headers: bearer(token) })
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) refused(await call(one.token, ip), 404, 'not_found')
    const over = await call(one.token, '192.0.2.4')
    refused(over, 429, 'rate_limit_exceeded')
    const shown = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
    assert.deepEqual(
      shown.map((name) => over.headers.get(name)),
      ['1', '3', '0', '1'],
    )
    refused(await call(two.token, '192.0.2.4'), 404, 'not_found')
    for (let nth = 0; nth < 3; nth += 1) refused(await call('wrong', '192.0.2.9'), 403, 'invalid_api_key')
    refused(await call('wrong', '192.0.2.9'), 429, 'rate_limit_exceeded')
    refused(await call(two.token, '192.0.2.9'), 404, 'not_found')
  })
})
