import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type MailAnswer, type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { apiRoutes } from '../../app.ts'
import { examples } from '../../panel/reference/examples.ts'
import { plantAddress } from '../addresses/testing/hosting.ts'
import { systemMailTo, tokenFor } from '../system-mail/testing/sent.ts'
import { type Customer, plantCustomer } from './testing/customer.ts'

/** What somebody tries who does not play by the rules. */

let mail: MailService
let customer: Customer
let owner: MailClient
before(async () => {
  mail = await startMail({ env: { DNS_RESOLVERS: '127.0.0.1:9' } })
  owner = (await mail.signUp('owner@attacks.test')).client
  customer = await plantCustomer(mail, 'attacks.test')
})
after(() => mail.close())

const withIds = (path: string): string =>
  path.replace(/:(\w+)/g, (_all, name: string) => customer.ids[name] ?? '019b1c00-0000-7000-8000-000000000009')
const isPanel = ({ auth }: (typeof apiRoutes)[number]): boolean => auth !== 'public' && auth.includes('session')

describe('values that nobody sends by mistake', () => {
  /** Each has broken something somewhere: PostgreSQL, JSON, numbers, prototypes, headers, zones, shells and templates. */
  const HOSTILE: readonly unknown[] = [
    null,
    '',
    '\u0000',
    '\ud800',
    'x\r\nBcc: thief@evil.test',
    "';drop table account;--",
    '{{7*7}}<svg onload=alert(1)>',
    'x'.repeat(100_000),
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER * 2,
    true,
    [],
    [null],
    [['x']],
    {},
    { __proto__: null, constructor: { prototype: { role: 'owner' } } },
  ]
  /** Of each member: all values come up over all routes. */
  const ROUNDS = 2
  const bodies = Object.entries(examples).filter(([, body]) => typeof body === 'object' && body !== null)

  test('are refused by name, wherever they stand, and never break anything', async () => {
    let nth = 0
    for (const [name, example] of bodies) {
      const [method = '', path = ''] = name.split(' ')
      const route = apiRoutes.find((each) => each.method === method && each.path === path)
      // What ends the account or its sessions would end this test.
      if (!route || !isPanel(route) || path === '/api/account') continue
      const members = Object.keys(example ?? {})
      for (const member of members)
        for (let round = 0; round < ROUNDS; round += 1) {
          // A step that has no factor in common with their number meets them all.
          nth += 5
          const value = HOSTILE[nth % HOSTILE.length]
          const answer = await customer.client.send(method, withIds(path), {
            body: { ...Object(example), [member]: value },
          })
          const shown = `${name} ${member}: ${JSON.stringify(value)?.slice(0, 60)} ${answer.text.slice(0, 200)}`
          assert.ok(answer.status < 500, shown)
          if (answer.status >= 400) assert.deepEqual(Object.keys(answer.body), ['statusCode', 'name', 'message'], shown)
          assert.ok(!/\n\s+at |node_modules|select |insert into/i.test(answer.text), shown)
        }
    }
    assert.ok(nth > 5 * HOSTILE.length)
    const me = await customer.client.get('/api/auth/me')
    assert.deepEqual([me.status, me.body.role], [200, 'member'])
  })

  test('in the query of a list fall back or are refused, and never break anything', async () => {
    const lists = apiRoutes.filter((route) => route.method === 'GET' && isPanel(route) && route.query !== undefined)
    const queries = [
      'page=99999999999999999999&per_page=1e9&sort=password_hash&direction=desc;drop',
      'page=-1&per_page=-1&sort=id%27--&direction=%00',
      `search=${encodeURIComponent("%' or 1=1 --_\\")}`,
      `search=${'x'.repeat(201)}`,
      'search=%00',
      'search=a&search=b&page=1&page=2',
      'search[$ne]=1&sort[]=created_at&__proto__[x]=1',
      'page=9007199254740991&per_page=100',
    ]
    for (const { path, access } of lists)
      for (const query of queries) {
        const client = access === 'owner' ? owner : customer.client
        const { status, body, text } = await client.get(`${withIds(path)}?${query}`)
        assert.ok(status === 200 || status === 400, `${path}?${query} ${text}`)
        if (status === 400) assert.equal(body.name, 'invalid_parameter', `${path}?${query} ${text}`)
      }
  })
})

describe('names that many want at the same moment', () => {
  const wins = (answers: readonly MailAnswer[]): number => answers.filter(({ status }) => status < 300).length
  const losers = (answers: readonly MailAnswer[]): string[] => [
    ...new Set(answers.filter(({ status }) => status >= 300).map(({ body }) => body.name)),
  ]

  test('an address is made once, and an alias cannot be taken beside it', async () => {
    const { client, ids, other } = customer
    const path = `/api/domains/${ids.domain_id}/addresses`
    const same = await Promise.all(
      Array.from({ length: 5 }, () => client.post(path, { local_part: 'wanted', password: PASSWORD })),
    )
    assert.deepEqual([wins(same), losers(same)], [1, ['conflict']])
    const mixed = await Promise.all([
      client.post(path, { local_part: 'contested', password: PASSWORD }),
      client.send('PATCH', `/api/addresses/${other.id}`, { body: { aliases: ['contested'] } }),
      client.send('PATCH', `/api/addresses/${ids.address_id}`, { body: { aliases: ['contested@attacks.test'] } }),
    ])
    assert.deepEqual([wins(mixed), losers(mixed)], [1, ['conflict']])
    const names = await mail.database.db
      .selectFrom('address_name')
      .select('address_id')
      .where('local_part', '=', 'contested')
      .execute()
    assert.equal(names.length, 1)
  })

  test('a new e-mail address that two accounts confirm belongs to one of them', async () => {
    const two = await Promise.all([mail.signUp(), mail.signUp()])
    const email = 'both-want@attacks.test'
    const tokens: string[] = []
    for (const { client } of two) {
      assert.equal((await client.post('/api/account/email', { email, password: PASSWORD })).status, 200)
      tokens.push(await tokenFor(mail, email, 'verify'))
    }
    const answers = await Promise.all(tokens.map((token) => mail.client().post('/api/auth/verify', { token })))
    assert.deepEqual([wins(answers), losers(answers)], [1, ['conflict']])
    const holders = await mail.database.db.selectFrom('account').select('id').where('email', '=', email).execute()
    assert.equal(holders.length, 1)
  })
})

describe('letters of the service', () => {
  /** As a client that names another host, which `fetch` does not do. */
  const sendAs = async (host: string, path: string, body: object): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const headers = { host, 'x-forwarded-host': host, 'content-type': 'application/json', forwarded: `host=${host}` }
    const request = httpRequest(mail.url + path, { method: 'POST', headers }, (response) => {
      readText(response).then(() => resolve(response.statusCode ?? 0), reject)
    })
    request.on('error', reject)
    request.end(JSON.stringify(body))
    return promise
  }

  test('lead to the own address, whatever the request calls the server', async () => {
    const { email } = await mail.signUp()
    assert.equal(await sendAs('evil.test', '/api/auth/password/forgot', { email }), 200)
    const [letter] = (await systemMailTo(mail, email)).slice(-1)
    assert.match(letter?.text ?? '', /http:\/\/mail\.test\/reset#token=/)
    for (const { text, html } of await systemMailTo(mail, email)) assert.doesNotMatch(text + html, /evil\.test/)
  })

  test('take no further recipients or headers from what people are called', async () => {
    const lines = 'Ada\r\nBcc: thief@evil.test'
    const attempts: [string, object][] = [
      ['/api/auth/signup', { email: 'ada@attacks.test', password: PASSWORD, name: lines }],
      ['/api/auth/signup', { email: `ada@attacks.test\r\nBcc: thief@evil.test`, password: PASSWORD }],
      ['/api/auth/signup', { email: '"ada\\"\r\nBcc: x"@attacks.test', password: PASSWORD }],
    ]
    for (const [path, body] of attempts) {
      const answer = await mail.client().post(path, body)
      assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'], answer.text)
    }
    const forgotten = await mail.client().post('/api/auth/password/forgot', { email: `owner@attacks.test${lines}` })
    assert.equal(forgotten.status, 400)
    const recipients = await mail.database.db.selectFrom('queue_recipient').select('recipient').execute()
    assert.deepEqual(
      recipients.filter(({ recipient }) => recipient.includes('evil')),
      [],
    )
  })

  test('are not sent to people whom a zone or a recovery names without their consent', async () => {
    const { accountId, client } = customer
    const box = await plantAddress(mail.database, 'boxed@attacks.test', { accountId, now: mail.clock.now() })
    const path = `/api/addresses/${box.id}/recovery`
    for (const recovery_email of ['boxed@attacks.test', 'BOXED@ATTACKS.TEST', 'a@b.test, thief@evil.test'])
      assert.equal((await client.post(path, { recovery_email })).status, 400, recovery_email)
    assert.deepEqual(await systemMailTo(mail, 'boxed@attacks.test'), [])
  })
})

describe('tokens of links', () => {
  test('open nothing after the account is gone, and nothing of the new owner of the address', async () => {
    const { client, email } = await mail.signUp()
    await client.post('/api/auth/password/forgot', { email })
    const token = await tokenFor(mail, email, 'reset')
    assert.equal((await client.send('DELETE', '/api/account', { body: { password: PASSWORD } })).status, 200)
    const next = await mail.signUp(email)
    const used = await mail.client().post('/api/auth/password/reset', { token, password: 'taken over by a link' })
    assert.deepEqual([used.status, used.body.name], [400, 'validation_error'])
    assert.equal((await next.client.get('/api/auth/me')).status, 200)
    assert.equal((await mail.client().post('/api/auth/login', { email, password: PASSWORD })).status, 200)
  })

  test('of no length, of another kind and with anything before or after them are one and the same refusal', async () => {
    const { client, email } = await mail.signUp()
    await client.post('/api/auth/password/forgot', { email })
    const token = await tokenFor(mail, email, 'reset')
    const password = 'taken over by a link'
    const answers = await Promise.all(
      ['', ' ', `${token} `, `${token}A`, token.slice(1), token.toUpperCase(), `\u0000${token}`].map((each) =>
        mail.client().post('/api/auth/password/reset', { token: each, password }),
      ),
    )
    for (const { status, body } of answers) assert.deepEqual([status, body.name], [400, 'validation_error'])
    const elsewhere = await mail.client().post('/api/recover/reset', { token, password })
    assert.equal(elsewhere.status, 400)
    assert.equal((await mail.client().post('/api/auth/password/reset', { token, password })).status, 200)
  })
})
