import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { type FakeSmtpOptions, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { readSmtp } from '../../config-smtp.ts'
import { MailError, type Mailer, openMailer } from './mailer.ts'

const PUBLIC_URL = 'https://cms.example.test'
const MAIL = { to: 'guest@example.test', subject: 'Grüße', text: 'Hello' }

/** `isLocal` false: as if the server were on another machine. */
const mailerFor = (url: string, { isLocal = true } = {}): Mailer => {
  const smtp = readSmtp({ SMTP_URL: new Secret(url), MAIL_FROM: undefined }, PUBLIC_URL)
  assert.ok(smtp)
  return openMailer({ smtp: { ...smtp, isLocal }, publicUrl: PUBLIC_URL }, '/admin').mailer ?? assert.fail()
}
const withSmtp = async (
  options: FakeSmtpOptions,
  run: (smtp: Awaited<ReturnType<typeof startFakeSmtp>>) => Promise<void>,
) => {
  const smtp = await startFakeSmtp(options)
  await run(smtp).finally(() => smtp.close())
}
const failure = async (sending: Promise<void>): Promise<MailError> => {
  const error = await sending.then(
    () => assert.fail('it was sent'),
    (raised: unknown) => raised,
  )
  assert.ok(error instanceof MailError, String(error))
  return error
}

test('a server on this machine needs neither TLS nor a certificate that is known', () =>
  withSmtp({ tls: 'none' }, async (plain) => {
    await mailerFor(`smtp://127.0.0.1:${plain.port}`).send(MAIL)
    assert.deepEqual([plain.messages[0]?.from, plain.messages[0]?.isSecure], ['noreply@cms.example.test', false])
    await withSmtp({ tls: 'starttls' }, async (smtp) => {
      await mailerFor(`smtp://localhost:${smtp.port}`).send(MAIL)
      assert.equal(smtp.messages[0]?.isSecure, true)
    })
    await withSmtp({ tls: 'implicit' }, async (smtp) => {
      await mailerFor(`smtps://127.0.0.1:${smtp.port}`).send(MAIL)
      assert.equal(smtp.messages[0]?.isSecure, true)
    })
  }))

test('a remote server must use TLS with a trusted certificate; otherwise nothing is sent to it', () =>
  withSmtp({ tls: 'none' }, async (plain) => {
    const refused = await failure(
      mailerFor(`smtp://user:hidden@127.0.0.1:${plain.port}`, { isLocal: false }).send(MAIL),
    )
    assert.equal(refused.isFinal, false)
    assert.deepEqual(plain.messages, [])
    await withSmtp({ tls: 'starttls' }, async (smtp) => {
      await failure(mailerFor(`smtp://127.0.0.1:${smtp.port}`, { isLocal: false }).send(MAIL))
      assert.deepEqual(smtp.messages, [])
    })
  }))

test('permanent failures are distinguished from temporary ones, without the text of the server', () =>
  withSmtp({ tls: 'none' }, async (smtp) => {
    const mailer = mailerFor(`smtp://127.0.0.1:${smtp.port}`)
    smtp.script('rcpt', [{ reply: { code: 550, text: '5.1.1 secret words' } }, { reply: { code: 450, text: 'later' } }])
    const final = await failure(mailer.send(MAIL))
    assert.deepEqual([final.isFinal, final.message.includes('secret')], [true, false])
    assert.equal((await failure(mailer.send(MAIL))).isFinal, false)
    await mailer.send(MAIL)
    assert.equal(smtp.messages.length, 1)
  }))

test('a wrong password of the operator is not the end of a mail, and is not in the error', () =>
  withSmtp({ auth: { user: 'cms', password: 'right' } }, async (smtp) => {
    const error = await failure(mailerFor(`smtp://cms:hidden@127.0.0.1:${smtp.port}`).send(MAIL))
    assert.deepEqual([error.isFinal, error.message.includes('hidden')], [false, false])
  }))

test('a list of addresses is one address that does not exist, and not several mails', () =>
  withSmtp({ tls: 'none' }, async (smtp) => {
    await mailerFor(`smtp://127.0.0.1:${smtp.port}`)
      .send({ ...MAIL, to: 'a@example.test, b@example.test' })
      .catch(() => undefined)
    for (const { to } of smtp.messages) assert.ok(to.length <= 1, to.join())
  }))
