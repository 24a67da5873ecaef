import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import sharp from 'sharp'
import { bundleService } from '../../scripts/bundle.ts'
import { root } from '../../scripts/environment.ts'
import { openMailboxes } from '../faults/mail-load.ts'
import { call, memberOf, must } from '../faults/outcomes.ts'
import { startService } from '../faults/service-process.ts'
import { prepareSite } from '../faults/site.ts'
import { freePort } from '../lib/free-port.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { connectSmtp } from '../lib/smtp-client.ts'
import { until } from '../lib/waiting.ts'
import { startProgram } from './processes.ts'
import { untilWorkersAnswer } from './workers.ts'

describe('what npm start runs', () => {
  let folder = ''
  let bundles = ''
  before(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'stoa-bundle-'))
    // Below the root, where packages are found.
    fs.mkdirSync(join(import.meta.dirname, 'dist'), { recursive: true })
    bundles = fs.mkdtempSync(join(import.meta.dirname, 'dist/bundles-'))
  })
  after(() => {
    for (const made of [folder, bundles]) fs.rmSync(made, { recursive: true, force: true })
  })

  test('the CMS: workers, files beside the sources, native pictures, and plugins in their threads', async (t) => {
    const database = await serviceDatabase('cms')
    t.after(database.drop)
    const service = await startService('cms', {
      CMS_DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'cms'),
      PLUGIN_DIR: join(root, 'examples/plugins'),
      WORKERS: '2',
    })
    t.after(service.kill)
    await untilWorkersAnswer(`${service.url}/api/auth/status`, 2)
    const { token } = await prepareSite(service.url)
    assert.match(await (await fetch(`${service.url}/admin`)).text(), /<html/)

    const form = new FormData()
    const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    form.set('file', new Blob([new Uint8Array(picture)]), 'red.png')
    const uploaded = await fetch(`${service.url}/api/media`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(memberOf(await uploaded.json(), 'width'), '40')

    const state = { method: 'PUT', token, body: { enabled: true, approve: true } }
    await must(`${service.url}/api/plugins/hello/state`, state)
    // The other worker is notified, and starts a thread of its own.
    const answers = async () => memberOf((await call(`${service.url}/ext/hello/hello`, { token })).body, 'text')
    await until(async () => (await answers()).startsWith('Hello, '), 'the plugin answers')
    assert.equal(await service.stop(), 0)
  })

  test('mail: workers, and large messages that are read and cleaned in threads', async (t) => {
    const [database, smtpPort] = await Promise.all([serviceDatabase('mail'), freePort()])
    t.after(database.drop)
    const service = await startService('mail', {
      MAIL_DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'mail'),
      SMTP_PORT: String(smtpPort),
      MAIL_WORKERS: '2',
      DNS_RESOLVERS: '127.0.0.1:1',
    })
    t.after(service.kill)
    await untilWorkersAnswer(`${service.url}/api/auth/signups`, 2)
    const boxes = await openMailboxes(database.url, 1)
    t.after(boxes.close)
    const [email = ''] = boxes.emails
    const smtp = await connectSmtp({ port: smtpPort })
    await smtp.say('EHLO outside.test')
    const html = `<p>Some words of a long letter</p><script>alert(1)</script>\r\n`.repeat(20_000)
    const head = 'From: <a@outside.test>\r\nSubject: Long\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n'
    const { code } = await smtp.mail({ from: 'a@outside.test', to: [email] }, head + html)
    assert.equal(code, 250)
    smtp.close()

    const signedIn = await fetch(`${service.url}/api/mail/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: MAILBOX_PASSWORD }),
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ')
    const list = (await must(`${service.url}/api/mail/messages`, { headers: { cookie } })) as { data: { id: string }[] }
    const page = await fetch(`${service.url}/api/mail/messages/${list.data[0]?.id}/view`, { headers: { cookie } })
    const text = await page.text()
    assert.equal(page.status, 200)
    assert.match(text, /Some words of a long letter/)
    assert.doesNotMatch(text, /alert/)
    assert.equal(await service.stop(), 0)
  })

  test('an error that is written down names the line of its source', async () => {
    await bundleService({ entry: 'tests/process/fixtures/failing.ts' }, join(bundles, 'dist'))
    const program = startProgram(process.execPath, [join(bundles, 'dist/main.js')], { cwd: root })
    assert.equal(await program.ends(), 0)
    const lines = fs.readFileSync(join(import.meta.dirname, 'fixtures/failing.ts'), 'utf8').split('\n')
    const line = 1 + lines.findIndex((each) => each.includes('throw'))
    assert.match(program.output(), new RegExp(`at fail \\(file://.*/tests/process/fixtures/failing\\.ts:${line}\\)`))
  })
})
