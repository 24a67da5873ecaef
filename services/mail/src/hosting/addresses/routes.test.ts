import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantDomain } from './testing/hosting.ts'

const PASSWORD = 'the pass phrase of a mailbox'
const MEMBERS = [
  'object',
  'id',
  'domain_id',
  'email',
  'local_part',
  'name',
  'enabled',
  'send_enabled',
  'quota_bytes',
  'used_bytes',
  'messages_count',
  'aliases',
  'forward_to',
  'keep_copy',
  'recovery_email',
  'spam_threshold',
  'digest',
  'require_app_password',
  'last_login_at',
  'created_at',
  'updated_at',
]

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

let domains = 0
type Customer = { client: MailClient; accountId: string; domainId: string; domain: string; email: string }

/** A customer with a domain. */
const customer = async (plan = 'unlimited'): Promise<Customer> => {
  const { client, id: accountId, email } = await mail.signUp()
  await mail.database.tx((tx) => tx.updateTable('account').set({ plan }).where('id', '=', accountId).execute())
  const domain = `routes-${++domains}.test`
  const { id: domainId } = await plantDomain(mail.database, { accountId, name: domain, now: mail.clock.now() })
  return { client, accountId, domainId, domain, email }
}

const add = ({ client, domainId }: Customer, body: object): Promise<MailAnswer> =>
  client.post(`/api/domains/${domainId}/addresses`, { password: PASSWORD, ...body })
const made = async (who: Customer, localPart: string, more: object = {}) => {
  const answer = await add(who, { local_part: localPart, ...more })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const patch = ({ client }: Customer, id: string, body: object) => client.send('PATCH', `/api/addresses/${id}`, { body })
const refused = (answer: MailAnswer, status: number, name: string, message?: RegExp): void => {
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)
  if (message) assert.match(answer.body.message, message)
}
const countOf = async ({ client, domainId }: Customer): Promise<number> =>
  (await client.get(`/api/domains/${domainId}/addresses`)).body.total
const signIn = async (email: string, password = PASSWORD): Promise<number> =>
  (await mail.client().post('/api/mail/login', { email, password })).status

describe('a new address', () => {
  test('has all members, with everything as it was asked for', async () => {
    const ada = await customer()
    const body = await made(ada, 'Ada', {
      name: ' Ada Lovelace ',
      quota_bytes: 1_000_000,
      recovery_email: 'Ada@Elsewhere.test',
      aliases: ['countess', 'Ada.*'],
      forward_to: ['b@elsewhere.test', 'B@elsewhere.test'],
      keep_copy: false,
      enabled: false,
    })
    assert.deepEqual(Object.keys(body), MEMBERS)
    const { id, created_at, updated_at, ...rest } = body
    assert.equal(created_at, mail.clock.now().toISOString())
    assert.equal(updated_at, created_at)
    assert.deepEqual(rest, {
      object: 'address',
      domain_id: ada.domainId,
      email: `ada@${ada.domain}`,
      local_part: 'ada',
      name: 'Ada Lovelace',
      enabled: false,
      send_enabled: true,
      quota_bytes: 1_000_000,
      used_bytes: 0,
      messages_count: 0,
      aliases: [`ada.*@${ada.domain}`, `countess@${ada.domain}`],
      forward_to: ['b@elsewhere.test'],
      keep_copy: false,
      recovery_email: 'ada@elsewhere.test',
      spam_threshold: 5,
      digest: 'off',
      require_app_password: false,
      last_login_at: null,
    })
    assert.deepEqual((await ada.client.get(`/api/addresses/${id}`)).body, body)
  })

  test('has sensible defaults, its folders, and a password that opens it', async () => {
    const bob = await customer()
    const { id, email, keep_copy, enabled, aliases } = await made(bob, 'bob')
    assert.deepEqual([keep_copy, enabled, aliases], [true, true, []])
    assert.equal(await signIn(email), 200)
    assert.equal(await signIn(email, `${PASSWORD}!`), 401)
    const { data, total } = (await bob.client.get(`/api/addresses/${id}/folders`)).body
    assert.equal(total, 7)
    assert.deepEqual(
      data.map(({ name, role }: { name: string; role: string }) => [name, role]),
      [
        ['Archive', 'archive'],
        ['Drafts', 'drafts'],
        ['Inbox', 'inbox'],
        ['Junk', 'junk'],
        ['Sent', 'sent'],
        ['Snoozed', 'snoozed'],
        ['Trash', 'trash'],
      ],
    )
    assert.deepEqual(Object.keys(data[0]), ['object', 'id', 'name', 'path', 'role', 'total', 'unread', 'size_bytes'])
  })

  const bad: [string, object, number, string, RegExp?][] = [
    ['no local part', { local_part: undefined }, 422, 'missing_required_field', /Missing `local_part` field\./],
    ['no password', { password: undefined }, 422, 'missing_required_field', /Missing `password` field\./],
    ['a plus in its name', { local_part: 'a+b' }, 400, 'validation_error', /`local_part`/],
    ['two dots in its name', { local_part: 'a..b' }, 400, 'validation_error', /`local_part`/],
    ['an empty name', { local_part: ' ' }, 400, 'validation_error', /`local_part`/],
    ['65 characters', { local_part: 'a'.repeat(65) }, 400, 'validation_error', /`local_part`/],
    ['a reserved name', { local_part: 'MAILER-daemon' }, 400, 'validation_error', /reserved/],
    ['the name of a return path', { local_part: 'srs0=x' }, 400, 'validation_error', /`local_part`/],
    ['a line break', { local_part: 'a\nb' }, 400, 'validation_error', /`local_part`/],
    ['a number for a name', { local_part: 5 }, 400, 'validation_error', /`local_part`/],
    ['a short password', { password: '1234567' }, 400, 'validation_error', /`password`/],
    ['a common password', { password: 'password1' }, 400, 'validation_error', /common/],
    ['a negative quota', { quota_bytes: -1 }, 400, 'validation_error', /`quota_bytes`/],
    ['a quota of parts', { quota_bytes: 1.5 }, 400, 'validation_error', /`quota_bytes`/],
    ['a bad forward', { forward_to: ['nobody'] }, 400, 'validation_error', /`forward_to`/],
    ['21 forwards', { forward_to: Array.from({ length: 21 }, (_, n) => `a${n}@b.test`) }, 400, 'validation_error'],
    ['a bad recovery address', { recovery_email: 'x' }, 400, 'validation_error', /`recovery_email`/],
    ['an alias with two stars', { aliases: ['a**'] }, 400, 'validation_error', /`aliases`/],
    ["an alias at somebody's domain", { aliases: ['a@elsewhere.test'] }, 400, 'validation_error', /`aliases`/],
    ['text for aliases', { aliases: 'a' }, 400, 'validation_error', /`aliases`/],
    ['text for a flag', { enabled: 'yes' }, 400, 'validation_error', /`enabled`/],
  ]
  for (const [what, body, status, name, message] of bad)
    test(`with ${what} is refused as ${name} and not made`, async () => {
      const who = await shared()
      refused(await add(who, { local_part: 'ok', ...body }), status, name, message)
      assert.equal(await countOf(who), 0)
    })
  let sharedCustomer: Promise<Customer> | undefined
  const shared = () => (sharedCustomer ??= customer())

  test('cannot be its own recovery address', async () => {
    const who = await customer()
    refused(
      await add(who, { local_part: 'a', recovery_email: `a@${who.domain}` }),
      400,
      'validation_error',
      /different/,
    )
    assert.equal(await countOf(who), 0)
  })

  test('whose name is an address or an alias already is a conflict, and changes nothing', async () => {
    const who = await customer()
    const first = await made(who, 'first', { aliases: ['second'] })
    for (const body of [
      { local_part: 'first' },
      { local_part: 'second' },
      { local_part: 'third', aliases: ['first'] },
      { local_part: 'third', aliases: ['SECOND'] },
      { local_part: 'third', aliases: ['third'] },
    ])
      refused(await add(who, body), 409, 'conflict')
    assert.equal(await countOf(who), 1)
    assert.deepEqual((await who.client.get(`/api/addresses/${first.id}`)).body, first)
    assert.equal((await add(who, { local_part: 'third' })).status, 201)
  })

  test('over the plan is refused with 413, after the body was looked at', async () => {
    const who = await customer('free')
    for (const name of ['a', 'b', 'c']) await made(who, name)
    refused(await add(who, { local_part: 'd' }), 413, 'quota_exceeded', /3 addresses/)
    refused(await add(who, { local_part: 'a' }), 413, 'quota_exceeded')
    refused(await add(who, { local_part: 'd..' }), 400, 'validation_error')
    refused(await add(who, { local_part: undefined }), 422, 'missing_required_field')
    assert.equal(await countOf(who), 3)
    const answers = await Promise.all(Array.from({ length: 4 }, (_, n) => add(who, { local_part: `r${n}` })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([413]))
  })

  test('with more aliases than the plan has is refused with 413', async () => {
    const who = await customer('free')
    const four = { local_part: 'a', aliases: ['w', 'x', 'y', 'z'] }
    refused(await add(who, four), 413, 'quota_exceeded', /3 aliases/)
    assert.equal(await countOf(who), 0)
  })

  test('of many at the same moment take exactly the places there are', async () => {
    const who = await customer('free')
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => add(who, { local_part: `race${n}` })))
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    assert.equal(await countOf(who), 3)
  })

  test('in a domain of somebody else or of nobody is 404 whatever the body says', async () => {
    const [who, other] = [await customer(), await customer()]
    for (const domainId of [other.domainId, newId(), 'x', '../domains'])
      for (const body of [{}, { local_part: 'a', password: PASSWORD }, '{bad'])
        refused(await who.client.post(`/api/domains/${encodeURIComponent(domainId)}/addresses`, body), 404, 'not_found')
    refused(await who.client.get(`/api/domains/${other.domainId}/addresses`), 404, 'not_found')
    assert.equal(await countOf(other), 0)
  })
})

describe('a change of an address', () => {
  test('changes what is given and nothing else', async () => {
    const who = await customer()
    const before = await made(who, 'a', { name: 'A', aliases: ['x'], forward_to: ['f@b.test'], quota_bytes: 5 })
    mail.clock.advance(1_000)
    const same = await patch(who, before.id, {})
    assert.deepEqual(same.body, { ...before, updated_at: mail.clock.now().toISOString() })
    const change = {
      name: null,
      quota_bytes: null,
      aliases: ['y', `*-list@${who.domain}`],
      forward_to: [],
      keep_copy: false,
      enabled: false,
      send_enabled: false,
      spam_threshold: 7.5,
      digest: 'weekly',
      require_app_password: true,
    }
    const answer = await patch(who, before.id, { ...change, id: newId(), email: 'no', used_bytes: 9, local_part: 'z' })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      ...before,
      ...change,
      aliases: [`*-list@${who.domain}`, `y@${who.domain}`],
      updated_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual((await who.client.get(`/api/addresses/${before.id}`)).body, answer.body)
    await made(who, 'x')
  })

  for (const [what, body] of Object.entries({
    'a threshold below 0': { spam_threshold: -1 },
    'a threshold that is text': { spam_threshold: '5' },
    'a digest that there is not': { digest: 'hourly' },
    'no flag': { send_enabled: null },
    'a bad alias': { name: 'changed', aliases: ['a b'] },
    'a bad forward': { name: 'changed', forward_to: ['x'] },
    'a name with a line break': { name: 'a\r\nBcc: x' },
    'an endless name': { name: 'a'.repeat(201) },
  }))
    test(`to ${what} is refused as validation_error and changes nothing`, async () => {
      const who = await customer()
      const before = await made(who, 'a')
      refused(await patch(who, before.id, body), 400, 'validation_error')
      assert.deepEqual((await who.client.get(`/api/addresses/${before.id}`)).body, before)
    })

  test('to an alias that is taken or too many of them changes nothing', async () => {
    const who = await customer('free')
    const before = await made(who, 'a', { aliases: ['x'] })
    await made(who, 'b', { aliases: ['y'] })
    refused(await patch(who, before.id, { name: 'N', aliases: ['y'] }), 409, 'conflict')
    refused(await patch(who, before.id, { name: 'N', aliases: ['b'] }), 409, 'conflict')
    refused(await patch(who, before.id, { name: 'N', aliases: ['1', '2', '3', '4'] }), 413, 'quota_exceeded')
    assert.deepEqual((await who.client.get(`/api/addresses/${before.id}`)).body, before)
  })

  test('an address that is not enabled does not open, and one that needs app passwords opens only webmail', async () => {
    const who = await customer()
    const { id, email } = await made(who, 'a')
    await patch(who, id, { enabled: false })
    assert.equal(await signIn(email), 401)
    await patch(who, id, { enabled: true, require_app_password: true })
    assert.equal(await signIn(email), 200)
    const attempt = { email, password: PASSWORD, scope: 'imap', ip: '192.0.2.77' } as const
    assert.equal((await mail.parts.credentials.check(attempt)).ok, false)
  })
})

describe('the password of a mailbox', () => {
  test('is changed: the old one, app passwords and webmail sessions end', async () => {
    const who = await customer()
    const { id, email } = await made(who, 'a')
    const token = (await who.client.post(`/api/addresses/${id}/app-passwords`, { name: 'phone' })).body.token
    const webmail = mail.client()
    await webmail.post('/api/mail/login', { email, password: PASSWORD })
    const answer = await who.client.post(`/api/addresses/${id}/password`, { password: 'another pass phrase' })
    assert.deepEqual([answer.status, answer.body.object, answer.body.id], [200, 'address', id])
    assert.doesNotMatch(answer.text, /another pass|scrypt|argon/)
    assert.equal((await webmail.get('/api/mail/me')).status, 401)
    assert.equal(await signIn(email), 401)
    assert.equal(await signIn(email, 'another pass phrase'), 200)
    const attempt = { email, password: token, scope: 'imap', ip: '192.0.2.78' } as const
    assert.equal((await mail.parts.credentials.check(attempt)).ok, false)
    assert.equal((await who.client.get(`/api/addresses/${id}/app-passwords`)).body.total, 0)
  })

  test('is not changed to one that is missing, short or common', async () => {
    const who = await customer()
    const { id, email } = await made(who, 'a')
    const change = (body: object) => who.client.post(`/api/addresses/${id}/password`, body)
    refused(await change({}), 422, 'missing_required_field')
    refused(await change({ password: 'short' }), 400, 'validation_error')
    refused(await change({ password: 'password1' }), 400, 'validation_error')
    refused(await change({ password: 5 }), 400, 'validation_error')
    assert.equal(await signIn(email), 200)
  })
})

describe('a deleted address', () => {
  test('is gone at once, and its name is free', async () => {
    const who = await customer('free')
    const { id, email } = await made(who, 'a', { aliases: ['x'] })
    const answer = await who.client.send('DELETE', `/api/addresses/${id}`)
    assert.deepEqual([answer.status, answer.body], [200, { object: 'address', id, deleted: true }])
    for (const path of ['', '/folders', '/activity', '/app-passwords', '/shares'])
      refused(await who.client.get(`/api/addresses/${id}${path}`), 404, 'not_found')
    refused(await who.client.send('DELETE', `/api/addresses/${id}`), 404, 'not_found')
    refused(await patch(who, id, { name: 'x' }), 404, 'not_found')
    assert.equal(await signIn(email), 401)
    assert.equal(await countOf(who), 0)
    for (const name of ['a', 'x', 'c']) await made(who, name)
  })
})

describe('the list of addresses', () => {
  test('is paged, searched and sorted by the documented columns', async () => {
    const who = await customer()
    const names = ['delta', 'alpha', 'charlie', 'bravo']
    for (const name of names) {
      mail.clock.advance(1_000)
      await made(who, name, { name: `Name of ${name}` })
    }
    const list = async (query: string) =>
      (await who.client.get(`/api/domains/${who.domainId}/addresses?${query}`)).body.data.map(
        ({ local_part }: { local_part: string }) => local_part,
      )
    assert.deepEqual(await list(''), ['alpha', 'bravo', 'charlie', 'delta'])
    assert.deepEqual(await list('direction=desc'), ['delta', 'charlie', 'bravo', 'alpha'])
    assert.deepEqual(await list('sort=created_at'), names)
    assert.deepEqual(await list('sort=password_hash'), ['alpha', 'bravo', 'charlie', 'delta'])
    assert.deepEqual(await list('search=OF%20br'), ['bravo'])
    assert.deepEqual(await list('search=%25'), [])
    assert.deepEqual(await list('page=2'), [])
    for (const sort of ['used_bytes', 'last_login_at']) assert.equal((await list(`sort=${sort}`)).length, 4)
  })

  test('costs the same number of statements for one address as for many', async () => {
    const who = await customer()
    const cost = async (path: string): Promise<number> => {
      const watch = mail.database.watchStatements()
      assert.equal((await who.client.get(path)).status, 200)
      watch.stop()
      return watch.texts.length
    }
    const { id } = await made(who, 'a', { aliases: ['a1', 'a2'] })
    const path = `/api/domains/${who.domainId}/addresses`
    const one = await cost(path)
    for (let n = 0; n < 5; n += 1) await made(who, `b${n}`, { aliases: [`c${n}`] })
    assert.equal(await cost(path), one)
    // The session, the domain, the count, the page.
    assert.equal(one, 4)
    assert.equal(await cost(`/api/addresses/${id}`), 2)
    assert.equal(await cost(`/api/addresses/${id}/folders`), 3)
    assert.ok((await cost(`/api/addresses/${id}/activity`)) <= 4)
    assert.equal(await cost(`/api/addresses/${id}/app-passwords`), 3)
    assert.equal(await cost(`/api/addresses/${id}/shares`), 3)
  })
})
