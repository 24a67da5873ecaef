import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, PASSWORD, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'

let smtp: FakeSmtp
let service: CmsService
let admin: Person
before(async () => {
  smtp = await startFakeSmtp({ auth: { user: 'cms', password: 'hidden words' } })
  service = await startCms({
    env: { SMTP_URL: `smtp://cms:hidden%20words@127.0.0.1:${smtp.port}`, MAIL_FROM: 'site@example.test' },
  })
  admin = await service.person('admin', { name: 'Ada' })
})
after(async () => {
  await service.close()
  await smtp.close()
})

const invite = (email: string, members: object = {}) =>
  admin.client.post('/api/invitations', { email, role: 'viewer', ...members })

describe('an invitation by mail', () => {
  test('brings the very link of the answer, which then works', async () => {
    const answer = await invite('guest@example.test', { name: 'Grace' })
    assert.deepEqual([answer.status, answer.body.sent], [201, true], answer.text)
    const [mail] = await smtp.waitFor(1)
    assert.deepEqual([mail?.from, mail?.to, mail?.user], ['site@example.test', ['guest@example.test'], 'cms'])
    assert.deepEqual(smtp.problems, [])
    const text = unfold(mail?.raw)
    assert.match(text, /^Subject: Ada invited you to cms\.test\r$/m)
    assert.match(text, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(text, /^Hello Grace,\r$/m)
    assert.ok(text.includes(answer.body.url))
    const [, token] = /#token=([\w-]{43})/.exec(text) ?? []
    const accepted = await service
      .client()
      .post('/api/auth/invitation/accept', { token, name: 'Grace', password: PASSWORD })
    assert.equal(accepted.status, 201, accepted.text)
  })

  test('is shown as sent in the list, by the version that was answered', async () => {
    const { body } = await invite('listed@example.test')
    const { items } = (await admin.client.get('/api/invitations')).body
    assert.deepEqual([items[0].id, items[0].sent, items[0].version], [body.id, true, body.version])
  })

  test('that the mail server refuses is there all the same, not sent, and is sent by a renewal', async () => {
    smtp.script('rcpt', [{ reply: { code: 550, text: '5.1.1 no such user' } }])
    const before = smtp.messages.length
    const refused = await invite('refused@example.test')
    assert.deepEqual([refused.status, refused.body.sent], [201, false])
    assert.equal(smtp.messages.length, before)
    const { items } = (await admin.client.get('/api/invitations')).body
    assert.deepEqual([items[0].id, items[0].sent], [refused.body.id, false])
    const renewed = await admin.client.post(`/api/invitations/${refused.body.id}/renew`)
    assert.deepEqual([renewed.status, renewed.body.sent, smtp.messages.length], [200, true, before + 1])
  })

  test('is mailed to one address five times in an hour; what is refused changes nothing', async () => {
    const { body } = await invite('often@example.test')
    const renew = () => admin.client.post(`/api/invitations/${body.id}/renew`)
    for (let n = 2; n <= 5; n += 1) assert.equal((await renew()).status, 200)
    const before = smtp.messages.length
    const refused = await renew()
    assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMITED'])
    assert.equal(refused.headers.get('retry-after'), '3600')
    assert.equal(smtp.messages.length, before)
    assert.equal((await admin.client.get('/api/invitations')).body.items[0].version, 5)
    service.clock.advance(3_600_000)
    assert.equal((await renew()).status, 200)
  })

  test('leaves neither a token nor the password of the mail server in the log', () => {
    const logged = service.logs.join('')
    assert.ok(!logged.includes('hidden words') && !logged.includes('hidden%20words'))
    for (const { raw } of smtp.messages) {
      const [, token = 'none'] = /#token=([\w-]{43})/.exec(unfold(raw)) ?? []
      assert.ok(!logged.includes(token))
    }
  })
})

/** Quoted-printable without its line ends. */
const unfold = (raw: Buffer | undefined): string =>
  (raw?.toString() ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
