import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { type JmapGround, startJmap } from './testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

/** More than the kernel keeps for a connection that nobody reads from. */
const LARGE = 12_000_000

/** Sends a request and does not read the answer, which has begun to come. */
const askAndSeeBegin = async (...wanted: Parameters<typeof ask>): Promise<Socket> => {
  const socket = await ask(...wanted)
  await once(socket, 'readable')
  return socket
}

/** Sends a request and does not read the answer. */
const ask = async (method: string, path: string, body: string, more: string[] = []): Promise<Socket> => {
  const { host, port } = new URL(ground.url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${ground.ann.client.headers.authorization}`,
    ...more,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

/** What a request is answered with once it has its turn; it is not read either. */
const statusWithin = async (ms: number, path: string, init: RequestInit = {}): Promise<number | 'waits'> => {
  const leaving = new AbortController()
  const timer = setTimeout(() => leaving.abort(), ms)
  const answer = await ground.ann.client.fetch(path, { ...init, signal: leaving.signal }).catch(() => null)
  clearTimeout(timer)
  leaving.abort()
  return answer?.status ?? 'waits'
}

const small = JSON.stringify({ using: ['urn:ietf:params:jmap:core'], methodCalls: [['Core/echo', {}, 'a']] })
const postSmall = (ms: number) =>
  statusWithin(ms, '/jmap', { method: 'POST', body: small, headers: { 'content-type': 'application/json' } })

test('large answers that nobody reads count as requests that are not over', async () => {
  const { accountId, client } = ground.ann
  const { blobId } = await client.upload(accountId, Buffer.alloc(LARGE, 'a'))
  const body = JSON.stringify({
    using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:blob'],
    methodCalls: [['Blob/get', { accountId, ids: [blobId], properties: ['data:asText'] }, 'a']],
  })
  const sockets = await Promise.all(Array.from({ length: 4 }, () => askAndSeeBegin('POST', '/jmap', body)))
  assert.equal(await postSmall(1_000), 'waits')
  for (const socket of sockets.slice(0, 2)) socket.destroy()
  await until(async () => (await postSmall(1_000)) === 200)
  // Those who read on get all of it.
  const [reader] = sockets.slice(2)
  assert.ok(reader)
  let length = 0
  reader.removeAllListeners('readable').on('data', (chunk: Buffer) => {
    length += chunk.length
  })
  reader.resume()
  await until(() => length > LARGE, 'all of it is read')
  for (const socket of sockets) socket.destroy()
  await until(async () => (await postSmall(1_000)) === 200)
})

test('clients that leave before the answer do not keep a place', async () => {
  const { accountId, client } = ground.ann
  const { blobId } = await client.upload(accountId, Buffer.alloc(LARGE, 'b'))
  const body = JSON.stringify({
    using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:blob'],
    methodCalls: [['Blob/get', { accountId, ids: [blobId], properties: ['data:asText'] }, 'a']],
  })
  for (let round = 0; round < 3; round += 1) {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => ask('POST', '/jmap', body)))
    await passTime(round * 10, 'they leave at another point each time')
    for (const socket of sockets) socket.destroy()
  }
  await until(async () => (await postSmall(1_000)) === 200)
})

test('downloads that are in memory and that nobody reads have a limit', async () => {
  const { ann } = ground
  const body = Buffer.alloc(LARGE, 'c').toString('base64')
  const raw = `Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}`
  const { messageId } = await ground.add(ann, { raw })
  const part = `/jmap/download/${ann.accountId}/p${messageId}-1/x.png`
  const whole = `/jmap/download/${ann.accountId}/m${messageId}/x.eml`
  for (const [path, headers] of [
    [part, []],
    [whole, ['Range: bytes=0-11999999']],
  ] as const) {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => askAndSeeBegin('GET', path, '', [...headers])))
    assert.equal(await statusWithin(1_000, part), 'waits')
    // Whole messages come from the disk as they are read.
    assert.equal(await statusWithin(20_000, whole), 200)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await statusWithin(3_000, part)) === 200)
  }
})
