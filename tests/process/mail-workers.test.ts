import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, type TestContext, test } from 'node:test'
import { HOSTING_SECRET, MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { WebSocket } from 'ws'
import { type BenchClient, openClient } from '../bench/imap/client.ts'
import { openMailboxes, plantKey, sendOne, startMailLoad } from '../faults/mail-load.ts'
import { must } from '../faults/outcomes.ts'
import { type ServiceProcess, startService } from '../faults/service-process.ts'
import { startFakeSmtp } from '../lib/fake-smtp.ts'
import { freePort } from '../lib/free-port.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { connectSmtp } from '../lib/smtp-client.ts'
import { until } from '../lib/waiting.ts'
import { ask, connectToWorkers, isRunning, untilWorkersAnswer, watchedRoles, workersOf } from './workers.ts'

const MAX_PER_USER = 8

// They run from the bundle, as with `npm start`.
describe('two workers of the mail service', () => {
  let service: ServiceProcess
  let boxes: Awaited<ReturnType<typeof openMailboxes>>
  let database: Awaited<ReturnType<typeof serviceDatabase>>
  let [folder, smtpPort, imapsPort] = ['', 0, 0]
  const clients: BenchClient[] = []

  before(async () => {
    database = await serviceDatabase('mail')
    folder = await mkdtemp(join(tmpdir(), 'stoa-workers-'))
    smtpPort = await freePort()
    imapsPort = await freePort()
    service = await startService('mail', {
      MAIL_DATABASE_URL: database.url,
      DATA_DIR: folder,
      SMTP_PORT: String(smtpPort),
      IMAPS_PORT: String(imapsPort),
      IMAP_MAX_PER_USER: String(MAX_PER_USER),
      MAIL_WORKERS: '2',
      DNS_RESOLVERS: '127.0.0.1:1',
    })
    boxes = await openMailboxes(database.url, 2)
    await untilWorkersAnswer(`${service.url}/api/auth/signups`, 2)
  })
  after(async () => {
    for (const client of clients) client.close()
    const workers = workersOf(service.pid)
    await until(async () => (await watchedRoles(database.url)).length === 1, 'one of them looks at the machine')
    assert.equal(await service.stop(), 0)
    assert.deepEqual(workers.filter(isRunning), [], 'they end with their primary')
    assert.deepEqual(await watchedRoles(database.url), [], 'a machine that stops well is not missed')
    await boxes.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const signIn = async (): Promise<BenchClient> => {
    const client = await openClient({ port: imapsPort, isTls: true })
    clients.push(client)
    await client.say(`LOGIN ${boxes.emails[0]} "${MAILBOX_PASSWORD}"`)
    return client
  }
  const deliver = async (subject: string, content = '\r\nHello\r\n') => {
    const client = await connectSmtp({ port: smtpPort })
    await client.say('EHLO outside.test')
    const { code } = await client.mail(
      { from: 'someone@outside.test', to: [boxes.emails[0] ?? ''] },
      `From: <someone@outside.test>\r\nMessage-ID: <${subject}@outside.test>\r\nSubject: ${subject}\r\n${content}`,
    )
    await client.say('QUIT')
    client.close()
    assert.equal(code, 250)
  }

  test('count the connections of a mailbox together, wherever they are', async () => {
    for (let at = 0; at < MAX_PER_USER; at += 1) await signIn()
    await assert.rejects(signIn(), /LIMIT/)
    clients.pop()?.close()
    clients.pop()?.close()
    await until(() => signIn().catch(() => false), 'whoever leaves makes room')
  })

  test('notify each other of changes to a mailbox before the change is answered', async () => {
    for (const client of clients) await client.say('SELECT INBOX')
    await deliver('One')
    for (const client of clients) assert.match(await client.say('NOOP', { isKept: true }), /\* 1 EXISTS/)
    const [writer, ...others] = clients
    for (const flag of ['\\Flagged', '\\Answered', '\\Seen', '$one', '$two']) {
      await writer?.say(`STORE 1 +FLAGS (${flag})`)
      for (const each of others)
        assert.ok((await each.say('NOOP', { isKept: true })).includes(flag), `${flag} is seen everywhere`)
    }
  })

  test('notify clients that wait with IDLE', async () => {
    for (const client of clients) {
      client.socket.write('i IDLE\r\n')
      assert.match(await client.nextAnswer(), /^\+ /)
    }
    const notices = Promise.all(clients.map((client) => client.nextAnswer()))
    await deliver('Two')
    for (const line of await notices) assert.match(line, /\* 2 EXISTS/)
    for (const client of clients) client.close()
  })

  test('notify clients of JMAP that wait on event streams and on WebSockets', async (t) => {
    const follower = { url: service.url, email: boxes.emails[0] ?? '', addressId: boxes.ids[0] ?? '' }
    const signups = `${service.url}/api/auth/signups`
    const streams = (await connectToWorkers(signups, 2)).map((agent) => followStream(t, { ...follower, agent }))
    const sockets = (await connectToWorkers(signups, 2)).map((agent) => followSocket(t, { ...follower, agent }))
    const all = await Promise.all([...streams, ...sockets])
    const common = () => all.map((states) => states.at(-1)).reduce((one, other) => (one === other ? one : undefined))
    const before = await until(common, 'each begins with what is there')
    await deliver('Three')
    await until(() => (common() ?? before) !== before, 'each is notified')
  })

  test('read and clean large messages in threads', async () => {
    const html = '<p>Some words of a long letter</p><script>alert(1)</script>\r\n'.repeat(20_000)
    await deliver('Long', `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${html}`)
    const signedIn = await fetch(`${service.url}/api/mail/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: boxes.emails[0], password: MAILBOX_PASSWORD }),
    })
    const cookies = signedIn.headers.getSetCookie().map((each) => each.split(';', 1)[0])
    const headers = { cookie: cookies.join('; ') }
    const list = (await must(`${service.url}/api/mail/messages`, { headers })) as {
      data: { id: string; subject: string }[]
    }
    const long = list.data.find(({ subject }) => subject === 'Long')
    const page = await fetch(`${service.url}/api/mail/messages/${long?.id}/view`, { headers })
    const text = await page.text()
    assert.equal(page.status, 200)
    assert.match(text, /Some words of a long letter/)
    assert.doesNotMatch(text, /alert/)
  })

  test('count the sign-ins of an address together', async () => {
    const began = performance.now()
    const body = { email: 'nobody@example.test', password: 'a wrong password, long enough' }
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ask(`${service.url}/api/auth/login`, { method: 'POST', body })),
    )
    const windows = Math.floor((performance.now() - began) / 1_000) + 1
    const looked = answers.filter(({ status }) => status !== 429).length
    assert.ok(looked >= 5 && looked <= 5 * windows, `${looked} in ${windows} s`)
    assert.deepEqual([...new Set(answers.map(({ headers }) => headers['ratelimit-limit']))], ['5'])
  })

  test('one that is killed under load costs its own connections, is replaced, and nothing acknowledged is lost', async () => {
    const load = startMailLoad({ port: smtpPort, recipients: boxes.emails, perSecond: 20 })
    await until(() => load.acknowledged.size > 10, 'mail is received')
    const [victim = 0, other = 0] = workersOf(service.pid)
    process.kill(victim, 'SIGKILL')
    const whenKilled = load.acknowledged.size
    await until(() => load.acknowledged.size > whenKilled + 20, 'the other one goes on')
    await untilWorkersAnswer(`${service.url}/api/auth/signups`, 2)
    await load.finish()
    assert.ok(workersOf(service.pid).includes(other))
    assert.deepEqual(
      [...load.refusals.keys()].filter((code) => code !== 'cut'),
      [],
    )
    assert.deepEqual(await boxes.check(load), [])
  })
})

describe('the roles of the mail service, each alone in a process', () => {
  test('say that they are ready, and each does its part for the others', async (t) => {
    const database = await serviceDatabase('mail')
    t.after(database.drop)
    const folder = await mkdtemp(join(tmpdir(), 'stoa-roles-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const boxes = await openMailboxes(database.url, 1)
    t.after(boxes.close)
    const relay = await startFakeSmtp({ tls: 'none' })
    t.after(relay.close)
    const [smtpPort, imapsPort] = [await freePort(), await freePort()]
    const start = async (role: string) => {
      const metricsPort = await freePort()
      const service = await startService('mail', {
        MAIL_DATABASE_URL: database.url,
        DATA_DIR: folder,
        SECRET: HOSTING_SECRET,
        MAIL_ROLES: role,
        MAIL_HOSTNAME: `${role}.stoa.test`,
        MAIL_METRICS_HOST: '127.0.0.2',
        MAIL_METRICS_PORT: String(metricsPort),
        SMTP_PORT: String(smtpPort),
        IMAPS_PORT: String(imapsPort),
        RELAY_URL: `smtp://${relay.host}:${relay.port}`,
        OUTBOUND_ALLOW_PRIVATE: 'true',
        DNS_RESOLVERS: '127.0.0.1:1',
      })
      t.after(() => service.stop())
      const ready = await fetch(`http://127.0.0.2:${metricsPort}/readyz`)
      assert.deepEqual(await ready.json(), { status: 'ready', roles: [role] })
      await assert.rejects(ask(`http://127.0.0.1:${metricsPort}/readyz`))
      return service
    }
    const [http, ...others] = await Promise.all([start('http'), start('smtp'), start('imap'), start('worker')])
    for (const { url } of others) await assert.rejects(ask(`${url}/readyz`))

    const { emails, ids, database: tables } = boxes
    const [email = ''] = emails
    assert.equal(await sendOne(smtpPort, 'one@outside.test', email), '250')
    const states = await followStream(t, { url: http.url, email, addressId: ids[0] ?? '' })
    await until(() => states.length === 1, 'the stream begins with what is there')
    const reader = await openClient({ port: imapsPort, isTls: true })
    t.after(reader.close)
    await reader.say(`LOGIN ${email} "${MAILBOX_PASSWORD}"`)
    await reader.say('SELECT INBOX')
    reader.socket.write('i IDLE\r\n')
    assert.match(await reader.nextAnswer(), /^\+ /)
    assert.equal(await sendOne(smtpPort, 'two@outside.test', email), '250')
    assert.match(await reader.nextAnswer(), /\* 2 EXISTS/)
    await until(() => states.length === 2, 'who follows at http is notified of what smtp delivers')

    const body = { from: 'hi@ours.test', to: 'someone@outside.test', subject: 'Hello', text: 'Hello' }
    await must(`${http.url}/api/emails`, { method: 'POST', token: await plantKey(tables), body })
    const [sent] = await relay.waitFor(1)
    assert.equal(sent?.helo, 'worker.stoa.test')

    const watched = () => watchedRoles(database.url)
    await until(async () => (await watched()).join() === 'http,imap,smtp,worker', 'all look at their machine')
    assert.deepEqual(await Promise.all([http, ...others].map((each) => each.stop())), [0, 0, 0, 0])
    assert.deepEqual(await watched(), [])
  })
})

type Follower = { url: string; email: string; addressId: string; agent?: Agent }

/** The states of a mailbox's messages that an event stream reports, first the one they have. */
const followStream = async (t: TestContext, { url, email, addressId, agent }: Follower): Promise<string[]> => {
  const headers = { authorization: basic(email), 'last-event-id': `${addressId}:0` }
  const sent = request(`${url}/jmap/eventsource?types=Email`, { headers, ...(agent && { agent }) }).end()
  t.after(() => sent.destroy())
  const [response]: IncomingMessage[] = await once(sent, 'response')
  assert.equal(response?.statusCode, 200)
  const states: string[] = []
  const lines = createInterface({ input: response })
  lines.on('line', (line) => {
    if (line.startsWith('data: ')) states.push(stateOf(line.slice('data: '.length), addressId))
  })
  // The end of the test cuts it.
  lines.on('error', () => undefined)
  return states
}

/** The same of a WebSocket. */
const followSocket = async (t: TestContext, { url, email, addressId, agent }: Follower): Promise<string[]> => {
  const headers = { authorization: basic(email) }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/jmap/ws`, 'jmap', { headers, ...(agent && { agent }) })
  t.after(() => socket.terminate())
  await once(socket, 'open')
  const states: string[] = []
  socket.on('message', (data) => states.push(stateOf(String(data), addressId)))
  const wanted = { dataTypes: ['Email'], pushState: `${addressId}:0` }
  socket.send(JSON.stringify({ '@type': 'WebSocketPushEnable', ...wanted }))
  return states
}

const basic = (email: string): string => `Basic ${Buffer.from(`${email}:${MAILBOX_PASSWORD}`).toString('base64')}`

const stateOf = (notice: string, addressId: string): string => JSON.parse(notice).changed[addressId].Email
