import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantDomain } from '../addresses/testing/hosting.ts'
import { notifyAccount, sendSystemMail } from './system-mail.ts'
import { domainStatus } from './templates/domain-status.ts'
import { resetPassword } from './templates/reset-password.ts'
import { transferResult } from './templates/transfer-result.ts'
import { subjectsTo, systemMailTo } from './testing/sent.ts'

let mail: MailService
before(async () => {
  mail = await startMail({ env: { SYSTEM_FROM: 'hello@panel.example.test' } })
})
after(() => mail.close())

const send = (to: string, content = resetPassword({ url: 'http://mail.test/reset#token=x' })) =>
  mail.database.tx((tx) => sendSystemMail(mail.parts, tx, { to, content }))

describe('a mail of the service', () => {
  test('is text and HTML from SYSTEM_FROM, with no automatic replies, and no report when it fails', async () => {
    await send('reader@outside.test')
    const [letter] = await systemMailTo(mail, 'reader@outside.test')
    assert.ok(letter)
    assert.match(letter.header, /^From: Stoa Mail <hello@panel\.example\.test>\r$/m)
    assert.match(letter.header, /^To: reader@outside\.test\r$/m)
    assert.match(letter.header, /^Subject: Reset your password\r$/m)
    assert.match(letter.header, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(letter.header, /^Content-Type: multipart\/alternative;/m)
    assert.match(letter.text, /^Reset your password:\nhttp:\/\/mail\.test\/reset#token=x$/m)
    assert.match(letter.html, /<a href="http:\/\/mail\.test\/reset#token=x"/)
    assert.equal(letter.returnPath, 'hello@panel.example.test')
    const rows = await mail.database.db
      .selectFrom('queue_recipient')
      .select('notify')
      .where('recipient', '=', 'reader@outside.test')
      .execute()
    assert.deepEqual(rows, [{ notify: ['never'] }])
  })

  test('shows what a server or a person wrote as text, never as HTML', async () => {
    const error = '<script>alert(1)</script> & "more"'
    const values = { address: 'a@b.test', host: 'h', copied: 1, failed: 2, error, url: 'http://mail.test/x?a=1&b="2"' }
    await send('hostile@outside.test', transferResult(values))
    const [letter] = await systemMailTo(mail, 'hostile@outside.test')
    assert.match(letter?.html ?? '', /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;more&quot;/)
    assert.doesNotMatch(letter?.html ?? '', /<script/)
    assert.match(letter?.html ?? '', /href="http:\/\/mail\.test\/x\?a=1&amp;b=&quot;2&quot;"/)
    assert.match(letter?.text ?? '', /^<script>alert\(1\)<\/script> & "more"$/m)
  })

  test('is not sent when the transaction fails', async () => {
    const content = resetPassword({ url: 'x' })
    const failing = mail.database.tx(async (tx) => {
      await sendSystemMail(mail.parts, tx, { to: 'never@outside.test', content })
      throw new Error('rolled back')
    })
    await assert.rejects(failing, /rolled back/)
    assert.deepEqual(await systemMailTo(mail, 'never@outside.test'), [])
  })

  test('with a line break in its subject is refused', async () => {
    await assert.rejects(send('break@outside.test', { subject: 'a\r\nBcc: x@y.test', paragraphs: [] }), TypeError)
    assert.deepEqual(await systemMailTo(mail, 'break@outside.test'), [])
  })

  test('is signed when the domain of SYSTEM_FROM is hosted here', async () => {
    const { id } = await mail.signUp()
    const signed = () =>
      mail.database.db
        .selectFrom('queue_message')
        .select('signing_domain_id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
    await send('first@outside.test')
    assert.deepEqual(await signed(), { signing_domain_id: null })
    const domain = await plantDomain(mail.database, { accountId: id, name: 'panel.example.test' })
    await send('second@outside.test')
    assert.deepEqual(await signed(), { signing_domain_id: domain.id })
  })
})

describe('a notification', () => {
  test('reaches the owner of an account unless they switched such mails off', async () => {
    const { client, id, email } = await mail.signUp()
    const content = domainStatus({ domain: 'x.test', status: 'verified', url: 'http://mail.test/' })
    const notify = () =>
      mail.database.tx((tx) => notifyAccount(mail.parts, tx, { accountId: id, about: 'domain_status', content }))
    assert.equal(await notify(), true)
    assert.equal(
      (await client.send('PATCH', '/api/account/notifications', { body: { domain_status: false } })).status,
      200,
    )
    assert.equal(await notify(), false)
    const subjects = await subjectsTo(mail, email)
    assert.deepEqual(
      subjects.filter((subject) => subject === 'x.test is verified'),
      ['x.test is verified'],
    )
  })
})
