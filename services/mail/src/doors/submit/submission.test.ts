import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { connectSmtp, type SmtpClient } from '@stoa/tests/lib/smtp-client.ts'
import { createCredentials } from '../../hosting/addresses/credentials.ts'
import { MAILBOX_PASSWORD, type PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { NOW, plainMessage, type ReceiveGround, startReceiving } from '../../receiving/receive/testing/ground.ts'
import type { DoorServer } from '../../wire/listen/listen.ts'
import { startSubmission } from './submit.ts'

let ground: ReceiveGround
let server: DoorServer
let secure: DoorServer
let ann: PlantedAddress
const certificate = selfSignedCertificate(['localhost'])

before(async () => {
  ground = await startReceiving()
  ann = await ground.address('ann@ours.test', { aliases: ['sales@ours.test', 'info-*@ours.test'] })
  await ground.address('boss@ours.test')
  const { database, clock } = ground
  const { log, config } = ground.parts
  const credentials = createCredentials({ database, secret: config.secret, clock, log })
  const parts = { ...ground.parts, credentials }
  const listen = {
    port: 0,
    config: { host: '127.0.0.1', trustedProxies: [], smtpMaxPerIp: 50, limitExempt: [] },
    certificate: { current: () => certificate, onChange: () => undefined },
  }
  server = await startSubmission(parts, { ...listen, isImplicit: false }, { limits: { tarpitMs: 1 } })
  secure = await startSubmission(parts, { ...listen, isImplicit: true }, { limits: { tarpitMs: 1 } })
})
after(async () => {
  await server.stop()
  await secure.stop()
  await ground.close()
})

const plain = (name: string, password: string): string => Buffer.from(`\0${name}\0${password}`).toString('base64')

const signedIn = async (): Promise<SmtpClient> => {
  const client = await connectSmtp({ port: secure.port, tls: true })
  await client.say('EHLO laptop.local')
  assert.equal((await client.say(`AUTH PLAIN ${plain('ann@ours.test', MAILBOX_PASSWORD)}`)).code, 235)
  return client
}

const own = (fields: Record<string, string> = {}) => plainMessage({ From: 'Ann <ann@ours.test>', ...fields })
const lastQueued = async () => (await ground.queued()).at(-1)
const OUT = { from: 'ann@ours.test', to: ['you@elsewhere.org'] }

describe('submission', () => {
  test('needs TLS before the password and the password before mail', async () => {
    const client = await connectSmtp({ port: server.port })
    await client.say('EHLO laptop.local')
    assert.match((await client.say(`AUTH PLAIN ${plain('ann@ours.test', MAILBOX_PASSWORD)}`)).text, /^538 5\.7\.11 /)
    assert.equal((await client.say('MAIL FROM:<ann@ours.test>')).code, 530)
    await client.startTls()
    await client.say('EHLO laptop.local')
    assert.equal((await client.say('MAIL FROM:<ann@ours.test>')).code, 530)
    assert.equal((await client.say(`AUTH PLAIN ${plain('ann@ours.test', 'wrong password')}`)).code, 535)
    assert.equal((await client.say(`AUTH PLAIN ${plain('nobody@ours.test', MAILBOX_PASSWORD)}`)).code, 535)
    assert.equal((await client.say(`AUTH PLAIN ${plain('ann@ours.test', MAILBOX_PASSWORD)}`)).code, 235)
    assert.equal((await client.say('MAIL FROM:<ann@ours.test>')).code, 250)
    client.close()
  })

  test('takes a known number of statements for a message to one recipient', async () => {
    const client = await signedIn()
    await client.mail(OUT, own())
    const watch = ground.database.watchStatements()
    assert.equal((await client.mail(OUT, own())).code, 250)
    watch.stop()
    const first = watch.texts.indexOf('begin')
    // Without a bus nothing is remembered of where addresses lead, and there is no notice to add.
    assert.deepEqual({ asked: first, written: watch.texts.length - first }, { asked: 2, written: 4 })
    client.close()
  })

  test('queues a message with what the program left out, without Bcc and without the place of the writer', async () => {
    const client = await signedIn()
    const message = `From: ann@ours.test\r\nTo: you@elsewhere.org\r\nBcc: secret@elsewhere.org,\r\n other@elsewhere.org\r\nSubject: Hi\r\n\r\nText\r\n`
    const answer = await client.mail(
      { from: 'ann@ours.test', to: ['you@elsewhere.org', 'secret@elsewhere.org'] },
      message,
    )
    const [, id] = /^250 2\.0\.0 Ok, queued as ([0-9a-f-]{36})$/.exec(answer.text) ?? []
    const [row] = await ground.database.db.query<{ address_id: string; message_id: string; header_from: string }>({
      text: 'select address_id, message_id, header_from from queue_message where id = $1',
      values: [id],
    })
    const queued = await lastQueued()
    assert.equal(row?.address_id, ann.id)
    assert.equal(row?.header_from, 'ann@ours.test')
    assert.deepEqual(queued?.recipients, ['you@elsewhere.org', 'secret@elsewhere.org'])
    assert.equal(queued?.returnPath, 'ann@ours.test')
    assert.match(queued?.text ?? '', /^Received: by mx\.stoa\.test with ESMTPSA id /)
    assert.ok(queued?.text.includes(`\r\nMessage-ID: <${row?.message_id}>\r\n`))
    assert.match(queued?.text ?? '', /\r\nDate: Sun, 1 Mar 2026 12:00:00 \+0000\r\n/)
    assert.doesNotMatch(queued?.text ?? '', /secret@|other@|127\.0\.0\.1|laptop/)
    client.close()
  })

  test('lets people write under their own addresses, aliases and patterns', async () => {
    const client = await signedIn()
    for (const address of ['ann@ours.test', 'ANN+list@ours.test', 'sales@ours.test', 'info-x@ours.test']) {
      const answer = await client.mail({ ...OUT, from: address }, own({ From: address }))
      assert.equal(answer.code, 250, address)
    }
    client.close()
  })

  test('refuses to write as somebody else, in the envelope and in every way in the header', async () => {
    const client = await signedIn()
    const before = (await ground.queued()).length
    assert.match((await client.mail({ ...OUT, from: 'boss@ours.test' }, own())).text, /^550 5\.7\.1 /)
    await client.say('RSET')
    assert.match((await client.mail({ ...OUT, from: 'x@elsewhere.org' }, own())).text, /^550 5\.7\.1 /)
    await client.say('RSET')
    const headers = [
      'From: boss@ours.test\r\n',
      'From: ann@ours.test, boss@ours.test\r\n',
      'From: ann@ours.test\r\nFrom: boss@ours.test\r\n',
      'From: ann@ours.test\r\nFrom : boss@ours.test\r\n',
      'From: ann@ours.test\r\nSender: boss@ours.test\r\n',
      'From: ann@ours.test\r\nSender: ann@ours.test\r\nSender: boss@ours.test\r\n',
      'From: "ann@ours.test" <boss@ours.test>\r\n',
      'From: <@ours.test:ann@ours.test>\r\n',
      'From: Group: ann@ours.test;\r\n',
      'From: ann@ours.test\r\nResent-From: boss@ours.test\r\n',
      'From: =?utf-8?Q?ann@ours.test?= <boss@ours.test>\r\n',
      'From: ann@ours.test\0boss@ours.test\r\n',
      'Subject: no author\r\n',
    ]
    for (const header of headers) {
      const { text } = await client.mail(OUT, `${header}To: you@elsewhere.org\r\n\r\nx\r\n`)
      assert.match(text, /^550 5\.(7\.1|6\.0) /, JSON.stringify(header))
      await client.say('RSET')
    }
    assert.equal((await ground.queued()).length, before)
    client.close()
  })

  test('refuses at once an address of ours that nobody has', async () => {
    const client = await signedIn()
    await client.say('MAIL FROM:<ann@ours.test>')
    assert.match((await client.say('RCPT TO:<nobody@ours.test>')).text, /^550 5\.1\.1 /)
    assert.equal((await client.say('RCPT TO:<boss@ours.test>')).code, 250)
    client.close()
  })

  test('takes the wishes of RFC 3461 and RFC 4865', async () => {
    const client = await signedIn()
    assert.match((await client.say('EHLO laptop.local')).text, /FUTURERELEASE 2592000 2026-03-31T12:00:00Z/)
    await client.say('MAIL FROM:<ann@ours.test> RET=HDRS ENVID=a+2Bb HOLDFOR=3600')
    await client.say('RCPT TO:<you@elsewhere.org> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;you+2B1@elsewhere.org')
    await client.say('DATA')
    client.raw(`${own()}.\r\n`)
    assert.equal((await client.reply()).code, 250)
    const [row] = await ground.database.db.query({
      text: `select m.ret, m.envid, m.not_before, r.notify, r.orcpt from queue_message m
             join queue_recipient r on r.message_id = m.id order by m.id desc limit 1`,
    })
    assert.deepEqual(row, {
      ret: 'hdrs',
      envid: 'a+b',
      not_before: new Date(NOW.getTime() + 3_600_000),
      notify: ['success', 'delay'],
      orcpt: 'rfc822;you+1@elsewhere.org',
    })
    assert.equal((await client.say('MAIL FROM:<ann@ours.test> HOLDFOR=99999999')).code, 554)
    client.close()
  })

  test('has the limits of the plan, and of mailboxes that may not send', async () => {
    await ground.database.pool.query(`update account set plan = 'free' where id = $1`, [ground.accountId])
    await ground.database.pool.query(
      `insert into sending_day values ($1, '2026-03-01', 100) on conflict (account_id, day) do update set recipients = 100`,
      [ground.accountId],
    )
    const client = await signedIn()
    const before = (await ground.queued()).length
    assert.match((await client.mail(OUT, own())).text, /^450 4\.7\.1 /)
    await ground.database.pool.query(`update account set plan = 'unlimited', suspended_at = now() where id = $1`, [
      ground.accountId,
    ])
    assert.match((await client.mail(OUT, own())).text, /^550 5\.7\.1 /)
    const unpaid = `update account set plan = 'starter', suspended_at = null, past_due_at = $2 where id = $1`
    await ground.database.pool.query(unpaid, [ground.accountId, new Date(NOW.getTime() - 14 * 86_400_000)])
    assert.match(
      (await client.mail(OUT, own())).text,
      /^550 5\.7\.1 This account can't send mail because an invoice is unpaid/,
    )
    await ground.database.pool.query(`update account set plan = 'unlimited' where id = $1`, [ground.accountId])
    assert.equal((await client.mail(OUT, own())).code, 250)
    assert.equal((await ground.queued()).length, before + 1)
    client.close()
    await ground.database.pool.query('update address set send_enabled = false where id = $1', [ann.id])
    const mute = await signedIn()
    assert.match((await mute.say('MAIL FROM:<ann@ours.test>')).text, /^550 5\.7\.1 /)
    mute.close()
    await ground.database.pool.query('update address set send_enabled = true where id = $1', [ann.id])
  })

  test('refuses bare LF as every other door', async () => {
    const client = await signedIn()
    await client.say('MAIL FROM:<ann@ours.test>')
    await client.say('RCPT TO:<you@elsewhere.org>')
    await client.say('DATA')
    client.raw(`${own()}x\n.\r\nMAIL FROM:<boss@ours.test>\r\n.\r\n`)
    assert.match(await client.rest(), /^550 5\.5\.2 /)
  })
})
