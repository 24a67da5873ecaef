import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type RequestOptions, request } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { z } from 'zod'
import { apiSurface } from '../http/headers.ts'
import { PUBLIC } from '../http/route.ts'
import { route, routes, startService } from '../http/testing/service.ts'
import { createLogger } from '../log.ts'
import { type HttpsOptions, listenHttps } from './https.ts'
import type { CertificatePair } from './pair.ts'

const log = createLogger({ name: 'test', level: 'silent' })

/** A service over https that holds requests to /held until they are released, and certificates that can be swapped. */
const start = async (handshakes: HttpsOptions['handshakes'] = {}) => {
  const [first, second, named] = ['own.test', 'own.test', 'other.test'].map((name) => selfSignedCertificate([name]))
  if (!first || !second || !named) throw new Error('no certificates')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let entered = 0
  const held = route({
    method: 'GET',
    path: '/held',
    auth: PUBLIC,
    access: 'all',
    summary: 'Held',
    output: z.object({ done: z.boolean() }),
    async run() {
      entered += 1
      await released
      return { done: true }
    },
  })
  const service = await startService({
    routes: [...routes, held],
    surfaces: { api: apiSurface('https://own.test') },
  })
  let current: CertificatePair = first
  const listeners: (() => void)[] = []
  const https = await listenHttps(service.app, {
    port: 0,
    host: '127.0.0.1',
    log,
    handshakes,
    certificate: {
      current: () => current,
      named: async (name) => (name === 'other.test' ? named : null),
      onChange: (listener) => listeners.push(listener),
    },
  })
  const ask = async (path: string, options: RequestOptions = {}) => {
    const ca = [first.cert, second.cert, named.cert]
    const sent = request({ host: '127.0.0.1', port: https.port, servername: 'own.test', path, ca, ...options })
    sent.end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
  const swap = () => {
    current = second
    for (const listener of listeners) listener()
  }
  const serve = (servername: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: https.port, servername, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.toString() ?? '')
        socket.destroy()
      }).on('error', reject)
    })
  return { service, https, ask, swap, serve, first, second, named, release, entered: () => entered }
}

test('https has the routes and headers of the service, for clients that keep their connection, too', async () => {
  const { service, https, ask } = await start()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const _ of [1, 2]) {
    const { status, headers } = await ask('/healthz', { agent })
    assert.equal(status, 200)
    assert.match(headers['strict-transport-security'], /max-age=\d{8}/)
  }
  assert.equal((await ask('/nowhere', { agent })).status, 404)
  agent.destroy()
  await Promise.all([service.stop(), https.close()])
})

test('a certificate is replaced for new connections, by name and without one, and open ones go on', async () => {
  const { service, https, ask, swap, serve, first, second, named } = await start()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  assert.equal((await ask('/healthz', { agent })).status, 200)
  const same = (a: string, b: string) => a.replaceAll('\n', '') === b.replaceAll('\n', '')
  for (const name of ['', 'own.test', 'elsewhere.test']) assert.ok(same(await serve(name), first.cert), name)
  assert.ok(same(await serve('other.test'), named.cert))
  swap()
  for (const name of ['', 'own.test']) assert.ok(same(await serve(name), second.cert), name)
  assert.equal((await ask('/healthz', { agent })).status, 200)
  agent.destroy()
  await Promise.all([service.stop(), https.close()])
})

test('what is under way when the service stops is answered; who never asks is cut', async () => {
  const { service, https, ask, release, entered } = await start()
  const silent = connect({ host: '127.0.0.1', port: https.port, servername: 'own.test', rejectUnauthorized: false })
  silent.on('error', () => undefined)
  await once(silent, 'secureConnect')
  const asked = ask('/held')
  await until(() => entered() === 1)
  const stopped = Promise.all([service.stop(), https.close(1_000)])
  release()
  assert.equal((await asked).status, 200)
  await stopped
  await assert.rejects(ask('/healthz'), /ECONNREFUSED/)
})

/** A client that connects and never says anything. */
const openSilent = async (port: number, localAddress = '127.0.0.1') => {
  const socket = connectTcp({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect')
  return socket
}

test('who does not finish the handshake in time is cut', async () => {
  const { service, https } = await start({ ms: 100 })
  const silent = await openSilent(https.port)
  await until(() => silent.closed, 'the silent client is let go')
  await Promise.all([service.stop(), https.close()])
})

test('who says nothing does not delay a stop', async () => {
  const { service, https } = await start({ ms: 60_000 })
  const silent = await openSilent(https.port)
  const started = Date.now()
  await Promise.all([service.stop(), https.close(60_000), once(silent, 'close')])
  assert.ok(Date.now() - started < 30_000)
})

test('unfinished handshakes of one address are limited; finished ones do not count, nor those of others', async () => {
  const { service, https, ask } = await start({ perIp: 2 })
  const silent = [await openSilent(https.port), await openSilent(https.port)]
  await once(await openSilent(https.port), 'close')
  assert.equal((await ask('/healthz', { localAddress: '127.0.0.2' })).status, 200)
  silent[0]?.destroy()
  const isServed = (agent: Agent) =>
    ask('/healthz', { agent }).then(
      ({ status }) => status === 200,
      () => false,
    )
  const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true }))
  for (const agent of agents) await until(() => isServed(agent))
  for (const one of [...agents, ...silent]) one.destroy()
  await Promise.all([service.stop(), https.close()])
})

test('the oldest of too many unfinished handshakes makes room', async () => {
  const { service, https, ask } = await start({ all: 2 })
  const silent = [await openSilent(https.port), await openSilent(https.port)]
  assert.equal((await ask('/healthz')).status, 200)
  await until(() => silent[0]?.destroyed)
  assert.equal(silent[1]?.destroyed, false)
  silent[1]?.destroy()
  await Promise.all([service.stop(), https.close()])
})
