import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import fc from 'fast-check'
import { plantAccount } from '../../hosting/addresses/testing/hosting.ts'
import { suppressionSpelling } from './spelling.ts'
import { removeExpired, suppress, suppressedAmong } from './suppress.ts'

const DAY_MS = 86_400_000

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

type Customer = { client: MailClient; accountId: string }
const customer = async (): Promise<Customer> => {
  const { id: accountId } = await plantAccount(mail.database, { now: mail.clock.now() })
  return { client: mail.client({ cookie: await mail.openSession(accountId) }), accountId }
}
const listening = async (): Promise<Customer> => {
  const who = await customer()
  const events = ['suppression.added', 'suppression.removed']
  const answer = await who.client.post('/api/webhooks', { endpoint: 'https://hooks.example.com/in', events })
  assert.equal(answer.status, 201, answer.text)
  return who
}
const eventsOf = async ({ accountId }: Customer): Promise<{ type: string; data: Record<string, unknown> }[]> => {
  const found = await mail.database.db.query<{ payload: string }>({
    text: `select d.payload from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
           where e.owner = $1 order by d.id`,
    values: [accountId],
  })
  return found.map(({ payload }) => JSON.parse(payload))
}
const made = async ({ client }: Customer, body: object) => {
  const answer = await client.post('/api/suppressions', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const list = async ({ client }: Customer, query = '') => (await client.get(`/api/suppressions?${query}`)).body
const emails = async (who: Customer, query = ''): Promise<string[]> =>
  (await list(who, query)).data.map(({ email }: { email: string }) => email)
const rows = ({ accountId }: Customer) =>
  mail.database.db.selectFrom('suppression').selectAll().where('account_id', '=', accountId).orderBy('email').execute()
const later = (ms: number): string => new Date(mail.clock.now().getTime() + ms).toISOString()
const refused = (answer: MailAnswer, status: number, name: string): void =>
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)
const bounced = ({ accountId }: Customer, email: string, origin: 'bounce' | 'complaint' = 'bounce') =>
  mail.database.tx((tx) =>
    suppress(tx, [{ accountId, email, origin, reason: '550 No such user', sourceId: newId() }], mail.clock.now()),
  )

describe('a suppression', () => {
  test('by hand keeps the one spelling of the address', async () => {
    const who = await listening()
    const body = await made(who, { email: ' Ada+News@Bücher.Example ', reason: ' asked us ', origin: 'bounce' })
    assert.deepEqual(body, {
      object: 'suppression',
      id: body.id,
      email: 'ada+news@xn--bcher-kva.example',
      origin: 'manual',
      reason: 'asked us',
      source_id: null,
      expires_at: null,
      created_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual((await list(who)).data, [body])
    assert.deepEqual(
      (await eventsOf(who)).map(({ type, data }) => [type, data]),
      [['suppression.added', body]],
    )
  })

  test('of an address that has one is refused and changes nothing, also at the same time', async () => {
    const who = await listening()
    const email = 'ada@example.test'
    const answers = await Promise.all(
      [1, 2, 3].map((nth) => who.client.post('/api/suppressions', { email, reason: `${nth}` })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
    const before = await rows(who)
    refused(await who.client.post('/api/suppressions', { email: 'ADA@EXAMPLE.TEST' }), 409, 'conflict')
    assert.deepEqual(await rows(who), before)
    assert.equal((await eventsOf(who)).length, 1)
  })

  const bad: [string, object, number, string][] = [
    ['without an address', {}, 422, 'missing_required_field'],
    ['of what is no address', { email: 'ada' }, 400, 'validation_error'],
    ['of a list of addresses', { email: ['a@example.test'] }, 400, 'validation_error'],
    ['with a reason of two lines', { email: 'a@example.test', reason: 'a\nb' }, 400, 'validation_error'],
    ['with a reason of 501 characters', { email: 'a@example.test', reason: 'x'.repeat(501) }, 400, 'validation_error'],
    ['with an end that is no moment', { email: 'a@example.test', expires_at: 'soon' }, 400, 'validation_error'],
    [
      'with an end that has passed',
      { email: 'a@example.test', expires_at: '2020-01-01T00:00:00Z' },
      400,
      'validation_error',
    ],
  ]
  for (const [what, body, status, name] of bad)
    test(`${what} is refused`, async () => {
      const who = await customer()
      refused(await who.client.post('/api/suppressions', body), status, name)
      assert.deepEqual(await rows(who), [])
    })

  test('is changed in what is given and nothing else', async () => {
    const who = await customer()
    const before = await made(who, { email: 'ada@example.test', reason: 'x' })
    const patch = (body: unknown) => who.client.send('PATCH', `/api/suppressions/${before.id}`, { body })
    const expires_at = later(DAY_MS)
    assert.deepEqual((await patch({ expires_at })).body, { ...before, expires_at })
    assert.deepEqual((await patch({ reason: 'y', email: 'b@example.test', origin: 'bounce' })).body, {
      ...before,
      expires_at,
      reason: 'y',
    })
    assert.deepEqual((await patch({})).body, { ...before, expires_at, reason: 'y' })
    refused(await patch({ expires_at: later(0) }), 400, 'validation_error')
    refused(await patch({ reason: 7 }), 400, 'validation_error')
    assert.deepEqual((await patch({ reason: null, expires_at: null })).body, { ...before, reason: null })
  })

  test('is removed once, with what was counted of its failures', async () => {
    const who = await listening()
    const { id, ...record } = await made(who, { email: 'ada@example.test' })
    const counted = {
      account_id: who.accountId,
      email: record.email,
      message_id: newId(),
      created_at: mail.clock.now(),
    }
    await mail.database.tx((tx) => tx.insertInto('soft_bounce').values(counted).execute())
    const answers = await Promise.all([1, 2].map(() => who.client.send('DELETE', `/api/suppressions/${id}`)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404])
    assert.deepEqual(answers.find(({ status }) => status === 200)?.body, { object: 'suppression', id, deleted: true })
    assert.deepEqual(await rows(who), [])
    const left = mail.database.db.selectFrom('soft_bounce').selectAll().where('account_id', '=', who.accountId)
    assert.deepEqual(await left.execute(), [])
    assert.deepEqual(
      (await eventsOf(who)).map(({ type, data }) => [type, data.id]),
      [
        ['suppression.added', id],
        ['suppression.removed', id],
      ],
    )
  })

  test('of another account is not found and stays', async () => {
    const [who, other] = [await customer(), await customer()]
    const { id } = await made(other, { email: 'ada@example.test' })
    for (const wanted of [id, newId(), 'x']) {
      const path = `/api/suppressions/${wanted}`
      refused(await who.client.send('DELETE', path), 404, 'not_found')
      refused(await who.client.send('PATCH', path, { body: { reason: 'mine' } }), 404, 'not_found')
    }
    assert.equal((await rows(other))[0]?.reason, null)
    await made(who, { email: 'ada@example.test' })
  })

  test('whose time has passed is removed beside one that cannot be', async (t) => {
    const people = [await listening(), await listening()]
    const [bad, good] = people.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1)) as [Customer, Customer]
    for (const who of [bad, good]) await made(who, { email: 'ada@example.test', expires_at: later(DAY_MS) })
    mail.clock.advance(DAY_MS)
    t.after(await failOn(mail.database, 'delete', 'suppression', `old.account_id = '${bad.accountId}'`))
    await removeExpired(mail.parts, mail.clock.now())
    assert.deepEqual([(await rows(bad)).length, (await rows(good)).length], [1, 0])
  })

  test('that has expired has no effect, is reported as removed, and can be created again', async () => {
    const who = await listening()
    const old = await made(who, { email: 'ada@example.test', expires_at: later(DAY_MS) })
    await made(who, { email: 'bob@example.test', expires_at: later(DAY_MS) })
    const among = () => suppressedAmong(mail.database.db, who.accountId, ['ada@example.test'], mail.clock.now())
    assert.equal((await among()).size, 1)
    mail.clock.advance(DAY_MS)
    assert.equal((await among()).size, 0)
    assert.deepEqual(await emails(who), [])
    refused(await who.client.send('DELETE', `/api/suppressions/${old.id}`), 404, 'not_found')
    const again = await made(who, { email: 'ada@example.test' })
    assert.notEqual(again.id, old.id)
    await removeExpired(mail.parts, mail.clock.now())
    assert.deepEqual(
      (await rows(who)).map(({ email }) => email),
      ['ada@example.test'],
    )
    assert.deepEqual(
      (await eventsOf(who)).slice(2).map(({ type, data }) => [type, data.email]),
      [
        ['suppression.added', 'ada@example.test'],
        ['suppression.removed', 'bob@example.test'],
      ],
    )
  })
})

describe('an automatic suppression', () => {
  test('leaves one that is there as it is, and takes the place of one whose time has passed', async () => {
    const who = await listening()
    await made(who, { email: 'ada@example.test', reason: 'by hand' })
    assert.deepEqual(await bounced(who, 'ADA@example.test'), [])
    await bounced(who, 'Bob@Bücher.example')
    mail.clock.advance(90 * DAY_MS)
    await bounced(who, 'bob@bücher.example')
    const found = await rows(who)
    assert.deepEqual(
      found.map(({ email, origin, reason, expires_at }) => [email, origin, reason, expires_at]),
      [
        ['ada@example.test', 'manual', 'by hand', null],
        ['bob@xn--bcher-kva.example', 'bounce', '550 No such user', new Date(later(90 * DAY_MS))],
      ],
    )
    assert.equal((await eventsOf(who)).length, 3)
  })

  test('comes once when several of one moment are about the same address', async () => {
    const who = await listening()
    const { accountId } = who
    const one = {
      accountId,
      email: 'x@example.test',
      origin: 'complaint',
      reason: 'abuse',
      sourceId: null,
    } as const
    const both = [one, { ...one, email: 'X@EXAMPLE.test' }, { ...one, email: 'y@example.test' }]
    await Promise.all(
      [both, both.toReversed()].map((list) => mail.database.tx((tx) => suppress(tx, list, mail.clock.now()))),
    )
    assert.deepEqual(await emails(who, 'sort=email&direction=asc'), ['x@example.test', 'y@example.test'])
    assert.equal((await eventsOf(who)).length, 2)
  })

  test('keeps what a stranger answered, as much of it as fits', async () => {
    const who = await customer()
    const reason = `550 \u0000${'😀'.repeat(400)}`
    await mail.database.tx((tx) =>
      suppress(
        tx,
        [
          {
            accountId: who.accountId,
            email: 'a@example.test',
            origin: 'bounce',
            reason,
            sourceId: null,
          },
        ],
        mail.clock.now(),
      ),
    )
    const [row] = await rows(who)
    assert.ok(row?.reason?.startsWith('550 😀') && row.reason.length <= 500)
  })
})

describe('a suppression that came by itself', () => {
  const setDays = async ({ client }: Customer, days: number | null) => {
    const answer = await client.send('PATCH', '/api/account', { body: { bounce_suppression_days: days } })
    assert.deepEqual([answer.status, answer.body.bounce_suppression_days], [200, days], answer.text)
  }
  const only = async (who: Customer) => {
    const [row, ...others] = await rows(who)
    assert.ok(row)
    assert.deepEqual(others, [])
    return { origin: row.origin, expiresAt: row.expires_at?.toISOString() ?? null, id: row.id }
  }

  test('ends after 90 days when it is a bounce, and never when it is a complaint', async () => {
    const who = await customer()
    await bounced(who, 'a@example.test')
    await bounced(who, 'b@example.test', 'complaint')
    const found = (await rows(who)).map((row) => [row.email, row.expires_at?.toISOString() ?? null])
    assert.deepEqual(found, [
      ['a@example.test', later(90 * DAY_MS)],
      ['b@example.test', null],
    ])
  })

  test('ends when the account says so, or never; what is there already stays', async () => {
    const who = await customer()
    await setDays(who, 7)
    await bounced(who, 'a@example.test')
    const week = later(7 * DAY_MS)
    await setDays(who, null)
    await bounced(who, 'b@example.test')
    await setDays(who, 3_650)
    await bounced(who, 'c@example.test')
    const found = (await rows(who)).map((row) => row.expires_at?.toISOString() ?? null)
    assert.deepEqual(found, [week, null, later(3_650 * DAY_MS)])
  })

  test('is prolonged by the next bounce, stays the same suppression, and is reported once', async () => {
    const who = await listening()
    await bounced(who, 'a@example.test')
    const first = await only(who)
    mail.clock.advance(10 * DAY_MS)
    assert.deepEqual(await bounced(who, 'a@example.test'), [])
    assert.deepEqual(await only(who), { ...first, expiresAt: later(90 * DAY_MS) })
    await setDays(who, 1)
    await bounced(who, 'a@example.test')
    assert.deepEqual(await only(who), { ...first, expiresAt: later(90 * DAY_MS) })
    await setDays(who, null)
    await bounced(who, 'a@example.test')
    assert.deepEqual(await only(who), { ...first, expiresAt: null })
    await setDays(who, 90)
    await bounced(who, 'a@example.test')
    assert.deepEqual(await only(who), { ...first, expiresAt: null })
    assert.equal((await eventsOf(who)).length, 1)
  })

  test('becomes a complaint when one follows a bounce, and does not end any more; a bounce changes no complaint', async () => {
    const who = await listening()
    await bounced(who, 'a@example.test')
    const first = await only(who)
    await bounced(who, 'a@example.test', 'complaint')
    assert.deepEqual(await only(who), { ...first, origin: 'complaint', expiresAt: null })
    await bounced(who, 'a@example.test')
    assert.deepEqual(await only(who), { ...first, origin: 'complaint', expiresAt: null })
    assert.equal((await eventsOf(who)).length, 1)
  })

  test('changes nothing of what was added by hand, unless that would end and it is a complaint', async () => {
    const who = await customer()
    const { id } = await made(who, { email: 'a@example.test', expires_at: later(DAY_MS) })
    await bounced(who, 'a@example.test')
    assert.deepEqual(await only(who), { id, origin: 'manual', expiresAt: later(DAY_MS) })
    await bounced(who, 'a@example.test', 'complaint')
    assert.deepEqual(await only(who), { id, origin: 'complaint', expiresAt: null })
  })
})

describe('addresses that are about to get mail', () => {
  test('are found among the suppressed ones in every spelling, with the reason, and in their own account only', async () => {
    const [who, other] = [await customer(), await customer()]
    await bounced(who, 'ada@bücher.example')
    await made(who, { email: 'bob@example.test', reason: 'asked' })
    await made(other, { email: 'cyd@example.test' })
    const given = [
      'ADA@BÜCHER.example',
      'ada@xn--BCHER-kva.example',
      'Bob@Example.test',
      'bob+x@example.test',
      'cyd@example.test',
    ]
    const found = await suppressedAmong(mail.database.db, who.accountId, given, mail.clock.now())
    assert.deepEqual(
      [...found],
      [
        ['ADA@BÜCHER.example', { origin: 'bounce', reason: '550 No such user' }],
        ['ada@xn--BCHER-kva.example', { origin: 'bounce', reason: '550 No such user' }],
        ['Bob@Example.test', { origin: 'manual', reason: 'asked' }],
      ],
    )
  })

  test('have one spelling, whatever it is made from again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aA@.+üÜİßK-[]:%9\u0301', 'xn--') }), (address) => {
        const spelling = suppressionSpelling(address)
        assert.equal(suppressionSpelling(spelling), spelling)
      }),
      { seed: 8, numRuns: 200 },
    )
  })
})

describe('the suppression list', () => {
  test('is filtered, searched, sorted and paged, and costs two statements besides the session', async () => {
    const who = await customer()
    await made(who, { email: 'cyd@example.test', reason: 'Unsubscribed' })
    mail.clock.advance(1_000)
    await bounced(who, 'ada@example.test')
    mail.clock.advance(1_000)
    await made(who, { email: 'bob_1@example.test' })
    const first = async (query: string) => (await emails(who, query)).map(([letter]) => letter).join('')
    assert.equal(await first(''), 'bac')
    assert.equal(await first('sort=email&direction=asc'), 'abc')
    assert.equal(await first('sort=origin&direction=asc'), 'acb')
    assert.equal(await first('origin=manual'), 'bc')
    assert.equal(await first('search=unSUB'), 'c')
    assert.equal(await first('search=b_1'), 'b')
    assert.equal(await first('search=%25'), '')
    assert.equal(await first('page=2'), '')
    refused(await who.client.get('/api/suppressions?origin=other'), 400, 'invalid_parameter')
    const watch = mail.database.watchStatements()
    await list(who)
    watch.stop()
    assert.equal(watch.texts.length, 3)
  })
})

describe('an import', () => {
  const send = ({ client }: Customer, body: unknown, type = 'application/json') =>
    client.post('/api/suppressions/import', body, { 'content-type': type })
  const csv = (who: Customer, text: string) => send(who, text, 'text/csv; charset=utf-8')

  test('of a list adds what is new, counts what is there, and gives back what is no address', async () => {
    const who = await listening()
    await made(who, { email: 'ada@example.test', reason: 'kept' })
    const list = ['ADA@example.test', 'bob@example.test', ' Bob@example.test', 'x', '', 'cyd@example.test']
    const answer = await send(who, { emails: list })
    assert.deepEqual(answer.body, { object: 'suppression_import', added: 2, existing: 1, invalid: ['x', ''] })
    assert.equal(answer.status, 200)
    assert.deepEqual(
      (await rows(who)).map(({ email, origin, reason }) => [email, origin, reason]),
      [
        ['ada@example.test', 'manual', 'kept'],
        ['bob@example.test', 'manual', null],
        ['cyd@example.test', 'manual', null],
      ],
    )
    assert.equal((await eventsOf(who)).length, 3)
  })

  const files: [string, string][] = [
    ['a column alone', 'ada@example.test\nbob@example.test\n'],
    ['a column with its name', 'email\r\nada@example.test\r\nbob@example.test'],
    ['many columns in quotes', '"Created","E-mail"\n"1, 2","ada@example.test"\n"a\n""b""","bob@example.test"\n\n'],
    ['semicolons', 'id;Email Address\n1;ada@example.test\n2;bob@example.test'],
    ['tabs and a mark of Unicode', '\uFEFFrecipient\tstate\nada@example.test\tx\nbob@example.test\ty'],
  ]
  for (const [what, text] of files)
    test(`of a file with ${what} is understood`, async () => {
      const who = await customer()
      const answer = await csv(who, text)
      assert.deepEqual(answer.body, { object: 'suppression_import', added: 2, existing: 0, invalid: [] }, answer.text)
      assert.deepEqual(await emails(who, 'sort=email&direction=asc'), ['ada@example.test', 'bob@example.test'])
    })

  test('of a file with a quote that nothing closes loses that line only', async () => {
    const who = await customer()
    const answer = await csv(who, 'email\n"zoe@example.test\nada@example.test\nbob@example.test')
    const invalid = ['"zoe@example.test']
    assert.deepEqual(answer.body, { object: 'suppression_import', added: 2, existing: 0, invalid })
  })

  test('of a file keeps the reason beside each address, on one line', async () => {
    const who = await customer()
    await csv(
      who,
      `email,reason\nada@example.test,"not\ninterested"\nbob@example.test,${'x'.repeat(600)}\ncyd@example.test`,
    )
    assert.deepEqual(
      (await rows(who)).map(({ reason }) => reason),
      ['not interested', 'x'.repeat(500), null],
    )
  })

  test('that is empty, too long, of another type or not text is refused and adds nothing', async () => {
    const who = await customer()
    const tooMany = Array.from({ length: 10_001 }, (_, nth) => `p${nth}@example.test`)
    refused(await send(who, {}), 422, 'missing_required_field')
    refused(await send(who, { emails: [] }), 400, 'validation_error')
    refused(await send(who, { emails: 'ada@example.test' }), 400, 'validation_error')
    refused(await send(who, { emails: tooMany }), 400, 'validation_error')
    refused(await send(who, '{bad'), 400, 'validation_error')
    refused(await send(who, '["ada@example.test"]'), 400, 'validation_error')
    refused(await csv(who, tooMany.join('\n')), 400, 'validation_error')
    refused(await csv(who, 'email\n'), 400, 'validation_error')
    refused(await send(who, Buffer.from([0xff, 0xfe]), 'text/csv'), 400, 'validation_error')
    refused(await send(who, 'ada@example.test', 'text/plain'), 403, 'forbidden')
    refused(await csv(who, 'x'.repeat(8 * 1024 * 1024 + 1)), 413, 'quota_exceeded')
    assert.deepEqual(await rows(who), [])
  })

  test('by another website is refused, though it is no JSON', async () => {
    const who = await customer()
    const headers = { 'content-type': 'text/csv', 'sec-fetch-site': 'cross-site' }
    refused(await who.client.post('/api/suppressions/import', 'ada@example.test', headers), 403, 'forbidden')
    assert.deepEqual(await rows(who), [])
  })

  test('of ten thousand addresses costs as many statements as one of few', async () => {
    const who = await customer()
    const cost = async (count: number) => {
      const watch = mail.database.watchStatements()
      const text = Array.from({ length: count }, (_, nth) => `p${count}-${nth}@example.test`).join('\n')
      assert.equal((await csv(who, text)).body.added, count)
      watch.stop()
      return watch.texts.length
    }
    assert.equal(await cost(10_000), await cost(2))
  })

  test('is not an id: other verbs on its path are refused', async () => {
    const { client } = await customer()
    for (const verb of ['GET', 'PATCH', 'DELETE'])
      refused(await client.send(verb, '/api/suppressions/import'), 405, 'method_not_allowed')
  })
})
