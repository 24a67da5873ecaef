import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const statusOf = async (client: MailClient): Promise<number> => (await client.get('/api/auth/me')).status
const withSession = async (accountId: string): Promise<MailClient> =>
  mail.client({ cookie: await mail.openSession(accountId) })
const storedSessions = (accountId: string) =>
  mail.database.db.selectFrom('session').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

describe('a session', () => {
  test('ends 14 days after the sign-in to the millisecond, however much it is used', async () => {
    const { client } = await mail.signUp()
    for (let day = 1; day <= 13; day += 1) {
      mail.clock.advance(DAY)
      assert.equal(await statusOf(client), 200)
    }
    mail.clock.advance(DAY - 1)
    assert.equal(await statusOf(client), 200)
    mail.clock.advance(1)
    assert.equal(await statusOf(client), 401)
  })

  test('is read together with its account in one statement per request', async () => {
    const { client } = await mail.signUp()
    const watch = mail.database.watchStatements()
    assert.equal(await statusOf(client), 200)
    watch.stop()
    assert.equal(watch.texts.length, 1)
  })

  test('with a forged cookie is refused before the database is queried', async () => {
    const { client } = await mail.signUp()
    const value = client.cookie ?? ''
    const [token = '', signature = ''] = value.split('.')
    const other = (await withSession((await mail.signUp()).id)).cookie?.split('.') ?? []
    const forged = [
      'x',
      token,
      `${token}.`,
      `${signature}.${token}`,
      `${token}.${other[1]}`,
      `${other[0]}.${signature}`,
      `${value}x`,
      value.toLowerCase(),
    ]
    const watch = mail.database.watchStatements()
    for (const cookie of forged) assert.equal(await statusOf(mail.client({ cookie })), 401, cookie)
    watch.stop()
    assert.deepEqual(watch.texts, [])
    assert.equal(await statusOf(client), 200)
  })

  test('ends with the SECRET that signed it', async (context) => {
    const { client } = await mail.signUp()
    const env = { SECRET: 'another secret, as long as the one before it' }
    const changed = await startMail({ databaseUrl: mail.databaseUrl, env })
    context.after(() => changed.close())
    const cookie = client.cookie ?? ''
    assert.equal(await statusOf(changed.client({ cookie })), 401)
    const restarted = await startMail({ databaseUrl: mail.databaseUrl })
    context.after(() => restarted.close())
    restarted.clock.set(mail.clock.now())
    assert.equal(await statusOf(restarted.client({ cookie })), 200)
  })

  test('is not taken from the Authorization header or another cookie, and the header does not disturb it', async () => {
    const { client } = await mail.signUp()
    const cookie = client.cookie ?? ''
    const stranger = mail.client()
    for (const headers of [
      { authorization: `Bearer ${cookie}` },
      { cookie: `mail_webmail=${cookie}` },
      { cookie: `MAIL_SESSION=${cookie}` },
    ])
      assert.equal((await stranger.get('/api/auth/me', { headers })).status, 401)
    const both = await client.get('/api/auth/me', { headers: { authorization: 'Bearer re_123456789' } })
    assert.equal(both.status, 200)
  })

  test('records when it was last seen at most once a minute, and reads on', async () => {
    const { client, id } = await mail.signUp()
    const lastSeen = async () => (await storedSessions(id))[0]?.last_seen_at.getTime()
    const start = mail.clock.now().getTime()
    mail.clock.advance(MINUTE - 1)
    assert.equal(await statusOf(client), 200)
    assert.equal(await lastSeen(), start)
    mail.clock.advance(1)
    assert.equal(await statusOf(client), 200)
    assert.equal(await lastSeen(), start + MINUTE)
    const watch = mail.database.watchStatements()
    assert.equal(await statusOf(client), 200)
    watch.stop()
    assert.equal(watch.texts.length, 1)
  })

  test('that has run out is removed by the next sign-in', async () => {
    const { id, email } = await mail.signUp()
    mail.clock.advance(15 * DAY)
    await mail.client().post('/api/auth/login', { email, password: PASSWORD })
    assert.equal((await storedSessions(id)).length, 1)
  })

  test('shows the account as it is now', async () => {
    const { client, id } = await mail.signUp()
    await mail.database.tx((tx) => tx.updateTable('account').set({ name: 'New' }).where('id', '=', id).execute())
    assert.equal((await client.get('/api/auth/me')).body.name, 'New')
    await mail.database.tx((tx) => tx.deleteFrom('account').where('id', '=', id).execute())
    assert.equal(await statusOf(client), 401)
  })
})

describe('sign-out', () => {
  test('ends this session at once, removes the cookie, and its replay is refused', async () => {
    const { client, id } = await mail.signUp()
    const other = await withSession(id)
    const stolen = client.cookie ?? ''
    const answer = await client.post('/api/auth/logout')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { object: 'session', revoked: true })
    assert.deepEqual(answer.headers.getSetCookie(), ['mail_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
    assert.equal(await statusOf(mail.client({ cookie: stolen })), 401)
    assert.equal(await statusOf(other), 200)
    assert.equal((await storedSessions(id)).length, 1)
  })

  test('answers the same when nobody is signed in', async () => {
    const { client, id } = await mail.signUp()
    for (const cookie of [undefined, 'garbage', client.cookie?.replace(/.$/, '_')]) {
      const answer = await mail.client({ ...(cookie && { cookie }) }).post('/api/auth/logout')
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, { object: 'session', revoked: true })
    }
    assert.equal((await storedSessions(id)).length, 1)
  })
})

describe('revoking the other sessions', () => {
  test('ends them at once, keeps this one, and touches no other account', async () => {
    const { client, id } = await mail.signUp()
    const stranger = await mail.signUp()
    const others = [await withSession(id), await withSession(id), await withSession(id)]
    const answer = await client.post('/api/account/sessions/revoke-others')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { object: 'session_revocation', revoked: 3 })
    for (const other of others) assert.equal(await statusOf(other), 401)
    assert.equal(await statusOf(client), 200)
    assert.equal(await statusOf(stranger.client), 200)
    assert.equal((await client.post('/api/account/sessions/revoke-others')).body.revoked, 0)
  })

  test('does not count sessions that had run out', async () => {
    const { id } = await mail.signUp()
    mail.clock.advance(15 * DAY)
    const client = mail.client({ cookie: await openAlongside(id) })
    assert.equal((await client.post('/api/account/sessions/revoke-others')).body.revoked, 0)
    assert.equal((await storedSessions(id)).length, 1)
  })

  test('by several at the same moment leaves exactly one', async () => {
    const { id } = await mail.signUp()
    for (let round = 0; round < 15; round += 1) {
      const clients = await Promise.all(Array.from({ length: 5 }, () => withSession(id)))
      const answers = await Promise.all(clients.map((each) => each.post('/api/account/sessions/revoke-others')))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401])
      assert.equal((await storedSessions(id)).length, 1)
    }
  })
})

describe('the list of sessions', () => {
  test('shows each session of this account only, newest use first, with the current one marked', async () => {
    const { client, id } = await mail.signUp()
    await mail.signUp()
    mail.clock.advance(MINUTE)
    const second = await withSession(id)
    const answer = await client.get('/api/account/sessions')
    assert.equal(answer.status, 200)
    const { data, ...envelope } = answer.body
    assert.deepEqual(envelope, { object: 'list', page: 1, per_page: 10, total: 2, pages: 1 })
    assert.deepEqual(
      data.map((item: { current: boolean; ip: string }) => [item.current, item.ip]),
      [
        [false, '192.0.2.1'],
        [true, client.ip],
      ],
    )
    const members = ['object', 'id', 'current', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at']
    assert.deepEqual(Object.keys(data[0]), members)
    const created = new Date(data[0].created_at).getTime()
    assert.equal(new Date(data[0].expires_at).getTime() - created, 14 * DAY)
    assert.equal((await second.get('/api/account/sessions')).body.data[0].current, true)
  })

  test('shows the browser as it named itself, cut at 400 characters', async () => {
    const { email, client } = await mail.signUp()
    const headers = { 'user-agent': `<b>é ${'x'.repeat(1000)}` }
    await mail.client().post('/api/auth/login', { email, password: PASSWORD }, headers)
    const { data } = (await client.get('/api/account/sessions?search=%3Cb%3E')).body
    assert.equal(data[0].user_agent, headers['user-agent'].slice(0, 400))
  })

  describe('of 27 sessions that were all made at one moment', () => {
    let client: MailClient
    before(async () => {
      const account = await mail.signUp()
      client = account.client
      for (let made = 1; made < 27; made += 1) await mail.openSession(account.id)
    })
    const list = async (query: string) => (await client.get(`/api/account/sessions?${query}`)).body
    const idsOf = (answer: { data: { id: string }[] }) => answer.data.map(({ id }) => id)

    test('comes in pages that hold every session once, ties broken by id', async () => {
      const pages = [await list('page=1'), await list('page=2'), await list('page=3')]
      assert.deepEqual(
        pages.map(({ data, page, per_page, total, pages }) => [data.length, page, per_page, total, pages]),
        [
          [10, 1, 10, 27, 3],
          [10, 2, 10, 27, 3],
          [7, 3, 10, 27, 3],
        ],
      )
      const ids = pages.flatMap(idsOf)
      assert.equal(new Set(ids).size, 27)
      assert.deepEqual(ids, ids.toSorted().reverse())
      assert.deepEqual(idsOf(await list('per_page=100&direction=asc')), ids.toReversed())
    })

    for (const page of ['4', '1000000000', '9007199254740991'])
      test(`is empty at page ${page}`, async () => {
        const answer = await list(`page=${page}`)
        assert.deepEqual([answer.data, answer.page, answer.total, answer.pages], [[], Number(page), 27, 3])
      })

    const junk = ['page=-1', 'page=0', 'page=1.5', 'page=x', `page=${'9'.repeat(30)}`, 'page=2&page=3', 'page[]=2']
    for (const query of [...junk, 'per_page=1e9', 'per_page=-1', 'sort=password_hash', "sort=id'--", 'direction=up'])
      test(`falls back for ${query.slice(0, 20)}`, async () => {
        const answer = await client.get(`/api/account/sessions?${query}`)
        assert.equal(answer.status, 200)
        assert.deepEqual([answer.body.page, answer.body.per_page, answer.body.data.length], [1, 10, 10])
        assert.deepEqual(idsOf(answer.body), idsOf(await list('')))
      })

    for (const perPage of [10, 25, 50, 100])
      test(`has ${perPage} a page when asked`, async () => {
        const answer = await list(`per_page=${perPage}`)
        assert.deepEqual([answer.per_page, answer.data.length], [perPage, Math.min(perPage, 27)])
        assert.equal(answer.pages, Math.ceil(27 / perPage))
      })

    test('is searched by part of address or browser, whatever the case, and signs mean themselves', async () => {
      assert.equal((await list('search=192.0.2')).total, 26)
      assert.equal((await list('search=%20TEST%20')).total, 26)
      for (const nothing of ['%25', '_', '%5C', "'", '192.0.2.1/32'])
        assert.equal((await list(`search=${nothing}`)).total, 0, nothing)
      assert.equal((await list('search=')).total, 27)
    })

    for (const [what, search] of [
      ['over 200 characters', 'x'.repeat(201)],
      ['NUL', 'a%00b'],
      ['twice', 'a&search=b'],
    ] as const)
      test(`refuses a search with ${what} as invalid_parameter`, async () => {
        const answer = await client.get(`/api/account/sessions?search=${search}`)
        assert.deepEqual([answer.status, answer.body.name], [400, 'invalid_parameter'])
        assert.match(answer.body.message, /`search`/)
      })
  })
})

/** As `mail.openSession`, but without the cleaning that a sign-in does. */
const openAlongside = async (accountId: string): Promise<string> => {
  const before = await storedSessions(accountId)
  const cookie = await mail.openSession(accountId)
  await mail.database.tx((tx) => tx.insertInto('session').values(before).execute())
  return cookie
}

test('a route without members refuses a body that is none, and does nothing', async () => {
  const { client, id } = await mail.signUp()
  const other = await withSession(id)
  for (const body of ['{bad', '[]', '{"a":1,"a":2}', '5']) {
    const answer = await client.send('POST', '/api/account/sessions/revoke-others', {
      body,
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'], body)
    assert.equal(await statusOf(other), 200)
  }
  assert.equal((await client.post('/api/account/sessions/revoke-others', {})).body.revoked, 1)
})
