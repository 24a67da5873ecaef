import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { EgressFailed, EgressRefused } from './errors.ts'

// 127.0.0.2 plays the public internet, 127.0.0.1 the inside.
const PUBLIC = '127.0.0.2'
const INSIDE = '127.0.0.1'
const certificate = selfSignedCertificate(['mail.test'])
const addresses: Record<string, string[]> = { 'mail.test': [PUBLIC], 'other.test': [PUBLIC], 'inner.test': [INSIDE] }

let inside: net.Server
let insideHits = 0
let port: number

const listen = async (server: net.Server, wanted: number, host: string) => {
  server.listen(wanted, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
const closeServer = (server: net.Server) => new Promise((resolve) => server.close(resolve))

before(async () => {
  inside = net.createServer((socket) => {
    insideHits += 1
    socket.destroy()
  })
  port = await listen(inside, 0, INSIDE)
})
after(() => closeServer(inside))

const egressOf = (options: Partial<EgressOptions> = {}) =>
  createEgress({
    ports: [port],
    resolver: async (name) => addresses[name] ?? [],
    trustedCa: [certificate.cert],
    isAllowed: (address) => address === PUBLIC,
    ...options,
  })
const isRefused = (reason: EgressRefused['reason']) => (error: unknown) =>
  error instanceof EgressRefused && error.reason === reason
const isFailed = (reason: EgressFailed['reason']) => (error: unknown) =>
  error instanceof EgressFailed && error.reason === reason

test('a raw connection goes through the same rules', async () => {
  const egress = egressOf()
  for (const host of [INSIDE, 'inner.test', 'localhost', '0x7f.1', '::ffff:127.0.0.1'])
    await assert.rejects(egress.connect({ host, port }), isRefused('not_public'), host)
  for (const host of [`mail.test:${port}`, 'a@mail.test', 'mail.test/x', ''])
    await assert.rejects(egress.connect({ host, port }), isRefused('invalid_url'), host)
  for (const wrong of [25, 0, 65_536, 1.5])
    await assert.rejects(egress.connect({ host: 'mail.test', port: wrong }), isRefused('port'))
  await assert.rejects(egress.connect({ host: 'absent.test', port }), isRefused('no_address'))
  assert.equal(insideHits, 0)
})

test('a port that nobody listens on and a silent handshake end in time', async () => {
  const mute = net.createServer((socket) => socket.resume().on('error', () => socket.destroy()))
  const mutePort = await listen(mute, 0, PUBLIC)
  const silent = egressOf({ ports: [mutePort] }).connect({
    host: 'mail.test',
    port: mutePort,
    tls: 'implicit',
    timeoutMs: 100,
  })
  await assert.rejects(silent, isFailed('timeout'))
  await closeServer(mute)
  await assert.rejects(
    egressOf({ ports: [mutePort] }).connect({ host: 'mail.test', port: mutePort }),
    isFailed('connect'),
  )
})

test('a raw connection can use TLS at once, verified for the name', async () => {
  const server = tls.createServer(certificate, (socket) => socket.end('secret'))
  const tlsPort = await listen(server, 0, PUBLIC)
  const egress = egressOf({ ports: [tlsPort] })
  const socket = await egress.connect({ host: 'mail.test', port: tlsPort, tls: 'implicit' })
  assert.ok(socket instanceof tls.TLSSocket && socket.authorized)
  assert.equal(String((await once(socket, 'data'))[0]), 'secret')
  socket.destroy()
  const wrongName = egress.connect({ host: 'other.test', port: tlsPort, tls: 'implicit' })
  await assert.rejects(wrongName, isFailed('tls'))
  await closeServer(server)
})

test('a raw connection can be upgraded to TLS later', async () => {
  const accepted: net.Socket[] = []
  const server = net.createServer((socket) => {
    accepted.push(socket)
    socket.write('hello\r\n')
    socket.once('data', () => {
      socket.write('go\r\n')
      const secured = new tls.TLSSocket(socket, { isServer: true, ...certificate })
      secured
        .on('error', () => socket.destroy())
        .resume()
        .write('secret')
    })
  })
  const plainPort = await listen(server, 0, PUBLIC)
  const egress = egressOf({ ports: [plainPort] })
  const start = async () => {
    const socket = await egress.connect({ host: 'mail.test', port: plainPort })
    assert.equal(String((await once(socket, 'data'))[0]), 'hello\r\n')
    socket.write('starttls\r\n')
    assert.equal(String((await once(socket, 'data'))[0]), 'go\r\n')
    return socket
  }
  const secured = await egress.secure(await start(), { host: 'mail.test' })
  assert.equal(String((await once(secured, 'data'))[0]), 'secret')
  secured.destroy()
  const refusedSocket = await start()
  await assert.rejects(egress.secure(refusedSocket, { host: 'other.test' }), isFailed('tls'))
  assert.ok(refusedSocket.destroyed)
  for (const socket of accepted) socket.destroy()
  await closeServer(server)
})
