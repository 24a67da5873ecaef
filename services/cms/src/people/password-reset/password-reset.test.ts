import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type CmsAnswer, type CmsService, PASSWORD, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { codeOf, enrol } from '../two-factor/testing/two-factor.ts'

const MINUTE = 60_000
const NEXT = 'eight lanterns in the harbour'

let smtp: FakeSmtp
let service: CmsService
let other: CmsService
let owner: Person
before(async () => {
  smtp = await startFakeSmtp({ tls: 'none' })
  const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }
  service = await startCms({ env, background: true })
  other = await startCms({ env, databaseUrl: service.databaseUrl, clock: service.clock, background: true })
  owner = await service.person('owner', { name: 'Olive' })
})
after(async () => {
  await other.close()
  await service.close()
  await smtp.close()
})
beforeEach(() => service.clock.advance(120 * MINUTE))

const forgot = (email: unknown, at = service) => at.client().post('/api/auth/forgot', { email })
const reset = (token: unknown, password: unknown = NEXT, at = service) =>
  at.client().post('/api/auth/reset', { token, password })
const signIn = (email: string, password: string) => service.client().post('/api/auth/login', { email, password })
const mailsTo = (email: string) => smtp.messages.filter(({ to }) => to.includes(email))
const textOf = (raw: Buffer): string => raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
const linkFor = async (person: Person): Promise<string> => {
  const before = mailsTo(person.email).length
  const answer = await forgot(person.email)
  assert.deepEqual([answer.status, answer.body], [200, { accepted: true }])
  const mail = await until(() => mailsTo(person.email)[before], 'the mail')
  return /reset-password#token=([\w-]{43})/.exec(textOf(mail.raw))?.[1] ?? assert.fail(textOf(mail.raw))
}
/** Jobs that wait or run. */
const untilIdle = () =>
  until(async () => {
    const { rows } = await service.cms.database.pool.query(
      `select 1 from jobs.job where name = 'people.reset-mail' and state in ('created', 'retry', 'active')`,
    )
    return rows.length === 0
  }, 'all mails to be sent')
const refusedToken = (answer: CmsAnswer) =>
  assert.deepEqual(
    [answer.status, answer.body.code, answer.body.details?.fields[0].key],
    [400, 'VALIDATION_FAILED', 'token'],
    answer.text,
  )

describe('a forgotten password', () => {
  test('is said to be replaceable by mail', async () => {
    assert.deepEqual((await service.client().get('/api/auth/status')).body, { setup: true, resetByMail: true })
  })

  test('is replaced by the link in the mail: all sessions end, and the link works once', async () => {
    const person = await service.person('editor', { name: 'Eve' })
    const token = await linkFor(person)
    const text = textOf(mailsTo(person.email)[0]?.raw ?? Buffer.alloc(0))
    assert.match(text, /^From: noreply@cms\.test\r$/m)
    assert.match(text, /^Hello Eve,\r$/m)
    assert.match(text, /http:\/\/cms\.test\/admin\/reset-password#token=/)
    const answer = await reset(token)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal((await person.client.get('/api/auth/me')).body.code, 'TOKEN_REVOKED')
    assert.equal((await signIn(person.email, PASSWORD)).status, 401)
    assert.equal((await signIn(person.email, NEXT)).status, 200)
    refusedToken(await reset(token, 'nine lanterns in the harbour'))
    assert.equal((await signIn(person.email, NEXT)).status, 200)
    const { items } = (await owner.client.get('/api/activity?limit=1')).body
    assert.deepEqual(
      [items[0].action, items[0].target.id, items[0].actor.name],
      ['user.password.changed', person.id, 'password reset'],
    )
    assert.ok(!service.logs.join('').includes(token) && !other.logs.join('').includes(token))
    const { rows } = await service.cms.database.pool.query('select data::text from jobs.job')
    assert.ok(!JSON.stringify(rows).includes(token), 'no token waits in a job')
  })

  test('of many who use the link at the same moment in two processes, one sets the password', async () => {
    const person = await service.person('viewer')
    const token = await linkFor(person)
    const words = [0, 1, 2, 3].map((n) => `${NEXT} ${n}`)
    const answers = await Promise.all(words.map((word, n) => reset(token, word, n % 2 ? other : service)))
    const won = answers.findIndex(({ status }) => status === 204)
    assert.equal(answers.filter(({ status }) => status === 204).length, 1)
    for (const [n, answer] of answers.entries()) if (n !== won) refusedToken(answer)
    assert.equal((await signIn(person.email, words[won] ?? '')).status, 200)
  })

  test('keeps the second factor', async () => {
    const person = await service.person('editor')
    const { secret } = await enrol(service, person)
    assert.equal((await reset(await linkFor(person))).status, 204)
    const without = await signIn(person.email, NEXT)
    assert.deepEqual([without.status, without.body.code], [401, 'TOTP_REQUIRED'])
    const withCode = { email: person.email, password: NEXT, code: codeOf(service, secret) }
    assert.equal((await service.client().post('/api/auth/login', withCode)).status, 200)
  })

  test('is kept by a link that is late, or that came before the address or the password changed', async () => {
    const late = await service.person('viewer')
    const lateToken = await linkFor(late)
    service.clock.advance(60 * MINUTE)
    refusedToken(await reset(lateToken))
    assert.equal((await signIn(late.email, PASSWORD)).status, 200)
    owner = { ...owner, client: service.client({ token: (await service.openSession(owner.id)).token }) }
    const moved = await service.person('viewer')
    const movedToken = await linkFor(moved)
    assert.equal((await owner.client.put(`/api/users/${moved.id}`, { email: 'moved@example.test' })).status, 200)
    refusedToken(await reset(movedToken))
    assert.equal((await signIn('moved@example.test', PASSWORD)).status, 200)
    const changed = await service.person('viewer')
    const changedToken = await linkFor(changed)
    const given = { currentPassword: PASSWORD, newPassword: 'ten lanterns in the harbour' }
    assert.equal((await changed.client.post('/api/auth/password', given)).status, 200)
    refusedToken(await reset(changedToken))
    assert.equal((await signIn(changed.email, given.newPassword)).status, 200)
    const gone = await service.person('viewer')
    const goneToken = await linkFor(gone)
    assert.equal((await owner.client.delete(`/api/users/${gone.id}`)).status, 204)
    refusedToken(await reset(goneToken))
  })

  test('is requested with one answer, for any address and however often', async () => {
    const before = smtp.messages.length
    for (const email of ['nobody@example.test', 'not an address', 'x'.repeat(254)]) {
      const answer = await forgot(email)
      assert.deepEqual([answer.status, answer.body], [200, { accepted: true }], email)
    }
    await untilIdle()
    assert.equal(smtp.messages.length, before)
    for (const email of ['', ' ', 'x'.repeat(255), 7, undefined]) {
      const answer = await forgot(email)
      assert.deepEqual([answer.status, answer.body.details.fields[0].key], [400, 'email'])
    }
  })

  test('brings three mails an hour to one address, whatever its case, counted in two processes', async () => {
    const person = await service.person('viewer')
    const spellings = [person.email, person.email.toUpperCase(), ` ${person.email} `]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => forgot(spellings[n % 3], n % 2 ? other : service)),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await untilIdle()
    assert.equal(mailsTo(person.email).length, 3)
    service.clock.advance(60 * MINUTE)
    await linkFor(person)
    assert.equal(mailsTo(person.email).length, 4)
  })

  test('is not mailed to more addresses than one client may name in an hour', async () => {
    const person = await service.person('viewer')
    const client = service.client()
    for (let n = 0; n < 20; n += 1) await client.post('/api/auth/forgot', { email: `nobody-${n}@example.test` })
    const answer = await client.post('/api/auth/forgot', { email: person.email })
    assert.deepEqual([answer.status, answer.body], [200, { accepted: true }])
    await untilIdle()
    assert.deepEqual(mailsTo(person.email), [])
  })

  test('is mailed after the mail server was away for a moment', async () => {
    smtp.script('connect', [{ cut: 'before-effect' }])
    await linkFor(await service.person('viewer'))
  })

  test('is refused with a bad member named, and stays', async () => {
    const person = await service.person('viewer')
    const token = await linkFor(person)
    const short = await reset(token, 'short')
    assert.deepEqual([short.status, short.body.details.fields[0].key], [400, 'password'])
    for (const bad of ['', 'x', 'x'.repeat(43), 'x'.repeat(300), 7, undefined]) refusedToken(await reset(bad))
    assert.equal((await signIn(person.email, PASSWORD)).status, 200)
    assert.equal((await reset(token)).status, 204)
  })
})

test('without a mail server nothing is mailed, and the answer is the same', async () => {
  const plain = await startCms()
  const person = await plain.person('viewer')
  assert.deepEqual((await plain.client().get('/api/auth/status')).body, { setup: true, resetByMail: false })
  const answer = await plain.client().post('/api/auth/forgot', { email: person.email })
  assert.deepEqual([answer.status, answer.body], [200, { accepted: true }])
  const { rows } = await plain.cms.database.pool.query('select 1 from password_reset')
  assert.deepEqual(rows, [])
  await plain.close()
})
