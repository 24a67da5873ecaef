import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { createNetworkHttp } from './exchange.ts'
import type { NetworkFailure } from './failure.ts'
import { LineCut, type NetworkHttp } from './http.ts'

const authorization = { scheme: 'Bearer', value: new Secret('the-token') } as const

let answer: RequestListener
let seen: string[] = []
const listen = async (listener: RequestListener) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
let network: Awaited<ReturnType<typeof listen>>
let elsewhere: Awaited<ReturnType<typeof listen>>
let http: NetworkHttp
let httpUntil: (signal: AbortSignal) => NetworkHttp
before(async () => {
  network = await listen((request, response) => answer(request, response))
  elsewhere = await listen((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`)
    response.end('{}')
  })
  const own = { authorizeUrl: '', tokenUrl: `${network.url}/token`, apiBase: network.url, uploadBase: '' }
  const endpoints = { ...own, apiVersion: '', scopes: [] }
  const egress = createEgress({ ports: [443] })
  http = createNetworkHttp(egress, endpoints)
  httpUntil = (signal) => createNetworkHttp(egress, endpoints, signal)
})
after(() => {
  network.close()
  elsewhere.close()
})
beforeEach(() => {
  seen = []
  answer = (_request, response) => void response.end('{}')
})
const isRefused = ({ facts }: NetworkFailure) => facts.kind === 'config' && facts.code === 'ADDRESS_REFUSED'

describe('an exchange with a network', () => {
  test('takes a token to the addresses of the network only', async () => {
    await assert.rejects(http({ url: `${elsewhere.url}/steal`, authorization }), TypeError)
    assert.deepEqual(seen, [])
  })

  test('takes a token to an address that was handed out only if it is https and public', async () => {
    for (const url of [`${elsewhere.url}/upload`, 'http://uploads.example/1', 'https://127.0.0.1/upload'])
      await assert.rejects(http({ url, isHandedOut: true, authorization }), isRefused, url)
    await assert.rejects(http({ url: `${elsewhere.url}/upload`, isHandedOut: true }), isRefused)
    assert.deepEqual(seen, [])
  })

  test('takes it to an address of the network itself, as a server inside hands out', async () => {
    let held: string | undefined
    answer = (request, response) => {
      held = request.headers.authorization
      response.end('{}')
    }
    await http({ url: `${network.url}/upload`, isHandedOut: true, authorization })
    assert.equal(held, 'Bearer the-token')
  })

  test('follows nothing: a redirect is an answer', async () => {
    answer = (_request, response) => void response.writeHead(307, { location: `${elsewhere.url}/steal` }).end()
    assert.equal((await http({ url: network.url, authorization })).status, 307)
    assert.deepEqual(seen, [])
  })

  test('reads no answer without end, and no half of one', async () => {
    answer = (_request, response) => void response.end(Buffer.alloc(2 ** 20 + 1, ' '))
    await assert.rejects(http({ url: network.url }), LineCut)
    answer = (_request, response) =>
      void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy())
    await assert.rejects(http({ url: network.url }), LineCut)
  })

  test('is a cut line when the time of the caller is up, and ends with the reason of a caller that stops', async () => {
    const hang: RequestListener = () => undefined
    const hangInBody: RequestListener = (_request, response) => void response.write('{')
    for (answer of [hang, hangInBody]) {
      const within = AbortSignal.any([new AbortController().signal, AbortSignal.timeout(50)])
      await assert.rejects(httpUntil(within)({ url: network.url }), LineCut)
    }
    const stopping = new AbortController()
    answer = () => stopping.abort(new Error('The service stops'))
    const within = AbortSignal.any([stopping.signal, AbortSignal.timeout(60_000)])
    await assert.rejects(httpUntil(within)({ url: network.url }), /The service stops/)
  })

  test('reads answers that are no JSON, and leaves out what the database cannot keep', async () => {
    answer = (_request, response) => void response.end('<html>')
    assert.equal((await http({ url: network.url })).json, undefined)
    answer = (_request, response) => void response.end('{"name":"A\\u0000da","path":"C:\\\\u0000"}')
    assert.deepEqual((await http({ url: network.url })).json, { name: 'Ada', path: 'C:\\u0000' })
  })
})
