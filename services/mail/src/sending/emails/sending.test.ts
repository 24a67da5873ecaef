import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import type { MailAnswer } from '@stoa/tests/lib/mail.ts'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { parseMessage } from '../../formats/mime/parse.ts'
import { plantDomain } from '../../hosting/addresses/testing/hosting.ts'
import { readMessage } from '../../store/messages/read.ts'
import { emailHooks } from './events.ts'
import { purgeEmails } from './forget.ts'
import { type Ground, openSending, type Sender } from './testing/ground.ts'

/** What is accepted and what is refused. Nothing leaves here: there is no worker. */

let ground: Ground
let ann: Sender
let files: Server
let filesUrl: string
let scans = 0
before(async () => {
  files = createServer((request, response) => {
    const answers: Record<string, () => void> = {
      '/report.pdf': () => response.end('PDF'),
      '/moved': () => response.writeHead(302, { location: '/report.pdf' }).end(),
      '/gone': () => response.writeHead(404).end(),
      '/scan': () => {
        scans += 1
        const chunks: Buffer[] = []
        request.on('data', (chunk) => chunks.push(chunk))
        request.on('end', () => {
          const infected = Buffer.concat(chunks).includes('EICAR')
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify({ infected, name: infected ? 'Eicar' : null }))
        })
      },
    }
    answers[request.url ?? '']?.()
  }).listen(0, '127.0.0.1')
  await once(files, 'listening')
  const address = files.address()
  filesUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  ground = await openSending({ MAIL_ROLES: 'http', ATTACHMENT_ALLOW_PRIVATE: 'true', SCANNER_URL: `${filesUrl}/scan` })
  ann = await ground.sender()
})
after(async () => {
  await ground.mail.close()
  files.close()
})

const mailOf = (more: object = {}) => ({
  from: `Ann <ann@${ann.domain}>`,
  to: 'Bob <bob@friend.test>',
  subject: 'Hello',
  text: 'Hi',
  ...more,
})

const sees = ({ status, body }: MailAnswer): [number, string | undefined] => [status, body?.name]

/** The bytes that will leave. */
const bytesOf = async (id: string): Promise<Buffer> => {
  const { rows } = await ground.mail.database.pool.query('select prefix, blob_key from queue_message where id = $1', [
    id,
  ])
  const chunks: Buffer[] = [rows[0].prefix]
  for await (const chunk of (await ground.mail.parts.blobs.get(rows[0].blob_key)).stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const recipientsOf = async (id: string): Promise<string[]> => {
  const { rows } = await ground.mail.database.pool.query(
    'select recipient from queue_recipient where message_id = $1 order by ordinal',
    [id],
  )
  return rows.map(({ recipient }) => recipient)
}

describe('a mail that is sent', () => {
  test('is queued for each recipient once, and shows its Bcc to nobody', async () => {
    const answer = await ann.send(
      mailOf({
        to: ['Bob <bob@friend.test>', 'BOB@friend.test'],
        cc: 'carol@friend.test',
        bcc: ['dave@friend.test', 'Carol <carol@friend.test>'],
        reply_to: 'Team <team@friend.test>',
        html: '<p>Hé <a href="https://x.test/">x</a></p>',
        text: undefined,
        headers: { 'X-Order': '42', 'List-Unsubscribe': '<https://x.test/u>' },
        tags: [{ name: 'kind', value: 'welcome' }],
        topic_id: 'news',
      }),
    )
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.body), ['object', 'id'])
    const { id } = answer.body
    assert.deepEqual(await recipientsOf(id), ['bob@friend.test', 'carol@friend.test', 'dave@friend.test'])
    const bytes = await bytesOf(id)
    assert.doesNotMatch(bytes.toString(), /dave@/)
    const read = readMessage(bytes)
    const fields = parseMessage(bytes).root.fields.map(({ name }) => name)
    assert.equal(new Set(fields).size, fields.length)
    assert.deepEqual(
      [read.envelope.from, read.envelope.cc, read.envelope.replyTo, read.envelope.messageId],
      [
        [{ name: 'Ann', email: `ann@${ann.domain}` }],
        [{ name: null, email: 'carol@friend.test' }],
        [{ name: 'Team', email: 'team@friend.test' }],
        [`${id}@${ann.domain}`],
      ],
    )
    const { body } = await ann.call('GET', `/api/emails/${id}`)
    assert.deepEqual(
      [body.status, body.last_event, body.text, body.tags, body.headers, body.topic_id, body.bcc.length],
      [
        'queued',
        'queued',
        'Hé x [https://x.test/]',
        [{ name: 'kind', value: 'welcome' }],
        { 'X-Order': '42', 'List-Unsubscribe': '<https://x.test/u>' },
        'news',
        2,
      ],
    )
  })

  test('comes back to an address that only one of its recipients knows', async () => {
    const { body } = await ann.send(mailOf({ to: ['a@elsewhere.org', 'b@elsewhere.org'] }))
    const { rows } = await ground.mail.database.pool.query(
      `select return_path, bounce_token, source, signing_domain_id
       from queue_message m join queue_recipient r on r.message_id = m.id where m.id = $1`,
      [body.id],
    )
    for (const row of rows) {
      assert.match(row.return_path, /^b\.[0-9a-f]{32}@mx\.stoa\.test$/)
      assert.equal(row.return_path, `b.${row.bounce_token}@mx.stoa.test`)
    }
    assert.equal(new Set(rows.map((row) => row.bounce_token)).size, 2)
    assert.deepEqual([rows[0].source, rows[0].signing_domain_id], ['api', ann.domainId])
  })

  test('has attachments in base64, as bytes and from an address', async () => {
    const answer = await ann.send(
      mailOf({
        html: '<img src="cid:logo">',
        attachments: [
          { filename: 'a/../b.txt', content: Buffer.from('one').toString('base64') },
          { filename: 'logo.png', content: { type: 'Buffer', data: [1, 2, 255] }, content_id: 'logo' },
          { path: `${filesUrl}/report.pdf`, filename: false },
          { filename: 'mail.eml', content: 'QQ==' },
        ],
      }),
    )
    assert.equal(answer.status, 200, answer.text)
    const { body } = await ann.call('GET', `/api/emails/${answer.body.id}`)
    assert.deepEqual(
      body.attachments.map(
        (one: { filename: string; content_type: string; size_bytes: number; content_id: string }) => [
          one.filename,
          one.content_type,
          one.size_bytes,
          one.content_id,
        ],
      ),
      [
        ['b.txt', 'text/plain', 3, null],
        ['logo.png', 'image/png', 3, 'logo'],
        ['report.pdf', 'application/pdf', 3, null],
        ['mail.eml', 'application/octet-stream', 1, null],
      ],
    )
    assert.match((await bytesOf(answer.body.id)).toString(), /UERG/)
  })

  test('with a list of many bytes is taken', async () => {
    const bytes = `{"type":"Buffer","data":[${'7,'.repeat(99_999)}7]}`
    const body = JSON.stringify(mailOf({ attachments: [{ filename: 'a.bin', content: '#' }] })).replace('"#"', bytes)
    assert.equal((await ann.send(body, { 'content-type': 'application/json' })).status, 200)
  })

  test('is shown in a frame in which nothing runs', async () => {
    const { body } = await ann.send(
      mailOf({ html: '<p onclick="x()">Hi<script>alert(1)</script><img src="https://x.test/p.gif"></p>' }),
    )
    const shown = await ground.mail.client({ cookie: ann.cookie }).get(`/api/emails/${body.id}/view`)
    assert.equal(shown.status, 200)
    assert.match(shown.headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox allow-same-origin/)
    assert.doesNotMatch(shown.text, /alert|onclick|x\.test/)
  })
})

describe('tracking', () => {
  const html = '<p><a href="https://x.test/a?b=1">x</a></p>'

  test('changes what leaves and not what is read back, only where the domain and the plan want it', async () => {
    const bob = await ground.sender()
    const send = async (): Promise<[string, string]> => {
      const { body } = await bob.send({ from: `a@${bob.domain}`, to: 'c@friend.test', subject: 'x', html })
      const shown = await bob.call('GET', `/api/emails/${body.id}`)
      return [(await bytesOf(body.id)).toString(), shown.body.html]
    }
    const set = (sql: string, id: string) => ground.mail.database.pool.query(sql, [id])
    assert.doesNotMatch((await send())[0], /\/t\//)
    await set('update domain set open_tracking = true, click_tracking = true where id = $1', bob.domainId)
    const [sent, shown] = await send()
    assert.match(sent.replaceAll('=\r\n', ''), /\/t\/c\/[\w-]{64}\?url=3Dhttps%3A%2F%2Fx\.test.*\/t\/o\/[\w-]{64}/s)
    assert.equal(shown, html)
    await set(`update account set plan = 'free' where id = $1`, bob.accountId)
    assert.doesNotMatch((await send())[0], /\/t\//)
  })
})

describe('a mail that is refused', () => {
  const refusals: [string, object, number, string][] = [
    ['without from', { from: undefined }, 422, 'missing_required_field'],
    ['without to', { to: undefined }, 422, 'missing_required_field'],
    ['without a subject', { subject: undefined }, 422, 'missing_required_field'],
    ['without html and text', { text: undefined }, 422, 'missing_required_field'],
    ['from two', { from: 'a@b.test, c@d.test' }, 422, 'invalid_from_address'],
    ['from nobody', { from: 'Ann' }, 422, 'invalid_from_address'],
    ['from a name with a line break', { from: 'A\r\nBcc: x@y.test <ann@sender-1.test>' }, 422, 'invalid_from_address'],
    ['from a domain of nobody', { from: 'ann@nobody.test' }, 403, 'validation_error'],
    ['to nobody', { to: [] }, 400, 'validation_error'],
    ['to a list in one text', { to: 'a@b.test, c@d.test' }, 400, 'validation_error'],
    ['to 51', { to: Array.from({ length: 51 }, (_, at) => `a${at}@b.test`) }, 400, 'validation_error'],
    ['to a number', { to: 7 }, 400, 'validation_error'],
    ['with a wrong cc', { cc: ['a@b.test', 'x'] }, 400, 'validation_error'],
    ['with a break in its subject', { subject: 'a\r\nBcc: x@y.test' }, 400, 'validation_error'],
    ['with U+2028 in its subject', { subject: 'a\u2028b' }, 400, 'validation_error'],
    ['with a long subject', { subject: 'a'.repeat(999) }, 400, 'validation_error'],
    ['with a break in a header', { headers: { 'X-A': 'a\nBcc: x@y.test' } }, 400, 'validation_error'],
    ['with a break in a header name', { headers: { 'X-A\r\nBcc': 'a' } }, 400, 'validation_error'],
    ['with a header twice', { headers: { 'X-A': 'a', 'x-a': 'b' } }, 400, 'validation_error'],
    [
      'with 51 headers',
      { headers: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`X-${at}`, 'a'])) },
      400,
      'validation_error',
    ],
    ['with two Reply-Tos', { headers: { 'Reply-To': 'a@b.test' }, reply_to: 'c@d.test' }, 400, 'validation_error'],
    ['with a template', { template: { id: 'x' } }, 400, 'validation_error'],
    ['with a template in place of all else', { template: { id: 'x' }, subject: undefined }, 400, 'validation_error'],
    ['with a wrong tag', { tags: [{ name: 'a b', value: 'c' }] }, 400, 'validation_error'],
    [
      'with a tag twice',
      {
        tags: [
          { name: 'a', value: 'b' },
          { name: 'a', value: 'c' },
        ],
      },
      400,
      'validation_error',
    ],
    [
      'with 76 tags',
      { tags: Array.from({ length: 76 }, (_, at) => ({ name: `t${at}`, value: 'a' })) },
      400,
      'validation_error',
    ],
    ['at no time', { scheduled_at: 'some day' }, 400, 'validation_error'],
    ['in the past', { scheduled_at: '2026-02-01T00:00:00Z' }, 400, 'validation_error'],
    ['with an empty attachment', { attachments: [{ filename: 'a' }] }, 422, 'invalid_attachment'],
    [
      'with an attachment that is no base64',
      { attachments: [{ filename: 'a', content: 'ü' }] },
      422,
      'invalid_attachment',
    ],
    [
      'with bytes that are none',
      { attachments: [{ filename: 'a', content: { data: [256] } }] },
      422,
      'invalid_attachment',
    ],
    [
      'with a wrong type',
      { attachments: [{ filename: 'a', content: '', content_type: 'a\tb' }] },
      400,
      'validation_error',
    ],
    [
      'with a type that is none',
      { attachments: [{ filename: 'a', content: '', content_type: 'text' }] },
      422,
      'invalid_attachment',
    ],
    ['with a break in a file name', { attachments: [{ filename: 'a\r\nb', content: '' }] }, 400, 'validation_error'],
    [
      'with 21 attachments',
      { attachments: Array.from({ length: 21 }, () => ({ content: '' })) },
      400,
      'validation_error',
    ],
    ['with a file', { attachments: [{ path: 'file:///etc/passwd' }] }, 422, 'invalid_attachment'],
    ['with malware', { text: 'EICAR' }, 451, 'security_error'],
  ]
  for (const [what, more, status, name] of refusals)
    test(`${what} is ${status} ${name} and leaves nothing`, async () => {
      const counts = await ground.counts(ann.accountId)
      assert.deepEqual(sees(await ann.send(mailOf(more))), [status, name])
      assert.deepEqual(await ground.counts(ann.accountId), counts)
    })

  const fields = [
    'From',
    'to',
    'CC',
    'bcc',
    'Subject',
    'Date',
    'Message-ID',
    'DKIM-Signature',
    'Return-Path',
    'Received',
    'Content-Type',
    'MIME-Version',
    'Sender',
    'Resent-To',
    'ARC-Seal',
    'Authentication-Results',
    'Delivered-To',
    'X-Sieve-Redirected',
  ]
  test('sets no header field that is ours', async () => {
    for (const name of fields)
      assert.deepEqual(
        sees(await ann.send(mailOf({ headers: { [name]: 'a@b.test' } }))),
        [400, 'validation_error'],
        name,
      )
  })

  test('names an attachment that moved, is gone, or is not reached', async () => {
    for (const path of [`${filesUrl}/moved`, `${filesUrl}/gone`, 'http://127.0.0.1:1/x', 'ftp://x.test/'])
      assert.deepEqual(sees(await ann.send(mailOf({ attachments: [{ path }] }))), [422, 'invalid_attachment'], path)
  })

  test('is larger than 40 MB', async () => {
    const content = Buffer.alloc(31_500_000, 65).toString('base64')
    const answer = await ann.send(mailOf({ attachments: [{ filename: 'a', content }] }))
    assert.deepEqual(sees(answer), [413, 'quota_exceeded'])
  })

  test('is from a domain of somebody else, or one that is not verified', async () => {
    const bob = await ground.sender()
    await plantDomain(ground.mail.database, { accountId: ann.accountId, name: 'unproved.com', isVerified: false })
    for (const domain of [bob.domain, 'unproved.com'])
      assert.deepEqual(sees(await ann.send(mailOf({ from: `a@${domain}` }))), [403, 'validation_error'])
    assert.deepEqual(await ground.counts(bob.accountId), {
      emails: 0,
      queued: 0,
      recipients: 0,
      counted: 0,
      answers: 0,
    })
  })
})

describe('whatever is sent', () => {
  const odd = fc.constantFrom(
    '',
    ' ',
    'é\u0301',
    '👩‍👩‍👧',
    '\u202eabc',
    '=?utf-8?q?=0d=0aBcc:_x@y.test?=',
    '"\\"',
    '<>',
    'a@b.test',
    'Undisclosed:;',
    '\t',
    'constructor',
    'x'.repeat(5_000),
  )
  const value = fc.oneof(
    odd,
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
    fc.array(odd, { maxLength: 3 }),
  )
  const change = fc.dictionary(
    fc.constantFrom(
      'from',
      'to',
      'cc',
      'bcc',
      'reply_to',
      'subject',
      'html',
      'text',
      'topic_id',
      'scheduled_at',
      'tags',
      'headers',
      'attachments',
    ),
    fc.oneof(
      value,
      fc.dictionary(
        fc.oneof(odd, fc.constantFrom('X-A', 'Reply-To', 'References', 'In-Reply-To', 'List-ID', 'toString')),
        value,
        { maxKeys: 3 },
      ),
      fc.array(
        fc.record(
          { name: odd, value: odd, filename: value, content: odd, content_type: odd, content_id: odd },
          { requiredKeys: [] },
        ),
        { maxLength: 2 },
      ),
    ),
    { maxKeys: 3 },
  )

  test('is sent or refused in words, and what is sent has one field of each name and only the recipients that it says', async () => {
    let sent = 0
    await fc.assert(
      fc.asyncProperty(change, async (more) => {
        const answer = await ann.send(mailOf(more))
        if (answer.status !== 200) return assert.ok([400, 403, 422].includes(answer.status), answer.text)
        sent += 1
        const bytes = await bytesOf(answer.body.id)
        const { fields } = parseMessage(bytes).root
        const names = fields.map(({ name }) => name)
        assert.equal(new Set(names).size, names.length, bytes.toString())
        assert.ok(!names.includes('bcc'))
        const { envelope } = readMessage(bytes)
        const shown = [...envelope.to, ...envelope.cc].map(({ email }) => email.toLowerCase())
        const queued = (await recipientsOf(answer.body.id)).map((email) => email.toLowerCase())
        assert.deepEqual(
          shown.filter((email) => !queued.includes(email)),
          [],
        )
      }),
      { numRuns: runs(50, 150), seed: 16 },
    )
    assert.ok(sent > 6)
  })
})

describe('keys', () => {
  const send = (token: string, body: object) =>
    ground.mail.client().post('/api/emails', body, { authorization: `Bearer ${token}` })

  test('of a domain send for this one only, and read nothing', async () => {
    const other = await plantDomain(ground.mail.database, { accountId: ann.accountId, name: 'second.test' })
    const token = await ann.key({ permission: 'sending_access', domain_id: other.id })
    assert.equal((await send(token, mailOf({ from: 'a@second.test' }))).status, 200)
    assert.deepEqual(sees(await send(token, mailOf())), [403, 'validation_error'])
    const { body } = await send(token, mailOf({ from: 'a@second.test', scheduled_at: 'in 1 hour' }))
    const client = ground.mail.client()
    const headers = { authorization: `Bearer ${token}` }
    const reads = [
      await client.get('/api/emails', { headers }),
      await client.get(`/api/emails/${body.id}`, { headers }),
      await client.send('PATCH', `/api/emails/${body.id}`, { headers, body: { scheduled_at: 'in 2 hours' } }),
      await client.post(`/api/emails/${body.id}/cancel`, undefined, headers),
    ]
    for (const answer of reads) assert.deepEqual(sees(answer), [401, 'restricted_api_key'])
    assert.equal((await ann.call('GET', `/api/emails/${body.id}`)).body.status, 'scheduled')
  })

  test('are needed to send: a session is not enough, and a wrong one is worse', async () => {
    const client = ground.mail.client({ cookie: ann.cookie })
    assert.deepEqual(sees(await client.post('/api/emails', mailOf())), [401, 'missing_api_key'])
    assert.deepEqual(sees(await client.post('/api/emails/batch', [mailOf()])), [401, 'missing_api_key'])
    assert.deepEqual(sees(await client.get('/api/emails', { headers: { authorization: 'Bearer no' } })), [
      403,
      'invalid_api_key',
    ])
    assert.equal((await client.get('/api/emails')).status, 200)
  })

  test('of a suspended account send nothing', async () => {
    const eve = await ground.sender()
    await ground.mail.database.pool.query('update account set suspended_at = now() where id = $1', [eve.accountId])
    assert.deepEqual(sees(await eve.send(mailOf({ from: `a@${eve.domain}` }))), [403, 'suspended_api_key'])
  })

  test('of an account that has not paid for 14 days send nothing, and say so before the body is looked at', async () => {
    const eve = await ground.sender()
    const { pool } = ground.mail.database
    const due = (days: number) => {
      const since = new Date(ground.mail.clock.now().getTime() - days * 86_400_000)
      return pool.query(`update account set plan = 'pro', past_due_at = $2 where id = $1`, [eve.accountId, since])
    }
    const mail = mailOf({ from: `a@${eve.domain}` })
    await due(13)
    assert.equal((await eve.send(mail)).status, 200)
    await due(14)
    const before = await pool.query('select count(*) from queue_message where account_id = $1', [eve.accountId])
    assert.deepEqual(sees(await eve.send(mail)), [402, 'plan_required'])
    assert.deepEqual(sees(await eve.send({ from: 5 })), [402, 'plan_required'])
    assert.deepEqual(sees(await eve.call('POST', '/api/emails/batch', [mail])), [402, 'plan_required'])
    const after = await pool.query('select count(*) from queue_message where account_id = $1', [eve.accountId])
    assert.deepEqual(after.rows, before.rows)
    assert.equal((await eve.call('GET', '/api/emails')).status, 200)
  })

  test('see the mails of their own account only, whatever they try', async () => {
    const eve = await ground.sender()
    const { body } = await ann.send(mailOf({ scheduled_at: 'in 1 hour' }))
    const path = `/api/emails/${body.id}`
    for (const answer of [
      await eve.call('GET', path),
      await eve.call('GET', `${path}/view`),
      await eve.call('PATCH', path, { scheduled_at: 'in 2 hours' }),
      await eve.call('POST', `${path}/cancel`),
      await eve.call('GET', `/api/emails/${newId()}`),
      await eve.call('GET', '/api/emails/7'),
    ])
      assert.deepEqual(sees(answer), [404, 'not_found'])
    assert.deepEqual(sees(await eve.call('GET', `/api/emails?after=${body.id}`)), [400, 'invalid_parameter'])
    assert.deepEqual((await eve.call('GET', '/api/emails')).body.total, 0)
    assert.equal((await ann.call('GET', path)).body.status, 'scheduled')
  })
})

describe('mails', () => {
  test('of an account that come at once each keep their key, and are one row each', async () => {
    const bob = await ground.sender()
    const other = await bob.key({ name: 'other' })
    const keys = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? bob.token : other))
    const answers = await Promise.all(
      keys.map((token) => bob.send({ ...mailOf(), from: `a@${bob.domain}` }, { authorization: `Bearer ${token}` })),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const { rows } = await ground.mail.database.pool.query(
      'select e.id, k.token_prefix as prefix from email e join api_key k on k.id = e.api_key_id where e.account_id = $1',
      [bob.accountId],
    )
    const prefixes = new Map(rows.map(({ id, prefix }) => [id, prefix]))
    assert.equal(prefixes.size, keys.length)
    for (const [at, { body }] of answers.entries()) assert.ok(keys[at]?.startsWith(prefixes.get(body.id)))
    assert.equal((await ground.counts(bob.accountId))?.counted, keys.length)
  })
})

describe('a plan', () => {
  const onPlan = async (plan: string): Promise<Sender> => {
    const sender = await ground.sender()
    await ground.mail.database.pool.query('update account set plan = $2 where id = $1', [sender.accountId, plan])
    return sender
  }

  test('limits the recipients of a day to the last one, also when all come at once', async () => {
    const free = await onPlan('free')
    const mail = { ...mailOf(), from: `a@${free.domain}`, to: Array.from({ length: 10 }, (_, at) => `r${at}@b.test`) }
    const answers = await Promise.all(Array.from({ length: 14 }, () => free.send(mail)))
    const outcomes = answers.map(({ status, body }) => (status === 200 ? 'sent' : body.name)).toSorted()
    assert.deepEqual(outcomes, [...Array(4).fill('daily_quota_exceeded'), ...Array(10).fill('sent')])
    assert.deepEqual(await ground.counts(free.accountId), {
      emails: 10,
      queued: 10,
      recipients: 100,
      counted: 10,
      answers: 0,
    })
  })

  test('limits those of a month, and a batch over it sends nothing', async () => {
    const free = await onPlan('free')
    await ground.mail.database.pool.query(
      'insert into sending_day (account_id, day, recipients) values ($1, $2, 2999)',
      [free.accountId, '2026-03-02'],
    )
    ground.mail.clock.advance(2 * 86_400_000)
    const mail = { ...mailOf(), from: `a@${free.domain}` }
    assert.deepEqual(sees(await free.batch([mail, mail])), [429, 'monthly_quota_exceeded'])
    assert.equal((await ground.counts(free.accountId)).emails, 0)
    assert.equal((await free.send(mail)).status, 200)
    ground.mail.clock.advance(-2 * 86_400_000)
  })
})

describe('a batch', () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, at) => mailOf({ subject: `Batch ${at}`, to: `b${at}@friend.test` }))

  test('of 100 is sent in its order', async () => {
    const answer = await ann.batch(items(100))
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.object, 'list')
    const ids: string[] = answer.body.data.map(({ id }: { id: string }) => id)
    const { rows } = await ground.mail.database.pool.query(
      'select subject from email where id = any($1) order by array_position($1, id)',
      [ids],
    )
    assert.deepEqual(
      rows.map(({ subject }) => subject),
      items(100).map(({ subject }) => subject),
    )
  })

  const bad: [string, (list: object[]) => unknown, number, string, RegExp][] = [
    ['of none', () => [], 400, 'validation_error', /array of 1 to 100/],
    ['of 101', () => items(101), 400, 'validation_error', /array of 1 to 100/],
    ['that is an object', () => mailOf(), 400, 'validation_error', /array of 1 to 100/],
    ['with an item that is none', (list) => [...list, 7], 400, 'validation_error', /^\[2\] /],
    ['with a wrong item', (list) => [...list, mailOf({ to: 'x' })], 400, 'validation_error', /^\[2\] Invalid `to/],
    [
      'with a missing member',
      (list) => [...list, mailOf({ subject: undefined })],
      422,
      'missing_required_field',
      /^\[2\] Missing `subject`/,
    ],
    [
      'with an attachment',
      (list) => [...list, mailOf({ attachments: [{ content: '' }] })],
      400,
      'validation_error',
      /^\[2\] .*attachments/,
    ],
    ['from somebody else', (list) => [...list, mailOf({ from: 'a@nobody.test' })], 403, 'validation_error', /^\[2\] /],
    [
      'at a wrong time',
      (list) => [...list, mailOf({ scheduled_at: 'never' })],
      400,
      'validation_error',
      /^\[2\] Invalid `scheduled_at`/,
    ],
  ]
  for (const [what, body, status, name, message] of bad)
    test(`${what} is ${status} and sends none of it`, async () => {
      const counts = await ground.counts(ann.accountId)
      const answer = await ann.batch(body(items(2)))
      assert.deepEqual(sees(answer), [status, name])
      assert.match(answer.body.message, message)
      assert.deepEqual(await ground.counts(ann.accountId), counts)
    })

  test('costs as many statements whatever its length', async () => {
    const costOf = async (count: number): Promise<number> => {
      const watch = ground.mail.database.watchStatements()
      await ann.batch(items(count))
      watch.stop()
      return watch.texts.length
    }
    await costOf(1)
    assert.deepEqual([await costOf(1), await costOf(40)], [10, 10])
  })

  test('is all or nothing: permissive is refused', async () => {
    assert.deepEqual(sees(await ann.batch(items(1), { 'x-batch-validation': 'permissive' })), [
      400,
      'invalid_parameter',
    ])
    assert.equal((await ann.batch(items(1), { 'x-batch-validation': 'strict' })).status, 200)
  })

  test('is never read as an id', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await ann.call(method, '/api/emails/batch')
      assert.deepEqual([...sees(answer), answer.headers.get('allow')], [405, 'method_not_allowed', 'POST'])
    }
  })
})

describe('an Idempotency-Key', () => {
  const key = (value: string) => ({ 'idempotency-key': value })

  test('makes the same request act once, and another one with it conflict', async () => {
    const counts = await ground.counts(ann.accountId)
    const first = await ann.send(mailOf(), key('one'))
    const again = await ann.send(Object.fromEntries(Object.entries(mailOf()).toReversed()), key('one'))
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.deepEqual(sees(await ann.send(mailOf({ subject: 'Other' }), key('one'))), [
      409,
      'invalid_idempotent_request',
    ])
    assert.equal((await ann.batch([mailOf()], key('one'))).status, 200)
    const after = await ground.counts(ann.accountId)
    assert.deepEqual([after.emails - counts.emails, after.answers - counts.answers], [2, 2])
  })

  test('lets one of many win, whatever the order', async () => {
    const counts = await ground.counts(ann.accountId)
    const answers = await Promise.all(Array.from({ length: 12 }, () => ann.batch([mailOf(), mailOf()], key('race'))))
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))
    assert.equal(ids.size, 1)
    for (const answer of answers)
      if (answer.status !== 200) assert.deepEqual(sees(answer), [409, 'concurrent_idempotent_requests'])
    assert.equal((await ground.counts(ann.accountId)).emails - counts.emails, 2)
  })

  test('must have 1 to 256 characters', async () => {
    assert.deepEqual(sees(await ann.send(mailOf(), key(''))), [400, 'invalid_idempotency_key'])
    assert.deepEqual(sees(await ann.send(mailOf(), key('a'.repeat(257)))), [400, 'invalid_idempotency_key'])
    assert.equal((await ann.send(mailOf(), key('a'.repeat(256)))).status, 200)
  })

  test('is not used up by a refusal, and is for one account', async () => {
    const bob = await ground.sender()
    assert.equal((await ann.send(mailOf({ to: 'x' }), key('free'))).status, 400)
    assert.equal((await ann.send(mailOf({ from: 'a@nobody.test' }), key('free'))).status, 403)
    const sent = await ann.send(mailOf(), key('free'))
    const other = await bob.send(mailOf({ from: `a@${bob.domain}` }), key('free'))
    assert.deepEqual([sent.status, other.status], [200, 200])
  })

  test('ends after 24 hours', async () => {
    const first = await ann.send(mailOf(), key('day'))
    ground.mail.clock.advance(86_400_000 - 1)
    assert.equal((await ann.send(mailOf(), key('day'))).body.id, first.body.id)
    ground.mail.clock.advance(1)
    const second = await ann.send(mailOf({ subject: 'Other' }), key('day'))
    assert.equal(second.status, 200)
    assert.notEqual(second.body.id, first.body.id)
    ground.mail.clock.advance(-86_400_000)
  })
})

describe('results of two recipients at the same moment', () => {
  test('give the mail the state of both, whichever is written last', async () => {
    const { onOutcome } = emailHooks('simulator.test')
    const { pool, tx } = ground.mail.database
    for (let round = 0; round < 5; round += 1) {
      const { body } = await ann.send(mailOf({ to: ['one@friend.test', 'two@friend.test'] }))
      await pool.query(`update queue_recipient set state = 'sending', attempts = 1 where message_id = $1`, [body.id])
      const both = Promise.withResolvers<void>()
      let written = 0
      const finish = (ordinal: number, recipient: string) =>
        tx(async (tx) => {
          await tx.query({
            text: `update queue_recipient set state = 'delivered' where message_id = $1 and ordinal = $2`,
            values: [body.id, ordinal],
          })
          written += 1
          if (written === 2) both.resolve()
          await both.promise
          const base = {
            messageId: body.id,
            accountId: ann.accountId,
            addressId: null,
            source: 'api',
            ordinal,
          } as const
          const reply = { state: 'delivered', code: 250, status: '2.0.0', reply: '250 ok', attempt: 1 } as const
          await onOutcome(tx, [{ ...base, ...reply, recipient, at: ground.mail.clock.now() }])
        })
      await Promise.all([finish(0, 'one@friend.test'), finish(1, 'two@friend.test')])
      const shown = await ann.call('GET', `/api/emails/${body.id}`)
      assert.deepEqual([shown.body.status, shown.body.events.length], ['delivered', 3])
    }
  })
})

test('the mails of a deleted account go, and no others', async () => {
  const gone = await ground.sender()
  const stays = await ground.sender()
  for (const sender of [gone, stays]) await sender.send(mailOf({ from: `a@${sender.domain}` }))
  await ground.mail.database.pool.query('update account set deleted_at = now() where id = $1', [gone.accountId])
  await purgeEmails(ground.mail.parts)
  assert.deepEqual(
    [(await ground.counts(gone.accountId)).emails, (await ground.counts(stays.accountId)).emails],
    [0, 1],
  )
})

test('each mail was shown to the scanner', () => assert.ok(scans > 100))
