import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { after, before, describe, mock, test } from 'node:test'
import { promisify } from 'node:util'
import { newToken } from '@stoa/kit/crypto/tokens.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import { connectSmtp } from '@stoa/tests/lib/smtp-client.ts'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { Resend } from 'resend'
import { buildDsn } from '../../formats/bounces/dsn.ts'
import { MAILBOX_PASSWORD, plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import { forgetEmails } from './forget.ts'
import { type Ground, openSending, type Sender } from './testing/ground.ts'

/** Delivery as seen by the client that people use: everything from the request to the receiving server is real. */

const execute = promisify(execFile)
const SIMULATOR = 'simulator.mx.stoa.test'
const DAY_MS = 86_400_000

let ground: Ground
let dns: FakeDns
let friend: FakeSmtp
let smtpPort: number
let ann: Sender
before(async () => {
  // The client writes every refusal there.
  mock.method(console, 'error', () => undefined)
  dns = await startFakeDns()
  friend = await startFakeSmtp({ tls: 'none' })
  smtpPort = await freePort()
  dns.set('friend.test', 'MX', [{ preference: 10, exchange: 'mx.friend.test' }])
  dns.set('mx.friend.test', 'A', ['127.0.0.1'])
  dns.set('mx.friend.test', 'AAAA', [])
  ground = await openSending({
    MAIL_ROLES: 'http,worker,smtp',
    MAIL_HOST: '127.0.0.1',
    DNS_RESOLVERS: dns.address,
    SMTP_OUTBOUND_PORT: String(friend.port),
    OUTBOUND_ALLOW_PRIVATE: 'true',
    SMTP_PORT: String(smtpPort),
    SUBMISSION_PORT: '0',
    SUBMISSIONS_PORT: '0',
  })
  ann = await ground.sender()
  friend.script('rcpt', ({ address }) => {
    if (address?.startsWith('gone')) return { reply: { code: 550, text: '5.1.1 No such user' } }
    return address?.startsWith('busy') ? { reply: { code: 451, text: '4.2.1 Not now' } } : undefined
  })
})
after(async () => {
  await ground.mail.close()
  await friend.close()
  await dns.close()
})

const mailOf = (to: string | string[], more: object = {}) => ({
  from: `Ann <ann@${ann.domain}>`,
  to,
  subject: 'Hello',
  html: '<p>Hi</p>',
  ...more,
})
const sendTo = async (to: string | string[], more: object = {}): Promise<string> => {
  const { data, error } = await ann.resend.emails.send(mailOf(to, more))
  return data?.id ?? assert.fail(error?.message)
}
const statusOf = async (id: string): Promise<string> => (await ann.call('GET', `/api/emails/${id}`)).body.status
const typesOf = ({ events }: { events: { type: string }[] }): string[] => events.map(({ type }) => type)

/** Mail to the service, as the receiving servers send it. */
const report = async (to: string, message: string | Buffer): Promise<number> => {
  const client = await connectSmtp({ port: smtpPort })
  await client.say('EHLO friend.test')
  const { code } = await client.mail({ from: '', to: [to] }, message.toString())
  client.close()
  return code
}
const returnPathOf = async (id: string): Promise<string> => {
  const { rows } = await ground.mail.database.pool.query(
    'select return_path from queue_recipient where message_id = $1',
    [id],
  )
  return rows[0].return_path
}
/** The events that an endpoint of the account would receive. */
const listen = async (sender: Sender): Promise<() => Promise<{ type: string; data: Record<string, unknown> }[]>> => {
  const client = ground.mail.client({ cookie: sender.cookie })
  const events = ['sent', 'scheduled', 'delivered', 'delivery_delayed', 'bounced', 'complained', 'failed', 'suppressed']
  const made = await client.post('/api/webhooks', {
    endpoint: 'https://hooks.friend.test/in',
    events: events.map((name) => `email.${name}`),
  })
  assert.equal(made.status, 201, made.text)
  return async () => {
    const { rows } = await ground.mail.database.pool.query(
      'select payload from webhook_delivery where owner = $1 order by created_at, id',
      [sender.accountId],
    )
    return rows.map(({ payload }) => JSON.parse(payload))
  }
}

describe('the client of the third-party API', () => {
  test('sends a mail that is followed from the queue to the receiving server', async () => {
    const { data, error } = await ann.resend.emails.send({
      from: `Ann <ann@${ann.domain}>`,
      to: ['Bob <bob@friend.test>'],
      subject: 'Grüße',
      html: '<p>Hi <b>Bob</b></p>',
      tags: [{ name: 'kind', value: 'welcome' }],
      attachments: [{ filename: 'a.txt', content: Buffer.from('attached') }],
    })
    assert.equal(error, null)
    const id = data?.id ?? ''
    const shown = await ground.settled(ann, id, 'delivered')
    assert.deepEqual(typesOf(shown), ['queued', 'sent', 'delivered'])
    assert.ok(shown.sent_at)
    const got = await ann.resend.emails.get(id)
    assert.deepEqual(
      [got.data?.last_event, got.data?.to, got.data?.subject],
      ['delivered', ['Bob <bob@friend.test>'], 'Grüße'],
    )
    const received = friend.messages.at(-1) ?? assert.fail()
    assert.deepEqual([received.to, /^b\.[0-9a-f]{32}@mx\.stoa\.test$/.test(received.from)], [['bob@friend.test'], true])
    assert.match(received.raw.toString(), /^Date: Sun, 1 Mar 2026 12:00:00 \+0000\r$/m)
    assert.deepEqual(friend.problems, [])
  })

  test('sends what a receiving server can verify', async () => {
    const { rows } = await ground.mail.database.pool.query(
      'select selector, public_key from dkim_key where domain_id = $1',
      [ann.domainId],
    )
    const id = await sendTo('bob@friend.test', { subject: 'Signed' })
    await ground.settled(ann, id, 'delivered')
    const raw = friend.messages.at(-1)?.raw ?? assert.fail()
    const { results } = await dkimVerify(raw, {
      curTime: ground.mail.clock.now(),
      resolver: async (name: string) => {
        const key = rows.find(({ selector }) => name === `${selector}._domainkey.${ann.domain}`)
        return key ? [[`v=DKIM1; k=rsa; p=${key.public_key}`]] : []
      },
    })
    assert.deepEqual(
      results.map(({ signingDomain, status }) => [signingDomain, status.result]),
      [[ann.domain, 'pass']],
    )
  })

  test('sends batches, lists with cursors, reads, reschedules and cancels', async () => {
    const bob = await ground.sender()
    const mail = (at: number) => ({
      from: `a@${bob.domain}`,
      to: `delivered@${SIMULATOR}`,
      subject: `Mail ${at}`,
      text: 'x',
    })
    const batch = await bob.resend.batch.send(Array.from({ length: 5 }, (_, at) => mail(at)))
    const ids = batch.data?.data.map(({ id }) => id) ?? []
    assert.equal(ids.length, 5)
    const first = await bob.resend.emails.list({ limit: 2 })
    assert.deepEqual([first.data?.has_more, first.data?.data.map(({ id }) => id)], [true, [ids[4], ids[3]]])
    const next = await bob.resend.emails.list({ limit: 2, after: ids[3] ?? '' })
    assert.deepEqual([next.data?.has_more, next.data?.data.map(({ id }) => id)], [true, [ids[2], ids[1]]])
    const last = await bob.resend.emails.list({ limit: 2, after: ids[1] ?? '' })
    assert.deepEqual([last.data?.has_more, last.data?.data.map(({ id }) => id)], [false, [ids[0]]])
    const back = await bob.resend.emails.list({ limit: 2, before: ids[0] ?? '' })
    assert.deepEqual([back.data?.has_more, back.data?.data.map(({ id }) => id)], [true, [ids[2], ids[1]]])
    const page = await bob.call('GET', `/api/emails?limit=2&after=${ids[3]}`)
    const { object, page: number, per_page: perPage, total, pages } = page.body
    assert.deepEqual([object, number, perPage, total, pages], ['list', 2, 2, 5, 3])

    const scheduled = await bob.resend.emails.send({ ...mail(5), scheduledAt: 'in 1 hour' })
    const id = scheduled.data?.id ?? ''
    const updated = await bob.resend.emails.update({ id, scheduledAt: '2026-03-02T09:00:00.000Z' })
    assert.deepEqual(updated.data, {
      object: 'email',
      id,
      scheduled_at: '2026-03-02T09:00:00.000Z',
      status: 'scheduled',
    })
    assert.equal((await bob.resend.emails.get(id)).data?.scheduled_at, '2026-03-02T09:00:00.000Z')
    assert.deepEqual((await bob.resend.emails.cancel(id)).data, { object: 'email', id, status: 'cancelled' })
    const { body } = await bob.call('GET', `/api/emails/${id}`)
    assert.deepEqual(
      [body.status, body.last_event, typesOf(body)],
      ['cancelled', 'canceled', ['scheduled', 'scheduled', 'canceled']],
    )
    assert.equal((await bob.resend.emails.cancel(id)).error?.name, 'conflict')
    assert.equal((await bob.resend.emails.update({ id, scheduledAt: 'in 1 day' })).error?.name, 'conflict')
  })

  test('gets errors with the names that it knows', async () => {
    const names = [
      (await new Resend(newToken('mk_'), { baseUrl: `${ground.mail.url}/api` }).emails.get('x')).error?.name,
      (await ann.resend.emails.get('no-id')).error?.name,
      (await ann.resend.emails.send(mailOf('bob'))).error?.name,
      (await ann.resend.emails.send({ ...mailOf('bob@friend.test'), from: 'nobody' })).error?.name,
      (await ann.resend.emails.send(mailOf('bob@friend.test', { template: { id: 'x' } }))).error?.name,
      (await ann.resend.apiKeys.list()).error?.name,
    ]
    assert.deepEqual(names, [
      'invalid_api_key',
      'not_found',
      'validation_error',
      'invalid_from_address',
      'validation_error',
      'unauthorized',
    ])
  })

  test('sends once with a key, however often it retries', async () => {
    const send = () => ann.resend.emails.send(mailOf(`delivered@${SIMULATOR}`), { idempotencyKey: 'order/1' })
    const ids = [(await send()).data?.id, (await send()).data?.id]
    assert.ok(ids[0] && ids[0] === ids[1])
  })
})

describe('the tutorial “Your first domain”', () => {
  test('has an example that sends a mail and follows it until it is delivered', async () => {
    const bob = await ground.sender('harbor.test')
    const ada = await plantAddress(ground.mail.database, 'ada@harbor.test', { accountId: bob.accountId })
    const guide = await readFile(new URL('../../../../../docs/first-domain.md', import.meta.url), 'utf8')
    const code = /```js\n(import \{ Resend \}.*?)```/s.exec(guide)?.[1] ?? assert.fail('there is no example')
    assert.equal(code.trim().split('\n').length, 5)
    const typed = code.replace('mk_…', bob.token).replace('http://localhost:4400', ground.mail.url)
    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', typed])
    assert.equal(stdout, 'delivered\n')
    const { rows } = await ground.mail.database.pool.query('select subject from message where address_id = $1', [
      ada.id,
    ])
    assert.deepEqual(rows, [{ subject: 'Order 7' }])
  })
})

describe('a mail to a mailbox here', () => {
  test('has its date and Message-ID for everybody who reads there', async () => {
    const bob = await ground.sender()
    const email = `ada@${bob.domain}`
    const ada = await plantAddress(ground.mail.database, email, { accountId: bob.accountId })
    const { body } = await bob.send({ from: `a@${bob.domain}`, to: email, subject: 'Dated', text: 'Hi' })
    const sent = await ground.settled(bob, body.id, 'delivered')
    const reader = ground.mail.client()
    await reader.post('/api/mail/login', { email, password: MAILBOX_PASSWORD })
    const [item] = (await reader.get('/api/mail/messages')).body.data
    assert.equal(item.date, ground.mail.clock.now().toISOString().replace(/\.\d+/, '.000'))
    const message = (await reader.get(`/api/mail/messages/${item.id}`)).body
    assert.equal(`<${message.message_id}>`, sent.message_id)
    const names = message.headers.map(({ name }: { name: string }) => name.toLowerCase())
    for (const name of ['date', 'message-id']) assert.equal(names.filter((other: string) => other === name).length, 1)
    const { rows } = await ground.mail.database.pool.query('select sent_at from message where address_id = $1', [
      ada.id,
    ])
    assert.equal(rows[0].sent_at.toISOString(), item.date)
  })
})

describe('lists', () => {
  test('take status, domain, tag and search, and refuse what they do not know', async () => {
    const bob = await ground.sender()
    const send = async (more: object) =>
      (
        await bob.send({
          from: `a@${bob.domain}`,
          to: 'x@friend.test',
          subject: 'Plain',
          text: 'x',
          scheduled_at: 'in 1 day',
          ...more,
        })
      ).body.id
    const tagged = await send({
      tags: [
        { name: 'kind', value: 'receipt' },
        { name: 'a', value: 'b' },
      ],
    })
    const found = await send({ subject: '100% Über_all', to: 'Zoë <zoe@friend.test>' })
    await bob.call('POST', `/api/emails/${found}/cancel`)
    const ids = async (query: string): Promise<[string[], number]> => {
      const { body } = await bob.call('GET', `/api/emails?${query}`)
      return [body.data.map(({ id }: { id: string }) => id), body.total]
    }
    assert.deepEqual(await ids('tag=kind:receipt'), [[tagged], 1])
    assert.deepEqual(await ids('tag=kind'), [[tagged], 1])
    assert.deepEqual(await ids('tag=kind:other'), [[], 0])
    assert.deepEqual(await ids('status=cancelled'), [[found], 1])
    assert.deepEqual(await ids(`search=${encodeURIComponent('% über_')}`), [[found], 1])
    assert.deepEqual(await ids('search=ZOE%40'), [[found], 1])
    assert.deepEqual(await ids(`domain_id=${bob.domainId}`), [[found, tagged], 2])
    assert.deepEqual(await ids(`domain_id=${ann.domainId}`), [[], 0])
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'status=nothing',
      'after=x',
      `after=${tagged}&before=${found}`,
      'tag=a%20b',
      'domain_id=7',
      `search=${'a'.repeat(201)}`,
    ]) {
      const { status, body } = await bob.call('GET', `/api/emails?${query}`)
      assert.deepEqual([status, body.name], [400, 'invalid_parameter'], query)
    }
  })
})

describe('a mail', () => {
  test('to simulators becomes what they say, and suppresses nobody', async () => {
    const bob = await ground.sender()
    const webhookEvents = await listen(bob)
    const outcomes: [string, string, string[]][] = [
      [`delivered+1@${SIMULATOR}`, 'delivered', ['queued', 'sent', 'delivered']],
      [`bounced@${SIMULATOR}`, 'bounced', ['queued', 'sent', 'bounced']],
      [`complained@${SIMULATOR}`, 'complained', ['queued', 'sent', 'delivered', 'complained']],
      [`delayed@${SIMULATOR}`, 'delayed', ['queued', 'sent', 'delivery_delayed']],
      [`suppressed@${SIMULATOR}`, 'suppressed', ['queued', 'suppressed']],
      [`nobody@${SIMULATOR}`, 'bounced', ['queued', 'sent', 'bounced']],
    ]
    for (const [to, status, types] of outcomes) {
      const { body } = await bob.send({ from: `a@${bob.domain}`, to, subject: 'x', text: 'x' })
      assert.deepEqual(typesOf(await ground.settled(bob, body.id, status)), types)
    }
    const names = (await webhookEvents()).map(({ type }) => type)
    assert.deepEqual(
      [...new Set(names)].toSorted(),
      ['bounced', 'complained', 'delivered', 'delivery_delayed', 'sent', 'suppressed'].map((name) => `email.${name}`),
    )
    const suppressions = await ground.mail.client({ cookie: bob.cookie }).get('/api/suppressions')
    assert.equal(suppressions.body.total, 0)
  })

  test('that is delayed is delivered later, and its delay is reported once', async () => {
    const id = await sendTo(`delayed@${SIMULATOR}`)
    await ground.settled(ann, id, 'delayed')
    ground.mail.clock.advance(120_000)
    const shown = await ground.settled(ann, id, 'delivered')
    assert.deepEqual(typesOf(shown), ['queued', 'sent', 'delivery_delayed', 'delivered'])
  })

  test('has the worst state of its recipients, and events of each', async () => {
    const webhookEvents = await listen(ann)
    const id = await sendTo(['bob@friend.test', 'gone@friend.test', 'busy@friend.test'], {
      tags: [{ name: 'a', value: 'b' }],
    })
    const shown = await ground.settled(ann, id, 'bounced')
    const all = await ground.until('all events', async () => {
      const { body } = await ann.call('GET', `/api/emails/${id}`)
      return body.events.length === 5 && body.events
    })
    assert.equal(shown.events[0].type, 'queued')
    const byRecipient = Object.fromEntries(
      all.map(({ recipient, type }: { recipient: string; type: string }) => [recipient, type]),
    )
    assert.deepEqual(byRecipient, {
      null: 'sent',
      'bob@friend.test': 'delivered',
      'gone@friend.test': 'bounced',
      'busy@friend.test': 'delivery_delayed',
    })
    const bounced = (await webhookEvents()).find(({ type, data }) => type === 'email.bounced' && data.email_id === id)
    assert.deepEqual(bounced?.data.to, ['gone@friend.test'])
    assert.deepEqual(bounced?.data.tags, { a: 'b' })
    assert.deepEqual(bounced?.data.bounce, {
      type: 'Permanent',
      subType: 'NoEmail',
      message: '550 5.1.1 No such user',
      diagnosticCode: ['550 5.1.1 No such user'],
    })
  })

  test('to an address that bounced is withheld, in any spelling, until it is let through', async () => {
    const id = await sendTo('gone-2@friend.test')
    await ground.settled(ann, id, 'bounced')
    const webhookEvents = await listen(ann)
    const before = friend.messages.length
    const shown = (await ann.call('GET', `/api/emails/${await sendTo('GONE-2@Friend.TEST')}`)).body
    assert.deepEqual(
      [shown.status, shown.last_event, typesOf(shown)],
      ['suppressed', 'suppressed', ['queued', 'suppressed']],
    )
    const event = (await webhookEvents()).find(
      ({ type, data }) => type === 'email.suppressed' && data.email_id === shown.id,
    )
    assert.deepEqual(event?.data.suppressed, {
      type: 'OnAccountSuppressionList',
      reason: 'previous_bounce',
      message: "The recipient is on the suppression list, so the email wasn't sent.",
      diagnosticCode: [],
    })
    const mixed = await ground.settled(ann, await sendTo(['gone-2@friend.test', 'bob@friend.test']), 'delivered')
    assert.deepEqual(typesOf(mixed), ['queued', 'suppressed', 'sent', 'delivered'])
    assert.deepEqual(
      friend.messages.slice(before).map(({ to }) => to),
      [['bob@friend.test']],
    )
  })

  test('that comes back later is bounced, and one that is complained about stays so', async () => {
    const back = await sendTo('back@friend.test')
    const spam = await sendTo('spam@friend.test')
    await ground.settled(ann, back, 'delivered')
    await ground.settled(ann, spam, 'delivered')
    const now = ground.mail.clock.now()
    const dsn = buildDsn({
      kind: 'failure',
      hostname: 'mx.friend.test',
      to: await returnPathOf(back),
      recipients: [{ recipient: 'back@friend.test', status: '5.2.2', diagnostic: '552 mailbox full' }],
      arrivedAt: now,
      original: Buffer.from('Subject: x\r\n\r\nx\r\n'),
      now,
    })
    assert.equal(await report(await returnPathOf(back), dsn), 250)
    assert.deepEqual(typesOf(await ground.settled(ann, back, 'bounced')), ['queued', 'sent', 'delivered', 'bounced'])
    const complaint =
      `From: <fbl@friend.test>\r\nTo: <x@mx.stoa.test>\r\nSubject: FW\r\nMIME-Version: 1.0\r\n` +
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\n' +
      'Content-Type: text/plain\r\n\r\nA complaint.\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n' +
      'Feedback-Type: abuse\r\nUser-Agent: Test/1\r\nVersion: 1\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nx\r\n--b--\r\n'
    for (let time = 0; time < 2; time += 1) assert.equal(await report(await returnPathOf(spam), complaint), 250)
    const shown = await ground.settled(ann, spam, 'complained')
    assert.deepEqual(typesOf(shown), ['queued', 'sent', 'delivered', 'complained'])
    const again = await ann.call('GET', `/api/emails/${await sendTo('spam@friend.test')}`)
    assert.equal(again.body.status, 'suppressed')
  })
})

describe('a scheduled mail', () => {
  test('leaves at its time, with that date, and not before', async () => {
    const id = await sendTo('later@friend.test', { scheduledAt: 'in 1 hour', subject: 'Later' })
    assert.equal(await statusOf(id), 'scheduled')
    const moved = await ann.resend.emails.update({ id, scheduledAt: 'in 2 hours' })
    const at = moved.data && 'scheduled_at' in moved.data ? String(moved.data.scheduled_at) : ''
    ground.mail.clock.advance(3_600_000)
    // Another one that is due now is sent past it.
    await ground.settled(ann, await sendTo('now@friend.test'), 'delivered')
    assert.equal(await statusOf(id), 'scheduled')
    ground.mail.clock.set(new Date(at))
    await ground.settled(ann, id, 'delivered')
    const raw = friend.messages.find(({ to }) => to[0] === 'later@friend.test')?.raw.toString() ?? ''
    assert.equal(new Date(/^Date: (.*)\r$/m.exec(raw)?.[1] ?? '').toISOString(), at)
  })

  test('to somebody who was suppressed meanwhile does not leave', async () => {
    const webhookEvents = await listen(ann)
    const id = await sendTo('meanwhile@friend.test', { scheduledAt: 'in 1 hour' })
    const panel = ground.mail.client({ cookie: ann.cookie })
    assert.equal((await panel.post('/api/suppressions', { email: 'Meanwhile@friend.test' })).status, 201)
    ground.mail.clock.advance(3_600_000)
    const shown = await ground.settled(ann, id, 'suppressed')
    assert.deepEqual([typesOf(shown), shown.sent_at], [['scheduled', 'suppressed'], null])
    const event = (await webhookEvents()).find(({ type, data }) => type === 'email.suppressed' && data.email_id === id)
    assert.equal(Reflect.get(Object(event?.data.suppressed), 'reason'), 'manual')
  })

  test('that is moved to now leaves at once', async () => {
    const id = await sendTo(`delivered@${SIMULATOR}`, { scheduledAt: 'in 1 day' })
    const { body } = await ann.call('PATCH', `/api/emails/${id}`, { scheduled_at: 'now' })
    assert.deepEqual([body.status, body.scheduled_at], ['queued', null])
    await ground.settled(ann, id, 'delivered')
    assert.equal((await ann.call('POST', `/api/emails/${id}/cancel`)).body.name, 'conflict')
    assert.equal((await ann.call('PATCH', `/api/emails/${id}`, { scheduled_at: 'in 1 day' })).body.name, 'conflict')
  })

  test('is refused another time that is none, and stays', async () => {
    const id = await sendTo('x@friend.test', { scheduledAt: '2026-03-20T00:00:00.000Z' })
    const wrong: [object, number, string][] = [
      [{}, 422, 'missing_required_field'],
      [{ scheduled_at: 'some day' }, 400, 'validation_error'],
      [{ scheduled_at: 'in 31 days' }, 400, 'validation_error'],
      [{ scheduled_at: 7 }, 400, 'validation_error'],
    ]
    for (const [body, status, name] of wrong) {
      const answer = await ann.call('PATCH', `/api/emails/${id}`, body)
      assert.deepEqual([answer.status, answer.body.name], [status, name])
    }
    assert.equal((await ann.call('GET', `/api/emails/${id}`)).body.scheduled_at, '2026-03-20T00:00:00.000Z')
  })

  test('that many take back at once is taken back by one', async () => {
    const counted = async (): Promise<number> => {
      const { rows } = await ground.mail.database.pool.query(
        'select sum(recipients)::int as sum from sending_day where account_id = $1',
        [ann.accountId],
      )
      return rows[0].sum ?? 0
    }
    const before = await counted()
    const id = await sendTo('x@friend.test', { scheduledAt: 'in 1 day' })
    assert.equal(await counted(), before + 1)
    const acts = [
      ...Array.from({ length: 6 }, () => ann.call('POST', `/api/emails/${id}/cancel`)),
      ...Array.from({ length: 6 }, (_, at) =>
        ann.call('PATCH', `/api/emails/${id}`, { scheduled_at: `in ${at + 2} days` }),
      ),
    ]
    const answers = await Promise.all(acts)
    assert.deepEqual(
      answers
        .slice(0, 6)
        .map(({ status }) => status)
        .toSorted(),
      [200, 409, 409, 409, 409, 409],
    )
    const { body } = await ann.call('GET', `/api/emails/${id}`)
    assert.deepEqual([body.status, body.events.at(-1).type], ['cancelled', 'canceled'])
    const { rows } = await ground.mail.database.pool.query('select state from queue_recipient where message_id = $1', [
      id,
    ])
    assert.deepEqual(rows, [{ state: 'cancelled' }])
    // What it counted towards the limits of the plan is given back, once.
    assert.equal(await counted(), before)
  })

  test('is cancelled or sent, never both, when its time comes meanwhile', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, at) => sendTo(`race-${at}@friend.test`, { scheduledAt: 'in 10 min' })),
    )
    ground.mail.clock.advance(600_000)
    const answers = await Promise.all(ids.map((id) => ann.call('POST', `/api/emails/${id}/cancel`)))
    for (const [at, id] of ids.entries()) {
      const isCancelled = answers[at]?.status === 200
      await ground.settled(ann, id, isCancelled ? 'cancelled' : 'delivered')
      const arrived = friend.messages.filter(({ to }) => to[0] === `race-${at}@friend.test`).length
      assert.equal(arrived, isCancelled ? 0 : 1)
    }
  })
})

describe('after 30 days', () => {
  test('the content of a mail is deleted, and its timeline is not; pending mail is kept', async () => {
    const sent = await sendTo(`delivered@${SIMULATOR}`)
    await ground.settled(ann, sent, 'delivered')
    const waits = await sendTo('x@friend.test', { scheduledAt: 'in 29 days' })
    await ann.send(mailOf(`delivered@${SIMULATOR}`), { 'idempotency-key': 'old' })
    const now = ground.mail.clock.now()
    await forgetEmails(ground.mail.database, new Date(now.getTime() + 30 * DAY_MS - 1))
    assert.equal((await ann.call('GET', `/api/emails/${sent}`)).body.html, '<p>Hi</p>')
    assert.equal((await ground.counts(ann.accountId)).answers, 0)
    await forgetEmails(ground.mail.database, new Date(now.getTime() + 30 * DAY_MS))
    const { body } = await ann.call('GET', `/api/emails/${sent}`)
    assert.deepEqual([body.html, body.text, body.status, body.events.length], [null, null, 'delivered', 3])
    assert.equal((await ann.call('GET', `/api/emails/${waits}`)).body.html, '<p>Hi</p>')
    const frame = await ground.mail.client({ cookie: ann.cookie }).get(`/api/emails/${sent}/view`)
    assert.equal(frame.status, 200)
  })
})
