import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { subjectsTo } from '../../hosting/system-mail/testing/sent.ts'
import { maskEmail } from './referrals.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const MINUTE = 60_000

describe('the profile', () => {
  test('is changed by the members that are given; blank and null take a label away', async () => {
    const { client } = await mail.signUp()
    mail.clock.advance(MINUTE)
    const patch = (body: unknown) => client.send('PATCH', '/api/account', { body })
    const all = { name: ' Ann ', company: 'Stoa', timezone: 'Europe/Berlin', locale: 'PT-br' }
    const answer = await patch({ ...all, role: 'owner', email: 'x@y.test', plan_id: 'x' })
    assert.equal(answer.status, 200)
    const { name, company, timezone, locale, updated_at } = answer.body
    assert.deepEqual([name, company, timezone, locale], ['Ann', 'Stoa', 'Europe/Berlin', 'pt-BR'])
    assert.equal(updated_at, mail.clock.now().toISOString())
    const less = (await patch({ name: '', company: null })).body
    assert.deepEqual([less.name, less.company, less.timezone], [null, null, 'Europe/Berlin'])
    assert.deepEqual((await client.get('/api/auth/me')).body, less)
  })

  test('says how many days a bounce suppresses an address: 90, another number, or null for no end', async () => {
    const { client } = await mail.signUp()
    assert.equal((await client.get('/api/auth/me')).body.bounce_suppression_days, 90)
    for (const days of [1, 3_650, null]) {
      const { status, body } = await client.send('PATCH', '/api/account', { body: { bounce_suppression_days: days } })
      assert.deepEqual([status, body.bounce_suppression_days], [200, days])
      assert.equal((await client.get('/api/auth/me')).body.bounce_suppression_days, days)
    }
    assert.equal((await client.send('PATCH', '/api/account', { body: {} })).body.bounce_suppression_days, null)
  })

  test('refuses what is no name, time zone or language, and changes nothing', async () => {
    const { client } = await mail.signUp()
    const before = (await client.get('/api/auth/me')).body
    for (const body of [
      { name: 'a\nb' },
      { name: 5 },
      { timezone: 'Mars/Base' },
      { timezone: '' },
      { locale: 'x y' },
      { bounce_suppression_days: 0 },
      { bounce_suppression_days: 3_651 },
      { bounce_suppression_days: 1.5 },
      { bounce_suppression_days: '90' },
    ]) {
      const answer = await client.send('PATCH', '/api/account', { body })
      assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'], JSON.stringify(body))
    }
    assert.deepEqual((await client.get('/api/auth/me')).body, before)
    assert.equal((await mail.client().send('PATCH', '/api/account', { body: {} })).status, 401)
  })
})

describe('notification preferences', () => {
  test('are changed one by one and kept only where they differ from the defaults', async () => {
    const { client, id } = await mail.signUp()
    const patch = (body: unknown) => client.send('PATCH', '/api/account/notifications', { body })
    const answer = await patch({ weekly_summary: true, billing: false, unknown: 1 })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.notifications.weekly_summary, true)
    assert.equal(answer.body.notifications.billing, false)
    assert.equal(answer.body.notifications.security, true)
    await patch({ billing: true })
    const stored = await mail.database.db
      .selectFrom('account')
      .select('notifications')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(stored.notifications, { weekly_summary: true })
    const refused = await patch({ security: 'no' })
    assert.deepEqual([refused.status, refused.body.name], [400, 'validation_error'])
  })

  test('control security mails; the last one says that they are off', async () => {
    const { client, email } = await mail.signUp()
    const change = (from: string, to: string) =>
      client.post('/api/account/password', { current_password: from, password: to })
    await change(PASSWORD, 'the second phrase')
    const subjects = async () => (await subjectsTo(mail, email)).slice(1)
    assert.deepEqual(await subjects(), ['Your password was changed'])
    await client.send('PATCH', '/api/account/notifications', { body: { security: false } })
    await change('the second phrase', 'the third phrase')
    assert.deepEqual(await subjects(), ['Your password was changed', 'Security emails are turned off'])
    await client.send('PATCH', '/api/account/notifications', { body: { security: true } })
    await change('the third phrase', PASSWORD)
    assert.equal((await subjects()).length, 3)
  })
})

describe('referrals', () => {
  test('list whom the account invited, masked, and who of them is on a paid plan', async () => {
    const { client, id } = await mail.signUp()
    const { referral_code } = (await client.get('/api/auth/me')).body
    const empty = (await client.get('/api/account/referrals')).body
    assert.deepEqual(empty, {
      object: 'referrals',
      code: referral_code,
      url: `http://mail.test/sign-up?referral_code=${referral_code}`,
      signed_up: 0,
      converted: 0,
      credit_cents: 0,
      currency: 'eur',
      data: [],
    })
    for (const email of ['bob@friends.test', 'cem@friends.test']) {
      mail.clock.advance(MINUTE)
      await mail.client().post('/api/auth/signup', { email, password: PASSWORD, referral_code })
    }
    await mail.database.tx((tx) =>
      tx.updateTable('account').set({ plan: 'pro' }).where('email', '=', 'bob@friends.test').execute(),
    )
    const { signed_up, converted, data } = (await client.get('/api/account/referrals')).body
    assert.deepEqual([signed_up, converted], [2, 1])
    assert.deepEqual(
      data.map((each: { email: string; status: string }) => [each.email, each.status]),
      [
        ['c***@f***.test', 'signed_up'],
        ['b***@f***.test', 'converted'],
      ],
    )
    const { client: stranger } = await mail.signUp()
    assert.equal((await stranger.get('/api/account/referrals')).body.signed_up, 0)
    assert.ok(id)
  })

  test('never show a whole address', () => {
    assert.equal(maskEmail('ann@example.co.uk'), 'a***@e***.uk')
    assert.equal(maskEmail('a@b.test'), 'a***@b***.test')
  })

  test('cost a fixed number of statements', async () => {
    const { client } = await mail.signUp()
    const watch = mail.database.watchStatements()
    await client.get('/api/account/referrals')
    watch.stop()
    assert.equal(watch.texts.length, 3)
  })
})
