import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { createSealer } from '@stoa/kit/crypto/seal.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { createEndpoint } from '@stoa/kit/webhooks/endpoints.ts'
import { newSigningSecret } from '@stoa/kit/webhooks/sign.ts'
import { HOSTING_SECRET, MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { polite, startRawPeer } from '@stoa/mail/sending/queue/testing/raw-peer.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { openMailGround } from '../faults/mail-ground.ts'
import { plantKey } from '../faults/mail-load.ts'
import { call, must } from '../faults/outcomes.ts'
import { startService } from '../faults/service-process.ts'
import { addEntry, addWebhook, prepareSite, publish, TYPE } from '../faults/site.ts'
import { startFakeDns } from '../lib/fake-dns.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { startTcpProxy, type TcpProxy, throughProxy } from '../lib/tcp-proxy.ts'
import { until } from '../lib/waiting.ts'
import { untilWorkersAnswer } from './workers.ts'

const OUTSIDE = 'outside.test'

/** A receiver of webhooks and pushes that keeps everybody waiting until it is told to answer. */
const startReceiver = async () => {
  const waiting = new Map<ServerResponse, string>()
  const server = createServer((request, response) => void waiting.set(response, request.url ?? '')).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isAsked: (path: string) => [...waiting.values()].includes(path),
    answer() {
      for (const response of waiting.keys()) response.writeHead(204).end()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Asks for more than fits on the way, and does not read it. */
const askWithoutReading = async (url: string, path: string): Promise<void> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`.repeat(100))
  await until(() => socket.readableLength > 0, 'the answer begins')
}

/** The line to a database, which can stand still. */
const openLine = async (t: TestContext, url: string): Promise<TcpProxy & { url: string }> => {
  const { hostname, port } = new URL(url)
  const line = await startTcpProxy({ host: hostname, port: Number(port) })
  t.after(() => line.close())
  return { ...line, url: throughProxy(url, line) }
}

/** A CMS with a delivery of a webhook under way. */
const startCms = async (t: TestContext, env: Record<string, string>) => {
  const receiver = await startReceiver()
  const service = await startService('cms', { WEBHOOK_ALLOW_PRIVATE: 'true', ...env })
  t.after(async () => {
    await service.kill()
    receiver.close()
  })
  const site = await prepareSite(service.url)
  await addWebhook(service.url, site, `${receiver.url}/webhook`)
  await publish(service.url, site, await addEntry(service.url, site, 'Hello'))
  await until(() => receiver.isAsked('/webhook'), 'the webhook is called')
  return { service, site, receiver }
}

/** Of the account with the key. */
const plantWebhook = async (database: Database<Tables>, url: string): Promise<void> => {
  const { accountId: owner } = await database.db
    .selectFrom('api_key')
    .select('account_id as accountId')
    .executeTakeFirstOrThrow()
  const sealer = createSealer({ current: new Secret(HOSTING_SECRET) }, 'webhook')
  const webhook = { owner, url, events: ['email.sent'], secret: newSigningSecret(24), secretHint: '', now: new Date() }
  await database.tx((tx) => createEndpoint(tx, sealer, webhook))
}

/** A mail service with a message, a webhook and a push under way: all three have left, and nobody answers. */
const startMail = async (t: TestContext, reachedBy?: (url: string) => Promise<string>) => {
  const receiver = await startReceiver()
  const dns = await startFakeDns()
  dns.set(OUTSIDE, 'MX', [{ exchange: `in.${OUTSIDE}`, preference: 10 }])
  dns.set(`in.${OUTSIDE}`, 'A', ['127.0.0.1'])
  const answer = polite()
  const peer = await startRawPeer((line, at) => (at.isData ? undefined : answer(line, at)))
  const env = {
    SECRET: HOSTING_SECRET,
    DNS_RESOLVERS: dns.address,
    SMTP_OUTBOUND_PORT: String(peer.port),
    OUTBOUND_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  const ground = await openMailGround({ env, ...(reachedBy && { reachedBy }) })
  t.after(async () => {
    await ground.service.kill()
    await ground.close()
    receiver.close()
    await peer.close()
    await dns.close()
  })
  const { url } = ground.service
  const token = await plantKey(ground.boxes.database)
  await plantWebhook(ground.boxes.database, `${receiver.url}/webhook`)
  const credentials = Buffer.from(`${ground.boxes.emails[0]}:${MAILBOX_PASSWORD}`).toString('base64')
  const subscription = { deviceClientId: 'device', url: `${receiver.url}/push` }
  await must(`${url}/jmap`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: {
      using: ['urn:ietf:params:jmap:core'],
      methodCalls: [['PushSubscription/set', { create: { a: subscription } }, 'a']],
    },
  })
  const mail = { from: 'Ada <ada@ours.test>', to: `x@${OUTSIDE}`, subject: 'Hello', text: 'Hello' }
  await must(`${url}/api/emails`, { method: 'POST', token, body: mail })
  await until(() => peer.messages.length > 0, 'the message has left')
  await until(() => receiver.isAsked('/webhook') && receiver.isAsked('/push'), 'the webhook and the push are called')
  return { ...ground, receiver }
}

// Exit code 0 also says that it took less than ten seconds: afterwards a process gives up with 1.
describe('a service that is told to stop ends well', { concurrency: 2 }, () => {
  test('the CMS, while a webhook is not answered and a client does not read', async (t) => {
    const database = await serviceDatabase('cms')
    t.after(() => database.drop())
    const { service } = await startCms(t, { CMS_DATABASE_URL: database.url })
    await askWithoutReading(service.url, '/openapi.json')
    assert.equal(await service.stop(), 0)
  })

  test('mail, while a server, a webhook and a push service do not answer and a client does not read', async (t) => {
    const { service } = await startMail(t)
    await askWithoutReading(service.url, '/openapi.json')
    assert.equal(await service.stop(), 0)
  })

  test('the CMS and its workers, while the database is silent and there is a result to record', async (t) => {
    const database = await serviceDatabase('cms')
    t.after(() => database.drop())
    const line = await openLine(t, database.url)
    const { service, site, receiver } = await startCms(t, { CMS_DATABASE_URL: line.url, WORKERS: '2' })
    await untilWorkersAnswer(`${service.url}/api/auth/status`, 2)
    line.freeze()
    const underWay = call(`${service.url}/api/types/${TYPE}`, { token: site.token })
    const stopped = service.stop()
    receiver.answer()
    assert.equal(await stopped, 0)
    await underWay
  })

  test('mail, while the database is silent and there are results to record', async (t) => {
    let line: TcpProxy | undefined
    const { service, receiver } = await startMail(t, async (url) => {
      const opened = await openLine(t, url)
      line = opened
      return opened.url
    })
    line?.freeze()
    const underWay = call(`${service.url}/api/auth/signups`)
    const stopped = service.stop()
    receiver.answer()
    assert.equal(await stopped, 0)
    await underWay
  })
})
